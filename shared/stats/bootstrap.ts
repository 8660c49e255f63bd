/** Bootstrap of independent items from given draws, and its intervals. */
import { normalCdf, normalQuantile } from './distributions.ts'
import type { Range } from './proportions.ts'
import { quantileOfSorted } from './quantile.ts'

/** One statistic on every draw. */
export interface Replicates {
  /** Of the items themselves. */
  estimate: number
  values: Float64Array
  /** The same, ascending. */
  sorted: Float64Array
}

/**
 * @param draws      rows of indices into the items, with replacement, as many as there are items
 * @param statistic  of some items, by their indices
 */
export function replicatesOf (
  size: number, draws: ReadonlyArray<ArrayLike<number>>, statistic: (indices: ArrayLike<number>) => number
): Replicates {
  const estimate = statistic(Array.from({ length: size }, (_, i) => i))
  const values = Float64Array.from(draws, row => statistic(row))
  return { estimate, values, sorted: values.slice().sort() }
}

/**
 * Percentile interval, by quantiles of type 7. For means over a few papers it is too narrow: there
 * use the cluster-robust interval.
 *
 * @see Efron 1979, doi:10.1214/aos/1176344552
 */
export function percentileInterval ({ sorted }: Replicates, level = 0.95): Range {
  const tail = (1 - level) / 2
  return { low: quantileOfSorted(sorted, tail), high: quantileOfSorted(sorted, 1 - tail) }
}

/** The percentile interval mirrored about the estimate. */
export function basicInterval (replicates: Replicates, level = 0.95): Range {
  const { low, high } = percentileInterval(replicates, level)
  return { low: 2 * replicates.estimate - high, high: 2 * replicates.estimate - low }
}

export interface BcaInterval extends Range {
  /** Shares of the replicates that lie below the ends, in place of (1 ± level) / 2. */
  shares: [low: number, high: number]
}

/**
 * Bias-corrected and accelerated: the percentile interval at other percentiles, which make up for
 * bias (of the median of the replicates) and skewness (by the jackknife).
 *
 * @param leftOut  the statistic without each item in turn
 * @returns        NaN where the estimate lies outside the replicates, or nothing varies
 * @see Efron 1987, doi:10.1080/01621459.1987.10478410
 */
export function bcaInterval (
  { estimate, sorted }: Replicates, leftOut: readonly number[], level = 0.95
): BcaInterval {
  const n = leftOut.length
  const below = countBelow(sorted, value => value < estimate)
  const upTo = countBelow(sorted, value => value <= estimate)
  const rank = (below + upTo) / (2 * sorted.length)
  const centre = leftOut.reduce((sum, value) => sum + value, 0) / n
  const pulls = leftOut.map(value => (n - 1) * (centre - value))
  const power = (exponent: number) => pulls.reduce((sum, pull) => sum + pull ** exponent, 0)
  const acceleration = power(3) / (6 * power(2) ** 1.5)
  const undefinedThere = !(rank > 0 && rank < 1) || !Number.isFinite(acceleration)
  if (undefinedThere) return { low: NaN, high: NaN, shares: [NaN, NaN] }
  const bias = normalQuantile(rank)
  const shareOf = (z: number) => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
  const z = normalQuantile((1 - level) / 2)
  const shares: [number, number] = [shareOf(z), shareOf(-z)]
  return { low: quantileOfSorted(sorted, shares[0]), high: quantileOfSorted(sorted, shares[1]), shares }
}

/** Standard deviation over the replicates; NaN for one. */
export function bootstrapError ({ values }: Replicates): number {
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

export function meanOf (values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum / values.length
}

/** How many of ascending values a condition holds for that holds for the first ones only. */
function countBelow (sorted: Float64Array, holds: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
