/**
 * Normal, Student's t, F, beta and binomial distributions: lower tail (`…Cdf`), upper tail
 * (`…Tail`, accurate where the lower one is nearly 1) and quantiles, to 1e-9 or better.
 */
import { betaIncomplete, betaKernel, erfc, type Split } from './special.ts'

export function normalTail (z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  // No double is as near to 0 as what is left beyond.
  return z > 40 ? 0 : 0.5 * erfc(z / Math.SQRT2)
}

export function normalCdf (z: number): number {
  return normalTail(-z)
}

/** @param p  probability below, 0 < p < 1 */
export function normalQuantile (p: number): number {
  return symmetricQuantile(p, normalTail)
}

/** @param df  degrees of freedom, positive, need not be whole */
export function tTail (t: number, df: number): number {
  if (t < 0) return 1 - tTail(-t, df)
  if (t === Infinity) return 0
  const square = t * t
  const split = square > df
    ? { x: (df / square) / (1 + df / square), y: 1 / (1 + df / square) }
    : { x: 1 / (1 + square / df), y: (square / df) / (1 + square / df) }
  return 0.5 * betaIncomplete(split, df / 2, 0.5)
}

/** @param p  probability below, 0 < p < 1 */
export function tQuantile (p: number, df: number): number {
  const key = `${p} ${df}`
  const known = tQuantiles.get(key)
  if (known !== undefined) return known
  const found = symmetricQuantile(p, t => tTail(t, df))
  if (tQuantiles.size < tQuantilesMax) tQuantiles.set(key, found)
  return found
}

/** A report asks for a few of them tens of thousands of times, and each is solved by iteration. */
const tQuantiles = new Map<string, number>()
const tQuantilesMax = 10_000

export interface FDegrees { df1: number, df2: number }

function fSplit (f: number, { df1, df2 }: FDegrees): Split {
  const ratio = df1 * f / df2
  return ratio > 1
    ? { x: (1 / ratio) / (1 + 1 / ratio), y: 1 / (1 + 1 / ratio) }
    : { x: 1 / (1 + ratio), y: ratio / (1 + ratio) }
}

export function fTail (f: number, degrees: FDegrees): number {
  if (f <= 0) return 1
  return betaIncomplete(fSplit(f, degrees), degrees.df2 / 2, degrees.df1 / 2)
}

export function fCdf (f: number, degrees: FDegrees): number {
  if (f <= 0) return 0
  const { x, y } = fSplit(f, degrees)
  return betaIncomplete({ x: y, y: x }, degrees.df1 / 2, degrees.df2 / 2)
}

export function fQuantile (p: number, degrees: FDegrees): number {
  assertProbability(p)
  return p <= 0.5
    ? solve(f => fCdf(f, degrees) >= p)
    : solve(f => fTail(f, degrees) <= 1 - p)
}

export interface BetaShape { a: number, b: number }

export function betaCdf (x: number, { a, b }: BetaShape): number {
  return betaIncomplete({ x, y: 1 - x }, a, b)
}

/** @param p  probability below, 0 < p < 1 */
export function betaQuantile (p: number, { a, b }: BetaShape): number {
  assertProbability(p)
  // Over the odds x/y, so that a quantile next to 1 keeps its digits.
  const odds = solve(r => {
    const split = { x: r / (1 + r), y: 1 / (1 + r) }
    if (p <= 0.5) return betaIncomplete(split, a, b) >= p
    return betaIncomplete({ x: split.y, y: split.x }, b, a) <= 1 - p
  })
  return odds / (1 + odds)
}

export interface Trials { n: number, p: number }

/** P(X = k). */
export function binomialMass (k: number, { n, p }: Trials): number {
  if (k < 0 || k > n) return 0
  if (p === 0 || p === 1) return k === (p === 0 ? 0 : n) ? 1 : 0
  if (k === 0) return Math.exp(n * Math.log1p(-p))
  if (k === n) return Math.exp(n * Math.log(p))
  // C(n, k) p^k q^(n-k) = x^k y^(n-k) / B(k, n-k) · n / (k (n-k))
  return betaKernel({ x: p, y: 1 - p }, k, n - k) * n / (k * (n - k))
}

/** P(X <= k). */
export function binomialCdf (k: number, { n, p }: Trials): number {
  if (k < 0) return 0
  if (k >= n) return 1
  return betaIncomplete({ x: 1 - p, y: p }, n - Math.floor(k), Math.floor(k) + 1)
}

/** P(X > k). */
export function binomialTail (k: number, { n, p }: Trials): number {
  if (k < 0) return 1
  if (k >= n) return 0
  return betaIncomplete({ x: p, y: 1 - p }, Math.floor(k) + 1, n - Math.floor(k))
}

function assertProbability (p: number): void {
  if (!(p > 0 && p < 1)) throw new RangeError(`A quantile is asked of 0 < p < 1, got ${p}`)
}

function symmetricQuantile (p: number, tail: (x: number) => number): number {
  assertProbability(p)
  if (p === 0.5) return 0
  const size = solve(x => tail(x) <= Math.min(p, 1 - p))
  return p < 0.5 ? -size : size
}

/** The least positive number that `reached` holds for; `reached` must not fall back to false. */
function solve (reached: (x: number) => boolean): number {
  let high = 1
  while (high < 1e300 && !reached(high)) high *= 16
  let low = high
  while (low > 1e-300 && reached(low)) low /= 16
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (reached(middle)) high = middle
    else low = middle
  }
  return high
}
