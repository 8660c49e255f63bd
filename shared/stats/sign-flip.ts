/**
 * Permutation tests of paired differences: where two models do not differ, each difference could as
 * well have had the other sign.
 */

/** P(sum at most / at least what was seen), itself included. */
export interface SignFlipTest {
  /** Mean difference. */
  statistic: number
  less: number
  greater: number
  /** Twice the smaller of the two, at most 1. */
  twoSided: number
  /** Sign patterns; each is as probable. */
  patterns: number
}

/** 2^20 half sums on each side: 16 MB and half a second. */
export const exactFlipsMax = 40
/** Sums that differ by less are the same number, added up in another order. */
const slack = 1e-14

/**
 * Exact over all 2^n sign patterns, in O(2^(n/2)): sums of one half of the differences are looked up
 * among those of the other. Differences of zero double the patterns and change no p-value.
 *
 * @param differences  finite, 1 to 40
 * @throws RangeError  beyond that
 * @see Fisher 1935, The Design of Experiments, §21; Horowitz & Sahni 1974, doi:10.1145/321812.321823
 */
export function signFlipTest (differences: readonly number[]): SignFlipTest {
  const n = differences.length
  if (n < 1 || n > exactFlipsMax) throw new RangeError(`Exact sign flips are of 1 to ${exactFlipsMax} differences, got ${n}`)
  const observed = sumOf(differences)
  const near = slack * Math.max(Math.abs(observed), sumOf(differences.map(Math.abs)))
  const left = signedSums(differences.slice(0, n >> 1))
  const right = signedSums(differences.slice(n >> 1))
  const patterns = 2 ** n
  const less = pairsUpTo(left, right, observed + near) / patterns
  // Signs are symmetric: as many sums are at least s as are at most -s.
  const greater = pairsUpTo(left, right, near - observed) / patterns
  const twoSided = Math.min(1, 2 * Math.min(less, greater))
  return { statistic: observed / n, less, greater, twoSided, patterns }
}

export interface SignedCounts { observed: number, atLeast: number, atMost: number, atLeastInSize: number }

/**
 * The same with the sign patterns given, as drawn at random: counts of their sums against the one
 * seen. (count + 1) / (patterns + 1) is a valid p-value.
 *
 * @param signs  rows of 1 and -1, as long as the differences
 * @see Phipson & Smyth 2010, doi:10.2202/1544-6115.1585
 */
export function signFlipCounts (
  differences: readonly number[], signs: Iterable<ArrayLike<number>>
): SignedCounts {
  const observed = sumOf(differences)
  const near = slack * Math.max(Math.abs(observed), sumOf(differences.map(Math.abs)))
  const counts = { observed, atLeast: 0, atMost: 0, atLeastInSize: 0 }
  for (const row of signs) {
    let sum = 0
    for (let i = 0; i < differences.length; i++) sum += row[i]! * differences[i]!
    if (sum >= observed - near) counts.atLeast++
    if (sum <= observed + near) counts.atMost++
    if (Math.abs(sum) >= Math.abs(observed) - near) counts.atLeastInSize++
  }
  return counts
}

function sumOf (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Of all sign patterns, ascending. */
function signedSums (values: readonly number[]): Float64Array {
  let sums = Float64Array.of(0)
  for (const value of values) {
    const next = new Float64Array(2 * sums.length)
    sums.forEach((sum, i) => {
      next[i] = sum - value
      next[sums.length + i] = sum + value
    })
    sums = next
  }
  return sums.sort()
}

/** Pairs of one of each list, both ascending, that add up to the bound or less. */
function pairsUpTo (left: Float64Array, right: Float64Array, bound: number): number {
  let count = 0
  let j = right.length
  for (const sum of left) {
    while (j > 0 && sum + right[j - 1]! > bound) j--
    count += j
  }
  return count
}
