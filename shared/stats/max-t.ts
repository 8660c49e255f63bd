/**
 * Several hypotheses about the same papers, tested together: none is to be rejected by chance, with all
 * the dependence between them that the data have.
 *
 * @see Westfall & Young 1993, Resampling-Based Multiple Testing; Romano & Wolf 2005,
 *      doi:10.1198/016214504000000539
 */
import { placesOf } from './cluster-sums.ts'
import { smallestShare, weightRows } from './cluster-weights.ts'
import { drawsOf } from './draws.ts'

/** One hypothesis: that these differences have mean 0. Null where an item says nothing of it. */
export interface Hypothesis { name: string, values: ReadonlyArray<number | null> }

export interface MaxTOptions {
  replicates?: number
  seed?: number
}

export interface Adjusted {
  name: string
  mean: number
  t: number
  /** On its own. */
  pValue: number
  /** Least probability of any false rejection in the family at which it is one. */
  adjusted: number
  /** Least p its clusters can give that do not add up to 0; the adjusted one is not below it. */
  smallestP: number
}

export interface MaxT {
  /** In the order given; with a reason for those that have no t, which are not in the family. */
  tests: Array<Adjusted | { name: string, reason: string }>
  /** Names of the hypotheses that were adjusted for. */
  family: string[]
  clusters: number
  replicates: number
  exact: boolean
  /** Least of the family's: what is far above the others is hardly adjusted. Null without a family. */
  smallestP: number | null
}

/** Of one hypothesis, by cluster. */
interface Sums { sums: Float64Array, sizes: Float64Array, n: number, mean: number, statistic: number }

/**
 * Step-down max-T over clusters: signs of whole clusters are turned over, the same for all hypotheses,
 * and every t is computed anew with its own clustered error. Up to twelve clusters all sign patterns.
 *
 * @param cluster  of each item, as long as every hypothesis's values
 * @returns        a reason for fewer than two clusters
 * @throws RangeError  where lengths differ, or a value is not finite
 */
export function maxT (
  hypotheses: readonly Hypothesis[], cluster: readonly string[], options: MaxTOptions = {}
): MaxT | { reason: string } {
  const { replicates = 9_999, seed = 1 } = options
  const places = placesOf(cluster)
  const clusters = places.names.length
  if (clusters < 2) return { reason: 'One cluster says nothing of how clusters vary.' }
  const all = hypotheses.map(hypothesis => sumsOf(hypothesis, places.at, clusters))
  const telling = hypotheses.map((_, i) => i)
    .filter(i => all[i]!.statistic > 0 && Number.isFinite(all[i]!.statistic))
  const order = telling.toSorted((a, b) => all[b]!.statistic - all[a]!.statistic || a - b)
  const weighting = weightRows(clusters, { weights: 'rademacher', replicates, draws: drawsOf(seed) })
  const { rows, exact } = weighting
  const own = new Float64Array(all.length)
  const joint = new Float64Array(all.length)
  for (const weights of rows) {
    let largest = 0
    // From the smallest t up: each is held against the largest of those not above it.
    for (let k = order.length - 1; k >= 0; k--) {
      const at = order[k]!
      const square = squareOf(all[at]!, weights)
      if (square > largest) largest = square
      const bound = all[at]!.statistic * (1 - 1e-10)
      if (square >= bound) own[at]! += 1
      if (largest >= bound) joint[at]! += 1
    }
  }
  const p = (count: number) => exact ? count / rows.length : (count + 1) / (rows.length + 1)
  const adjusted = new Map<number, number>()
  let most = 0
  for (const at of order) adjusted.set(at, most = Math.max(most, p(joint[at]!)))
  const smallest = new Map(order.map(at => [at, smallestShare(weighting, all[at]!.sums)]))
  return {
    tests: hypotheses.map(({ name }, at) => {
      const shown = adjusted.get(at)
      if (shown === undefined) return { name, reason: reasonOf(all[at]!) }
      const { mean, statistic } = all[at]!
      return {
        name,
        mean,
        t: Math.sign(mean) * Math.sqrt(statistic * (clusters - 1) / clusters),
        pValue: p(own[at]!),
        adjusted: shown,
        smallestP: smallest.get(at)!
      }
    }),
    family: telling.map(at => hypotheses[at]!.name),
    clusters,
    replicates: rows.length,
    exact,
    smallestP: smallest.size === 0 ? null : Math.min(...smallest.values())
  }
}

function reasonOf ({ n, statistic }: Sums): string {
  if (n === 0) return 'No item says anything of it.'
  return statistic === 0 ? 'Its mean is 0: nothing is to be tested.' : 'Its clusters do not vary: there is no t.'
}

function sumsOf ({ name, values }: Hypothesis, at: Int32Array, clusters: number): Sums {
  if (values.length !== at.length) throw new RangeError(`${name} has ${values.length} values for ${at.length} items`)
  const sums = new Float64Array(clusters)
  const sizes = new Float64Array(clusters)
  let n = 0
  for (const [i, value] of values.entries()) {
    if (value === null) continue
    if (!Number.isFinite(value)) throw new RangeError('Every value must be a finite number')
    sums[at[i]!]! += value
    sizes[at[i]!]! += 1
    n++
  }
  const mean = n === 0 ? NaN : sums.reduce((all, sum) => all + sum, 0) / n
  const found = { sums, sizes, n, mean, statistic: NaN }
  const statistic = n === 0 ? NaN : squareOf(found, new Float64Array(clusters).fill(1))
  // Residuals that are only rounding are none.
  return { ...found, statistic: mean === 0 ? 0 : statistic > 1e20 ? Infinity : statistic }
}

/** t² where its hypothesis holds, for signs of the clusters; CR1's factor is left out, all have it. */
function squareOf ({ sums, sizes, n }: Sums, weights: Float64Array): number {
  let moved = 0
  for (let g = 0; g < sums.length; g++) moved += weights[g]! * sums[g]!
  const shift = moved / n
  let squares = 0
  for (let g = 0; g < sums.length; g++) squares += (weights[g]! * sums[g]! - sizes[g]! * shift) ** 2
  return squares === 0 ? (moved === 0 ? 0 : Infinity) : moved * moved / squares
}
