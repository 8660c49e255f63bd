/** Whether two benchmarks order the same models alike. */
import { Type, type Static } from 'typebox'
import { kendallTauB } from '../../../../shared/stats/kendall.ts'
import { pearson, pearsonInterval, reasonAgainst, spearman } from '../../../../shared/stats/correlation.ts'
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { marksOf } from '../compare/grid.ts'
import { analysis, assertDistinct, Name, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'

const Scores = Type.Array(Type.Object({
  model: Name,
  score: Type.Union([Type.Number(), Type.Null()]),
  error: Type.Optional(Type.Number({ minimum: 0, description: 'Standard error of the score; from these the reliability is worked out.' }))
}, { additionalProperties: false }), { minItems: 1, maxItems: 1_000 })

const Benchmark = Type.Object({
  name: Name,
  higherIsBetter: Type.Boolean({ default: true, description: 'False for distances and error rates: their order is inverted.' }),
  reliability: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Share of the variance of scores that is not error; without it, worked out from the errors where all scores have one.' })),
  scores: Scores
}, { additionalProperties: false })
type Benchmark = Static<typeof Benchmark>

const AgreementTable = Type.Object(
  { benchmarks: Type.Array(Benchmark, { minItems: 2, maxItems: 50 }) }, { additionalProperties: false }
)
type AgreementTable = Static<typeof AgreementTable>

const options = {
  external: Type.Optional(Type.Array(Benchmark, { minItems: 1, maxItems: 49, description: 'With runs: the benchmarks that theirs is held against.' })),
  metric: Type.Enum(['accuracy', 'rougeL.fmeasure'], { default: 'accuracy' })
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const rankAgreement = analysis({
  summary: 'Rank agreement between benchmarks over the models they share, raw and corrected for reliability',
  rows: 'One row a pair of benchmarks: models shared, Kendall\'s tau-b, Spearman\'s rho, Pearson\'s r with interval, r corrected for reliability, and whether a claim may rest on it.',
  table: AgreementTable,
  options,
  example: { table: { benchmarks: [{ name: 'ours', scores: [{ model: 'a', score: 0.7 }, { model: 'b', score: 0.6 }, { model: 'c', score: 0.5 }] }, { name: 'distance', higherIsBetter: false, scores: [{ model: 'a', score: 10 }, { model: 'b', score: 12 }, { model: 'c', score: 20 }] }] } },
  runsMin: 2,
  compute: rankAgreementOf,
  fromRuns
})

/** With four models a perfect tau has p = .083. */
export const modelsForClaim = 10

export function rankAgreementOf ({ benchmarks }: AgreementTable): Found {
  assertDistinct(benchmarks.map(({ name }) => name), '/table/benchmarks')
  for (const [at, { scores }] of benchmarks.entries()) assertDistinct(scores.map(({ model }) => model), `/table/benchmarks/${at}/scores`)
  const without = benchmarks.flatMap(({ name, scores }) => unscored(name, scores))
  const rows = benchmarks.flatMap((first, at) => benchmarks.slice(at + 1).map(second => rowOf(first, second)))
  return {
    rows,
    summary: { benchmarks: benchmarks.length, pairs: rows.length, pairsForClaim: rows.filter(({ claim }) => claim === 'may be made').length },
    notes: [
      `Over the models both have scores for. Fewer than ${modelsForClaim} are too few for a claim, whatever the numbers.`,
      'Corrected r is r by the square root of both reliabilities (Spearman 1904); rank correlations have no such correction and stand as they are. Above 1 means that the errors are larger than the scores let see.',
      ...without,
      ...benchmarks.some(({ higherIsBetter }) => !higherIsBetter) ? ['Of benchmarks where lower is better the sign is inverted.'] : []
    ]
  }
}

/** A note that names the models a benchmark says nothing of; they are in no pair. */
function unscored (name: string, scores: Benchmark['scores']): string[] {
  const models = scores.filter(({ score }) => score === null).map(({ model }) => model)
  if (models.length === 0) return []
  const shown = models.slice(0, 20).join(', ')
  return [`Without a score by "${name}" (no item that counts, n = 0), and in no number: ${models.length} of ${scores.length} models: ${shown}${models.length > 20 ? ', …' : ''}.`]
}

const noAgreement = {
  kendallTauB: null,
  kendallP: null,
  spearman: null,
  pearson: null,
  pearsonLow: null,
  pearsonHigh: null,
  reliabilityFirst: null,
  reliabilitySecond: null,
  correctedPearson: null
}

function rowOf (first: Benchmark, second: Benchmark): Row {
  const others = new Map(second.scores.map(score => [score.model, score]))
  const shared = first.scores.flatMap(own => {
    const other = others.get(own.model)
    return own.score === null || other === undefined || other.score === null ? [] : [{ own, other }]
  })
  const signed = (value: number | null, { higherIsBetter }: Benchmark) => higherIsBetter ? value! : -value!
  const pairs = {
    x: shared.map(
      ({ own }) => signed(own.score, first)
    ),
    y: shared.map(({ other }) => signed(other.score, second))
  }
  const head = { first: first.name, second: second.name, models: shared.length }
  const reason = shared.length < 3 ? 'fewer than three models in common' : reasonAgainst(pairs)
  const claim = shared.length < modelsForClaim ? `refused: ${shared.length} models, at least ${modelsForClaim} are needed` : reason === null ? 'may be made' : `refused: ${reason}`
  if (reason !== null) {
    return { ...head, ...noAgreement, claim, reason }
  }
  const kendall = kendallTauB(pairs)
  const r = pearson(pairs).statistic
  const { low, high } = pearsonInterval(r, shared.length)
  const reliabilities = [reliabilityOf(
    first, shared.map(({ own }) => own)
  ), reliabilityOf(second, shared.map(({ other }) => other))]
  const [a, b] = reliabilities
  return {
    ...head,
    kendallTauB: kendall.statistic,
    kendallP: kendall.pValue,
    spearman: spearman(pairs).statistic,
    pearson: r,
    pearsonLow: low,
    pearsonHigh: high,
    reliabilityFirst: a ?? null,
    reliabilitySecond: b ?? null,
    correctedPearson: typeof a === 'number' && typeof b === 'number' ? r / Math.sqrt(a * b) : null,
    claim,
    reason: ''
  }
}

interface WithError { score: number | null, error?: number }

/** 1 minus the mean squared error by the variance of the scores; null where that is not above 0. */
function reliabilityOf ({ reliability }: Benchmark, scores: readonly WithError[]): number | null {
  if (reliability !== undefined) return reliability
  if (scores.some(({ error }) => error === undefined)) return null
  const values = scores.map(({ score }) => score!)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  const noise = scores.reduce((sum, { error }) => sum + error! ** 2, 0) / scores.length
  return variance > noise ? 1 - noise / variance : null
}

function fromRuns (runs: readonly AnalysedRun[], { external = [], metric }: Options): AgreementTable {
  if (external.length === 0) {
    throw wrong('/external', 'Send the benchmarks that these runs are held against: name and scores of each, the models under the names that their runs have here.')
  }
  const scores = runs.map(({ name, rows }) => {
    const asked = rows.filter(({ kind }) => metric === 'accuracy' ? kind === 'binary' || kind === 'choice' : kind === 'qa' || kind === 'vqa')
    const observations = marksOf(rows, metric).flatMap(({ value }, at) =>
      value === null ? [] : [{ value, cluster: asked[at]!.cluster }])
    if (observations.length === 0) return { model: name, score: null }
    const { mean, seCr2 } = clusteredMean(observations)
    return { model: name, score: mean, ...Number.isFinite(seCr2) && { error: seCr2 } }
  })
  if (scores.every(({ score }) => score === null)) {
    const kinds = metric === 'accuracy' ? 'yes/no or multiple-choice' : 'open'
    throw new Problem('not-computable', `None of these runs has a score by ${metric}: none has ${kinds} items that count. ${metric === 'accuracy' ? 'Metric "rougeL.fmeasure" is of open items.' : 'Metric "accuracy" is of the others.'}`)
  }
  return { benchmarks: [{ name: `these runs: ${metric}`, higherIsBetter: true, scores }, ...external] }
}
