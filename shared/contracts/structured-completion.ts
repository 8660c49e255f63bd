/** A model call that yields a value of a schema, or says why not. */
import { Type, type Static } from 'typebox'

const open = { additionalProperties: true }
type Plain = ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>
const nullable = <T extends Plain>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const StructuredRequest = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 300 }),
  messages: Type.Array(Type.Object({}, open), { minItems: 1, maxItems: 1000 }),
  schema: Type.Object({}, { ...open, description: 'JSON Schema of the value. At most 64 KiB; references only to #/$defs/…, none to itself; patterns in RE2\'s syntax; no unknown keywords.' }),
  repairTurns: Type.Integer({ minimum: 0, maximum: 1, default: 1, description: 'Whether a reply that cannot be used is shown to the model with its faults, once.' })
}, {
  $id: 'StructuredRequest',
  ...open,
  description: 'A chat request as for /v1/chat/completions, sampling and vLLM\'s extra fields included; `stream`, `n`, `tools`, `response_format` and the guided ones are not taken.',
  examples: [{
    model: 'my-model',
    messages: [{ role: 'user', content: 'Name two noble gases with their symbols. Reply as JSON.' }],
    schema: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, symbol: { type: 'string' } }, required: ['name', 'symbol'], additionalProperties: false } }
  }]
})
/** As it is after defaults; sampling and the rest are the caller's. */
export type StructuredRequest = Static<typeof StructuredRequest> & Record<string, unknown>

const Step = Type.Object({
  step: Type.String({ description: 'Name of a rung of the ladder; the README has the table.' }),
  turn: Type.Integer({ minimum: 1, maximum: 2 }),
  count: Type.Integer({ minimum: 1 }),
  places: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Code points into the raw reply of that turn, the first 20; behind double-encoded and html-escaped, into what was decoded.' })
}, { additionalProperties: false })

const Fault = Type.Object({ pointer: Type.String(), detail: Type.String() }, { additionalProperties: false })

const Reason = Type.Object({
  code: Type.String({ description: 'Stable, for example quote-unclear.' }),
  detail: Type.String(),
  place: nullable(Type.Integer({ minimum: 0 }), 'Code points into the raw reply.'),
  errors: Type.Array(Fault, {
    description: 'Where the value does not match the schema: JSON pointers into the value.'
  })
}, { additionalProperties: false })

const count = (description: string) => nullable(Type.Integer({ minimum: 0 }), description)
const Usage = Type.Object({
  promptTokens: count('As the server counted, both turns together; null where it did not say.'),
  completionTokens: count('Likewise.'),
  cachedTokens: count('Likewise.'),
  reasoningTokens: count('Likewise.')
}, { additionalProperties: false })

const Turn = Type.Object({
  raw: nullable(Type.String(), 'What the model wrote, as it came; null when there was no content.'),
  reasoning: nullable(Type.String(), 'Its thinking, where the server gives that apart.'),
  finishReason: nullable(Type.String(), 'As the server said; a stop rule of ours puts its own name here.'),
  reason: Type.Union([Reason, Type.Null()], { description: 'Why there is no value; null when there is one.' }),
  requestHash: Type.String(),
  upstream: Type.String(),
  upstreamVersion: nullable(Type.String(), 'Of the model server; null where it does not tell.'),
  attempts: Type.Integer({ minimum: 0, description: 'Requests made to model servers, retries included; 0 when the reply was on record.' }),
  source: Type.String({ description: 'upstream, record or coalesced.' })
}, { additionalProperties: false })

export const structuredOutcomes = ['answered', 'unparsable', 'refused', 'truncated', 'error'] as const

export const StructuredCompletion = Type.Object({
  outcome: Type.Enum([...structuredOutcomes], {
    description: 'answered: value holds what the model meant. unparsable: the reply holds no value that is certain. refused: the model declined. truncated: the reply was cut; value holds the complete elements of its list, where the schema allows that. error: the reply was unusable and the repair turn could not be had, for reasons of infrastructure that `problem` names; not an answer, ask again.'
  }),
  value: Type.Unknown({ description: 'Null when there is none; `hasValue` tells it from a null that was asked for.' }),
  hasValue: Type.Boolean(),
  raw: nullable(Type.String(), 'Of the last turn.'),
  reason: Type.Union([Reason, Type.Null()]),
  dropped: Type.Union([
    Type.Object({
      pointer: Type.String({ description: 'JSON pointer of the first element that is missing.' }),
      kept: Type.Integer({ minimum: 0, description: 'Elements of that list that are complete.' })
    }, { additionalProperties: false }),
    Type.Null()
  ]),
  steps: Type.Array(Step),
  usage: Usage,
  model: Type.String(),
  upstreamVersion: nullable(Type.String(), 'Of the last turn.'),
  requestHash: Type.String({ description: 'Of the last turn; names the completion on record.' }),
  attempts: Type.Integer({ minimum: 0, description: 'Of all turns.' }),
  problem: nullable(Type.String(), 'Kind of the problem behind the outcome error.'),
  turns: Type.Array(Turn, { minItems: 1, maxItems: 2 })
}, { $id: 'StructuredCompletion', additionalProperties: false })
export type StructuredCompletion = Static<typeof StructuredCompletion>
