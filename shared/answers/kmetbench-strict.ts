/**
 * The format that K-MetBench's prompts ask for, held to: one block fenced as json with an object whose
 * 정답 is a whole number of an option, and nothing else. Closed thoughts and scratchpads may stand before it.
 */
import type { Extraction } from '../contracts/run.ts'
import { codePointsIn } from '../text/code-points.ts'
import { withoutReasoning } from './reasoning.ts'

/** How a reply missed it; the first that holds. */
export const kmetbenchViolations = [
  'unclosed-reasoning', 'empty', 'no-json', 'multiple', 'extra-text', 'bad-json', 'key-missing', 'wrong-form', 'out-of-range'
] as const
export type KmetbenchViolation = (typeof kmetbenchViolations)[number]

const [opening, closing] = ['```json', '```']

/** @param options  how many there are; `index` is the number answered less one */
export function readKmetbenchStrictly (reply: string, options: number): Extraction {
  const stretches = withoutReasoning(reply)
  if (stretches === null) return missed('unclosed-reasoning')
  const [from, to] = stretches.at(-1)!
  const text = reply.slice(from, to).trim()
  if (text === '') return missed('empty')
  if (!text.includes('{')) return missed('no-json')
  const fences = text.split(closing).length - 1
  if (fences > 2) return missed('multiple')
  if (fences < 2 || !text.startsWith(opening) || !text.endsWith(closing)) return missed('extra-text')
  const json = text.slice(opening.length, -closing.length)
  const found = answerIn(json, options)
  if (typeof found === 'string') return missed(found)
  const start = reply.indexOf(json, from)
  return {
    label: String.fromCharCode(65 + found.index),
    index: found.index,
    rule: 'kmetbench-strict',
    span: [codePointsIn(reply, 0, start), codePointsIn(reply, 0, start + json.length)],
    alternatives: []
  }
}

function answerIn (json: string, options: number): { index: number } | KmetbenchViolation {
  let value: unknown
  try { value = JSON.parse(json) } catch { return 'bad-json' }
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, '정답')) return 'key-missing'
  const answer = (value as Record<string, unknown>)['정답']
  if (typeof answer !== 'number' || !Number.isInteger(answer)) return 'wrong-form'
  return answer >= 1 && answer <= options ? { index: answer - 1 } : 'out-of-range'
}

function missed (violation: KmetbenchViolation): Extraction {
  const reason = violation === 'empty' || violation === 'out-of-range' ? violation : 'unparsed'
  return { label: null, index: null, rule: null, span: null, alternatives: [], violation, reason }
}
