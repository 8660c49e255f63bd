/** Run: a benchmark put to a model under one condition; predictions: what came back. */
import { Type, type Static } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { BenchmarkId, ItemId, PaperId, PredictionId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
import { jobResource } from './job.ts'

const closed = { additionalProperties: false }

export const Sampling = Type.Object({
  temperature: Type.Number({ minimum: 0, maximum: 2, default: 0 }),
  topP: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1 }),
  maxTokens: Type.Integer({ minimum: 1, maximum: 32768, default: 1024 })
}, closed)

/** Always stored resolved: every default filled in. */
export const Condition = Type.Object({
  contentMode: Type.Enum(['full', 'sections', 'semantic', 'retrieved', 'oracle', 'none'], { default: 'semantic' }),
  contentTokensMax: Type.Integer({ minimum: 256, maximum: 131072, default: 6000, description: 'Budget of the paper\'s text in the prompt, ceil(UTF-8 bytes / 4); what does not fit is listed as left out.' }),
  prompt: Type.Enum(['standard'], { default: 'standard' }),
  formulation: Type.Enum(['implicit', 'explicit'], { default: 'implicit' }),
  figures: Type.Enum(['with', 'withheld'], { default: 'with', description: 'withheld: figure items are asked without their image, and the report says so.' }),
  permutationSeed: Type.Optional(Type.Integer()),
  thinking: Type.Boolean({ default: false }),
  sampling: Type.Object(Sampling.properties, { ...closed, default: {} }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 }),
  repeat: Type.Integer({ minimum: 0, maximum: 99, default: 0 })
}, { $id: 'Condition', additionalProperties: false })
export type Condition = Static<typeof Condition>

export const outcomes = ['answered', 'unparsable', 'refused', 'truncated', 'error', 'skipped'] as const
export const Outcome = Type.Enum([...outcomes])
export type Outcome = Static<typeof Outcome>

/** What was read out of a reply: the label, by which rule, from where. */
export const Extraction = Type.Object({
  label: Type.Union([Type.String(), Type.Null()], { description: 'For binary Yes or No, for choice a letter.' }),
  index: Type.Union([Type.Integer(), Type.Null()], { description: '0-based index into choices.' }),
  rule: Type.Union([Type.String(), Type.Null()]),
  span: Type.Union([Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), Type.Null()], { description: 'Half-open code point offsets into the reply.' }),
  alternatives: Type.Array(Type.String()),
  violation: Type.Optional(Type.String({ description: 'Strict reading: how the format was missed.' })),
  reason: Type.Optional(Type.String({ description: 'Why there is no label: empty, refused, multiple, out-of-range, unparsed.' }))
}, { $id: 'Extraction', additionalProperties: false })
export type Extraction = Static<typeof Extraction>

export const Prediction = Type.Object({
  id: PredictionId,
  runId: RunId,
  itemId: ItemId,
  paperId: Type.Union([PaperId, Type.Null()]),
  kind: ItemKind,
  pairId: Type.Optional(Type.String()),
  slices: Type.Record(Type.String(), Type.String()),
  outcome: Outcome,
  reply: Type.Union([Type.String(), Type.Null()], { description: 'Raw, as the model gave it.' }),
  lenient: Type.Union([Extraction, Type.Null()], { description: 'Null for descriptive kinds.' }),
  strict: Type.Union([Extraction, Type.Null()]),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'Why it was skipped, or what failed.' }),
  leftOut: Type.Array(Type.String(), { description: 'Parts of the paper that did not fit the prompt.' }),
  promptHash: Type.Union([Type.String(), Type.Null()]),
  requestHash: Type.Union([Type.String(), Type.Null()])
}, { $id: 'Prediction', additionalProperties: false })
export type Prediction = Static<typeof Prediction>

export const Run = jobResource('Run', {
  id: RunId,
  benchmarkId: BenchmarkId,
  model: Type.String(),
  condition: Condition,
  outcomes: Type.Record(Outcome, Type.Integer({ minimum: 0 }))
})
export type Run = Static<typeof Run>

export const RunRequest = Type.Object({
  benchmarkId: BenchmarkId,
  model: Type.String({ minLength: 1, maxLength: 200, description: 'A baseline ("baseline/always-yes") or a name that GET /v1/models of inference lists.' }),
  condition: Type.Object(Condition.properties, { additionalProperties: false, default: {} })
}, {
  $id: 'RunRequest',
  additionalProperties: false,
  examples: [{ benchmarkId: exampleIds.benchmark, model: 'baseline/extractive' }]
})
export type RunRequest = Static<typeof RunRequest>
