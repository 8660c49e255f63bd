/** Whether two benchmarks order the same models alike. */
import { Type, type Static } from 'typebox'
import { kendallTauB } from '../../../../shared/stats/kendall.ts'
import { pearson, pearsonInterval, reasonAgainst, spearman } from '../../../../shared/stats/correlation.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import {
  disattenuated, reachable, reliabilityMin, reliabilityOf, type Agreement
} from '../../../../shared/stats/attenuation.ts'
import type { Range } from '../../../../shared/stats/proportions.ts'
import { scoresOfRuns } from './scores-of-runs.ts'
import { analysis, assertDistinct, Name, wrong, type AnalysedRun, type Found, type Row } from './analysis.ts'

const Scores = Type.Array(Type.Object({
  model: Name,
  score: Type.Union([Type.Number(), Type.Null()]),
  error: Type.Optional(Type.Number({ minimum: 0, description: 'Standard error of the score, of what does not move all models alike; from these the reliability is worked out.' })),
  halves: Type.Optional(Type.Tuple([Type.Number(), Type.Number()], { description: 'Scores of two halves of the items; where all scores have them the reliability is theirs (Spearman-Brown).' }))
}, { additionalProperties: false }), { minItems: 1, maxItems: 1_000 })

const Benchmark = Type.Object({
  name: Name,
  higherIsBetter: Type.Boolean({ default: true, description: 'False for distances and error rates: their order is inverted.' }),
  reliability: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Share of the variance of scores that is not error; without it, worked out from halves or errors where all scores have them.' })),
  scores: Scores
}, { additionalProperties: false })
type Benchmark = Static<typeof Benchmark>

const AgreementTable = Type.Object(
  { benchmarks: Type.Array(Benchmark, { minItems: 1, maxItems: 50, description: 'Two at the least.' }) }, { additionalProperties: false }
)
type AgreementTable = Static<typeof AgreementTable>

const options = {
  external: Type.Optional(Type.Array(Benchmark, { minItems: 1, maxItems: 49, description: 'With runs: the benchmarks that theirs is held against.' })),
  metric: Type.Enum(['accuracy', 'rougeL.fmeasure'], { default: 'accuracy' })
}
type Options = Static<ReturnType<typeof Type.Object<typeof options>>>

export const rankAgreement = analysis({
  summary: 'Rank agreement between benchmarks over the models they share, raw and corrected for reliability',
  rows: 'One row a pair of benchmarks: models shared, Kendall\'s tau-b, Spearman\'s rho, Pearson\'s r with interval; reliabilities, what each could reach with them, and each corrected for them; whether a claim may rest on it.',
  table: AgreementTable,
  options,
  example: { table: { benchmarks: [{ name: 'ours', scores: [{ model: 'a', score: 0.7 }, { model: 'b', score: 0.6 }, { model: 'c', score: 0.5 }] }, { name: 'distance', higherIsBetter: false, scores: [{ model: 'a', score: 10 }, { model: 'b', score: 12 }, { model: 'c', score: 20 }] }] } },
  runsMin: 2,
  besideRuns: 'external',
  compute: rankAgreementOf,
  ofRuns
})

/** With four models a perfect tau has p = .083. */
export const modelsForClaim = 10

export function rankAgreementOf ({ benchmarks }: AgreementTable): Found {
  if (benchmarks.length < 2) throw wrong('/table/benchmarks', 'Agreement is of two benchmarks at the least. To hold runs against one, send runIds, and it in "external" in place of a table.')
  assertDistinct(benchmarks.map(({ name }) => name), '/table/benchmarks')
  for (const [at, { scores }] of benchmarks.entries()) assertDistinct(scores.map(({ model }) => model), `/table/benchmarks/${at}/scores`)
  const without = benchmarks.flatMap(({ name, scores }) => unscored(name, scores))
  const rows = benchmarks.flatMap((first, at) => benchmarks.slice(at + 1).map(second => rowOf(first, second)))
  return {
    rows,
    summary: { benchmarks: benchmarks.length, pairs: rows.length, pairsForClaim: rows.filter(({ claim }) => claim === 'may be made').length },
    notes: [
      `Over the models both have scores for. Fewer than ${modelsForClaim} are too few for a claim, whatever the numbers.`,
      `Corrected is what would be found without the errors of either benchmark (Spearman 1904; tau and rho as of a normal distribution), reachable what two measures of the very same would show. The interval of corrected r takes reliabilities as known. Below a reliability of ${reliabilityMin} nothing is corrected; what would be above 1 is 1, and the errors given are then larger than the scores let see.`,
      ...without,
      ...benchmarks.some(({ higherIsBetter }) => !higherIsBetter) ? ['Of benchmarks where lower is better the sign is inverted.'] : []
    ]
  }
}

/** A note that names the models a benchmark says nothing of; they are in no pair. */
function unscored (name: string, scores: Benchmark['scores']): string[] {
  const models = scores.filter(({ score }) => score === null).map(({ model }) => model)
  if (models.length === 0) return []
  return [`Without a score by "${name}" (no item that counts, n = 0), and in no number: ${models.length} of ${scores.length} models: ${namesOf(models)}.`]
}

