/** How many there are of what two searches looked for, the missed ones included. */

export interface Captures {
  /** What the one found, what the other found, and what both found. */
  first: number
  second: number
  both: number
}

export interface Recaptured {
  /** How many there are; at least as many as were found. */
  total: number
  /** How many neither found, with the interval. */
  missed: number
  missedInterval: [number, number]
}

const z95 = 1.959963984540054

/**
 * Chapman's estimator with the 95 % interval of Chao, log-normal in what was missed. Both assume that the
 * searches are independent and that all are as easily found: searches that find the same easy ones make it
 * too low, so it is a lower bound in practice.
 *
 * @param captures  whole numbers, `both` at most the lesser of the others
 * @returns         null where both is 0, for then nothing is known from above
 * @throws RangeError where they are no such numbers
 * @see Chapman 1951, Univ. California Publ. Stat. 1; Chao 1987, Biometrics 43, 783
 */
export function recaptured ({ first, second, both }: Captures): Recaptured | null {
  const whole = [first, second, both].every(value => Number.isInteger(value) && value >= 0)
  if (!whole || both > Math.min(first, second)) throw new RangeError(`Expected whole numbers, both at most either; got ${first}, ${second}, ${both}`)
  if (both === 0) return null
  const found = first + second - both
  const total = (first + 1) * (second + 1) / (both + 1) - 1
  const missed = Math.max(0, total - found)
  const ones = (first + 1) * (second + 1) * (first - both) * (second - both)
  const variance = ones / ((both + 1) ** 2 * (both + 2))
  if (missed === 0 || variance === 0) return { total, missed, missedInterval: [missed, missed] }
  const spread = Math.exp(z95 * Math.sqrt(Math.log(1 + variance / missed ** 2)))
  return { total, missed, missedInterval: [missed / spread, missed * spread] }
}
