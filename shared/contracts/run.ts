/** Run: a benchmark put to a model under one condition; predictions: what came back. */
import { Type, type Static } from 'typebox'
import { exampleIds } from './example-ids.ts'
import { GivenHint, GivenRationale, rationaleParts } from './given-reasoning.ts'
import { BenchmarkId, ItemId, PaperId, PredictionId, RunId, SittingId } from './ids.ts'
import { ItemKind } from './item.ts'
import { jobResource } from './job.ts'
import { Interval } from './score.ts'

const closed = { additionalProperties: false }

export const Sampling = Type.Object({
  temperature: Type.Number({ minimum: 0, maximum: 2, default: 0 }),
  topP: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1 }),
  maxTokens: Type.Integer({ minimum: 1, maximum: 32768, default: 1024 }),
  // Left out, the server does as it does: what it is told is told by nobody else.
  topK: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  presencePenalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
  frequencyPenalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 }))
}, closed)

/** Of a paper's text in a prompt, unless asked otherwise. */
export const usualContentTokens = 6000

/**
 * Always stored resolved: every default filled in. What is optional is left out where it asks for
 * nothing, so that a run keeps its id when conditions learn a new word.
 */
export const Condition = Type.Object({
  contentMode: Type.Enum(['full', 'sections', 'semantic', 'retrieved', 'oracle', 'none'], { default: 'semantic' }),
  contentTokensMax: Type.Integer({ minimum: 256, maximum: 131072, default: usualContentTokens, description: 'Budget of the paper\'s text in the prompt, ceil(UTF-8 bytes / 4); what does not fit is listed as left out.' }),
  prompt: Type.Enum(['standard', 'advanced', 'reasoning'], { default: 'standard', description: 'standard: the task and the format. advanced: an expert\'s role, and how to take what a question leaves to its setting. reasoning: advanced, with a scratchpad that is not read and a rationale before the answer; give it more sampling.maxTokens.' }),
  formulation: Type.Enum(['implicit', 'explicit'], { default: 'implicit', description: 'explicit: items are asked in their explicit wording; those that have none are skipped.' }),
  figures: Type.Enum(['with', 'withheld'], { default: 'with', description: 'withheld: figure items are asked without their image, and the report says so.' }),
  images: Type.Optional(Type.Enum(['real', 'none', 'wrong', 'described'], { description: 'What stands where an item has images. real: they themselves, the same as leaving it out. none: the same as figures withheld. wrong: those of another item of the benchmark in place of the question\'s own, by `seed`; the model is not told. described: the caption of each as text, which a model without vision reads too; skipped where one has no caption.' })),
  sequence: Type.Optional(Type.Enum(['ordered', 'shuffled', 'reversed', 'last-only'], { description: 'Only items whose images are a sequence are asked, unless it is ordered, the same as leaving it out. shuffled (by `seed`, never as it was) and reversed: the times stay where they stand and the images change places under them. last-only: the last image alone.' })),
  probe: Type.Optional(Type.Enum(['no-question', 'no-choices', 'all-options-correct'], { description: 'Whether an item can be answered by a short cut; only multiple-choice items are asked. no-question: neither the question nor its images are shown. no-choices: letters with nothing behind them. all-options-correct: the right choice stands behind every letter; whoever finds the marked one knows the item by heart.' })),
  ...rationaleParts,
  permutationSeed: Type.Optional(Type.Integer({ description: 'Shows the choices of each multiple-choice item in an order of its own. "All of the above" and the like stay last; an item whose choices name one another by letter stays as it is. Predictions keep the order.' })),
  thinking: Type.Boolean({ default: false, description: 'Asked of the chat template (enable_thinking, thinking). What comes before an answer as thought is kept and never scored.' }),
  thinkingEffort: Type.Optional(Type.Enum(['low', 'medium', 'high'], { description: 'With thinking only: as reasoning_effort, for models that take one.' })),
  confidence: Type.Optional(Type.Enum(['none', 'verbal'], { description: 'verbal: the reply also states, as a whole number from 0 to 100, how sure the model is. none is the same as leaving it out.' })),
  sampling: Type.Object(Sampling.properties, { ...closed, default: {} }),
  seed: Type.Integer({ minimum: 0, maximum: 2147483647, default: 1 }),
  repeat: Type.Integer({ minimum: 0, maximum: 99, default: 0, description: 'Which sample: another one is asked anew, with another seed that follows from `seed`.' })
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

const Tokens = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

/** What is needed to ask again, and what the server said about its reply. */
export const PredictionProvenance = Type.Object({
  prompt: Type.String({ description: 'Prompt file, for example answer-choice.v1; its sha256 is promptHash.' }),
  model: Type.String({ description: 'As it was asked for.' }),
  servedModel: Type.Union([Type.String(), Type.Null()], { description: 'As the reply names it.' }),
  upstreamVersion: Type.Union([Type.String(), Type.Null()], { description: 'Of the model server; null where it does not tell.' }),
  completionId: Type.Union([Type.String(), Type.Null()], { description: 'Under which inference has the reply on record.' }),
  sampling: Type.Record(Type.String(), Type.Unknown(), { description: 'As sent.' }),
  seed: Type.Integer({ description: 'As sent: of repeat 0 the condition\'s, of others one that follows from it.' }),
  sampleIndex: Type.Integer({ minimum: 0 }),
  finishReason: Type.Union([Type.String(), Type.Null()]),
  refusal: Type.Boolean({ description: 'Whether the server itself said that the model declined.' }),
  usage: Type.Object({
    promptTokens: Tokens('As the server counted; null where it did not say.'),
    completionTokens: Tokens('Likewise; thinking included.'),
    reasoningTokens: Tokens('Likewise, of the thinking alone.')
  }, closed),
  thought: Type.Boolean({ description: 'Whether the reply shows any thinking: apart, in tags, or in its tokens.' }),
  rationale: Type.Optional(GivenRationale),
  hint: Type.Optional(GivenHint)
}, { $id: 'PredictionProvenance', additionalProperties: false })
export type PredictionProvenance = Static<typeof PredictionProvenance>

/** How sure the model said it is. */
export const Confidence = Type.Object({
  value: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], { description: 'Per cent; null where the reply does not state it in the form asked for.' }),
  violation: Type.Optional(Type.Enum(['missing', 'malformed', 'out-of-range', 'multiple']))
}, { $id: 'Confidence', additionalProperties: false })
export type Confidence = Static<typeof Confidence>

