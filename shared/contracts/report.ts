/** Report: what runs of one benchmark say, with every number's n and interval. */
import { Type, type Static } from 'typebox'
import { Benchmark } from './benchmark.ts'
import { ReportId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
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
  slices: Type.Array(SliceScores),
  notes: Type.Array(Type.String())
}, { $id: 'RunReport', ...closed })
export type RunReport = Static<typeof RunReport>

export const Report = Type.Object({
  id: ReportId,
  schemaVersion: Type.Integer(),
  benchmark: Benchmark,
  runs: Type.Array(RunReport),
  notes: Type.Array(Type.String())
}, { $id: 'Report', additionalProperties: false })
export type Report = Static<typeof Report>
