/** Which cells of a crossing are set against which, and with what weight. */

export interface Factor {
  name: string
  /** Two or more, the first is what others are held against. */
  levels: readonly string[]
}

type Levels = Readonly<Record<string, string>>

export interface Contrast {
  effect: 'main' | 'simple' | 'interaction'
  factors: string
  label: string
  /** Of the cell at these levels; weights add up to 0. */
  weightOf: (levels: Levels) => number
  /** Largest size of the contrast where cells are from 0 to 1. */
  width: number
}

/**
 * All main effects, averaged over the cells of the other factors; of two factors also the simple effects
 * of each at every level of the other; and all interactions of two, averaged over further factors.
 * Pairs of levels are the later minus the earlier.
 */
export function contrastsOf (factors: readonly Factor[]): Contrast[] {
  const others = (...without: Factor[]) => factors.filter(factor => !without.includes(factor))
    .reduce((product, { levels }) => product * levels.length, 1)
  const main = factors.flatMap(factor => pairsOf(factor).map((pair): Contrast => ({
    effect: 'main',
    factors: factor.name,
    label: labelOf(pair),
    weightOf: levels => signOf(factor, pair, levels) / others(factor),
    width: 1
  })))
  const simple = factors.length !== 2
    ? []
    : factors.flatMap((factor, at) => {
      const other = factors[1 - at]!
      return other.levels.flatMap(level => pairsOf(factor).map((pair): Contrast => ({
        effect: 'simple',
        factors: factor.name,
        label: `${labelOf(pair)} at ${level}`,
        weightOf: levels => levels[other.name] === level ? signOf(factor, pair, levels) : 0,
        width: 1
      })))
    })
  const interactions = factors.flatMap((first, at) => factors.slice(at + 1).flatMap(second =>
    pairsOf(first).flatMap(a => pairsOf(second).map((b): Contrast => ({
      effect: 'interaction',
      factors: `${first.name} × ${second.name}`,
      label: `(${labelOf(a)}) × (${labelOf(b)})`,
      weightOf: levels => signOf(first, a, levels) * signOf(second, b, levels) / others(first, second),
      width: 2
    })))))
  return [...main, ...simple, ...interactions]
}

type Pair = readonly [earlier: string, later: string]

function pairsOf ({ levels }: Factor): Pair[] {
  return levels.flatMap((earlier, at) => levels.slice(at + 1).map((later): Pair => [earlier, later]))
}

function labelOf ([earlier, later]: Pair): string {
  return `${later} - ${earlier}`
}

function signOf ({ name }: Factor, [earlier, later]: Pair, levels: Levels): number {
  return Number(levels[name] === later) - Number(levels[name] === earlier)
}
