/**
 * Judgement: models (the judges) score the replies of runs by a rubric, or say which of two replies
 * is better. A rating is what came of one asking; a label is what a person gave in its place.
 */
import { Type, type Static } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { BenchmarkId, ItemId, JudgementId, PredictionId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
import { jobResource } from './job.ts'
import { Rubric, shippedRubricNames } from './rubric.ts'
import { Outcome } from './run.ts'

const closed = { additionalProperties: false }
const whole = Type.Integer({ minimum: 0 })
const maybe = <S extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>>(schema: S, description = '') =>
  Type.Union([schema, Type.Null()], description === '' ? {} : { description })

/** Of a judge: the likeliest reply, and room for reasons. */
const JudgeSampling = Type.Object({
  temperature: Type.Number({ minimum: 0, maximum: 2, default: 0 }),
  topP: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1 }),
  maxTokens: Type.Integer({ minimum: 64, maximum: 32768, default: 2048 })
}, closed)

const ModelName = Type.String({ minLength: 1, maxLength: 300 })
export const judgesMax = 7

export const JudgementRequest = Type.Object({
  runIds: Type.Array(RunId, { minItems: 1, maxItems: 20, uniqueItems: true, description: 'Finished runs of one benchmark; of preferences exactly two.' }),
  form: Type.Enum(['scores', 'preferences'], { default: 'scores', description: 'scores: each reply by the rubric. preferences: of the replies of two runs to an item, which is better by the rubric.' }),
  kinds: Type.Optional(Type.Array(ItemKind, { minItems: 1, maxItems: 4, uniqueItems: true, description: 'Only items of these kinds.' })),
  itemIds: Type.Optional(Type.Array(ItemId, { minItems: 1, maxItems: 2000, uniqueItems: true, description: 'Only these items.' })),
  judges: Type.Array(ModelName, { minItems: 1, maxItems: judgesMax, uniqueItems: true, description: 'Models, as inference lists them; several are a panel.' }),
  families: Type.Record(Type.String({ maxLength: 300 }), Type.String({ pattern: '^[a-z0-9.-]{1,40}$' }), { default: {}, maxProperties: 40, description: 'Model → family, of judges and evaluated models whose name does not tell it.' }),
  rubric: Type.Union([Type.Enum([...shippedRubricNames]), Rubric], { description: 'The name of a shipped rubric (GET /v1/rubrics), or one of your own.' }),
  reference: Type.Enum(['rationale', 'answer', 'none'], { default: 'answer', description: 'What the judge knows of the right answer. rationale: the answer and why it is right; items without a rationale are skipped. answer: the answer alone. none: nothing.' }),
  images: Type.Enum(['with', 'withheld'], { default: 'with', description: 'with: figures asked about are shown; a judge that takes no images skips such items. withheld: the judge is told that they are not shown.' }),
  positionSwap: Type.Boolean({ default: true, description: 'Preferences: each pair is asked in both orders. Without it a liking for the first place cannot be told from a preference.' }),
  repeats: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: 'Times each judge is asked the same; each is a sample of its own.' }),
  sampling: Type.Object(JudgeSampling.properties, { ...closed, default: {} }),
  contextTokens: Type.Integer({ minimum: 1024, maximum: 1048576, default: 16384, description: 'Prompt and reply of the judge together; of a reply that does not fit, the middle is left out, which the judge and leftOut are told.' }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 }),
  tokensMax: Type.Optional(Type.Integer({ minimum: 1000, maximum: 1_000_000_000_000, description: 'What all calls together may spend; what is not asked for it ends in error.' }))
}, {
  $id: 'JudgementRequest',
  ...closed,
  examples: [{ runIds: [exampleIds.run], judges: ['llama-3.1-70b', 'qwen2.5-72b'], rubric: 'kmetbench', reference: 'answer' }]
})
export type JudgementRequest = Static<typeof JudgementRequest>

