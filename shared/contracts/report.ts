/** Report: what runs of one benchmark say, with every number's n and interval. */
import { Type, type Static } from 'typebox'
import { Benchmark } from './benchmark.ts'
import { exampleIds } from './example-ids.ts'
import { ItemId, PaperId, ReportId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
import { Verdict } from './review.ts'
import { Condition, Outcome } from './run.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends ReturnType<typeof Type.Number>>(schema: S) => Type.Union([schema, Type.Null()])

/** A number that may be missing, with what it rests on. Null is "no data", never zero. */
export const Score = Type.Object({
  metric: Type.String({ description: 'For example "accuracy" or "rouge1.fmeasure".' }),
  signature: Type.String({ description: 'Every choice behind the number, in one line.' }),
  value: Maybe(Type.Number()),
  n: Type.Integer({ minimum: 0, description: 'Observations behind the value.' }),
  clusters: Type.Integer({ minimum: 0, description: 'Papers behind the value.' }),
  interval: Type.Union([Type.Object({
    low: Type.Number(),
    high: Type.Number(),
    level: Type.Number(),
    method: Type.String(),
    note: Type.String()
  }, closed), Type.Null()]),
  reason: Type.Optional(Type.String({ description: 'Why there is no value or no interval.' }))
}, { $id: 'Score', additionalProperties: false })
export type Score = Static<typeof Score>

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

export const Report = Type.Object({
  id: ReportId,
  schemaVersion: Type.Integer(),
  benchmark: Benchmark,
  runs: Type.Array(RunReport),
  examples: Type.Array(Example),
  notes: Type.Array(Type.String())
}, { $id: 'Report', additionalProperties: false })
export type Report = Static<typeof Report>

export const ReportRequest = Type.Object({
  runIds: Type.Array(RunId, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Runs of one benchmark, all of them settled; the report keeps this order.' })
}, { $id: 'ReportRequest', additionalProperties: false, examples: [{ runIds: [exampleIds.run] }] })
export type ReportRequest = Static<typeof ReportRequest>