const notCorrected = {
  reachableTau: null,
  reachableSpearman: null,
  reachablePearson: null,
  correctedTau: null,
  correctedSpearman: null,
  correctedPearson: null,
  correctedLow: null,
  correctedHigh: null
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
  ...notCorrected,
  correctionReason: 'there is nothing to correct'
}

function rowOf (first: Benchmark, second: Benchmark): Row {
  const others = new Map(second.scores.map(score => [score.model, score]))
  const shared = first.scores.flatMap(own => {
    const other = others.get(own.model)
    return own.score === null || other === undefined || other.score === null ? [] : [{ own, other }]
  })
  const signed = (value: number | null, { higherIsBetter }: Benchmark) => higherIsBetter ? value! : -value!
  const pairs = {
    x: shared.map(({ own }) => signed(own.score, first)),
    y: shared.map(({ other }) => signed(other.score, second))
  }
  const head = { first: first.name, second: second.name, models: shared.length }
  const reason = shared.length < 3 ? 'fewer than three models in common' : reasonAgainst(pairs)
  const claim = shared.length < modelsForClaim ? `refused: ${shared.length} models, at least ${modelsForClaim} are needed` : reason === null ? 'may be made' : `refused: ${reason}`
  if (reason !== null) {
    return { ...head, ...noAgreement, claim, reason }
  }
  const kendall = kendallTauB(pairs)
  const raw = { tau: kendall.statistic, rho: spearman(pairs).statistic, r: pearson(pairs).statistic }
  const interval = pearsonInterval(raw.r, shared.length)
  const reliabilities = [
    reliabilityIn(first, shared.map(({ own }) => own)),
    reliabilityIn(second, shared.map(({ other }) => other))
  ] as const
  return {
    ...head,
    kendallTauB: raw.tau,
    kendallP: kendall.pValue,
    spearman: raw.rho,
    pearson: raw.r,
    pearsonLow: interval.low,
    pearsonHigh: interval.high,
    reliabilityFirst: 'reason' in reliabilities[0] ? null : reliabilities[0].reliability,
    reliabilitySecond: 'reason' in reliabilities[1] ? null : reliabilities[1].reliability,
    ...correctionOf(raw, interval, reliabilities),
    claim,
    reason: ''
  }
}

type Reliability = ReturnType<typeof reliabilityOf>

function reliabilityIn (
  { name, reliability }: Benchmark, scores: ReadonlyArray<Benchmark['scores'][number]>
): Reliability {
  const found = reliability === undefined
    ? reliabilityOf(scores.map(({ score, error, halves }) => ({ score: score!, error, halves })))
    : { reliability }
  return 'reason' in found ? { reason: `${name}: ${found.reason}` } : found
}

function correctionOf (
  raw: Agreement, { low, high }: Range, [a, b]: readonly [Reliability, Reliability]
): Row {
  const unknown = [a, b].flatMap(each => 'reason' in each ? [each.reason] : [])
  if ('reason' in a || 'reason' in b) return { ...notCorrected, correctionReason: unknown.join('; ') }
  const most = reachable(a.reliability, b.reliability)
  const could = { reachableTau: most.tau, reachableSpearman: most.rho, reachablePearson: most.r }
  if (Math.min(a.reliability, b.reliability) < reliabilityMin) {
    return { ...notCorrected, ...could, correctionReason: `a reliability below ${reliabilityMin} is too low to correct for` }
  }
  const { tau, rho, r, capped } = disattenuated(raw, a.reliability, b.reliability)
  return {
    ...could,
    correctedTau: tau,
    correctedSpearman: rho,
    correctedPearson: r,
    correctedLow: Math.max(-1, low / most.r),
    correctedHigh: Math.min(1, high / most.r),
    correctionReason: capped ? 'what would be beyond 1 is 1' : ''
  }
}

function ofRuns (runs: readonly AnalysedRun[], given: Options): Found {
  const table = fromRuns(runs, given)
  const found = rankAgreementOf(table)
  const [own, ...others] = table.benchmarks.map(({ scores }) => scores.map(({ model }) => model))
  const known = new Set(own)
  const strangers = [...new Set(others.flat())].filter(model => !known.has(model))
  if (strangers.length === 0) return found
  const note = `In no pair with these runs, for no run has the name: ${strangers.length} models of external: ${namesOf(strangers)}. The runs are of: ${namesOf(own!)}. Names are compared letter by letter.`
  return { ...found, notes: [...found.notes, note] }
}

function namesOf (names: readonly string[]): string {
  return `${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`
}

function fromRuns (runs: readonly AnalysedRun[], { external = [], metric }: Options): AgreementTable {
  if (external.length === 0) {
    throw wrong('/external', 'Send the benchmarks that these runs are held against: name and scores of each, the models under the names that their runs have here.')
  }
  const scores = scoresOfRuns(runs, metric)
  if (scores.every(({ score }) => score === null)) {
    const kinds = metric === 'accuracy' ? 'yes/no or multiple-choice' : 'open'
    throw new Problem('not-computable', `None of these runs has a score by ${metric}: none has ${kinds} items that count. ${metric === 'accuracy' ? 'Metric "rougeL.fmeasure" is of open items.' : 'Metric "accuracy" is of the others.'}`)
  }
  return { benchmarks: [{ name: `these runs: ${metric}`, higherIsBetter: true, scores }, ...external] }
}