/** Where a rating came from; null where nobody was asked. */
const RatingProvenance = Type.Object({
  prompt: Type.String(),
  promptHash: Type.String(),
  rubricHash: Type.String(),
  model: Type.String(),
  upstreamVersion: maybe(Type.String()),
  sampling: Type.Record(Type.String(), Type.Unknown()),
  seed: Type.Integer(),
  sampleIndex: whole,
  requestHash: maybe(Type.String(), 'Names the completion on record.')
}, closed)

export const Rating = Type.Object({
  judgementId: JudgementId,
  predictionIds: Type.Array(PredictionId, { minItems: 1, maxItems: 2, description: 'Of preferences two, in the order of runIds.' }),
  itemId: ItemId,
  judge: Type.String(),
  repeat: whole,
  swapped: Type.Boolean({ description: 'Preferences: the second run\'s reply was shown first.' }),
  outcome: Outcome,
  scores: Type.Union([Type.Record(Type.String(), Type.Integer()), Type.Null()], { description: 'Criterion → score as given; null unless answered.' }),
  total: maybe(Type.Number(), 'Sum over the criteria, those reversed of which less is better.'),
  preferred: maybe(Type.String(), 'Preferences: a runId, or "tie"; null unless answered.'),
  errors: Type.Array(Type.String(), { description: 'What the judge listed first.' }),
  reasons: Type.Record(Type.String(), Type.String()),
  detail: maybe(Type.String(), 'Why there are no scores.'),
  leftOut: Type.Array(Type.String()),
  usage: Type.Record(Type.String(), maybe(Type.Number())),
  provenance: Type.Union([RatingProvenance, Type.Null()])
}, { $id: 'Rating', ...closed })
export type Rating = Static<typeof Rating>

export const Judge = Type.Object({
  name: Type.String(),
  family: Type.String(),
  vision: Type.Boolean(),
  contextTokens: Type.Union([Type.Integer(), Type.Null()], { description: 'As its server says; null where it does not.' })
}, closed)
export const JudgedRun = Type.Object({
  runId: RunId,
  model: Type.String(),
  family: Type.String(),
  formulation: Type.Enum(['implicit', 'explicit'], { description: 'The wording in which its items were asked: judges see the same.' })
}, closed)

const { families, ...resolved } = JudgementRequest.properties

export const Judgement = jobResource('Judgement', {
  id: JudgementId,
  ...resolved,
  benchmarkId: BenchmarkId,
  rubric: Rubric,
  rubricHash: Type.String(),
  judges: Type.Array(Judge, { description: 'family: unknown:NAME where the name does not tell.' }),
  runs: Type.Array(JudgedRun),
  prompts: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed)),
  unitCount: Type.Integer({ minimum: 0, description: 'Predictions selected; of preferences, pairs of them.' }),
  judgedCount: Type.Integer({ minimum: 0, description: 'Of them, those that were answered: the others are not judged.' }),
  ratingCount: Type.Integer({ minimum: 0, description: 'Askings: judged × judges × repeats, of preferences × orders.' }),
  outcomes: Type.Record(Outcome, whole, { description: 'Of the ratings there are.' })
})
export type Judgement = Static<typeof Judgement>

export const HumanLabel = Type.Object({
  predictionId: PredictionId,
  scores: Type.Record(Type.String(), Type.Integer(), { description: 'Every criterion of the rubric, within its scale.' }),
  inclusionProbability: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'As the sample said, where one was drawn.' }))
}, closed)

export const HumanLabelsRequest = Type.Object({
  rater: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$', description: 'A name or number that tells raters apart.' }),
  labels: Type.Array(HumanLabel, { minItems: 1, maxItems: 1000 })
}, { $id: 'HumanLabelsRequest', ...closed })
export type HumanLabelsRequest = Static<typeof HumanLabelsRequest>

export const StoredLabel = Type.Object({
  rater: Type.String(), total: Type.Number(), ...HumanLabel.properties
}, { $id: 'StoredLabel', ...closed })
export type StoredLabel = Static<typeof StoredLabel>

export const LabelsAdded = Type.Object({ added: whole, known: whole }, closed)
