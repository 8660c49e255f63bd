/** Chance that can be had again: the same seed, the same draws, on every machine. */

export interface Draws {
  /** In [0, 1), 32 bits of it. */
  next: () => number
  /** Whole, 0 to n - 1, each as probable; n up to 2^32. */
  below: (n: number) => number
  /** Standard normal. */
  normal: () => number
  /** -1 or 1. */
  sign: () => number
}

/**
 * The generator xoshiro128**, started from the seed by splitmix32. These are not the draws of numpy or
 * R for the same seed: to repeat a resampling of theirs, hand in their indices.
 *
 * @param seed  whole; its lower 32 bits count
 * @see Blackman & Vigna 2021, doi:10.1145/3460772
 */
export function drawsOf (seed: number): Draws {
  let mixed = seed >>> 0
  const split = () => {
    mixed = (mixed + 0x9e3779b9) >>> 0
    let z = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
  const state = Uint32Array.from({ length: 4 }, split)
  let spare = NaN

  function bits (): number {
    const turned = Math.imul(state[1]!, 5)
    const result = Math.imul((turned << 7) | (turned >>> 25), 9) >>> 0
    const shifted = state[1]! << 9
    state[2]! ^= state[0]!
    state[3]! ^= state[1]!
    state[1]! ^= state[2]!
    state[0]! ^= state[3]!
    state[2]! ^= shifted
    state[3] = (state[3]! << 11) | (state[3]! >>> 21)
    return result
  }

  /** Marsaglia's polar method gives two at a time. */
  function normal (): number {
    if (!Number.isNaN(spare)) {
      const kept = spare
      spare = NaN
      return kept
    }
    for (;;) {
      const u = 2 * next() - 1
      const v = 2 * next() - 1
      const s = u * u + v * v
      if (s >= 1 || s === 0) continue
      const scale = Math.sqrt(-2 * Math.log(s) / s)
      spare = v * scale
      return u * scale
    }
  }

  function next (): number {
    return bits() / 2 ** 32
  }

  return { next, below: n => Math.floor(next() * n), normal, sign: () => bits() >= 2 ** 31 ? 1 : -1 }
}
