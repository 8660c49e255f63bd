/** What a comparison of this size could have found. */
import { tQuantile } from './distributions.ts'

export interface Power { df: number, alpha?: number, power?: number }

/**
 * Minimum detectable effect: the true difference that a two-sided t test finds with the given power.
 * A comparison that shows nothing rules out no more than this.
 *
 * @param error  standard error of the difference, cluster-robust where items come in clusters
 * @param df     degrees of freedom, clusters - 1
 * @throws RangeError unless error and df are positive, and alpha and power in (0, 1)
 * @see Bloom 1995, doi:10.1177/0193841X9501900504
 */
export function detectableEffect (error: number, { df, alpha = 0.05, power = 0.8 }: Power): number {
  if (!(error > 0 && df > 0)) throw new RangeError(`An error and degrees of freedom are positive, got ${error} and ${df}`)
  return (tQuantile(1 - alpha / 2, df) + tQuantile(power, df)) * error
}

/** A comparison of two models over papers that is yet to be made. */
export interface PlannedComparison {
  papers: number
  itemsPerPaper: number
  /** Correlation of what is averaged (differences where paired, else scores) between items of one paper. */
  icc: number
}

/**
 * Standard error of a mean over papers of equal size, from the variance of single items:
 * variance · (1 + (items - 1) icc) / (papers · items).
 *
 * @see Kish 1965, Survey Sampling (design effect)
 */
export function plannedError (variance: number, { papers, itemsPerPaper, icc }: PlannedComparison): number {
  if (!(variance >= 0 && papers >= 1 && itemsPerPaper >= 1)) throw new RangeError('A variance is not negative, papers and items are at least 1')
  const effect = Math.max(0, 1 + (itemsPerPaper - 1) * icc)
  return Math.sqrt(variance * effect / (papers * itemsPerPaper))
}

/**
 * Variance of one item's difference between two models that are each right or wrong on it: those only
 * one of them gets right are what varies.
 *
 * @param onlyFirst  share of items only the first gets right; likewise `onlySecond`
 */
export function pairedProportionVariance (onlyFirst: number, onlySecond: number): number {
  if (!(onlyFirst >= 0 && onlySecond >= 0 && onlyFirst + onlySecond <= 1)) {
    throw new RangeError(`Shares are not negative and at most 1 together, got ${onlyFirst} and ${onlySecond}`)
  }
  return onlyFirst + onlySecond - (onlyFirst - onlySecond) ** 2
}

/** Of two models on different items of different papers, with shares right p and q. */
export function separateProportionVariance (p: number, q: number): number {
  if (!(p >= 0 && p <= 1 && q >= 0 && q <= 1)) throw new RangeError(`Shares are in [0, 1], got ${p} and ${q}`)
  return p * (1 - p) + q * (1 - q)
}
