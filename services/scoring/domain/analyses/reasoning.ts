/** How accuracy and judged reasoning go together, over models and within each. */
import { Type, type Static } from 'typebox'
import { kendallTauB } from '../../../../shared/stats/kendall.ts'
import { pearson, pearsonInterval, reasonAgainst, spearman } from '../../../../shared/stats/correlation.ts'
import { wilsonInterval } from '../../../../shared/stats/proportions.ts'
import { intervalOfMean } from '../metrics/interval-of-mean.ts'
import { analysis, assertDistinct, assertPossible, meanOf, Name, RightOf, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'
import { judgedNotes, judgedRuns, scaleOfRuns } from './judged-runs.ts'

const Judged = Type.Object({
  right: Type.Boolean(),
  total: Type.Number(),
  paper: Type.Optional(Name),
  pair: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Of a minimal pair, the same for both members.' }))
}, { additionalProperties: false })

const ReasoningTable = Type.Object({
  models: Type.Array(Type.Object({
    model: Name,
    accuracy: RightOf,
    reasoning: Type.Union([
      Type.Object({
        sum: Type.Number({ minimum: 0 }), n: Type.Integer({ minimum: 0, maximum: 1_000_000 })
      }, { additionalProperties: false }),
      Type.Array(Judged, { maxItems: 100_000 }),
      Type.Null()
    ], { description: 'Totals of the judge\'s scores: their sum and n, or item by item with whether the answer was right. Failed judgements are left out, never -1.' })
  }, { additionalProperties: false }), { minItems: 1, maxItems: 1_000 })
}, { additionalProperties: false })
type ReasoningTable = Static<typeof ReasoningTable>
type Judged = Static<typeof Judged>

const options = {
  scale: Type.Optional(Type.Object({
    lowest: Type.Number({ default: 4 }), highest: Type.Number({ default: 20 })
  }, { additionalProperties: false, description: 'Of totals: 4 to 20 where it is left out; of judgements that of their rubric.' })),
  soundFrom: Type.Optional(Type.Number({ description: 'A right answer whose reasoning has a lower total is right for the wrong reasons; left out, the middle of the scale.' }))
}
type Given = Static<ReturnType<typeof Type.Object<typeof options>>>

interface Options { scale: { lowest: number, highest: number }, soundFrom: number }

export const reasoning = analysis({
  summary: 'Accuracy against judged reasoning, and how often answers are right for the wrong reasons',
  rows: 'One row a model: accuracy, mean total with both normalisations named, the gap between them, and the share of right answers whose reasoning is not sound.',
  table: ReasoningTable,
  options,
  example: { table: { models: [{ model: 'a', accuracy: { right: 60, n: 100 }, reasoning: { sum: 1500, n: 100 } }, { model: 'b', accuracy: { right: 40, n: 100 }, reasoning: { sum: 1200, n: 100 } }] } },
  compute: (table, given) => reasoningOf(table, resolved(given)),
  ofRuns: ofJudgedRuns,
  judged: true
})

function resolved ({ scale = { lowest: 4, highest: 20 }, soundFrom }: Given): Options {
  return { scale, soundFrom: soundFrom ?? (scale.lowest + scale.highest) / 2 }
}

function ofJudgedRuns (runs: readonly AnalysedRun[], { scale, ...given }: Given): Found {
  const judged = judgedRuns(runs)
  const options = resolved({ ...given, scale: scaleOfRuns(runs, scale) })
  const { rows, summary, notes } = reasoningOf({ models: judged.map(({ model }) => model) }, options)
  return {
    rows: rows.map((row, at) => ({ ...row, ...judged[at]!.leftOut })),
    summary: { ...summary, soundFrom: options.soundFrom },
    notes: [...notes, ...judgedNotes(runs)]
  }
}

export function reasoningOf ({ models }: ReasoningTable, { scale, soundFrom }: Options): Found {
  assertDistinct(models.map(({ model }) => model), '/table/models')
  if (!(scale.highest > scale.lowest)) throw wrong('/scale', 'highest must be above lowest.')
  const rows = models.map((model, at) => rowOf(model, { scale, soundFrom }, at))
  const both = rows.filter(({ accuracy, total }) => accuracy !== null && total !== null)
  const pairs = { x: both.map(({ accuracy }) => Number(accuracy)), y: both.map(({ total }) => Number(total)) }
  return {
    rows,
    summary: { models: models.length, modelsWithBoth: both.length, ...agreementOf(pairs) },
    notes: [
      `normalisedFromLowest is (x - ${scale.lowest}) / ${scale.highest - scale.lowest}, from 0 to 1; percentOfHighest is 100 x / ${scale.highest}, which begins at ${100 * scale.lowest / scale.highest}: they are not interchangeable.`,
      ...new Set(rows.map(({ judged }) => judged)).size > 1 ? ['Means are over different numbers of judged items: see judged.'] : [],
      ...both.length < 10 ? [`${both.length} models are too few for a claim about how accuracy and reasoning agree; at least ten are needed.`] : []
    ]
  }
}

function agreementOf (pairs: { x: number[], y: number[] }): Row {
  const reason = pairs.x.length < 3 ? 'fewer than three models' : reasonAgainst(pairs)
  if (reason !== null) {
    return {
      kendallTauB: null, spearman: null, pearson: null, pearsonLow: null, pearsonHigh: null, reason
    }
  }
  const r = pearson(pairs).statistic
  const { low, high } = pearsonInterval(r, pairs.x.length)
  return {
    kendallTauB: kendallTauB(pairs).statistic,
    spearman: spearman(pairs).statistic,
    pearson: r,
    pearsonLow: low,
    pearsonHigh: high
  }
}

function rowOf ({ model, accuracy, reasoning: judged }: ReasoningTable['models'][number], { scale, soundFrom }: Options, at: number): Row {
  assertPossible(accuracy, `/table/models/${at}/accuracy`)
  const share = accuracy.n === 0 ? null : accuracy.right / accuracy.n
  const items = Array.isArray(judged) ? judged : []
  const n = judged === null ? 0 : Array.isArray(judged) ? judged.length : judged.n
  const total = judged === null || Array.isArray(judged)
    ? meanOf(items.map(({ total: of }) => of))
    : n === 0 ? null : judged.sum / n
  const outside = items.findIndex(({ total: of }) => of < scale.lowest || of > scale.highest)
  if (outside >= 0 || (total !== null && (total < scale.lowest || total > scale.highest))) {
    throw wrong(`/table/models/${at}/reasoning${outside >= 0 ? `/${outside}/total` : ''}`, `Totals lie from ${scale.lowest} to ${scale.highest}. A judgement that failed is left out; it has no score.`)
  }
  const normalised = total === null ? null : shareOf(total, scale)
  const right = items.filter(item => item.right)
  const totalOfRight = meanOf(right.map(({ total: of }) => of))
  return {
    model,
    accuracy: share,
    accuracyN: accuracy.n,
    total,
    judged: n,
    normalisedFromLowest: normalised,
    percentOfHighest: total === null ? null : 100 * total / scale.highest,
    reasoningMinusAccuracy: normalised === null || share === null ? null : normalised - share,
    totalOfRight,
    rightMinusAll: totalOfRight === null || total === null ? null : totalOfRight - total,
    ...wrongReasons(right, soundFrom)
  }
}

function shareOf (total: number, { lowest, highest }: Options['scale']): number {
  const width = highest - lowest
  if (Number.isFinite(width)) return (total - lowest) / width
  return (total / 2 - lowest / 2) / (highest / 2 - lowest / 2)
}

function wrongReasons (right: readonly Judged[], soundFrom: number): Row {
  if (right.length === 0) {
    return {
      rightForWrongReasons: null, wrongReasonsLow: null, wrongReasonsHigh: null, rightJudged: 0
    }
  }
  const values = right.map(({ total, paper, pair }, at) => (
    { value: Number(total < soundFrom), cluster: paper ?? `item ${at}`, ...pair !== undefined && { pairId: pair } }))
  const { value, interval } = intervalOfMean(values, { proportion: true })
  const { low, high } = interval ?? wilsonInterval({ successes: value! * right.length, trials: right.length })
  return {
    rightForWrongReasons: value, wrongReasonsLow: low, wrongReasonsHigh: high, rightJudged: right.length
  }
}
