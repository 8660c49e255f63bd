/** Chance that can be had again: the same seed, the same draws. For tests only. */
export interface Random {
  /** In [0, 1). */
  next: () => number
  chance: (probability: number) => boolean
  /** Whole, from `low` to `high`, both included. */
  whole: (low: number, high: number) => number
  pick: <T>(from: readonly T[]) => T
}

/** The generator mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for tests. */
export function seededRandom (seed: number): Random {
  let state = seed >>> 0

  function next (): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    next,
    chance: probability => next() < probability,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: from => from[Math.floor(next() * from.length)] as (typeof from)[number]
  }
}
