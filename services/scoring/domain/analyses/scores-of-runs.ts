/** Scores of runs over the same items, with the errors that matter to their order. */
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { marksOf, unitsOf } from '../compare/grid.ts'
import type { AnalysedRun } from './analysis.ts'

export interface ScoreOfRun { model: string, score: number | null, error?: number }

/**
 * That an item is hard moves all runs alike and no order: errors are of what is left of the items that count
 * for every run that has any when each item's mean over runs is taken off, by CR2 over papers. With a run
 * alone, or common items of fewer than two papers, there is none.
 */
export function scoresOfRuns (
  runs: readonly AnalysedRun[], metric: 'accuracy' | 'rougeL.fmeasure'
): ScoreOfRun[] {
  const marks = runs.map(({ rows }) => {
    const values = marksOf(rows, metric)
    return new Map(unitsOf(rows, metric).map(({ itemId, cluster }, i) =>
      [itemId, { value: values[i]!.value, cluster }]))
  })
  // A run without any score takes no item from the others.
  const scored = marks.filter(own => [...own.values()].some(({ value }) => value !== null))
  const counts = (id: string) => scored.every(own => (own.get(id)?.value ?? null) !== null)
  const common = [...scored[0]?.keys() ?? []].filter(counts)
  const means = new Map(common.map(id =>
    [id, scored.reduce((sum, own) => sum + own.get(id)!.value! / scored.length, 0)]))
  return runs.map(({ name }, j) => {
    const own = marks[j]!
    const known = [...own.values()].flatMap(({ value }) => value === null ? [] : [value])
    if (known.length === 0) return { model: name, score: null }
    const score = known.reduce((sum, value) => sum + value, 0) / known.length
    const left = common.map(id => {
      const { value, cluster } = own.get(id)!
      return { value: value! - means.get(id)!, cluster }
    })
    const { seCr2 } = left.length > 1 ? clusteredMean(left) : { seCr2: NaN }
    // Its own part of the means is taken off too.
    const error = seCr2 * Math.sqrt(scored.length / (scored.length - 1))
    return { model: name, score, ...Number.isFinite(error) && { error } }
  })
}
