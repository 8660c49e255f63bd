/** Wilcoxon's signed-rank test and Student's t of paired differences. */
import { normalTail, tTail } from './distributions.ts'
import { ranksOf, tieSizes } from './ranks.ts'

export interface PairedTest { statistic: number, pValue: number }

export interface WilcoxonOptions {
  /** Differences of zero: left out, or ranked and then left out (Pratt). */
  zeros: 'wilcox' | 'pratt'
  /** Moves the statistic half a rank towards its mean. */
  continuity: boolean
}

/** Up to this n `wilcoxon` is exact if no difference is zero. */
const exactMax = 50

/**
 * Two-sided signed-rank test by the normal approximation, with the variance corrected for ties. The
 * statistic is the smaller of the two rank sums; NaN where every difference is zero.
 *
 * @see Wilcoxon 1945, doi:10.2307/3001968; Pratt 1959, doi:10.1080/01621459.1959.10501526;
 *      Cureton 1967, doi:10.1080/01621459.1967.10500917
 */
export function wilcoxonNormal (
  differences: readonly number[], { zeros, continuity }: WilcoxonOptions
): PairedTest {
  const ranked = zeros === 'wilcox' ? differences.filter(value => value !== 0) : differences
  const without = ranked.filter(value => value === 0).length
  if (without === ranked.length) return { statistic: NaN, pValue: NaN }
  const { plus, minus, ranks } = rankSums(ranked)
  const statistic = Math.min(plus, minus)
  const [n, z0] = [ranked.length, without]
  const mean = (n * (n + 1) - z0 * (z0 + 1)) / 4
  const spread = n * (n + 1) * (2 * n + 1) - z0 * (z0 + 1) * (2 * z0 + 1)
  const ties = tieSizes(ranks.filter((_, i) => ranked[i] !== 0))
    .reduce((sum, size) => sum + size * (size * size - 1), 0)
  const shift = continuity ? 0.5 * Math.sign(statistic - mean) : 0
  const z = (statistic - mean - shift) / Math.sqrt((spread - ties / 2) / 24)
  return { statistic, pValue: Math.min(1, 2 * normalTail(Math.abs(z))) }
}

/**
 * Two-sided: exact up to 50 differences none of which is zero, else by the normal approximation
 * without correction for continuity. Ties leave the exact distribution an approximation, for which
 * mid-ranks are cut to whole ones.
 */
export function wilcoxon (differences: readonly number[]): PairedTest {
  const n = differences.length
  if (n === 0) return { statistic: NaN, pValue: NaN }
  if (n > exactMax || differences.includes(0)) {
    return wilcoxonNormal(differences, { zeros: 'wilcox', continuity: false })
  }
  const { plus, minus } = rankSums(differences)
  const counts = signedRankCounts(n)
  const at = Math.floor(plus)
  const part = (from: number, to: number) =>
    counts.slice(from, to).reduce((sum, count) => sum + count, 0) / 2 ** n
  const tail = Math.min(part(0, at + 1), part(at, counts.length))
  return { statistic: Math.min(plus, minus), pValue: Math.min(1, 2 * tail) }
}

/**
 * Student's t of the mean difference, two-sided.
 *
 * @returns NaN below two differences, or where all are the same
 */
export function pairedT (differences: readonly number[]): PairedTest & { df: number } {
  const n = differences.length
  const mean = differences.reduce((sum, value) => sum + value, 0) / n
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const error = Math.sqrt(squares / (n - 1) / n)
  if (n < 2 || !(error > 1e-15 * Math.abs(mean))) return { statistic: NaN, pValue: NaN, df: n - 1 }
  const t = mean / error
  return { statistic: t, pValue: Math.min(1, 2 * tTail(Math.abs(t), n - 1)), df: n - 1 }
}

function rankSums (differences: readonly number[]): { plus: number, minus: number, ranks: number[] } {
  const ranks = ranksOf(differences.map(Math.abs))
  const sum = (sign: number) =>
    ranks.reduce((all, rank, i) => Math.sign(differences[i]!) === sign ? all + rank : all, 0)
  return { plus: sum(1), minus: sum(-1), ranks }
}

/** How many of the 2^n sign patterns give each sum of the ranks 1 to n that are positive. */
function signedRankCounts (n: number): Float64Array {
  const counts = new Float64Array(n * (n + 1) / 2 + 1)
  counts[0] = 1
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = counts.length - 1; sum >= rank; sum--) counts[sum]! += counts[sum - rank]!
  }
  return counts
}
