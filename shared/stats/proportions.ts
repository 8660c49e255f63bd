/**
 * Intervals and the exact test of a proportion of independent trials. Items of a few papers are
 * not independent: for those see the cluster-robust interval.
 */
import { betaQuantile, binomialCdf, binomialMass, binomialTail, normalQuantile } from './distributions.ts'

/** Ends are included. */
export interface Range { low: number, high: number }

/**
 * @param successes  0 to `trials`; need not be whole: a mean of clusters times their number
 * @param trials     at least 1; need not be whole
 */
export interface Successes { successes: number, trials: number }

function assertPossible ({ successes, trials }: Successes): void {
  if (!(trials > 0 && successes >= 0 && successes <= trials)) {
    throw new RangeError(`Expected 0 <= successes <= trials > 0, got ${successes} of ${trials}`)
  }
}

/**
 * Wilson's score interval: stays inside [0, 1] and keeps its coverage for small n and at the ends.
 *
 * @see Wilson 1927, doi:10.1080/01621459.1927.10502953; Brown, Cai & DasGupta 2001,
 *      doi:10.1214/ss/1009213286
 */
export function wilsonInterval (found: Successes, level = 0.95): Range {
  assertPossible(found)
  const { successes, trials } = found
  const z = normalQuantile((1 + level) / 2)
  const share = successes / trials
  const shrink = 1 + z * z / trials
  const centre = (share + z * z / (2 * trials)) / shrink
  const half = z * Math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2) / shrink
  // Of no success the difference of two equal numbers may be above 0 in the last digits.
  return clip({ low: Math.min(share, centre - half), high: Math.max(share, centre + half) })
}

/**
 * Clopper and Pearson's exact interval: covers at least `level`, usually more. At 0 or all
 * successes it is one-sided in effect. Successes that are no whole number are interpolated by the
 * same beta quantiles.
 *
 * @see Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404
 */
export function clopperPearsonInterval (found: Successes, level = 0.95): Range {
  assertPossible(found)
  const { successes: k, trials: n } = found
  const tail = (1 - level) / 2
  return {
    low: k === 0 ? 0 : betaQuantile(tail, { a: k, b: n - k + 1 }),
    high: k === n ? 1 : betaQuantile(1 - tail, { a: k + 1, b: n - k })
  }
}

/** The textbook interval; it collapses at the ends. Here to compare with, not to report. */
export function waldInterval (found: Successes, level = 0.95): Range {
  assertPossible(found)
  const share = found.successes / found.trials
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(share * (1 - share) / found.trials)
  return clip({ low: share - half, high: share + half })
}

/** @see Agresti & Coull 1998, doi:10.1080/00031305.1998.10480550 */
export function agrestiCoullInterval (found: Successes, level = 0.95): Range {
  assertPossible(found)
  const z = normalQuantile((1 + level) / 2)
  const trials = found.trials + z * z
  return waldInterval({ successes: found.successes + z * z / 2, trials }, level)
}

/** Equal-tailed, under Jeffreys' prior. @see Brown, Cai & DasGupta 2001 */
export function jeffreysInterval (found: Successes, level = 0.95): Range {
  assertPossible(found)
  const shape = { a: found.successes + 0.5, b: found.trials - found.successes + 0.5 }
  const tail = (1 - level) / 2
  return { low: betaQuantile(tail, shape), high: betaQuantile(1 - tail, shape) }
}

function clip ({ low, high }: Range): Range {
  return { low: Math.max(0, low), high: Math.min(1, high) }
}

/**
 * Exact binomial test; two-sided by adding all outcomes that are no more probable.
 *
 * @param k  successes, whole, 0 to n
 * @param p  probability under the hypothesis, 0 to 1
 */
export function binomialTest (k: number, { n, p }: { n: number, p: number }) {
  const trials = { n, p }
  const less = binomialCdf(k, trials)
  const greater = binomialTail(k - 1, trials)
  // Equal masses may differ in the last digits.
  const bound = binomialMass(k, trials) * (1 + 1e-7)
  const above = k < n * p
  let other = 0
  for (let i = above ? Math.ceil(n * p) : 0; i <= (above ? n : Math.floor(n * p)); i++) {
    if (binomialMass(i, trials) <= bound) other++
  }
  const twoSided = k === n * p
    ? 1
    : above ? less + binomialTail(n - other, trials) : greater + binomialCdf(other - 1, trials)
  return { twoSided: Math.min(1, twoSided), less, greater }
}
