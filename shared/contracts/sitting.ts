/** Sitting: a person answers items of a benchmark, as models do, on the server's clock. */
import { Type, type Static, type TSchema } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { RaterId } from './human-review.ts'
import { BenchmarkId, ItemId, RunId, SittingId } from './ids.ts'
import { ItemKind } from './item.ts'
import { Condition, SittingEnding } from './run.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Count = Type.Integer({ minimum: 0 })

/** More than a person answers. */
export const sittingItemsMax = 2_000
/** UTF-16 units of a typed answer: ten pages. */
export const answerCharsMax = 20_000
/** Of one item, for a mind that changes. */
export const answersMax = 50

const drawn = {
  benchmarkId: BenchmarkId,
  raterId: RaterId,
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1, description: 'Of the draw and of the order. It stands as the condition\'s seed too, whatever that says.' }),
  itemsMax: Type.Integer({ minimum: 1, maximum: sittingItemsMax, default: sittingItemsMax, description: 'How many items are drawn at most; the two members of a minimal pair are drawn together.' }),
  condition: Type.Object(Condition.properties, { ...closed, default: {}, description: 'As of a run: how items are put. What is about models alone (thinking, confidence, a prompt other than standard) is refused.' })
}

export const SittingRequest = Type.Object({
  ...drawn,
  itemIds: Type.Optional(Type.Array(ItemId, { minItems: 1, maxItems: sittingItemsMax, uniqueItems: true, description: 'Draws from these alone.' })),
  kinds: Type.Optional(Type.Array(ItemKind, { minItems: 1, maxItems: 4, uniqueItems: true, description: 'Draws from these kinds alone.' })),
  stratifyBy: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A dimension of the items\' slices: each value has its share of the draw, to one item or pair.' })),
  secondsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800, description: 'For the whole, from the first question shown. What comes later is kept, marked late, and counts as not answered.' })),
  secondsPerItem: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, description: 'From when an item is first shown.' })),
  expertise: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A label by which people are grouped, for example "forecaster".' })),
  consent: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What the person agreed to, for example "form 2". No personal data.' }))
}, { $id: 'SittingRequest', ...closed, examples: [{ benchmarkId: exampleIds.benchmark, raterId: 'anna', expertise: 'expert', itemsMax: 5, secondsMax: 1800 }] })
export type SittingRequest = Static<typeof SittingRequest>

export const Sitting = Type.Object({
  id: SittingId,
  ...drawn,
  itemIds: Maybe(Type.Array(ItemId, { description: 'From which it was drawn, where some were named.' })),
  kinds: Maybe(Type.Array(ItemKind)),
  stratifyBy: Maybe(Type.String()),
  secondsMax: Maybe(Type.Integer()),
  secondsPerItem: Maybe(Type.Integer()),
  expertise: Maybe(Type.String()),
  consent: Maybe(Type.String()),
  state: Type.Enum(['ready', 'running', 'time-up', 'closing', 'closed'], { description: 'ready: nothing was shown yet. time-up: what comes now is late. closing: closing began and did not end; close it again.' }),
  itemCount: Count,
  endings: Type.Record(SittingEnding, Count, { description: 'How each item stands: of a closed one, how it ended.' }),
  remainingSeconds: Maybe(Type.Number({ minimum: 0, description: 'Of secondsMax; null without one and when closed.' })),
  runId: Maybe(RunId)
}, { $id: 'Sitting', ...closed })
export type Sitting = Static<typeof Sitting>

/** One of them: the choice, what was typed, that one does not know, or that one goes on. */
export const SittingAnswer = Type.Object({
  choice: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'Place among the choices as they were shown, from 0.' })),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: answerCharsMax })),
  dontKnow: Type.Optional(Type.Literal(true)),
  skip: Type.Optional(Type.Literal(true, { description: 'Goes on to the next item; this one can be answered later.' }))
}, { $id: 'SittingAnswer', ...closed, minProperties: 1, maxProperties: 1, examples: [{ choice: 0 }] })
export type SittingAnswer = Static<typeof SittingAnswer>

/** Text, or an image as a data URL, in the order in which they are read. */
const Piece = Type.Union([
  Type.Object({ text: Type.String() }, closed), Type.Object({ image: Type.String() }, closed)
])
export type Piece = Static<typeof Piece>

/** The very data of which a model's prompt is made. It has no field for what a person must not know. */
export const SittingQuestion = Type.Object({
  itemId: ItemId,
  kind: ItemKind,
  language: Type.String(),
  position: Type.Integer({ minimum: 1 }),
  stem: Type.Array(Piece),
  choices: Type.Array(Type.Object({ label: Type.String(), pieces: Type.Array(Piece) }, closed)),
  place: Maybe(Type.String({ description: 'What of the paper it is about; null for items of a bank.' })),
  figures: Maybe(Type.String({ description: 'Names, and where the condition allows captions, of the figures it is about.' })),
  images: Type.Array(Type.String(), { description: 'Those figures, as data URLs.' }),
  content: Maybe(Type.String({ description: 'The paper\'s text, as the condition gives it to models; null where it gives none.' })),
  leftOut: Type.Array(Type.String(), { description: 'Parts of the paper that did not fit.' }),
  answer: Maybe(SittingAnswer),
  remainingSeconds: Maybe(Type.Number({ minimum: 0, description: 'Until an answer is late: of the item or of the whole, whichever ends first. Null without a limit.' }))
}, { $id: 'SittingQuestion', ...closed })
export type SittingQuestion = Static<typeof SittingQuestion>

export const SittingNext = Type.Object({
  sittingId: SittingId,
  state: Type.Enum(['asking', 'all-seen', 'time-up', 'closed'], { description: 'all-seen: nothing is left to show; skipped items can be asked for by their id until it is closed.' }),
  itemCount: Count,
  question: Maybe(SittingQuestion),
  seen: Type.Array(Type.Object({ itemId: ItemId, position: Type.Integer({ minimum: 1 }), ending: SittingEnding }, closed), { description: 'Items that were shown, in order.' })
}, { $id: 'SittingNext', ...closed })
export type SittingNext = Static<typeof SittingNext>

export const AnswerKept = Type.Object({
  itemId: ItemId,
  ending: SittingEnding,
  late: Type.Boolean({ description: 'Whether this answer came after the time; the last one in time stands.' }),
  answers: Type.Integer({ minimum: 1, description: 'So many are kept, this one last.' })
}, { $id: 'AnswerKept', ...closed })
export type AnswerKept = Static<typeof AnswerKept>

export const SittingDeleted = Type.Object({
  sittingId: SittingId,
  runIds: Type.Array(RunId, { description: 'Runs that went with it: its own, and those scored again from it.' }),
  notes: Type.Array(Type.String())
}, { $id: 'SittingDeleted', ...closed })
export type SittingDeleted = Static<typeof SittingDeleted>
