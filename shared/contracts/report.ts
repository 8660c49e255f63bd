/** Report: what runs of one benchmark say, with every number's n and interval. */
import { Type, type Static } from 'typebox'
import { Benchmark } from './benchmark.ts'
import { exampleIds } from './example-ids.ts'
import { ItemId, JudgementId, PaperId, ReportId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
import { ReportJudgement } from './report-judgement.ts'
import { Verdict } from './review.ts'
import { Condition, Outcome, RepeatedRuns } from './run.ts'
import { Score } from './score.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends ReturnType<typeof Type.Number>>(schema: S) => Type.Union([schema, Type.Null()])

export const SliceScores = Type.Object({
  dimension: Type.String({ description: '"all" for everything.' }),
  value: Type.String(),
  kind: ItemKind,
  outcomes: Type.Record(Outcome, Type.Integer({ minimum: 0 })),
  scores: Type.Array(Score)
}, { $id: 'SliceScores', additionalProperties: false })
export type SliceScores = Static<typeof SliceScores>

export const RunReport = Type.Object({
  runId: RunId,
  model: Type.String(),
  baseline: Type.Boolean(),
  condition: Condition,
  prompts: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() }, closed), { description: 'Prompt files that were used, with their sha256; none for a baseline.' }),
  itemsOfOwnMethod: Type.Integer({ minimum: 0, description: 'Items of the benchmark that were made by the method by which this baseline answers: its scores on them are flattered.' }),
  slices: Type.Array(SliceScores),
  notes: Type.Array(Type.String())
}, { $id: 'RunReport', ...closed })
export type RunReport = Static<typeof RunReport>

/** One item as it was asked, with what each run replied: for reading, not for counting. */
export const Example = Type.Object({
  itemId: ItemId,
  kind: ItemKind,
  paperId: Type.Union([PaperId, Type.Null()]),
  paperTitle: Type.String(),
  place: Type.String({ description: 'As a reader would name it, for example "Figure 2".' }),
  question: Type.String(),
  reference: Type.String({ description: 'The benchmark\'s answer.' }),
  verdict: Verdict,
  evidence: Type.Array(Type.String(), { description: 'Quotes from the paper.' }),
  figures: Type.Array(Type.Object({
    imageId: Type.String(), label: Type.String(), caption: Type.String()
  }, closed)),
  replies: Type.Array(Type.Object({
    model: Type.String(),
    runId: RunId,
    outcome: Outcome,
    reply: Type.Union([Type.String(), Type.Null()], { description: 'At most 1,000 characters; the predictions have all of it.' }),
    cut: Type.Boolean({ description: 'Whether the reply was longer.' }),
    read: Type.Union([Type.String(), Type.Null()], { description: 'The label read leniently; null for open questions.' }),
    correct: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null for open questions and for error and skipped.' }),
    detail: Type.Union([Type.String(), Type.Null()])
  }, closed))
}, { $id: 'Example', ...closed })
export type Example = Static<typeof Example>

/** A run set against the first one, on the items that count for both. */
export const RunDifference = Type.Object({
  kind: ItemKind,
  metric: Type.String(),
  runId: RunId,
  against: RunId,
  n: Type.Integer({ minimum: 0 }),
  clusters: Type.Integer({ minimum: 0 }),
  difference: Maybe(Type.Number({ description: 'The run minus the one it is set against.' })),
  interval: Score.properties.interval,
  p: Maybe(Type.Number()),
  adjustedP: Maybe(Type.Number({ description: 'By Holm over all differences of the report.' })),
  pMethod: Type.String(),
  verdict: Type.Enum(['better', 'worse', 'undecided']),
  why: Type.String(),
  reason: Type.Optional(Type.String({ description: 'Why there is no difference or no interval.' }))
}, { $id: 'RunDifference', ...closed })
export type RunDifference = Static<typeof RunDifference>

