/**
 * The wild cluster bootstrap-t of a mean: how large t gets where the hypothesis holds is found by turning
 * over the residuals of whole clusters, and not taken from Student's table.
 *
 * @see Cameron, Gelbach & Miller 2008, doi:10.1162/rest.90.3.414; Roodman et al. 2019,
 *      doi:10.1177/1536867X19830877 (intervals by inversion of the test)
 */
import { clusterSums, type ClusterSums } from './cluster-sums.ts'
import { smallestShare, weightRows, type ClusterWeights, type WeightRows } from './cluster-weights.ts'
import type { Observation } from './clustered.ts'
import { drawsOf } from './draws.ts'
import type { Range } from './proportions.ts'

export interface WildOptions {
  /** Mean under the hypothesis. */
  hypothesis?: number
  weights?: ClusterWeights
  /** Where not all sign patterns are gone through. */
  replicates?: number
  seed?: number
  level?: number
}

export interface WildBootstrap {
  mean: number
  clusters: number
  /** CR1: times C / (C - 1). */
  error: number
  t: number
  /** Two-sided: share of replicates whose |t| is at least the one seen, which counts among them. */
  pValue: number
  /** Least p that the clusters can give whose residuals under the hypothesis do not add up to 0. */
  smallestP: number
  replicates: number
  exact: boolean
  /** Means that the test does not reject; an end is null where it rejects none on that side. */
  interval: { low: number | null, high: number | null }
  reason?: string
}

/**
 * The hypothesis is imposed on the residuals (WCR), and t is computed anew in every replicate with its
 * own clustered error.
 *
 * @param observations  one for each item
 * @returns             a reason where one cluster, or no variance over clusters, leaves no t
 * @throws RangeError   without an observation, or if a value is not finite
 */
export function wildBootstrap (
  observations: readonly Observation[], options: WildOptions = {}
): WildBootstrap | { reason: string } {
  const { hypothesis = 0, weights = 'rademacher', replicates = 9_999, seed = 1, level = 0.95 } = options
  const given = clusterSums(observations)
  const clusters = given.names.length
  if (clusters < 2) return { reason: 'One cluster says nothing of how clusters vary.' }
  const mean = given.total / given.n
  const error = clusteredError(given, mean)
  if (!(error > 1e-12 * Math.max(1, Math.abs(mean)))) return { reason: 'The clusters do not vary: there is no t.' }
  const rows = weightRows(clusters, { weights, replicates, draws: drawsOf(seed) })
  const { exact } = rows
  const p = (at: number) => pValueAt(given, rows, at)
  const smallestP = smallestShare(rows, residualsUnder(given, hypothesis))
  const found = {
    mean,
    clusters,
    error,
    t: (mean - hypothesis) / error,
    pValue: p(hypothesis),
    smallestP,
    replicates: rows.rows.length,
    exact
  }
  // Under other means than the one tested, clusters move that do not under it.
  const everMoving = smallestShare(rows, given.sizes)
  const interval = everMoving > 1 - level ? null : inverted(p, { mean, error, alpha: 1 - level })
  if (interval !== null && interval.low !== null && interval.high !== null) return { ...found, interval }
  const reason = interval === null
    ? `${clusters} clusters cannot give a p below ${everMoving}, so no mean is rejected at ${Number((1 - level).toFixed(6))}: take Webb weights, or t on CR2.`
    : 'Some end of the interval lies too far away to be found.'
  return { ...found, interval: interval ?? { low: null, high: null }, reason }
}

/** CR1. */
function clusteredError ({ sums, sizes, n }: ClusterSums, mean: number): number {
  const squares = sums.reduce((all, sum, g) => all + (sum - sizes[g]! * mean) ** 2, 0)
  return Math.sqrt(sums.length / (sums.length - 1) * squares) / n
}

/** Replicates that differ by less are equal, and only added up in another order. */
const slack = 1e-10

function residualsUnder ({ sums, sizes }: ClusterSums, hypothesis: number): Float64Array {
  return sums.map((sum, g) => sum - sizes[g]! * hypothesis)
}

function pValueAt (given: ClusterSums, { rows, exact }: WeightRows, at: number): number {
  const { sums, sizes, n, total } = given
  const clusters = sums.length
  const residuals = residualsUnder(given, at)
  const squareOf = (weights: Float64Array) => {
    let moved = 0
    for (let g = 0; g < clusters; g++) moved += weights[g]! * residuals[g]!
    const shift = moved / n
    let squares = 0
    for (let g = 0; g < clusters; g++) squares += (weights[g]! * residuals[g]! - sizes[g]! * shift) ** 2
    // t², but for a factor that all replicates have in common.
    return moved * moved / squares
  }
  const observed = squareOf(new Float64Array(clusters).fill(1))
  if (!(Math.abs(total - n * at) > 0)) return 1
  let beyond = 0
  for (const weights of rows) {
    const square = squareOf(weights)
    // 0 by 0 is a replicate that did not move.
    if (square >= observed * (1 - slack)) beyond++
  }
  return exact ? beyond / rows.length : (beyond + 1) / (rows.length + 1)
}

interface Inversion { mean: number, error: number, alpha: number }

/** The first means on either side, going outwards, that the test rejects. */
function inverted (
  p: (at: number) => number, { mean, error, alpha }: Inversion
): { low: number | null, high: number | null } {
  const end = (side: -1 | 1): number | null => {
    let inside = 0
    let outside = 2
    // Beyond a few thousand errors nothing is said any more.
    while (p(mean + side * outside * error) > alpha) {
      inside = outside
      outside *= 1.5
      if (outside > 1e4) return null
    }
    while (outside - inside > 1e-7 * outside) {
      const middle = (inside + outside) / 2
      if (p(mean + side * middle * error) > alpha) inside = middle
      else outside = middle
    }
    return mean + side * outside * error
  }
  return { low: end(-1), high: end(1) }
}

/** Both ends, where there are both. */
export function wildInterval (found: WildBootstrap): Range | null {
  const { low, high } = found.interval
  return low === null || high === null ? null : { low, high }
}
