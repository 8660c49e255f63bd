/** Comparison: runs of one benchmark set against each other, item by item. */
import { Type, type Static, type TSchema } from 'typebox'
import { BenchmarkId, ComparisonId, ItemId, RunId } from './ids.ts'
import { ItemKind } from './item.ts'
import { Score } from './score.ts'
import { Condition, Outcome } from './run.ts'

const closed = { additionalProperties: false }
const Maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
const Share = Type.Number({ minimum: 0, maximum: 1 })

export const comparedMetricNames = [
  'accuracy', 'accuracy.strict', 'pairAccuracy', 'responseRate', 'formatAdherence',
  'rouge1.fmeasure', 'rouge2.fmeasure', 'rougeL.fmeasure', 'bleu.sentence', 'numberRecall', 'termRecall'
] as const
export const ComparedMetric = Type.Enum([...comparedMetricNames])
export type ComparedMetric = Static<typeof ComparedMetric>

export const multiplicityMethods = ['holm', 'max-t', 'bh', 'by', 'none'] as const
const adjusting = 'How p-values are adjusted for being many. holm: probability of any false claim, any dependence. max-t: the same, with the dependence the papers show (signs of whole papers turned over together); takes no runs with errors. bh: share of false claims, tests independent or positively dependent. by: the same, any dependence. none: not adjusted.'
const Multiplicity = Type.Enum([...multiplicityMethods], { description: adjusting })
export type Multiplicity = Static<typeof Multiplicity>

const Level = Type.Number({ minimum: 0.5, maximum: 0.999, default: 0.95, description: 'Of intervals; claims are made at 1 minus this.' })
const Dimension = Type.String({ minLength: 1, maxLength: 100 })
export const Slice = Type.Object({ dimension: Type.String(), value: Type.String() }, closed)

export const ComparisonRequest = Type.Object({
  runIds: Type.Array(RunId, { minItems: 2, maxItems: 50, uniqueItems: true, description: 'Runs of one benchmark, all of them settled.' }),
  metrics: Type.Array(ComparedMetric, { default: ['accuracy'], minItems: 1, maxItems: comparedMetricNames.length, uniqueItems: true }),
  kinds: Type.Optional(Type.Array(ItemKind, { minItems: 1, maxItems: 4, uniqueItems: true, description: 'Items of these kinds alone; without it all kinds that a metric is defined for.' })),
  pairs: Type.Union([
    Type.Enum(['all', 'with-first', 'variants']),
    Type.Array(
      Type.Array(RunId, { minItems: 2, maxItems: 2, uniqueItems: true }), { minItems: 1, maxItems: 1225 }
    )
  ], { default: 'all', description: 'Which runs are set against which. with-first: each against the first of runIds. variants: each declared variant against the run it is a variant of. Or pairs of ids.' }),
  slices: Type.Array(Dimension, { default: [], maxItems: 10, uniqueItems: true, description: 'Dimensions by whose values the differences are given as well, for example aspect; they are part of the family.' }),
  multiplicity: Type.Enum([...multiplicityMethods], { default: 'holm', description: adjusting }),
  level: Level
}, { $id: 'ComparisonRequest', additionalProperties: false })
export type ComparisonRequest = Static<typeof ComparisonRequest>

export const LeftOut = Type.Object({ reason: Type.String(), n: Count }, closed)
export type LeftOut = Static<typeof LeftOut>

export const PairedTests = Type.Object({
  t: Maybe(Type.Object({ statistic: Type.Number(), df: Type.Number(), p: Share }, {
    ...closed, description: 'On the cluster-robust (CR2) error, with one degree of freedom less than papers.'
  })),
  signFlip: Maybe(Type.Object({ p: Share, smallestP: Share, clusters: Count }, {
    ...closed, description: 'Exact, over all signs of whole papers. smallestP: what so many papers could give at most.'
  })),
  mcnemar: Maybe(Type.Object({ onlyFirst: Count, onlySecond: Count, exactP: Share, midP: Share }, {
    ...closed, description: 'Only where no two items share a paper.'
  })),
  notes: Type.Array(Type.String())
}, { $id: 'PairedTests', ...closed })
export type PairedTests = Static<typeof PairedTests>

