/** Sums by cluster: all that resampling of whole clusters has to know of the items. */
import type { Observation } from './clustered.ts'

export interface ClusterSums {
  /** In the order in which they first come. */
  names: string[]
  sums: Float64Array
  sizes: Float64Array
  total: number
  n: number
}

/** @throws RangeError without an observation, or if a value is not finite */
export function clusterSums (observations: readonly Observation[]): ClusterSums {
  if (observations.length === 0) throw new RangeError('Sums by cluster need at least one observation')
  const places = placesOf(observations.map(({ cluster }) => cluster))
  const sums = new Float64Array(places.names.length)
  const sizes = new Float64Array(places.names.length)
  for (const [i, { value }] of observations.entries()) {
    if (!Number.isFinite(value)) throw new RangeError('Every value must be a finite number')
    sums[places.at[i]!]! += value
    sizes[places.at[i]!]! += 1
  }
  const total = sums.reduce((all, sum) => all + sum, 0)
  return { names: places.names, sums, sizes, total, n: observations.length }
}

/** The names there are, in the order in which they first come, and each one's place among them. */
export function placesOf (names: readonly string[]): { names: string[], at: Int32Array } {
  const places = new Map<string, number>()
  const at = Int32Array.from(names, name => {
    const known = places.get(name) ?? places.size
    places.set(name, known)
    return known
  })
  return { names: [...places.keys()], at }
}
