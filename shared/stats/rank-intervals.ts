/** Where models rank, over bootstrap replicates of their scores. */
import { quantileOfSorted } from './quantile.ts'
import { ranksOf } from './ranks.ts'

export interface RankInterval {
  /** Percentile interval of the score. */
  low: number
  high: number
  /** Best and worst rank that overlapping intervals leave open. */
  best: number
  worst: number
  /** Percentiles of the ranks over replicates, rounded outwards to ranks; equals share the better one. */
  rankLow: number
  rankHigh: number
  /** Share of replicates it is first in, alone or with others. */
  first: number
}

/**
 * Marginal intervals that overlap say little of a difference between two models: for a ranking to
 * cite, use a rank confidence set from paired differences.
 *
 * @param replicates  rows of scores, one for each model, higher is better
 */
export function rankIntervals (replicates: ReadonlyArray<readonly number[]>, level = 0.95): RankInterval[] {
  const models = replicates[0]!.map((_, model) => model)
  const ranks = replicates.map(scores => ranksOf(scores.map(score => -score), 'min'))
  const tail = (1 - level) / 2
  const sortedOf = (rows: ReadonlyArray<readonly number[]>, model: number) =>
    Float64Array.from(rows, row => row[model]!).sort()
  const scores = models.map(model => {
    const sorted = sortedOf(replicates, model)
    return { low: quantileOfSorted(sorted, tail), high: quantileOfSorted(sorted, 1 - tail) }
  })
  return models.map(model => {
    const { low, high } = scores[model]!
    const ofRank = sortedOf(ranks, model)
    return {
      low,
      high,
      best: 1 + scores.filter(other => other.low > high).length,
      worst: 1 + scores.filter((other, i) => i !== model && other.high >= low).length,
      rankLow: quantileOfSorted(ofRank, tail, 'lower'),
      rankHigh: quantileOfSorted(ofRank, 1 - tail, 'higher'),
      first: ranks.filter(row => row[model] === 1).length / ranks.length
    }
  })
}