export const PairedDifference = Type.Object({
  metric: Type.String(),
  signature: Type.String(),
  slice: Slice,
  first: RunId,
  second: RunId,
  n: Type.Integer({ minimum: 0, description: 'Items, or minimal pairs, that count for both.' }),
  clusters: Type.Integer({ minimum: 0, description: 'Papers they come from.' }),
  leftOut: Type.Array(LeftOut, { description: 'Items that do not count for both, and why.' }),
  firstScore: Maybe(Type.Number({ description: 'On the common items.' })),
  secondScore: Maybe(Type.Number()),
  difference: Maybe(Type.Number({ description: 'First minus second; null is "no data", never zero.' })),
  interval: Score.properties.interval,
  reason: Type.Optional(Type.String({ description: 'Why there is no difference or no interval.' })),
  effect: Type.Object({
    standardised: Maybe(Type.Number({ description: 'Mean difference by the standard deviation of the items\' differences.' })),
    onlyFirst: Maybe(Type.Integer({ minimum: 0, description: 'Items on which the first does better.' })),
    onlySecond: Maybe(Count)
  }, closed),
  minimumDetectableEffect: Maybe(Type.Number({ description: 'The true difference that so many papers show four times in five.' })),
  tests: PairedTests,
  p: Maybe(Share),
  pMethod: Type.String(),
  adjustedP: Maybe(Share),
  bounds: Maybe(Type.Object({ low: Type.Number(), high: Type.Number(), n: Count, errors: Count }, {
    ...closed, description: 'What the difference can be at all, whatever comes of the items that ended in error; null without such.'
  })),
  verdict: Type.Enum(['first', 'second', 'undecided'], { description: 'Which run is better, as far as can be claimed.' }),
  why: Type.String()
}, { $id: 'PairedDifference', ...closed })
export type PairedDifference = Static<typeof PairedDifference>

const Side = Type.Object({
  outcome: Outcome,
  answer: Maybe(Type.String({ description: 'Label of the choice that was read; null where none was, and for open questions.' })),
  value: Type.Number()
}, closed)

export const Discordant = Type.Object({
  metric: Type.String(),
  first: RunId,
  second: RunId,
  total: Count,
  items: Type.Array(Type.Object({
    itemId: ItemId,
    kind: ItemKind,
    cluster: Type.String(),
    reference: Maybe(Type.String()),
    first: Side,
    second: Side
  }, closed), { description: 'The largest differences first, of equal ones in the benchmark\'s order.' })
}, { $id: 'Discordant', ...closed })
export type Discordant = Static<typeof Discordant>

const Fourfold = { n: Count, both: Count, onlyFirst: Count, onlySecond: Count, neither: Count }

export const ErrorGroups = Type.Object({
  metric: Type.String(),
  first: RunId,
  second: RunId,
  byOutcome: Type.Array(Type.Object({ first: Outcome, second: Outcome, ...Fourfold }, closed), { description: 'How both replies ended.' }),
  bySlice: Type.Array(Type.Object({ dimension: Type.String(), value: Type.String(), ...Fourfold }, closed)),
  byAnswer: Type.Object({
    bothWrong: Type.Integer({ minimum: 0, description: 'Items that both answered, and both wrong.' }),
    sameWrong: Type.Integer({ minimum: 0, description: 'Of these, with the same choice.' }),
    sameWrongByChance: Maybe(Type.Number({ minimum: 0, description: 'How many there would be if each picked among the wrong choices as often as it does over these items.' })),
    groups: Type.Array(Type.Object({
      reference: Type.String(), first: Maybe(Type.String()), second: Maybe(Type.String()), n: Count
    }, closed))
  }, closed)
}, { $id: 'ErrorGroups', ...closed })
export type ErrorGroups = Static<typeof ErrorGroups>

export const ComparedRun = Type.Object({
  runId: RunId,
  name: Type.String({ description: 'The model, and what sets the run apart from others of it here.' }),
  model: Type.String(),
  condition: Condition,
  outcomes: Type.Record(Outcome, Count)
}, { $id: 'ComparedRun', ...closed })
export type ComparedRun = Static<typeof ComparedRun>

export const Comparison = Type.Object({
  id: ComparisonId,
  schemaVersion: Type.Integer(),
  benchmark: Type.Object({ id: BenchmarkId, name: Type.String(), version: Type.String() }, closed),
  runs: Type.Array(ComparedRun),
  kinds: Maybe(Type.Array(ItemKind)),
  level: Type.Number(),
  family: Type.Object({
    method: Multiplicity,
    size: Type.Integer({ minimum: 0, description: 'p-values that were adjusted together.' }),
    members: Type.String({ description: 'What they are of.' })
  }, closed),
  pairs: Type.Array(Type.Object({
    first: RunId, second: RunId, relation: Maybe(Type.String({ description: 'How the first was declared to be a variant of the second: its difference is then a gain.' }))
  }, closed)),
  differences: Type.Array(PairedDifference),
  discordant: Type.Array(Discordant),
  errorGroups: Type.Array(ErrorGroups),
  notes: Type.Array(Type.String())
}, { $id: 'Comparison', additionalProperties: false })
export type Comparison = Static<typeof Comparison>
