/** Whether a mean over clusters differs from zero, by the exact test where its work is small. */
import { clusterSignFlip } from './cluster-sign-flip.ts'
import { clusteredMean, type Observation } from './clustered.ts'
import { tTail } from './distributions.ts'

/** Clusters that differ and whose signs are all turned: beyond, t says as much at a fraction of the work. */
const flippedMax = 24

export type ClusterTest =
  | { kind: 'sign-flip', pValue: number, clusters: number, smallestP: number }
  | { kind: 't', pValue: number, clusters: number }
  /** The clusters do not vary and the mean is 0. */
  | { kind: 'none', pValue: 1, clusters: number }

/**
 * Exact sign flips where up to 24 clusters differ, however many do not (t would take these for a small
 * error), then Student's t on CR2 with one degree of freedom less than there are clusters. Two-sided.
 *
 * @throws RangeError  without an observation
 */
export function clusterTest (observations: readonly Observation[]): ClusterTest {
  const { mean, seCr2, clusters } = clusteredMean(observations)
  const isFlat = !(seCr2 > 1e-12 * Math.max(1, Math.abs(mean)))
  if (isFlat && mean === 0) return { kind: 'none', pValue: 1, clusters }
  const flips = clusterSignFlip(observations, flippedMax)
  if (!('reason' in flips)) {
    return { kind: 'sign-flip', pValue: flips.twoSided, clusters, smallestP: flips.smallestP }
  }
  if (isFlat) {
    // All clusters on one side: of all signs only these and their opposites reach as far.
    const smallestP = 2 ** (1 - clusters)
    return { kind: 'sign-flip', pValue: smallestP, clusters, smallestP }
  }
  return { kind: 't', pValue: Math.min(1, 2 * tTail(Math.abs(mean / seCr2), clusters - 1)), clusters }
}
