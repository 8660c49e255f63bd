/** What a comparison of this size could have found. */
import { tQuantile } from './distributions.ts'

/**
 * Minimum detectable effect: the true difference that a two-sided t test finds with the given power.
 * A comparison that shows nothing rules out no more than this.
 *
 * @param error  standard error of the difference, cluster-robust where items come in clusters
 * @param df     degrees of freedom, clusters - 1
 * @throws RangeError unless error and df are positive, and alpha and power in (0, 1)
 * @see Bloom 1995, doi:10.1177/0193841X9501900504
 */
export function detectableEffect (
  error: number, { df, alpha = 0.05, power = 0.8 }: { df: number, alpha?: number, power?: number }
): number {
  if (!(error > 0 && df > 0)) throw new RangeError(`An error and degrees of freedom are positive, got ${error} and ${df}`)
  return (tQuantile(1 - alpha / 2, df) + tQuantile(power, df)) * error
}
