/**
 * What two rankings would agree on were each without error of measurement: agreement of scores that have
 * errors is lower than that of what they measure.
 *
 * @see Spearman 1904, doi:10.2307/1412159; Kruskal 1958, doi:10.1080/01621459.1958.10501481 (tau and rho of
 *      the normal distribution by its r)
 */
import { pearson } from './correlation.ts'
import { excessExponent, timesPowerOfTwo } from './scale.ts'

/** Below it a correction would multiply chance more than it mends. */
export const reliabilityMin = 0.4

export interface Measured {
  score: number
  /** Standard error. */
  error?: number | undefined
  /** Scores of two halves of the items. */
  halves?: readonly [number, number] | undefined
}

/** @returns share of the variance of scores that is not error, at most 1; a reason where not above 0 */
export function reliabilityOf (given: readonly Measured[]): { reliability: number } | { reason: string } {
  if (given.length < 3) return { reason: 'fewer than three scores' }
  if (given.every(({ halves }) => halves !== undefined)) return splitHalf(given.map(({ halves }) => halves!))
  if (given.some(({ error }) => error === undefined)) return { reason: 'not all scores have an error, or two halves' }
  const exponent = excessExponent(given.flatMap(({ score, error }) => [score, error!]))
  const near = (value: number) => timesPowerOfTwo(value, -exponent)
  const scores = given.map(({ score }) => near(score))
  const mean = scores.reduce((sum, score) => sum + score / scores.length, 0)
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1)
  const noise = given.reduce((sum, { error }) => sum + near(error!) ** 2, 0) / given.length
  if (!(variance > noise)) return { reason: 'errors are as large as the differences between scores' }
  return { reliability: 1 - noise / variance }
}

/** Spearman-Brown: of the whole, twice as long as a half. */
function splitHalf (
  halves: ReadonlyArray<readonly [number, number]>
): { reliability: number } | { reason: string } {
  const r = pearson({ x: halves.map(([first]) => first), y: halves.map(([, second]) => second) }).statistic
  return r > 0 ? { reliability: 2 * r / (1 + r) } : { reason: 'the two halves do not agree' }
}

export interface Agreement { tau: number, rho: number, r: number }

/** What each would be between two measures of the very same, with these reliabilities. */
export function reachable (first: number, second: number): Agreement {
  const r = Math.sqrt(first * second)
  return { tau: tauOf(r), rho: rhoOf(r), r }
}

/**
 * Without the errors of either. tau and rho are corrected as the r that a normal distribution with them
 * has; `capped` says that some number would be beyond 1, and is 1.
 */
export function disattenuated (
  { tau, rho, r }: Agreement, first: number, second: number
): Agreement & { capped: boolean } {
  const whole = Math.sqrt(first * second)
  const free = {
    tau: Math.sin(Math.PI / 2 * tau) / whole, rho: 2 * Math.sin(Math.PI / 6 * rho) / whole, r: r / whole
  }
  const within = (value: number) => Math.max(-1, Math.min(1, value))
  return {
    tau: tauOf(within(free.tau)),
    rho: rhoOf(within(free.rho)),
    r: within(free.r),
    capped: Object.values(free).some(value => Math.abs(value) > 1)
  }
}

function tauOf (r: number): number {
  return 2 / Math.PI * Math.asin(r)
}

function rhoOf (r: number): number {
  return 6 / Math.PI * Math.asin(r / 2)
}
