/** Kendall's rank correlation, with ties (tau-b) and for tables (tau-c), and its tests. */
import { assertPairs, reasonAgainst, type Alternative, type Correlation, type Pairs } from './correlation.ts'
import { normalTail } from './distributions.ts'
import { tieSizes } from './ranks.ts'

/** What a test of Kendall's tau is made of. */
export interface KendallCounts {
  n: number
  /** Pairs of observations, n (n - 1) / 2. */
  pairs: number
  /** Concordant minus discordant pairs. */
  score: number
  discordant: number
  /** Pairs tied in x, in y. */
  tiedX: number
  tiedY: number
  sizesX: number[]
  sizesY: number[]
}

/** Without ties the distribution is computed exactly up to this n: beyond, the normal one will do. */
const exactMax = 33
/** Of 171 and more the factorial is no number. */
const factorialMax = 170

/**
 * Counts pairs in O(n log n).
 *
 * @throws RangeError if lengths differ or a value is not finite
 * @see Knight 1966, doi:10.1080/01621459.1966.10480879
 */
export function kendallCounts (given: Pairs): KendallCounts {
  assertPairs(given)
  const { x, y } = given
  const n = x.length
  const order = x.map((_, at) => at).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!)
  const discordant = inversions(order.map(at => y[at]!))
  const [sizesX, sizesY] = [tieSizes(x), tieSizes(y)]
  const both = tiedPairs(sizesOfPairs(order, given))
  const [pairs, tiedX, tiedY] = [n * (n - 1) / 2, tiedPairs(sizesX), tiedPairs(sizesY)]
  const score = pairs - tiedX - tiedY + both - 2 * discordant
  return { n, pairs, score, discordant, tiedX, tiedY, sizesX, sizesY }
}

/**
 * tau-b with its p-value: exact where nothing is tied and there are at most 33 observations (or the
 * order is all but perfect), else normal with the variance corrected for ties.
 *
 * @param method  `auto`, or always the normal one
 * @returns       NaN where one of the two is constant
 * @see Kendall 1945, doi:10.1093/biomet/33.3.239
 */
export function kendallTauB (
  given: Pairs, { alternative = 'two-sided', method = 'auto' }: KendallOptions = {}
): Correlation {
  const counts = kendallCounts(given)
  if (reasonAgainst(given) !== null) return { statistic: NaN, pValue: NaN }
  const { pairs, score, tiedX, tiedY } = counts
  const tau = score / Math.sqrt(pairs - tiedX) / Math.sqrt(pairs - tiedY)
  const exact = method === 'auto' && exactByDefault(counts)
  return {
    statistic: Math.max(-1, Math.min(1, tau)),
    pValue: exact ? exactP(counts, alternative) : normalP(counts, alternative)
  }
}

export interface KendallOptions { alternative?: Alternative, method?: 'auto' | 'normal' }

/** The exact two-sided p-value; NaN where something is tied, or above 170 observations. */
export function kendallExactP (given: Pairs): number {
  const counts = kendallCounts(given)
  if (counts.tiedX + counts.tiedY > 0 || counts.n < 2 || counts.n > factorialMax) return NaN
  return exactP(counts, 'two-sided')
}

/**
 * tau-c, which can reach ±1 in tables that are not square.
 *
 * @see Stuart 1953, doi:10.1093/biomet/40.1-2.105
 */
export function kendallTauC (given: Pairs): number {
  const { n, score, sizesX, sizesY } = kendallCounts(given)
  if (reasonAgainst(given) !== null) return NaN
  const classes = Math.min(sizesX.length, sizesY.length)
  return 2 * (score / n ** 2) * classes / (classes - 1)
}

function exactByDefault ({ n, pairs, discordant, tiedX, tiedY }: KendallCounts): boolean {
  const nearlyPerfect = Math.min(discordant, pairs - discordant) <= 1 && n <= factorialMax
  return tiedX + tiedY === 0 && (n <= exactMax || nearlyPerfect)
}

/**
 * How many orders of n have up to so many discordant pairs, by Kendall's recursion.
 *
 * @see Kendall, Rank Correlation Methods, 4th ed. 1970, chapter 5
 */
function exactP ({ n, pairs, discordant }: KendallCounts, alternative: Alternative): number {
  const less = Math.min(discordant, pairs - discordant)
  let orders = new Float64Array(less + 1)
  orders[0] = 1
  let all = 1
  for (let j = 2; j <= n; j++) {
    const next = new Float64Array(less + 1)
    let window = 0
    for (let d = 0; d <= less; d++) {
      window += orders[d]! - (d >= j ? orders[d - j]! : 0)
      next[d] = window
    }
    orders = next
    all *= j
  }
  const tail = orders.reduce((sum, count) => sum + count, 0) / all
  if (alternative === 'two-sided') return Math.min(1, 2 * tail)
  const positive = pairs - discordant >= discordant
  return positive === (alternative === 'greater') ? tail : 1 - tail + orders[less]! / all
}

function normalP (counts: KendallCounts, alternative: Alternative): number {
  const { n, score, tiedX, tiedY, sizesX, sizesY } = counts
  if (n === 2) return NaN
  const [x, y] = [tieTerms(sizesX), tieTerms(sizesY)]
  const m = n * (n - 1)
  const variance = (m * (2 * n + 5) - x.fives - y.fives) / 18 + 2 * tiedX * tiedY / m +
    x.triples * y.triples / (9 * m * (n - 2))
  const z = score / Math.sqrt(variance)
  if (alternative === 'two-sided') return Math.min(1, 2 * normalTail(Math.abs(z)))
  return normalTail(alternative === 'greater' ? z : -z)
}

function tieTerms (sizes: readonly number[]): { triples: number, fives: number } {
  const sum = (of: (size: number) => number) => sizes.reduce((all, size) => all + of(size), 0)
  return {
    triples: sum(t => t * (t - 1) * (t - 2)),
    fives: sum(t => t * (t - 1) * (2 * t + 5))
  }
}

function tiedPairs (sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size * (size - 1) / 2, 0)
}

function sizesOfPairs (order: readonly number[], { x, y }: Pairs): number[] {
  const sizes: number[] = []
  order.forEach((at, i) => {
    const before = order[i - 1]
    const same = before !== undefined && x[before] === x[at] && y[before] === y[at]
    if (same) sizes[sizes.length - 1]! += 1
    else sizes.push(1)
  })
  return sizes
}

/** Pairs that are out of order, by merge sort. */
function inversions (values: readonly number[]): number {
  let from = Float64Array.from(values)
  let into = new Float64Array(values.length)
  let count = 0
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length)
      const end = Math.min(start + 2 * width, values.length)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const takeLeft = right >= end || (left < middle && from[left]! <= from[right]!)
        if (!takeLeft) count += middle - left
        into[at] = takeLeft ? from[left++]! : from[right++]!
      }
    }
    [from, into] = [into, from]
  }
  return count
}