/** How an item of a sitting stands, or ended. */
export const sittingEndings = ['answered', 'declined', 'skipped', 'late', 'not-reached', 'not-shown'] as const
export const SittingEnding = Type.Enum([...sittingEndings], { description: 'declined: the person says not to know. skipped: seen and left. late: answered after the time alone. not-shown: it cannot be shown under the condition, and is in no score.' })
export type SittingEnding = Static<typeof SittingEnding>

/** How a person came to the reply. */
export const SittingMark = Type.Object({
  ending: SittingEnding,
  seconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: 'From when the item was first shown to the first answer, on the server\'s clock; null where there is none.' }),
  answers: Type.Integer({ minimum: 0, description: 'How many were given; the last one in time is the reply.' })
}, { $id: 'SittingMark', additionalProperties: false })
export type SittingMark = Static<typeof SittingMark>

/** Of a person's run: the sitting it was. */
export const RunSitting = Type.Object({
  sittingId: SittingId,
  expertise: Type.Union([Type.String(), Type.Null()])
}, { $id: 'RunSitting', additionalProperties: false })
export type RunSitting = Static<typeof RunSitting>

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
  problem: Type.Optional(Type.String({ description: 'Of outcome error: the kind of problem, as it ends the type of a problem. prompt-too-long: prompt and reply do not fit the model\'s context, and it was not asked.' })),
  leftOut: Type.Array(Type.String(), { description: 'Parts of the paper that did not fit the prompt.' }),
  promptHash: Type.Union([Type.String(), Type.Null()]),
  requestHash: Type.Union([Type.String(), Type.Null()]),
  // Optional: predictions that were stored before these were kept have none.
  choiceOrder: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 20, description: 'Where choices were shown in another order: the place in the item\'s choices of each one shown.' })),
  confidence: Type.Optional(Type.Union([Confidence, Type.Null()], { description: 'Absent unless it was asked for; null where there is no reply.' })),
  reasoning: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Thinking that the server gave apart from the reply. Never read for an answer.' })),
  reader: Type.Optional(Type.Integer({ minimum: 1, description: 'Version of the rules by which outcome and readings were read out of the reply; absent: 1.' })),
  provenance: Type.Optional(Type.Union([PredictionProvenance, Type.Null()], { description: 'Null for baselines and where nothing was asked.' })),
  sitting: Type.Optional(SittingMark)
}, { $id: 'Prediction', additionalProperties: false })
export type Prediction = Static<typeof Prediction>

