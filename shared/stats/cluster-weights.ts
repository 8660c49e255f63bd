/** Random weights of clusters, by which a wild bootstrap turns their residuals over. */
import type { Draws } from './draws.ts'

/** Rademacher: -1 and 1. Webb: six points, for fewer than about ten clusters. */
export type ClusterWeights = 'rademacher' | 'webb'

/** Up to so many clusters all sign patterns are gone through. */
export const enumeratedMax = 12

/** Means 0 and variances 1. @see Webb 2023, doi:10.1111/caje.12661 */
const webb = [-Math.sqrt(1.5), -1, -Math.sqrt(0.5), Math.sqrt(0.5), 1, Math.sqrt(1.5)]

export interface WeightRows {
  /** One row of weights for each replicate. */
  rows: Float64Array[]
  /** All sign patterns, one of each two that are opposite: tests of |t| see no difference. */
  exact: boolean
}

export interface WeightChoice { weights: ClusterWeights, replicates: number, draws: Draws }

/** Of exact rows the first has all weights 1: what was seen. */
export function weightRows (clusters: number, { weights, replicates, draws }: WeightChoice): WeightRows {
  if (weights === 'rademacher' && clusters <= enumeratedMax) {
    const rows = Array.from({ length: 2 ** (clusters - 1) }, (_, pattern) =>
      Float64Array.from({ length: clusters }, (_, g) => (pattern >> g) % 2 === 0 ? 1 : -1))
    return { rows, exact: true }
  }
  const weight = weights === 'webb' ? () => webb[draws.below(6)]! : draws.sign
  return {
    rows: Array.from({ length: replicates }, () => Float64Array.from({ length: clusters }, weight)),
    exact: false
  }
}

/**
 * Least p by these rows for sums of clusters, whatever their values: the share of rows that are what was
 * seen once more, having one weight for all clusters that move. Turning over a sum of 0 changes no t, so each
 * such cluster doubles what is reachable; where all signs are gone through it is 2^(1 - clusters that move).
 */
export function smallestShare ({ rows, exact }: WeightRows, sums: ArrayLike<number>): number {
  const size = Array.from(sums).reduce((all, sum) => all + Math.abs(sum), 0)
  // What is smaller is rounding of a sum that is 0.
  const moving = Array.from(sums).flatMap((sum, g) => Math.abs(sum) > 1e-12 * size ? [g] : [])
  const again = rows.filter(weights => moving.every(g => weights[g] === weights[moving[0]!])).length
  return exact ? again / rows.length : (again + 1) / (rows.length + 1)
}