/** One item over all runs. */
export const ItemScore = Type.Object({
  itemId: ItemId,
  kind: ItemKind,
  paperId: Type.Union([PaperId, Type.Null()]),
  place: Type.String(),
  question: Type.String({ description: 'At most 300 characters.' }),
  reference: Type.String({ description: 'At most 120 characters.' }),
  imageIds: Type.Array(Type.String()),
  outcomes: Type.String({ description: 'One letter a run, in the report\'s order: a answered, u unparsable, r refused, t truncated, e error, s skipped.' }),
  worths: Type.Array(Type.Union([Type.Number(), Type.Null()]), { description: 'One a run: 1 right, 0 wrong, ROUGE-L F of open answers (four digits); null where it does not count.' }),
  n: Type.Integer({ minimum: 0, description: 'Runs of models (no baselines) for which it counts.' }),
  mean: Maybe(Type.Number({ description: 'Mean worth over those: high is easy.' })),
  discrimination: Maybe(Type.Number({ description: 'Correlation over those runs of the item\'s worth with the mean worth of the other items of its kind; null below five runs, or where either does not vary.' }))
}, { $id: 'ItemScore', ...closed })
export type ItemScore = Static<typeof ItemScore>

/** How alike two metrics order the runs of models. */
export const RankCorrelation = Type.Object({
  first: Type.String(),
  second: Type.String(),
  n: Type.Integer({ minimum: 0, description: 'Runs with a value of both.' }),
  tau: Maybe(Type.Number({ description: 'Kendall\'s tau-b.' })),
  interval: Score.properties.interval,
  p: Maybe(Type.Number()),
  reason: Type.Optional(Type.String())
}, { $id: 'RankCorrelation', ...closed })
export type RankCorrelation = Static<typeof RankCorrelation>

const CandidatePlace = Type.Object({
  paperId: Type.Union([PaperId, Type.Null()]),
  paperTitle: Type.String(),
  place: Type.String({ description: 'As the paper names it where it is known.' }),
  n: Type.Integer({ minimum: 0, description: 'Items of the place that count in all three runs.' }),
  itemIds: Type.Array(ItemId, { description: 'Those that fail without the paper and with retrieval, and pass with the evidence.' })
}, closed)

/** Where a model lacks knowledge that its text would give it. */
export const TrainingCandidates = Type.Object({
  model: Type.String(),
  runs: Type.Object({ none: RunId, retrieved: RunId, oracle: RunId }, closed),
  share: Score,
  byChance: Maybe(Type.Number({ description: 'Share that picks at random among the choices would give.' })),
  places: Type.Array(CandidatePlace, { description: 'Papers and places with at least one, most first.' })
}, { $id: 'TrainingCandidates', ...closed })
export type TrainingCandidates = Static<typeof TrainingCandidates>

export const Report = Type.Object({
  id: ReportId,
  schemaVersion: Type.Integer(),
  benchmark: Benchmark,
  runs: Type.Array(RunReport),
  examples: Type.Array(Example),
  notes: Type.Array(Type.String()),
  // Optional: reports that were made before these were kept have none.
  differences: Type.Optional(Type.Array(RunDifference)),
  items: Type.Optional(Type.Array(ItemScore, { description: 'In the benchmark\'s order.' })),
  itemsLeftOut: Type.Optional(Type.Integer({ minimum: 0, description: 'Items beyond 20,000, or 500,000 predictions: they are in every score, and not listed.' })),
  rankCorrelations: Type.Optional(Type.Array(RankCorrelation)),
  trainingCandidates: Type.Optional(Type.Object({
    models: Type.Array(TrainingCandidates),
    missing: Type.Array(Type.Object({ model: Type.String(), reason: Type.String() }, closed))
  }, closed)),
  judgements: Type.Optional(Type.Array(ReportJudgement, { description: 'In the order asked for; left out where none was.' })),
  repeats: Type.Optional(Type.Array(RepeatedRuns, { description: 'Runs of the report that differ in condition.repeat alone, taken together; left out where there are none.' }))
}, { $id: 'Report', additionalProperties: false })
export type Report = Static<typeof Report>

/** Each may be of 20 runs and 7 judges: the page holds so many tables. */
const reportJudgementsMax = 10

export const ReportRequest = Type.Object({
  runIds: Type.Array(RunId, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Runs of one benchmark, all of them settled; the report keeps this order.' }),
  judgements: Type.Array(JudgementId, { maxItems: reportJudgementsMax, uniqueItems: true, default: [], description: 'Ended judgements of which each is about one of the runs at least; of preferences, about both.' })
}, { $id: 'ReportRequest', additionalProperties: false, examples: [{ runIds: [exampleIds.run] }] })
export type ReportRequest = Static<typeof ReportRequest>
