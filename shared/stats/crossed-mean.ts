/** A mean over persons who answer the same items: persons are a sample, and so are papers. */

export interface CrossedObservation {
  value: number
  person: string
  /** The paper, or whatever of the items is one draw. */
  cluster: string
}

export interface CrossedMean {
  /** Mean of the persons' means: each person has equal weight, however many items. */
  mean: number
  /** Null with fewer than two persons: how much persons differ is then not known. */
  se: number | null
  /** Of t: one fewer than persons, or than clusters where those are fewer; 0 where `se` is null. */
  df: number
  /** Observations. */
  n: number
  persons: number
  clusters: number
  /** Whether `se` takes the items to be a sample too; false where they are one cluster. */
  overClusters: boolean
}

/**
 * Two-way cluster-robust variance of the mean of persons' means, with w = 1 / (P n_p) and residuals
 * e = x - mean:
 *
 *     V = V_persons + V_clusters - V_cells,   V_g = G / (G - 1) · sum_g (sum_{i in g} w e_i)²
 *
 * and no less than either of V_persons and V_clusters, below which it comes by chance alone. Cells are
 * what one person has of one cluster, and need no correction. Persons may have answered different items.
 *
 * @throws RangeError without an observation, or if a value is not finite
 * @see Cameron, Gelbach & Miller 2011, doi:10.1198/jbes.2010.07136
 */
export function crossedMean (observations: readonly CrossedObservation[]): CrossedMean {
  const n = observations.length
  if (n === 0) throw new RangeError('A mean needs at least one observation')
  if (observations.some(({ value }) => !Number.isFinite(value))) throw new RangeError('Every value must be a finite number')
  const own = new Map<string, { sum: number, n: number }>()
  for (const { person, value } of observations) {
    const before = own.get(person) ?? { sum: 0, n: 0 }
    own.set(person, { sum: before.sum + value, n: before.n + 1 })
  }
  const weightOf = (person: string) => 1 / (own.size * own.get(person)!.n)
  const mean = [...own.values()].reduce((all, { sum, n }) => all + sum / n, 0) / own.size
  const sumsBy = (keyOf: (observation: CrossedObservation) => string) => {
    const sums = new Map<string, number>()
    for (const each of observations) {
      const key = keyOf(each)
      sums.set(key, (sums.get(key) ?? 0) + weightOf(each.person) * (each.value - mean))
    }
    return [...sums.values()]
  }
  const squares = (sums: readonly number[]) => sums.reduce((all, sum) => all + sum ** 2, 0)
  const byCluster = sumsBy(({ cluster }) => cluster)
  const [persons, clusters] = [own.size, byCluster.length]
  const found = { mean, n, persons, clusters, overClusters: clusters > 1 }
  if (persons < 2) return { ...found, se: null, df: 0 }
  const ofPersons = persons / (persons - 1) * squares(sumsBy(({ person }) => person))
  if (clusters < 2) return { ...found, se: Math.sqrt(ofPersons), df: persons - 1 }
  const ofClusters = clusters / (clusters - 1) * squares(byCluster)
  const ofCells = squares(sumsBy(({ person, cluster }) => JSON.stringify([person, cluster])))
  const variance = Math.max(ofPersons + ofClusters - ofCells, ofPersons, ofClusters)
  return { ...found, se: Math.sqrt(variance), df: Math.min(persons, clusters) - 1 }
}
