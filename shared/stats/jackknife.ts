/** The mean without each item in turn: which one carries it, and how sure it is. */

export interface Jackknife {
  /** Mean without the item of the same place. */
  leftOut: number[]
  error: number
  bias: number
  /** The item whose leaving moves the mean most; the first of several. */
  strongest: number
}

/**
 * @param values  at least two, finite
 * @throws RangeError for fewer
 * @see Efron & Stein 1981, doi:10.1214/aos/1176345462
 */
export function jackknifeMean (values: readonly number[]): Jackknife {
  const n = values.length
  if (n < 2) throw new RangeError('Without one of one value nothing is left')
  const total = values.reduce((sum, value) => sum + value, 0)
  const leftOut = values.map(value => (total - value) / (n - 1))
  const centre = leftOut.reduce((sum, value) => sum + value, 0) / n
  const squares = leftOut.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  const shifts = leftOut.map(value => Math.abs(value - total / n))
  return {
    leftOut,
    error: Math.sqrt((n - 1) / n * squares),
    bias: (n - 1) * (centre - total / n),
    strongest: shifts.indexOf(Math.max(...shifts))
  }
}
