/** The bootstrap with draws of its own, of items or of whole papers, for the intervals of bootstrap.ts. */
import { meanOf, type Replicates } from './bootstrap.ts'
import type { Draws } from './draws.ts'
import { quantile } from './quantile.ts'

export const resampledStatistics = {
  mean: meanOf,
  median: (values: readonly number[]) => quantile(values, 0.5),
  /** NaN for one value. */
  std1: (values: readonly number[]) => {
    const mean = meanOf(values)
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
  }
} satisfies Record<string, (values: readonly number[]) => number>

export type ResampledStatistic = keyof typeof resampledStatistics

export interface SeededReplicates extends Replicates {
  /** The statistic without each unit in turn, for BCa; empty for one unit, or far too many. */
  leftOut: number[]
}

/**
 * Units are drawn with replacement, as many as there are, and their values put together.
 *
 * @param units  the values of each paper, or of each item a list of one; none empty
 * @throws RangeError without a unit
 */
export function seededReplicates (
  units: ReadonlyArray<readonly number[]>, statistic: ResampledStatistic, { replicates, draws }: {
    replicates: number,
    draws: Draws
  }
): SeededReplicates {
  if (units.length === 0) throw new RangeError('A bootstrap needs at least one unit')
  const of: (values: readonly number[]) => number = resampledStatistics[statistic]
  const values = Float64Array.from({ length: replicates }, () => {
    const drawn: number[] = []
    for (let i = 0; i < units.length; i++) {
      for (
        const value of units[draws.below(units.length)]!
      ) drawn.push(value)
    }
    return of(drawn)
  })
  const sorted = values.slice().sort()
  return { estimate: of(units.flat()), values, sorted, leftOut: leavingOut(units, statistic) }
}

/** Values looked at to leave each unit out in turn; beyond, there is no BCa interval. */
const leftOutMax = 50_000_000

function leavingOut (units: ReadonlyArray<readonly number[]>, statistic: ResampledStatistic): number[] {
  const all = units.flat()
  if (units.length < 2) return []
  if (statistic === 'mean') {
    const total = all.reduce((sum, value) => sum + value, 0)
    return units.map(own => (total - own.reduce((sum, value) => sum + value, 0)) / (all.length - own.length))
  }
  if (units.length * all.length > leftOutMax) return []
  return units.map((_, gone) => resampledStatistics[statistic](units.filter((_, i) => i !== gone).flat()))
}
