/**
 * Powers of two that bring numbers near 1, where their squares are neither infinite nor 0: multiplying by
 * them is exact, and what is computed of the numbers is either the same or in other units.
 */

/** Beyond these, a square or a cube summed over many values may leave the range of doubles. */
const sizes = { least: 1e-75, most: 1e75 }

/** The power of two to divide by: 0 where the largest value is of a usual size, or all are 0. */
export function excessExponent (values: Iterable<number>): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  if (largest === 0 || (largest >= sizes.least && largest <= sizes.most)) return 0
  return Math.floor(Math.log2(largest))
}

/** By steps, for 2^1074 itself is no double. */
export function timesPowerOfTwo (value: number, exponent: number): number {
  let [found, left] = [value, exponent]
  while (left !== 0) {
    const step = Math.max(-1_000, Math.min(1_000, left))
    found *= 2 ** step
    left -= step
  }
  return found
}

/** The values, or where they are of no usual size all of them by the same power of two. */
export function usuallySized (values: readonly number[]): readonly number[] {
  const exponent = excessExponent(values)
  return exponent === 0 ? values : values.map(value => timesPowerOfTwo(value, -exponent))
}
