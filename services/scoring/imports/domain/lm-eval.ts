/** lm-eval's `samples_*.jsonl`: one line for each item and filter. */
import { member, valueAt } from '../../../../shared/text/member.ts'
import type { Fields } from './raw-row.ts'

export function isLmEval (value: unknown): boolean {
  return member(value, 'doc_id') !== undefined && Array.isArray(member(value, 'resps')) && member(value, 'doc') !== undefined
}

/** Of generation tasks the first sample of the reply; of choice tasks the log-likelihood of each option. */
export function lmEvalFields (value: unknown): Fields {
  const resps = member(value, 'resps') as unknown[]
  const scored = resps.length > 1 && resps.every(isLikelihood)
  return {
    id: member(value, 'doc_id'),
    gold: member(value, 'target'),
    verdict: verdictOf(value),
    cluster: valueAt(value, 'doc.paperId'),
    choices: scored ? continuations(value, resps.length) : choicesOf(member(value, 'doc')),
    ...scored
      ? { likelihoods: resps.map(resp => Number(valueAt(resp, '0.0'))), goldBase: 0 }
      : { reply: valueAt(resps, '0.0'), label: valueAt(value, 'filtered_resps.0') }
  }
}

/**
 * Why the verdict of a line is not of its first reply: of several samples a filter's verdict is of all of
 * them together (a majority's, or pass@k), unless it takes the first, as lm-eval's own filter `none` and
 * those named so do. Null where it is of the first.
 */
export function whyNotOfFirst (value: unknown, filter: string): string | null {
  const resps = member(value, 'resps') as unknown[]
  const first = valueAt(resps, '0.0')
  if (resps.every(isLikelihood) || /^none$|first/u.test(filter) || valueAt(value, 'filtered_resps.0') === first) return null
  const samples = Math.max(resps.length, Array.isArray(resps[0]) ? resps[0].length : 1)
  if (samples < 2) return null
  return `The row has ${samples} samples and one verdict of filter "${filter.slice(0, 100)}" over all of them, which no single reply can be held against. Import with a filter that takes the first, or log it with repeats 1.`
}

function isLikelihood (resp: unknown): boolean {
  const score = valueAt(resp, '0.0')
  return (typeof score === 'string' || typeof score === 'number') && score !== '' && /^(?:true|false)$/i.test(String(valueAt(resp, '0.1')))
}

/** What the options were put as, in their order; a blank before them is the prompt's. */
function continuations (value: unknown, count: number): unknown[] {
  return Array.from({ length: count }, (_, at) => {
    const text = valueAt(value, `arguments.gen_args_${at}.arg_1`)
    return typeof text === 'string' ? text.trim() : text
  })
}

/** Where tasks keep their options: a list, `{text: […]}`, or columns A, B, C … */
function choicesOf (doc: unknown): unknown {
  for (const name of ['choices', 'options']) {
    const found = member(doc, name)
    if (Array.isArray(found)) return found
    const texts = member(found, 'text')
    if (Array.isArray(texts)) return texts
  }
  const columns = [...'ABCDEFGHIJ'].map(letter => member(doc, letter))
  const end = columns.findIndex(text => typeof text !== 'string')
  return end >= 2 ? columns.slice(0, end) : undefined
}

/** The metrics that say right or wrong, the stricter first. */
function verdictOf (value: unknown): unknown {
  const named = member(value, 'metrics')
  const names = Array.isArray(named) ? named.filter(name => typeof name === 'string') : []
  for (const name of ['exact_match', 'acc', ...names]) {
    const found = member(value, name)
    if (typeof found === 'number' || typeof found === 'boolean') return found
  }
  return undefined
}
