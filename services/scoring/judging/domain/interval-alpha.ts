/**
 * Krippendorff's alpha with interval distances, from sums: ratings need not be whole, and any cluster can
 * be left out at no cost.
 */

/** `ratings`: by rater; null where one has not rated. */
export interface IntervalUnit { ratings: ReadonlyArray<number | null>, cluster: string }

interface Sums { n: number, sum: number, squares: number, within: number }

export interface IntervalAlpha {
  value: number
  /** Units with two ratings or more. */
  n: number
  clusters: number
  /** Jackknife over clusters; NaN where one cannot be left out. */
  error: number
}

/**
 * 1 - observed / expected disagreement. With m ratings x in a unit, n in all of such units with m > 1, and
 * squares about the unit's and the grand mean, that is
 *
 *     1 - [Σ_u m SS_u / (m - 1) / n] / [SS / (n - 1)]
 *
 * @see Krippendorff, Content Analysis, 4th ed. 2018, chapter 12; Efron & Stein 1981,
 *      doi:10.1214/aos/1176345462
 */
export function intervalAlpha (units: readonly IntervalUnit[]): IntervalAlpha | { reason: string } {
  const byCluster = new Map<string, Sums>()
  const all: Sums = { n: 0, sum: 0, squares: 0, within: 0 }
  let count = 0
  // About the grand mean rather than zero: large totals must not eat the digits of small differences.
  const centre = grandMean(units)
  for (const { ratings, cluster } of units) {
    const found = ratings.filter(rating => rating !== null).map(rating => rating - centre)
    if (found.length < 2) continue
    count++
    const sum = found.reduce((total, x) => total + x, 0)
    const squares = found.reduce((total, x) => total + x * x, 0)
    const m = found.length
    const own = { n: m, sum, squares, within: m * Math.max(0, squares - sum * sum / m) / (m - 1) }
    add(all, own)
    const there = byCluster.get(cluster) ?? { n: 0, sum: 0, squares: 0, within: 0 }
    add(there, own)
    byCluster.set(cluster, there)
  }
  if (count === 0) return { reason: 'Nothing was rated by two or more.' }
  const value = alphaOf(all)
  if (Number.isNaN(value)) return { reason: 'All ratings are the same: no disagreement is to be expected.' }
  const left = [...byCluster.values()].map(own => alphaOf(without(all, own)))
  const c = left.length
  const mean = left.reduce((sum, x) => sum + x, 0) / c
  const error = c < 2 ? NaN : Math.sqrt((c - 1) / c * left.reduce((sum, x) => sum + (x - mean) ** 2, 0))
  return { value, n: count, clusters: c, error }
}

function grandMean (units: readonly IntervalUnit[]): number {
  let [sum, n] = [0, 0]
  for (const { ratings } of units) {
    for (const rating of ratings) {
      if (rating === null) continue
      sum += rating
      n++
    }
  }
  return n === 0 ? 0 : sum / n
}

function alphaOf ({ n, sum, squares, within }: Sums): number {
  const expected = (squares - sum * sum / n) / (n - 1)
  return expected > 1e-12 ? 1 - within / n / expected : NaN
}

function add (to: Sums, own: Sums): void {
  to.n += own.n
  to.sum += own.sum
  to.squares += own.squares
  to.within += own.within
}

function without (all: Sums, own: Sums): Sums {
  return {
    n: all.n - own.n,
    sum: all.sum - own.sum,
    squares: all.squares - own.squares,
    within: all.within - own.within
  }
}
