/** Random numbers from sums, shifts and products of integers only: the same on every machine. */

export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  uniform (): number
  /** Whole, 0 to n - 1; n is small against 2^32, so the bias is, too. */
  below (n: number): number
}

/**
 * Doty-Humphrey's sfc32: 128 bits of state, period about 2^127.
 *
 * @param seed  any whole numbers; every one matters
 */
export function randomFrom (seed: readonly number[]): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = 0xb7e15162
  let counter = 1
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21 | c >>> 11) + sum) | 0
    return sum >>> 0
  }
  for (const word of seed) {
    a ^= word
    for (let round = 0; round < 12; round++) next()
  }
  return {
    uniform: () => next() / 2 ** 32,
    below: n => Math.floor(next() / 2 ** 32 * n)
  }
}
