/** Units beside their ratings, as everything that is computed from them reads them. */
import { median as medianOf } from './numbers.ts'
import type { Unit } from '../spec.ts'

/** One rating that may be counted: scores in the order of the rubric's criteria, and their total. */
export interface Rated { values: number[], total: number }

export interface JudgedUnit {
  unit: Unit
  /** By judge and repeat; null where there is no rating that may be counted. */
  ratings: ReadonlyArray<ReadonlyArray<Rated | null>>
}

/** Of one judge: the mean over the repeats there are, so that every prediction counts once. */
export function overRepeats (ratings: ReadonlyArray<Rated | null>): Rated | null {
  const found = ratings.filter(each => each !== null)
  return found.length === 0 ? null : pooled(found, meanOf)
}

/** Of all judges; null unless every one has rated, for another panel would be another measure. */
export function overJudges ({ ratings }: JudgedUnit, by: 'mean' | 'median'): Rated | null {
  const each = ratings.map(overRepeats)
  const found = each.filter(rated => rated !== null)
  return found.length < each.length ? null : pooled(found, by === 'mean' ? meanOf : medianOf)
}

function pooled (rated: readonly Rated[], pool: (values: readonly number[]) => number): Rated {
  return {
    values: rated[0]!.values.map((_, i) => pool(rated.map(({ values }) => values[i]!))),
    total: pool(rated.map(({ total }) => total))
  }
}

export function meanOf (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
