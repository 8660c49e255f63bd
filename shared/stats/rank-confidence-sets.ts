/**
 * Which ranks each model may have, from the differences of every two models over the same items: who is
 * surely better stands above, who is surely worse below, whatever is between may be in any order.
 *
 * @see Mogstad, Romano, Shaikh & Wilhelm 2024, doi:10.1093/restud/rdad006
 */
import { placesOf } from './cluster-sums.ts'
import { tQuantile } from './distributions.ts'
import { movingClusters } from './moving-clusters.ts'
import { drawsOf, type Draws } from './draws.ts'
import { quantileOfSorted } from './quantile.ts'

/** Values of models (rows) on the same items (columns); null where there is none. Higher is better. */
export type Scores = ReadonlyArray<ReadonlyArray<number | null>>

export interface RankOptions {
  level?: number
  replicates?: number
  seed?: number
}

export interface RankSet {
  /** By mean over its own items, 1 is best; equals share the better rank. */
  rank: number
  /** Covers this model's rank with the probability `level`. */
  marginal: { best: number, worst: number }
  /** Cover the ranks of all models at once with that probability. */
  simultaneous: { best: number, worst: number }
}

export interface RankSets {
  sets: RankSet[]
  clusters: number
  level: number
  /** How many standard errors a difference must have for the simultaneous sets. */
  critical: number
  /** Pairs of models that no common item compares, or that do not vary: their order is left open. */
  undecided: number
  /** Pairs of which so few clusters differ that no exact p can reach 1 - level: left open too. */
  fewMoving: number
}

/** One difference, j minus k, j before k. */
interface Difference {
  j: number,
  k: number,
  mean: number,
  error: number,
  /** Two-sided, of all signs of the clusters that differ. */
  flip: number,
  smallestP: number,
  sums: Float64Array,
  sizes: Float64Array,
  n: number
}

/** Equal models, simulated: from here on sets are false about as often as they may be. */
const clustersFew = 8

/**
 * Bounds of all differences hold at once: the critical value is a quantile of the largest |t| over pairs
 * in a wild bootstrap of whole clusters, each t with its own error, and never below Student's of one
 * pair; below eight clusters never below Bonferroni's of all pairs. No model is surely better than another
 * where the exact sign-flip over clusters that differ does not say so of the two alone. The best rank is one
 * more than the models surely better, the worst that of all but those surely worse.
 *
 * @param cluster  of each item
 * @returns        a reason for one model, or fewer than two clusters
 */
export function rankConfidenceSets (
  scores: Scores, cluster: readonly string[], options: RankOptions = {}
): RankSets | { reason: string } {
  const { level = 0.95, replicates = 2_000, seed = 1 } = options
  const places = placesOf(cluster)
  const clusters = places.names.length
  if (scores.length < 2) return { reason: 'One model has no rank among others.' }
  if (clusters < 2) return { reason: 'One cluster says nothing of how clusters vary.' }
  const differences = pairsOf(scores, places.at, clusters)
  const decided = differences.filter(({ error }) => error > 0)
  const { joint, own } = largestOf(
    decided, { models: scores.length, clusters, replicates, draws: drawsOf(seed) }
  )
  // So few clusters have so few signs that no quantile of them reaches far enough: Bonferroni's does.
  const leastOf = (pairs: number) =>
    tQuantile(1 - (1 - level) / 2 / (clusters < clustersFew ? pairs : 1), clusters - 1)
  const criticalOf = (largest: Float64Array, pairs: number) =>
    Math.max(leastOf(pairs), quantileOfSorted(largest.sort(), level, 'higher'))
  const critical = decided.length === 0 ? NaN : criticalOf(joint, differences.length)
  const means = scores.map(meanOfKnown)
  const sets = scores.map((_, model): RankSet => ({
    rank: 1 + means.filter(mean => mean > means[model]!).length,
    marginal: ranksOf(model, {
      differences, models: scores.length, level, critical: criticalOf(own[model]!, scores.length - 1)
    }),
    simultaneous: ranksOf(model, { differences, models: scores.length, level, critical })
  }))
  const undecided = differences.length - decided.length
  const fewMoving = decided.filter(({ smallestP }) => smallestP > alphaOf(level)).length
  return { sets, clusters, level, critical, undecided, fewMoving }
}

