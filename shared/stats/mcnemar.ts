/** McNemar's tests of two models on the same, independent items. Items of a few papers are not that. */
import { binomialCdf, binomialMass, normalTail } from './distributions.ts'

/** Items that only one of the two got right. Those both or neither did say nothing of a difference. */
export interface Discordant { onlyFirst: number, onlySecond: number }

export interface McNemar {
  /** Two-sided binomial test of the smaller count against one half. */
  exact: { statistic: number, pValue: number }
  /** With Edwards' correction for continuity. */
  corrected: { statistic: number, pValue: number }
  chiSquare: { statistic: number, pValue: number }
  /** The exact one, of whose own outcome half is counted: less conservative. */
  midP: number
}

/**
 * Without a discordant item the statistics of the chi-square tests are NaN, and p is 1: nothing
 * was seen that speaks for a difference.
 *
 * @throws RangeError unless both are whole and not negative
 * @see McNemar 1947, doi:10.1007/BF02295996; Fagerland, Lydersen & Laake 2013,
 *      doi:10.1186/1471-2288-13-91 (mid-p)
 */
export function mcnemar ({ onlyFirst: b, onlySecond: c }: Discordant): McNemar {
  if (![b, c].every(count => Number.isInteger(count) && count >= 0)) {
    throw new RangeError(`Counts are whole and not negative, got ${b} and ${c}`)
  }
  const n = b + c
  const least = Math.min(b, c)
  const half = { n, p: 0.5 }
  // Where both tails together are everything, rounding must not leave a little out.
  const exact = 2 * least >= n - 1 ? 1 : Math.min(1, 2 * binomialCdf(least, half))
  const own = binomialMass(least, half)
  return {
    exact: { statistic: least, pValue: exact },
    corrected: chiSquareTest((Math.abs(b - c) - 1) ** 2 / n),
    chiSquare: chiSquareTest((b - c) ** 2 / n),
    // Where both are equal the two tails share their outcome.
    midP: n === 0 ? 1 : b === c ? 1 - own / 2 : exact - own
  }
}

/** With one degree of freedom. */
function chiSquareTest (statistic: number): { statistic: number, pValue: number } {
  if (!Number.isFinite(statistic)) return { statistic: NaN, pValue: 1 }
  return { statistic, pValue: Math.min(1, 2 * normalTail(Math.sqrt(statistic))) }
}
