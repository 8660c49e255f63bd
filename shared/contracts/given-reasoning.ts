/** What a question was given besides itself, to see what a rationale and a suggestion do to its answer. */
import { Type, type Static } from 'typebox'
import { RunId } from './ids.ts'

const closed = { additionalProperties: false }

export const faultKinds = ['number', 'direction', 'unit'] as const

/** One thing in a rationale made wrong. Offsets are half-open code points into it as its run wrote it. */
export const RationaleFault = Type.Object({
  kind: Type.Enum([...faultKinds], { description: 'number: one digit is another one. direction: a word by its opposite. unit: another unit of the same quantity.' }),
  start: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
  from: Type.String(),
  to: Type.String(),
  sentence: Type.Integer({ minimum: 1, description: 'Which sentence of the rationale; what follows it is cut off.' }),
  sentences: Type.Integer({ minimum: 1 })
}, closed)
export type RationaleFault = Static<typeof RationaleFault>

const AddedPrompt = {
  prompt: Type.String({ description: 'Prompt file that gave it.' }),
  promptHash: Type.String({ description: 'Its sha256.' })
}

/** The model's own rationale of another run, as it was given back to it. */
export const GivenRationale = Type.Object({
  runId: RunId,
  ...AddedPrompt,
  sourceHash: Type.String({ description: 'sha256 of the whole rationale as the source run wrote it.' }),
  hash: Type.String({ description: 'sha256 of what was given of it.' }),
  chars: Type.Integer({ minimum: 0, description: 'Code points given.' }),
  charsOf: Type.Integer({ minimum: 0, description: 'Code points of the whole.' }),
  share: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description: 'As asked for; null where it ends with a sentence.' }),
  fault: Type.Union([RationaleFault, Type.Null()], { description: 'Of error-injected what was put in, of error-control what would have been.' })
}, closed)
export type GivenRationale = Static<typeof GivenRationale>

export const GivenHint = Type.Object({
  ...AddedPrompt,
  index: Type.Integer({ minimum: 0, description: 'Of the suggested choice, its place in the item\'s choices.' }),
  label: Type.String({ description: 'As it was suggested: a letter as shown, or Yes, No.' }),
  right: Type.Boolean()
}, closed)
export type GivenHint = Static<typeof GivenHint>

export const rationaleParts = {
  rationale: Type.Optional(Type.Enum(['truncated', 'error-injected', 'error-control'], { description: 'The question is asked with what the model itself wrote before its answer in run `rationaleFrom`. truncated: the first `rationaleShare` of it, and it must answer at once. error-injected: up to a sentence in which one thing was made wrong (by `seed`), from where it goes on by itself. error-control: the same without the fault. Only yes/no and multiple choice.' })),
  // A settled run of the same model and benchmark under the prompt "reasoning", alike in all that is shown.
  rationaleFrom: Type.Optional(RunId),
  rationaleShare: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'With rationale truncated: of its code points, back to the last white space. Usual: 0, .25, .5, .75, 1.' })),
  hint: Type.Optional(Type.Enum(['biased', 'right'], { description: 'The prompt says which answer a colleague thinks right. biased: a wrong one, by `seed`. right: the control. Only yes/no and multiple choice.' }))
}
