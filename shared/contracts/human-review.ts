/** What people think of items: who they are, what they decide, and how they answer a questionnaire. */
import { Type, type Static } from 'typebox'
import { ItemId, ReviewId, ReviewingId } from './ids.ts'
import { Evidence, Item, Provenance } from './item.ts'
import { Decision, RaterRole, Review, ReviewedItem, Verdict } from './review.ts'

const closed = { additionalProperties: false }
const text = (maxLength: number, description: string) => Type.String({ maxLength, description })

export const RaterId = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
  description: 'A pseudonym: a letter, then letters, digits, _ or -.',
  examples: ['anna']
})

export const QuestionnaireId = Type.String({
  pattern: '^qnr_[0-9a-f]{32}$',
  description: 'Id of a questionnaire: qnr_ and 32 hex digits of its hash.',
  // The first that comes with the service; a test holds it so.
  examples: ['qnr_46058cf796f805a78b76ab889dc44709']
})

export const Rater = Type.Object({
  id: RaterId,
  role: RaterRole,
  qualification: text(200, 'For example "PhD, meteorology".')
}, { $id: 'Rater', ...closed })
export type Rater = Static<typeof Rater>

/** Of a scale a whole number, of a choice the chosen option or options, else text. */
export const Answer = Type.Union([
  Type.Integer(),
  Type.String({ maxLength: 5000 }),
  Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50, uniqueItems: true })
])
export type Answer = Static<typeof Answer>
export const Answers = Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' }), Answer, {
  maxProperties: 50, additionalProperties: false, description: 'Question id → answer.'
})
export type Answers = Static<typeof Answers>

const QuestionId = Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' })
const Option = Type.Object({
  value: Type.String({ pattern: '^[a-z][a-z0-9-]{0,59}$' }), label: Type.String({ minLength: 1, maxLength: 200 })
}, closed)

export const Question = Type.Object({
  id: QuestionId,
  text: Type.String({ minLength: 1, maxLength: 1000 }),
  type: Type.Enum(['scale', 'choice', 'choices', 'text'], { description: 'choice: one of the options; choices: any number of them.' }),
  required: Type.Boolean({ default: true }),
  min: Type.Optional(Type.Integer({ minimum: -100, maximum: 100, description: 'Of a scale.' })),
  max: Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })),
  level: Type.Optional(Type.Enum(['ordinal', 'interval'], { description: 'Of a scale, for agreement; ordinal unless said.' })),
  anchors: Type.Optional(Type.Record(Type.String({ pattern: '^-?[0-9]{1,3}$' }), Type.String({ maxLength: 300 }), {
    maxProperties: 20, additionalProperties: false, description: 'What points of a scale mean.'
  })),
  options: Type.Optional(Type.Array(Option, { minItems: 2, maxItems: 50 })),
  when: Type.Optional(Type.Object({ question: QuestionId, is: Type.String({ maxLength: 60 }) }, {
    ...closed, description: 'Asked only where an earlier choice is this.'
  }))
}, { $id: 'Question', ...closed })
export type Question = Static<typeof Question>

const questionnaireProperties = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  version: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$', description: 'Of the instruction; stored with every answer.' }),
  scope: Type.Enum(['item', 'set'], { description: 'set: about a whole set of items, such as their diversity.' }),
  instruction: Type.String({ maxLength: 5000 }),
  questions: Type.Array(Question, { minItems: 1, maxItems: 40 })
}
export const QuestionnaireRequest = Type.Object(questionnaireProperties, { $id: 'QuestionnaireRequest', ...closed })
export type QuestionnaireRequest = Static<typeof QuestionnaireRequest>
export const Questionnaire = Type.Object({ id: QuestionnaireId, ...questionnaireProperties }, {
  $id: 'Questionnaire', ...closed
})
export type Questionnaire = Static<typeof Questionnaire>

/** Where the offsets of a quote are found is not the rater's work: the quote is looked for. */
const Quote = Type.Object({
  quote: Type.String({ minLength: 1, maxLength: 4000 }),
  target: Type.Optional(Evidence.properties.target),
  cell: Evidence.properties.cell
}, closed)

export const Edit = Type.Object({
  question: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  answer: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
  choices: Type.Optional(Type.Array(Type.String({ maxLength: 4000 }), {
    minItems: 2, maxItems: 20, description: 'The texts, all of them, in their order; empty only where the choice is an image.'
  })),
  answerIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 19 })),
  evidence: Type.Optional(Type.Array(Quote, { maxItems: 20, description: 'Each is looked for in the paper; without a target, everywhere.' })),
  rationale: Type.Optional(Type.String({ maxLength: 8000 })),
  relabel: Type.Optional(Type.Boolean({ description: 'Needed to change the answer of a member of a pair.' }))
}, { $id: 'Edit', ...closed, minProperties: 1 })
export type Edit = Static<typeof Edit>

const answered = {
  questionnaireId: Type.Optional(QuestionnaireId),
  answers: Type.Optional(Answers),
  comment: Type.String({ maxLength: 5000, default: '' }),
  instructionVersion: Type.String({ maxLength: 40, default: '', description: 'Of what the rater was told to do.' }),
  seconds: Type.Number({ minimum: 0, maximum: 86_400, description: 'How long the rater took.' })
}