/** What a run is to another one of the same benchmark, said by who opened it and not by us. */
export const Variant = Type.Object({
  runId: RunId,
  relation: Type.Enum(['thinking', 'successor', 'predecessor', 'fine-tuned', 'quantised', 'larger', 'smaller'], {
    description: 'What this run\'s model is to that run\'s: thinking: the same with thinking on; successor: the one that came after it.'
  })
}, { $id: 'Variant', additionalProperties: false })
export type Variant = Static<typeof Variant>

export const variantsMax = 20

/** The replies of another run, read again and held against the items of a benchmark; no model was asked. */
export const RescoredFrom = Type.Object({
  runId: RunId,
  benchmarkId: BenchmarkId,
  reader: Type.Integer({ minimum: 1, description: 'Version of the rules that read the replies again.' })
}, { $id: 'RescoredFrom', additionalProperties: false })
export type RescoredFrom = Static<typeof RescoredFrom>

export const Run = jobResource('Run', {
  id: RunId,
  benchmarkId: BenchmarkId,
  model: Type.String(),
  condition: Condition,
  prompts: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed), { description: 'Prompt files that are used, with their sha256; none for a baseline.' }),
  vision: Type.Boolean({ description: 'Whether inference listed the model as one that takes images when the run was opened; if not, items about figures are skipped unless figures are withheld.' }),
  outcomes: Type.Record(Outcome, Type.Integer({ minimum: 0 })),
  variantOf: Type.Array(Variant, { maxItems: variantsMax, description: 'Runs that this one was declared a variant of; a comparison gives the paired gain.' }),
  rescoredFrom: Type.Optional(RescoredFrom),
  sitting: Type.Optional(RunSitting),
  repeatIds: Type.Optional(Type.Array(RunId, { maxItems: 100, description: 'In the answer to a request with `repeats`: all the runs it is about, this one first.' }))
})
export type Run = Static<typeof Run>

export const RunRequest = Type.Object({
  benchmarkId: BenchmarkId,
  model: Type.String({ minLength: 1, maxLength: 200, description: 'A baseline ("baseline/always-yes") or a name that GET /v1/models of inference lists.' }),
  condition: Type.Object(Condition.properties, { additionalProperties: false, default: {} }),
  repeats: Type.Integer({ minimum: 1, maximum: 100, default: 1, description: 'So many runs at once, with condition.repeat and the numbers after it.' }),
  variantOf: Type.Optional(Variant)
}, {
  $id: 'RunRequest',
  additionalProperties: false,
  examples: [{ benchmarkId: exampleIds.benchmark, model: 'baseline/extractive' }]
})
export type RunRequest = Static<typeof RunRequest>

export const RescoreRequest = Type.Object({
  // Each of its items must have been asked in the run as it stands there.
  benchmarkId: Type.Optional(BenchmarkId)
}, { $id: 'RescoreRequest', additionalProperties: false, default: {}, description: 'benchmarkId: whose items the replies are held against, for example a version with corrected answers; absent: the run\'s own.', examples: [{}] })
export type RescoreRequest = Static<typeof RescoreRequest>

