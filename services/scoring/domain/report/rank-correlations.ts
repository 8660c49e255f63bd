/** Whether two metrics order the runs alike. */
import type { RankCorrelation, RunReport } from '../../../../shared/contracts/report.ts'
import { kendallTauB } from '../../../../shared/stats/kendall.ts'
import { normalQuantile } from '../../../../shared/stats/distributions.ts'
import { kindsOf, overall } from './numbers.ts'

/** Below, a perfect order is nothing unusual: with four runs it has p = .083. */
export const runsForClaim = 10

const metricsOfKinds = {
  binary: ['accuracy', 'pairAccuracy'], choice: ['accuracy'], qa: ['rougeL.fmeasure', 'bleu.sentence'], vqa: ['rougeL.fmeasure']
} as const

/** Names are `kind/metric`; baselines take no part. */
export function rankCorrelations (runs: readonly RunReport[]): RankCorrelation[] {
  const models = runs.filter(({ baseline }) => !baseline)
  const columns = kindsOf(runs).flatMap(kind => metricsOfKinds[kind].map(metric => ({
    name: `${kind}/${metric}`, values: models.map(run => overall(run, kind, metric)?.value ?? null)
  }))).filter(({ values }) => values.some(value => value !== null))
  return columns.flatMap((first, at) => columns.slice(at + 1).map(second => correlation(first, second)))
}

interface Column { name: string, values: ReadonlyArray<number | null> }

function correlation (first: Column, second: Column): RankCorrelation {
  const pairs = first.values.flatMap((x, run) => {
    const y = second.values[run]!
    return x === null || y === null ? [] : [{ x, y }]
  })
  const n = pairs.length
  const head = { first: first.name, second: second.name, n }
  if (n < 3) return { ...head, tau: null, interval: null, p: null, reason: `An order of ${n} says nothing; three runs of models are needed.` }
  const { statistic, pValue } = kendallTauB({ x: pairs.map(({ x }) => x), y: pairs.map(({ y }) => y) })
  if (Number.isNaN(statistic)) return { ...head, tau: null, interval: null, p: null, reason: 'All runs have the same value of one of the two.' }
  const p = Number.isNaN(pValue) ? null : pValue
  const interval = intervalOf(statistic, n)
  return { ...head, tau: statistic, interval, p, ...interval === null && { reason: 'There is no interval below five runs, or of a perfect order.' } }
}

/**
 * By Fisher's z, whose variance is .437 / (n - 4).
 *
 * @see Fieller, Hartley & Pearson 1957, doi:10.1093/biomet/44.3-4.470
 */
function intervalOf (tau: number, n: number): RankCorrelation['interval'] {
  if (n < 5 || Math.abs(tau) === 1) return null
  const level = 0.95
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(0.437 / (n - 4))
  const z = Math.atanh(tau)
  return { low: Math.tanh(z - half), high: Math.tanh(z + half), level, method: `Fisher z, n = ${n} runs`, note: n < runsForClaim ? 'too few runs for a claim' : '' }
}
