/** Choices that are the same in every run. */

export interface Chance {
  /** In [0, 1). */
  next: () => number
  below: (count: number) => number
  of: <T>(list: readonly T[]) => T
  some: <T>(list: readonly T[], count: number) => T[]
}

/** A linear congruential generator of 32 bits, its upper bits mixed. */
export function chanceOf (seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    let mixed = state ^ (state >>> 15)
    mixed = Math.imul(mixed, 0x2c1b3c6d)
    mixed ^= mixed >>> 13
    return (mixed >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const of = <T>(list: readonly T[]): T => list[below(list.length)]!
  const some = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list]
    for (let i = 0; i < Math.min(count, rest.length); i++) {
      const j = i + below(rest.length - i)
      const kept = rest[i]!
      rest[i] = rest[j]!
      rest[j] = kept
    }
    return rest.slice(0, count)
  }
  return { next, below, of, some }
}
