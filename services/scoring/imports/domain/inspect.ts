/** A sample of an inspect-ai log, from the `.json` form or from a file of the `.eval` zip. */
import { member, valueAt } from '../../../../shared/text/member.ts'
import type { Fields } from './raw-row.ts'

export function isInspectLog (value: unknown): boolean {
  return valueAt(value, 'eval.task') !== undefined && Array.isArray(member(value, 'samples'))
}

export function isInspectSample (value: unknown): boolean {
  return member(value, 'id') !== undefined && member(value, 'target') !== undefined && member(value, 'epoch') !== undefined
}

export function scorersOf (sample: unknown): string[] {
  const scores = member(sample, 'scores')
  return scores !== null && typeof scores === 'object' ? Object.keys(scores) : []
}

/** @param scorer  whose verdict is theirs; the first where it is not there */
export function inspectFields (sample: unknown, scorer?: string): Fields {
  const score = member(member(sample, 'scores'), scorer ?? scorersOf(sample)[0] ?? '')
  const target = member(sample, 'target')
  const epoch = member(sample, 'epoch')
  const id = member(sample, 'id')
  return {
    id: typeof epoch === 'number' && epoch > 1 ? `${String(id)} epoch ${epoch}` : id,
    reply: replyOf(sample),
    gold: Array.isArray(target) && target.length === 1 ? target[0] : target,
    choices: member(sample, 'choices') ?? undefined,
    verdict: member(score, 'value'),
    label: member(score, 'answer'),
    // Epochs of one sample belong together, as items of one paper do.
    cluster: valueAt(sample, 'metadata.paperId') ?? id,
    finishReason: finishReasons[String(valueAt(sample, 'output.choices.0.stop_reason'))],
    error: member(sample, 'error') ?? valueAt(sample, 'output.error') ?? null
  }
}

/** inspect-ai's words for OpenAI's. */
const finishReasons: Record<string, string> = {
  stop: 'stop', max_tokens: 'length', model_length: 'length', content_filter: 'content_filter'
}

/** The completion; long texts are kept once, under their hash, and named where they stand. */
function replyOf (sample: unknown): unknown {
  const completion = valueAt(sample, 'output.completion') ?? contentOf(valueAt(sample, 'output.choices.0.message.content'))
  const [, key] = typeof completion === 'string' ? /^attachment:\/\/([0-9a-f]{1,64})$/.exec(completion) ?? [] : []
  return key === undefined ? completion : member(member(sample, 'attachments'), key)
}

function contentOf (content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts = content.map(part => member(part, 'text')).filter(text => typeof text === 'string')
  return texts.length === 0 ? undefined : texts.join('\n')
}
