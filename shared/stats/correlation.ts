/** Pearson's and Spearman's correlation with tests and, for Pearson's, an interval. */
import { betaCdf, normalQuantile, tTail } from './distributions.ts'
import type { Range } from './proportions.ts'
import { ranksOf } from './ranks.ts'
import { usuallySized } from './scale.ts'

/** What is to be shown: that there is a relation, or a negative or a positive one. */
export type Alternative = 'two-sided' | 'less' | 'greater'

/** NaN where a number is not defined; `reasonOf…` says why. */
export interface Correlation { statistic: number, pValue: number }

export interface Pairs { x: readonly number[], y: readonly number[] }

export function assertPairs ({ x, y }: Pairs): void {
  if (x.length !== y.length) throw new RangeError(`x has ${x.length} values and y has ${y.length}`)
  for (const value of [...x, ...y]) {
    if (!Number.isFinite(value)) throw new RangeError(`Every value must be a finite number, not ${value}`)
  }
}

export function isConstant (values: readonly number[]): boolean {
  return values.every(value => value === values[0])
}

/** Why nothing can be said of these pairs; null where it can. */
export function reasonAgainst ({ x, y }: Pairs): string | null {
  if (x.length < 2) return 'A correlation needs at least two pairs.'
  const same = isConstant(x) ? 'x' : isConstant(y) ? 'y' : null
  return same === null ? null : `All values of ${same} are the same: there is no correlation with what does not vary.`
}

/**
 * Pearson's r; its p-value from the beta distribution r has where there is no relation and values
 * are normal. Two pairs give r = ±1 and p = 1.
 *
 * @throws RangeError if lengths differ or a value is not finite
 * @see Student 1908, doi:10.1093/biomet/6.2-3.302
 */
export function pearson (pairs: Pairs, alternative: Alternative = 'two-sided'): Correlation {
  assertPairs(pairs)
  if (reasonAgainst(pairs) !== null) return { statistic: NaN, pValue: NaN }
  const { x, y } = pairs
  const n = x.length
  if (n === 2) return { statistic: Math.sign(x[1]! - x[0]!) * Math.sign(y[1]! - y[0]!), pValue: 1 }
  const [unitX, unitY] = [unitDeviations(x), unitDeviations(y)]
  const r = clip(unitX.reduce((sum, value, i) => sum + value * unitY[i]!, 0))
  const shape = { a: n / 2 - 1, b: n / 2 - 1 }
  // 1 - |r| and not 1 + |r|: the tail keeps its digits.
  const tail = betaCdf((1 - Math.abs(r)) / 2, shape)
  return { statistic: r, pValue: oneOf(alternative, { positive: r > 0, tail }) }
}

/**
 * By Fisher's z, with a standard error of 1 / sqrt(n - 3); all of [-1, 1] for two or three pairs.
 *
 * @see Fisher 1921 (Metron 1, 3-32)
 */
export function pearsonInterval (r: number, n: number, level = 0.95): Range {
  if (Number.isNaN(r)) return { low: NaN, high: NaN }
  if (n <= 3) return { low: -1, high: 1 }
  const half = normalQuantile((1 + level) / 2) / Math.sqrt(n - 3)
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}

/**
 * Spearman's rho: Pearson's r of mid-ranks; p by Student's t with n - 2 degrees of freedom, which
 * two pairs have none of.
 *
 * @throws RangeError as `pearson`
 * @see Spearman 1904, doi:10.2307/1412159
 */
export function spearman (pairs: Pairs, alternative: Alternative = 'two-sided'): Correlation {
  assertPairs(pairs)
  if (reasonAgainst(pairs) !== null) return { statistic: NaN, pValue: NaN }
  const n = pairs.x.length
  const middle = (n + 1) / 2
  const x = ranksOf(pairs.x).map(rank => rank - middle)
  const y = ranksOf(pairs.y).map(rank => rank - middle)
  const product = (a: number[], b: number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0) * (1 / (n - 1))
  const rho = clip(product(x, y) / Math.sqrt(product(x, x)) / Math.sqrt(product(y, y)))
  if (n === 2) return { statistic: rho, pValue: NaN }
  const tail = tTail(Math.abs(rho) * Math.sqrt((n - 2) / ((1 + rho) * (1 - rho))), n - 2)
  return { statistic: rho, pValue: oneOf(alternative, { positive: rho > 0, tail }) }
}

/** @param tail  P(at least as far from 0, on its own side) */
function oneOf (alternative: Alternative, { positive, tail }: { positive: boolean, tail: number }): number {
  if (alternative === 'two-sided') return Math.min(1, 2 * tail)
  return positive === (alternative === 'greater') ? tail : 1 - tail
}

function unitDeviations (given: readonly number[]): number[] {
  const values = usuallySized(given)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviations = values.map(value => value - mean)
  const norm = Math.sqrt(deviations.reduce((sum, value) => sum + value * value, 0))
  return deviations.map(value => value / norm)
}

function clip (r: number): number {
  return Math.max(-1, Math.min(1, r))
}
