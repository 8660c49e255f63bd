/** What a structured completion asks of a model server, and what is told of the turns it took. */
import type { StructuredCompletion, StructuredRequest } from '../../../shared/contracts/structured-completion.ts'
import { Problem, type FieldError } from '../../../shared/errors/problem.ts'
import type { RequestBody } from './call.ts'
import { climb, replyCharsMax, type Climbed } from './ladder/climb.ts'
import { faults, type Note, type StepName } from './ladder/notes.ts'
import type { Said } from './read-completion.ts'
import type { ReplySchema } from './reply-schema.ts'
import type { StopRule } from './stop-rules.ts'

/** Set by us, or of no use with one value asked for. */
const notTaken = [
  'stream', 'stream_options', 'n', 'best_of', 'tools', 'tool_choice', 'functions', 'function_call', 'response_format',
  'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'guided_decoding_backend'
]

/**
 * The chat request: the schema goes as OpenAI's response_format, in whatever dialect the server has.
 *
 * @throws Problem invalid-request naming what is not taken
 */
export function chatRequest (request: StructuredRequest): RequestBody {
  const errors: FieldError[] = notTaken.filter(key => Object.hasOwn(request, key))
    .map(key => ({ pointer: `/body/${key}`, detail: 'is not taken here: one value of the schema is asked for, and the schema is sent by us' }))
  if (errors.length > 0) throw new Problem('invalid-request', `${errors[0]!.pointer} ${errors[0]!.detail}.`, { errors })
  const { schema, repairTurns, ...chat } = request
  return { ...chat, response_format: { type: 'json_schema', json_schema: { name: 'reply', schema, strict: true } } }
}

/** The same question with the reply and what is wrong with it behind it. */
export function secondTurn (chat: RequestBody, raw: string | null, report: string): RequestBody {
  const messages = chat.messages as unknown[]
  return {
    ...chat,
    messages: [...messages, { role: 'assistant', content: raw ?? '(no text)' }, { role: 'user', content: report }]
  }
}

/** Longer replies are not shown again: the second turn would not fit, and would not end better. */
export const repairCharsMax = 32 * 1024

export interface Read extends Climbed { raw: string | null }

/** What a reply comes to. @param stopped the rule of ours that ended it */
export function readSaid (said: Said, schema: ReplySchema, stopped: StopRule | null): Read {
  const { content, refusal, toolCall, finishReason } = said
  const raw = content ?? refusal
  const none = { errors: [], at: null, dropped: null, notes: [] as Note[], fault: null }
  if (finishReason === 'content_filter' || refusal !== null) return { outcome: 'refused', raw, ...none }
  if (toolCall && (content ?? '').trim() === '') return { outcome: 'unparsable', raw, ...none, fault: 'tool-call' }
  const text = content ?? ''
  const read = (cut: boolean) => ({ ...climb({ text, cut, schema }), raw })
  if (stopped === null) return read(finishReason !== 'stop')
  const note: Note = { step: stopped, at: text.length }
  // Behind a value that has closed, blanks say nothing more.
  const whole = stopped === 'stopped-whitespace' ? read(false) : null
  const ended = whole !== null && whole.outcome === 'answered' && !whole.notes.some(({ step }) => step === 'closed')
  const result = ended ? whole : read(true)
  return { ...result, notes: [...result.notes, note] }
}

/** How long a reply may become before it is ended. */
export const streamCharsMax = replyCharsMax

export type Reason = NonNullable<StructuredCompletion['reason']>
export type Step = StructuredCompletion['steps'][number]
const placesMax = 20

/** Why there is no value, for people and for the model; null when there is one. */
export function reasonOf ({ outcome, fault, at, errors, raw }: Read): Reason | null {
  if (outcome === 'answered') return null
  if (fault === null) {
    const detail = outcome === 'refused' ? 'The model declined.' : 'The reply was cut before its value was complete.'
    return { code: outcome, detail, place: null, errors }
  }
  return { code: fault, detail: faults[fault], place: at === null ? null : codePoints(raw ?? '', [at])[0]!, errors }
}

/** The steps of one turn, each name once, in the order of their first place. */
export function stepsOf (notes: readonly Note[], raw: string | null, turn: number): Step[] {
  const byName = new Map<StepName, { count: number, places: number[] }>()
  for (const { step, at } of notes) {
    const seen = byName.get(step) ?? { count: 0, places: [] }
    byName.set(step, seen)
    seen.count++
    if (at !== null && seen.places.length < placesMax) seen.places.push(at)
  }
  return [...byName].map(([step, { count, places }]) => ({
    step, turn, count, places: codePoints(raw ?? '', places.sort((a, b) => a - b))
  }))
}

/** @param offsets UTF-16, ascending */
function codePoints (text: string, offsets: readonly number[]): number[] {
  let at = 0
  let points = 0
  return offsets.map(offset => {
    for (; at < Math.min(offset, text.length); at++) {
      const unit = text.charCodeAt(at)
      const second = (unit & 0xfc00) === 0xdc00 && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
      if (!second) points++
    }
    return points
  })
}

/** The faults of a reply as lines of JSON: data for the model. */
export function reportOf (reason: Reason, raw: string | null): string {
  const { code, detail, place, errors } = reason
  const near = place === null ? undefined : [...(raw ?? '')].slice(Math.max(0, place - 20), place + 40).join('')
  const wrongs = errors.map(({ pointer, detail: wrong }) => ({ at: pointer, wrong }))
  const lines = [{ fault: code, detail, near }, ...wrongs]
  return lines.map(line => JSON.stringify(line)).join('\n')
}
