/** The paired test over papers: differences of one paper change their sign together. */
import type { Observation } from './clustered.ts'
import { exactFlipsMax, signFlipTest, type SignFlipTest } from './sign-flip.ts'

export interface ClusterSignFlip extends Omit<SignFlipTest, 'patterns'> {
  clusters: number
  /**
   * Least two-sided p that so many clusters can give, whatever their items: with five it is 1/16, so
   * nothing can be significant at .05. Clusters whose differences add up to 0 say nothing and count for none.
   */
  smallestP: number
}

/**
 * Exact over all signs of the clusters' sums: valid however differences within a paper depend on each
 * other, if those of a paper are as probable with the other sign where there is no effect.
 *
 * @param differences  one for each item
 * @param flipsMax     clusters that differ, at most 40: beyond, all signs are too much work
 * @returns            not computable where more differ: there Student's t on CR2 will do
 * @throws RangeError  without a difference
 * @see Canay, Romano & Shaikh 2017, doi:10.3982/ECTA13081
 */
export function clusterSignFlip (
  differences: readonly Observation[], flipsMax = exactFlipsMax
): ClusterSignFlip | { reason: string } {
  const sums = new Map<string, number>()
  for (const { value, cluster } of differences) sums.set(cluster, (sums.get(cluster) ?? 0) + value)
  const size = differences.reduce((sum, { value }) => sum + Math.abs(value), 0)
  const values = [...sums.values()].filter(value => Math.abs(value) > 1e-14 * size)
  if (values.length > flipsMax) {
    return { reason: `There are ${values.length} clusters that differ and all signs are tried up to ${flipsMax}: take t on the cluster-robust error.` }
  }
  const telling = values.length
  if (telling === 0) values.push(0)
  const { statistic, less, greater, twoSided } = signFlipTest(values)
  return {
    statistic: statistic * values.length / differences.length,
    less,
    greater,
    twoSided,
    clusters: sums.size,
    smallestP: Math.min(1, 2 ** (1 - telling))
  }
}