function meanOfKnown (values: ReadonlyArray<number | null>): number {
  const known = values.filter(value => value !== null)
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

function pairsOf (scores: Scores, at: Int32Array, clusters: number): Difference[] {
  return scores.flatMap((own, j) => scores.slice(j + 1).map((other, i) =>
    ({ j, k: j + 1 + i, ...differenceOf(own, other, { at, clusters }) })))
}

interface Places { at: Int32Array, clusters: number }

/** Mean and CR2 error; error 0 where there is nothing to go by. */
function differenceOf (own: Scores[number], other: Scores[number], { at, clusters }: Places) {
  const sums = new Float64Array(clusters)
  const sizes = new Float64Array(clusters)
  let [n, total] = [0, 0]
  for (let i = 0; i < at.length; i++) {
    const [a, b] = [own[i], other[i]]
    if (a === null || b === null || a === undefined || b === undefined) continue
    sums[at[i]!]! += a - b
    sizes[at[i]!]! += 1
    total += a - b
    n++
  }
  const mean = n === 0 ? NaN : total / n
  const { p: flip, smallestP } = movingClusters(sums)
  let squares = 0
  for (let g = 0; g < clusters; g++) {
    // From here on residuals, by CR2: those of large clusters are made larger.
    const share = sizes[g]! / n
    sums[g] = share < 1 ? (sums[g]! - sizes[g]! * mean) / Math.sqrt(1 - share) : NaN
    squares += sums[g]! ** 2
  }
  const error = Math.sqrt(squares) / n
  return { mean, flip, smallestP, sums, sizes, n, error: error > 1e-12 ? error : 0 }
}

interface Resampling { models: number, clusters: number, replicates: number, draws: Draws }

/** Of each replicate the largest |t| of all pairs, and of the pairs of each model. */
function largestOf (differences: readonly Difference[], { models, clusters, replicates, draws }: Resampling) {
  const joint = new Float64Array(replicates)
  const own = Array.from({ length: models }, () => new Float64Array(replicates))
  const signs = new Float64Array(clusters)
  for (let b = 0; b < replicates; b++) {
    for (let g = 0; g < clusters; g++) signs[g] = draws.sign()
    for (const difference of differences) {
      const t = resampledT(difference, signs)
      if (t > joint[b]!) joint[b] = t
      if (t > own[difference.j]![b]!) own[difference.j]![b] = t
      if (t > own[difference.k]![b]!) own[difference.k]![b] = t
    }
  }
  return { joint, own }
}

function resampledT ({ sums, sizes, n }: Difference, signs: Float64Array): number {
  let moved = 0
  for (let g = 0; g < signs.length; g++) moved += signs[g]! * sums[g]!
  const shift = moved / n
  let squares = 0
  for (let g = 0; g < signs.length; g++) squares += (signs[g]! * sums[g]! - sizes[g]! * shift) ** 2
  const clusters = signs.length
  return Math.abs(moved) / Math.sqrt(squares * clusters / (clusters - 1))
}

interface Bounds { differences: readonly Difference[], models: number, critical: number, level: number }

/** Without what the subtraction leaves: 1 - .95 is below .05. */
const alphaOf = (level: number) => 1 - level + 1e-12

function ranksOf (
  model: number, { differences, models, critical, level }: Bounds
): { best: number, worst: number } {
  let [best, worst] = [1, models]
  for (const { j, k, mean, error, flip } of differences) {
    if ((j !== model && k !== model) || !(error > 0) || flip > alphaOf(level)) continue
    const ahead = j === model ? mean : -mean
    if (ahead > critical * error) worst--
    if (-ahead > critical * error) best++
  }
  return { best, worst }
}