export const HumanReviewRequest = Type.Object({
  reviewingId: ReviewingId,
  rater: Rater,
  decision: Type.Optional(Decision),
  reason: Type.String({ maxLength: 2000, default: '', description: 'Needed to reject.' }),
  edit: Type.Optional(Type.Object(Edit.properties, { ...closed, minProperties: 1 })),
  ...answered
}, { $id: 'HumanReviewRequest', ...closed })
export type HumanReviewRequest = Static<typeof HumanReviewRequest>

const Standing = Type.Enum(['stands', 'superseded', 'withdrawn'])

export const HumanOpinion = Type.Object({
  reviewingId: ReviewingId,
  rater: Rater,
  decision: Type.Union([Decision, Type.Null()]),
  reason: Type.String(),
  edit: Type.Union([Edit, Type.Null()]),
  questionnaireId: Type.Union([QuestionnaireId, Type.Null()]),
  answers: Answers,
  instructionVersion: Type.String(),
  seconds: Type.Number(),
  blind: Type.Boolean({ description: 'Whether the queue hid the reviews of the model and of others.' }),
  decides: Type.Boolean({ description: 'Whether the item follows. A blind review does not overrule the decision of another that its rater could not see.' }),
  supersedes: Type.Union([ReviewId, Type.Null()], { description: 'The same rater\'s review before.' }),
  standing: Standing
}, { $id: 'HumanOpinion', ...closed })
export type HumanOpinion = Static<typeof HumanOpinion>

/** A review whose reviewer is a person. */
export const HumanReview = Type.Object({ ...Review.properties, human: HumanOpinion }, {
  $id: 'HumanReview', ...closed
})
export type HumanReview = Static<typeof HumanReview>

const BlindItem = Type.Object({ ...Item.properties, provenance: Type.Optional(Provenance) }, closed)

export const HumanReviewAnswer = Type.Object({
  review: HumanReview,
  edited: Type.Optional(Type.Object(BlindItem.properties, { ...closed, description: 'Of an edit: the item as its rater would have it, also where it does not decide.' })),
  reviewed: Type.Object({
    ...ReviewedItem.properties,
    item: BlindItem,
    verdict: Type.Union([Verdict, Type.Null()])
  }, { ...closed, description: 'As it stands. Of a blind review without verdict, decision and provenance, and unless it decided in the version that was read.' })
}, { $id: 'HumanReviewAnswer', ...closed })
export type HumanReviewAnswer = Static<typeof HumanReviewAnswer>

export const QueueEntry = Type.Object({
  reviewingId: ReviewingId,
  etag: Type.String({ description: 'For If-Match of the review. Blind: of the item; else of the item and what was decided.' }),
  leaseSeconds: Type.Integer({ description: 'For so long nobody else gets it, counted from this answer.' }),
  blind: Type.Boolean(),
  double: Type.Boolean({ description: 'Whether two raters are to review it.' }),
  item: Type.Object({ ...Item.properties, provenance: Type.Optional(Provenance) }, {
    ...closed, description: 'Without provenance where blind.'
  }),
  revision: Type.Integer({ minimum: 0 }),
  failedChecks: Type.Array(Type.String()),
  verdict: Type.Union([ReviewedItem.properties.verdict, Type.Null()], { description: 'Null where blind.' }),
  decision: Type.Union([Decision, Type.Null()], { description: 'Null where blind.' }),
  disputed: Type.Boolean({ description: 'Whether raters disagree on rejecting it; false where blind.' }),
  reviews: Type.Array(Type.Union([HumanReview, Review]), { description: 'None where blind.' })
}, { $id: 'QueueEntry', ...closed })
export type QueueEntry = Static<typeof QueueEntry>

export const ReviewQueue = Type.Object({
  entries: Type.Array(QueueEntry),
  progress: Type.Object({
    items: Type.Integer({ minimum: 0, description: 'That match the query, and are assigned to the rater.' }),
    yours: Type.Integer({ minimum: 0, description: 'Of the reviewing, reviewed by the rater.' }),
    reviewed: Type.Integer({ minimum: 0, description: 'Of the reviewing, reviewed by anybody.' })
  }, closed)
}, { $id: 'ReviewQueue', ...closed })
export type ReviewQueue = Static<typeof ReviewQueue>

export const SetReviewRequest = Type.Object({
  reviewingId: ReviewingId,
  itemIds: Type.Array(ItemId, { minItems: 2, maxItems: 500, uniqueItems: true }),
  rater: Rater,
  blind: Type.Boolean({ default: false, description: 'Whether the rater saw no review of the model or of others.' }),
  ...answered,
  questionnaireId: QuestionnaireId,
  answers: Answers
}, { $id: 'SetReviewRequest', ...closed })
export type SetReviewRequest = Static<typeof SetReviewRequest>

/** Of a set of items as a whole; one that follows another of the same rater and set supersedes it. */
export const SetReview = Type.Object({
  id: ReviewId,
  setId: Type.String({ description: 'Of the items, in whatever order: sha256.' }),
  ...SetReviewRequest.properties,
  supersedes: Type.Union([ReviewId, Type.Null()])
}, { $id: 'SetReview', ...closed })
export type SetReview = Static<typeof SetReview>

export const ItemSet = Type.Object({ setId: Type.String(), itemIds: Type.Array(ItemId) }, { $id: 'ItemSet', ...closed })
