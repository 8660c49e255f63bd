/**
 * Differential item functioning: whether an item is harder for one group of models than for another
 * of the same ability. A plain gap between groups would confound the two.
 *
 * @see Mantel & Haenszel 1959, doi:10.1093/jnci/22.4.719; Holland & Thayer 1988 (in Wainer & Braun,
 *      Test Validity); Robins, Breslow & Greenland 1986, doi:10.2307/2531052
 */
import { normalQuantile, normalTail } from './distributions.ts'
import type { Range } from './proportions.ts'

/** Answers of models of about the same ability. */
export interface Stratum {
  referenceRight: number
  referenceWrong: number
  focalRight: number
  focalWrong: number
}

export interface ItemFunctioning {
  /** Common odds ratio: above 1 the item favours the reference group. */
  oddsRatio: number
  interval: Range
  /** -2.35 ln(odds ratio): on the scale of the Educational Testing Service. */
  delta: number
  /** Chi-square with one degree of freedom, corrected for continuity. */
  statistic: number
  pValue: number
  /** By size: negligible (A), moderate (B), large (C); a size that could be chance is A. */
  category: 'A' | 'B' | 'C'
}

/** Strata in which one group or one answer is missing say nothing and are passed over. */
export function mantelHaenszel (
  strata: readonly Stratum[], level = 0.95
): ItemFunctioning | { reason: string } {
  const telling = strata.map(countsOf).filter(({ n, right, reference }) =>
    right > 0 && right < n && reference > 0 && reference < n)
  if (telling.length === 0) return { reason: 'No stratum has models of both groups, and right and wrong answers.' }
  const sum = (of: (counts: Counts) => number) => telling.reduce((all, counts) => all + of(counts), 0)
  const [favour, against] = [sum(({ r }) => r), sum(({ s }) => s)]
  if (favour === 0 || against === 0) return { reason: 'The odds ratio is 0 or infinite: in each stratum one group is all right or all wrong.' }
  const surplus = sum(({ referenceRight, expected }) => referenceRight - expected)
  const variance = sum(({ right, reference, n }) =>
    reference * (n - reference) * right * (n - right) / (n * n * (n - 1)))
  const statistic = Math.max(0, Math.abs(surplus) - 0.5) ** 2 / variance
  const logOdds = Math.log(favour / against)
  const error = Math.sqrt(sum(({ p, r }) => p * r) / (2 * favour ** 2) +
    sum(({ p, q, r, s }) => p * s + q * r) / (2 * favour * against) +
    sum(({ q, s }) => q * s) / (2 * against ** 2))
  const half = normalQuantile((1 + level) / 2) * error
  const found = { delta: -2.35 * logOdds, pValue: Math.min(1, 2 * normalTail(Math.sqrt(statistic))) }
  return {
    oddsRatio: Math.exp(logOdds),
    interval: { low: Math.exp(logOdds - half), high: Math.exp(logOdds + half) },
    ...found,
    statistic,
    category: categoryOf({ ...found, error: 2.35 * error })
  }
}

type Counts = ReturnType<typeof countsOf>

function countsOf ({ referenceRight, referenceWrong, focalRight, focalWrong }: Stratum) {
  const n = referenceRight + referenceWrong + focalRight + focalWrong
  const [right, reference] = [referenceRight + focalRight, referenceRight + referenceWrong]
  return {
    n,
    right,
    reference,
    referenceRight,
    expected: right * reference / n,
    r: referenceRight * focalWrong / n,
    s: referenceWrong * focalRight / n,
    p: (referenceRight + focalWrong) / n,
    q: (referenceWrong + focalRight) / n
  }
}

/** A: below 1 or not significant; C: at least 1.5 and significantly more than 1. */
function categoryOf ({ delta, pValue, error }: { delta: number, pValue: number, error: number }): 'A' | 'B' | 'C' {
  const size = Math.abs(delta)
  if (pValue >= 0.05 || size < 1) return 'A'
  return size >= 1.5 && (size - 1) / error > 1.645 ? 'C' : 'B'
}
