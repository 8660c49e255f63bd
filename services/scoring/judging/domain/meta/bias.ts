/** How far a judge's totals lie from people's, and where. */
import type { Bias } from '../../../../../shared/contracts/meta-evaluation.ts'
import { clusteredMean } from '../../../../../shared/stats/clustered.ts'
import { slopeOf } from '../summary/length-bias.ts'
import { around, orNull, weightedMean } from '../summary/numbers.ts'
import { meansByRun, type Twice } from './labelled.ts'

const nothing = {
  value: null, low: null, high: null, sd: null, lowerLimit: null, upperLimit: null, slope: null
}

/**
 * Mean difference with its interval (weighted; t on CR2 over papers, linearised for the weights), limits of
 * agreement, and the slope of the difference on the mean of both.
 *
 * @param replies  `a`: the judge, `b`: people
 * @see Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8
 */
export function biasOf (replies: readonly Twice[], runIds: readonly string[]): Bias {
  const n = replies.length
  if (n === 0) return { ...nothing, byRun: [], n }
  const differences = replies.map(({ a, b, weight }) => ({ value: a - b, weight }))
  const value = weightedMean(differences)
  const mean = differences.reduce((sum, { weight }) => sum + weight, 0) / n
  const linear = replies.map(({ a, b, weight, cluster }) => (
    { value: value + weight / mean * (a - b - value), cluster }))
  const { seCr2, clusters } = clusteredMean(linear)
  const variance = weightedMean(differences.map(each => (
    { value: (each.value - value) ** 2, weight: each.weight })))
  const sd = n < 2 ? null : Math.sqrt(variance * n / (n - 1))
  const { slope } = slopeOf(replies.map(({ a, b, cluster }) => ({ item: '', cluster, x: (a + b) / 2, y: a - b })), 'all')
  return {
    value,
    ...around(value, seCr2, clusters - 1),
    sd,
    lowerLimit: sd === null ? null : orNull(value - 1.959964 * sd),
    upperLimit: sd === null ? null : orNull(value + 1.959964 * sd),
    slope,
    byRun: meansByRun(replies).map(({ run, a, b, n: own }) => (
      { runId: runIds[run]!, value: a - b, n: own })),
    n
  }
}
