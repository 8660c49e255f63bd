/** The paired test over clusters, quick enough for every two rows of a ranking. */
import { exactFlipsMax } from './sign-flip.ts'

export interface MovingClusters {
  /** Clusters whose differences do not add up to 0; the others say nothing. */
  moving: number
  /** Least two-sided p of so many: 2^(1 - moving), at most 1. */
  smallestP: number
  /** Two-sided p of all sign patterns, or a little above it; 0 where more move than are gone through. */
  p: number
}

/** Cells of the scale on which sums that have no common unit are counted. */
const cellsMax = 10_000
const unitParts = [1, 2, 3, 4, 5, 6]

/**
 * What no test of these differences may undercut while few clusters move: the t of a mean takes clusters that
 * do not differ for evidence that its error is small. Sums that are multiples of a unit are counted exactly;
 * others are rounded to cells, all rounding against the claim.
 *
 * @param sums  of each cluster, finite
 */
export function movingClusters (sums: Iterable<number>): MovingClusters {
  const all = [...sums]
  const size = all.reduce((sum, value) => sum + Math.abs(value), 0)
  const telling = all.filter(value => Math.abs(value) > 1e-12 * size)
  const moving = telling.length
  const smallestP = Math.min(1, 2 ** (1 - moving))
  if (moving === 0) return { moving, smallestP, p: 1 }
  return { moving, smallestP, p: moving > exactFlipsMax ? 0 : Math.max(smallestP, shareAtLeast(telling)) }
}

function shareAtLeast (values: readonly number[]): number {
  const sizes = values.map(Math.abs)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const least = Math.min(...sizes)
  const unit = unitParts.map(parts => least / parts)
    .find(part => total / part <= cellsMax && sizes.every(size => isWhole(size / part)))
  const cell = unit ?? total / cellsMax
  const cells = sizes.map(size => Math.round(size / cell))
  const seen = Math.abs(values.reduce((sum, value) => sum + value, 0)) / cell
  const bound = unit === undefined ? seen - values.length / 2 : Math.round(seen)
  return Math.min(1, 2 * tailOf(cells, bound))
}

function isWhole (value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9 * Math.max(1, value)
}

/** Probability that the cells with random signs add up to the bound or more. */
function tailOf (cells: readonly number[], bound: number): number {
  const total = cells.reduce((sum, cell) => sum + cell, 0)
  // Of those with a plus: twice their sum less the total is the signed sum.
  const share = new Float64Array(total + 1)
  share[0] = 1
  let reached = 0
  for (const cell of cells) {
    reached += cell
    for (let sum = reached; sum >= 0; sum--) {
      share[sum] = (share[sum]! + (sum >= cell ? share[sum - cell]! : 0)) / 2
    }
  }
  let tail = 0
  for (let sum = total; sum >= 0 && 2 * sum - total >= bound; sum--) tail += share[sum]!
  return tail
}
