/** Standard errors of a mean whose observations come in clusters (items of one paper). */

export interface Observation { value: number, cluster: string }

export interface ClusteredMean {
  mean: number
  n: number
  clusters: number
  /** As if all observations were independent; NaN for one observation. */
  seIndependent: number
  /** Without any small-sample correction (Miller 2024, arXiv:2411.00640). */
  seUncorrected: number
  /** Times C / (C - 1) (CR1); NaN for one cluster. */
  seFinite: number
  /**
   * CR2; NaN for one cluster. With residuals e = x - mean, cluster sizes n_c and n in all,
   *
   *     V = 1/n² · sum_c (sum_{i in c} e_i)² / (1 - n_c / n)
   *
   * which is Bell and McCaffrey's A_c = (I - H_cc)^(-1/2) for an intercept alone: H_cc = J/n, whose
   * only eigenvector that matters is the vector of ones, with eigenvalue n_c/n. It is unbiased if
   * observations are independent and of equal variance, whatever the cluster sizes, and equals
   * CR1 for equal sizes.
   */
  seCr2: number
}

/**
 * Mean and standard errors. Every observation has equal weight.
 *
 * @throws RangeError without an observation, or if a value is not finite
 * @see Bell & McCaffrey 2002 (Survey Methodology 28, 169-181); Pustejovsky & Tipton 2018,
 *      doi:10.1080/07350015.2016.1247004
 */
export function clusteredMean (observations: readonly Observation[]): ClusteredMean {
  const n = observations.length
  if (n === 0) throw new RangeError('A mean needs at least one observation')
  const sum = observations.reduce((all, { value }) => all + value, 0)
  if (!Number.isFinite(sum)) throw new RangeError('Every value must be a finite number')
  const mean = sum / n
  const residuals = new Map<string, { sum: number, size: number }>()
  let squares = 0
  for (const { value, cluster } of observations) {
    const own = residuals.get(cluster) ?? { sum: 0, size: 0 }
    residuals.set(cluster, { sum: own.sum + value - mean, size: own.size + 1 })
    squares += (value - mean) ** 2
  }
  const clusters = residuals.size
  let plain = 0
  let adjusted = 0
  for (const own of residuals.values()) {
    plain += own.sum ** 2
    adjusted += own.sum ** 2 / (1 - own.size / n)
  }
  return {
    mean,
    n,
    clusters,
    seIndependent: n > 1 ? Math.sqrt(squares / (n - 1) / n) : NaN,
    seUncorrected: Math.sqrt(plain) / n,
    seFinite: clusters > 1 ? Math.sqrt(clusters / (clusters - 1) * plain) / n : NaN,
    seCr2: clusters > 1 ? Math.sqrt(adjusted) / n : NaN
  }
}