const VerdictSide = Type.Object({
  outcome: Outcome,
  index: Type.Union([Type.Integer(), Type.Null()], { description: 'What was read leniently; null for descriptive kinds and where there is no answer.' }),
  reference: Type.Union([Type.Integer(), Type.String(), Type.Null()], { description: 'The benchmark\'s answer: an index into choices, or the text.' }),
  worth: Type.Union([Type.Number(), Type.Null()], { description: '1 right, 0 wrong; of descriptive kinds ROUGE-L F; null where it is in no score.' })
}, closed)

/** An item whose verdict is another one after its run was scored again. */
export const VerdictChange = Type.Object({
  itemId: ItemId,
  sourceItemId: ItemId,
  kind: ItemKind,
  causes: Type.Array(Type.Enum(['gold', 'reading']), { description: 'gold: the benchmark\'s answer is another one. reading: something else was read out of the same reply.' }),
  before: VerdictSide,
  after: VerdictSide
}, { $id: 'VerdictChange', additionalProperties: false })
export type VerdictChange = Static<typeof VerdictChange>

export const verdictChangesMax = 1_000

export const VerdictChanges = Type.Object({
  runId: RunId,
  rescoredFrom: RescoredFrom,
  compared: Type.Integer({ minimum: 0, description: 'Items held side by side.' }),
  leftOut: Type.Integer({ minimum: 0, description: 'Items of the first benchmark that are not in this one: in no score of the new run.' }),
  changed: Type.Integer({ minimum: 0 }),
  better: Type.Integer({ minimum: 0, description: 'Items worth more than before, those newly right.' }),
  worse: Type.Integer({ minimum: 0 }),
  changes: Type.Array(VerdictChange, { maxItems: verdictChangesMax, description: 'In the benchmark\'s order; the first 1,000.' })
}, { $id: 'VerdictChanges', additionalProperties: false })
export type VerdictChanges = Static<typeof VerdictChanges>

const Share = Type.Union([Type.Number(), Type.Null()])

/** What repeats of one run say together, by kind. Null is "no data", never zero. */
export const RepeatedRuns = Type.Object({
  runIds: Type.Array(RunId, { description: 'Settled repeats, by condition.repeat.' }),
  kinds: Type.Array(Type.Object({
    kind: ItemKind,
    metric: Type.String({ description: 'accuracy, or rougeL.fmeasure of descriptive kinds.' }),
    items: Type.Integer({ minimum: 0, description: 'Items that count in every repeat: the n of all that follows.' }),
    leftOut: Type.Integer({ minimum: 0, description: 'Items that end in error or are skipped in some repeat.' }),
    repeats: Type.Integer({ minimum: 1 }),
    mean: Type.Union([Type.Number(), Type.Null()], { description: 'Over items and repeats.' }),
    interval: Type.Union([Interval, Type.Null()], { description: 'Of the mean, over papers: an item\'s mean over repeats is one observation.' }),
    perRepeat: Type.Array(Share, { description: 'The mean of each repeat, in their order.' }),
    withinItemVariance: Type.Union([Type.Number(), Type.Null()], { description: 'Mean over items of the unbiased variance over repeats: what sampling alone does. Null for one repeat.' }),
    betweenItemVariance: Type.Union([Type.Number(), Type.Null()], { description: 'Variance of the items\' means, less what sampling adds to it; cut at 0.' }),
    sdOfRepeats: Type.Union([Type.Number(), Type.Null()], { description: 'Standard deviation of the means of the repeats, unbiased. Null for one repeat.' }),
    icc: Type.Union([Type.Number(), Type.Null()], { description: 'Share of the variance of one repeat that is between items: how far what an item is worth once tells what it is worth again (one-way, 0 to 1). Null where nothing varies.' }),
    unstable: Type.Integer({ minimum: 0, description: 'Items that are not worth the same in all repeats.' }),
    reason: Type.Optional(Type.String({ description: 'Why something is null.' }))
  }, closed))
}, { $id: 'RepeatedRuns', additionalProperties: false })
export type RepeatedRuns = Static<typeof RepeatedRuns>
