/** The interval of a proportion over papers that keeps its coverage near 0 and 1, where t does not. */
import { clusteredMean, type Observation } from './clustered.ts'
import { normalQuantile, tQuantile } from './distributions.ts'
import { clopperPearsonInterval, wilsonInterval, type Range } from './proportions.ts'

export interface ClusteredProportion {
  share: number
  clusters: number
  /** Independent items that would be as informative, t's heavier tails counted in. */
  effectiveN: number
  interval: Range
  method: string
}

/**
 * Wilson's interval on the effective sample size: p (1 - p) by the CR2 variance, times (z / t)² for the few
 * clusters, at most the number of items. Where the variance is zero or the share 0 or 1, Clopper-Pearson
 * with the number of clusters as n.
 *
 * @param observations  values in [0, 1]
 * @returns             a reason for one cluster
 * @throws RangeError   without an observation, or outside [0, 1]
 * @see Korn & Graubard 1998 (Survey Methodology 24, 193-201); Dean & Pagano 2015,
 *      doi:10.1093/jssam/smv024
 */
export function clusteredProportion (
  observations: readonly Observation[], level = 0.95
): ClusteredProportion | { reason: string } {
  if (observations.some(({ value }) => !(value >= 0 && value <= 1))) {
    throw new RangeError('A proportion is of values from 0 to 1')
  }
  const { mean: share, n, clusters, seCr2 } = clusteredMean(observations)
  if (clusters < 2) return { reason: 'One cluster says nothing of how clusters vary.' }
  if (share === 0 || share === 1 || !(seCr2 > 1e-12)) {
    const interval = clopperPearsonInterval({ successes: share * clusters, trials: clusters }, level)
    return { share, clusters, effectiveN: clusters, interval, method: `Clopper-Pearson, n = ${clusters} papers` }
  }
  const tails = normalQuantile((1 + level) / 2) / tQuantile((1 + level) / 2, clusters - 1)
  const effectiveN = Math.min(n, share * (1 - share) / seCr2 ** 2 * tails ** 2)
  return {
    share,
    clusters,
    effectiveN,
    interval: wilsonInterval({ successes: share * effectiveN, trials: effectiveN }, level),
    method: 'Wilson, effective n by CR2'
  }
}
