/** Scores out of observations: a value never stands without its n, papers, interval and signature. */
import type { Score } from '../../../shared/contracts/score.ts'
import { intervalOfMean, type Estimate, type ItemValue } from './metrics/interval-of-mean.ts'

/** What is measured, and every choice behind it. */
export interface Measure {
  metric: string
  signature: string
  /** Shares have observations of 0 or 1. */
  proportion?: boolean
  /** See `MeanKind`. */
  independent?: boolean
  /** The metric's own limits; an interval that leaves them is cut there. */
  range?: readonly [low: number, high: number]
}

/** The mean, with an interval that respects papers; null with `reason` when there is nothing. */
export function meanScore (measure: Measure, observations: readonly ItemValue[], reason: string): Score {
  if (observations.length === 0) return emptyScore(measure, reason)
  const { proportion = false, independent = false, range } = measure
  const kind = { proportion, independent }
  return scoreOf(measure, intervalOfMean(observations, { ...kind, ...range !== undefined && { range } }))
}

export function scoreOf ({ metric, signature, range }: Measure, estimate: Estimate): Score {
  const { value, n, clusters, interval, reason } = estimate
  const [low, high] = range ?? [-Infinity, Infinity]
  return {
    metric,
    signature,
    value,
    n,
    clusters,
    interval: interval === null
      ? null
      : { ...interval, low: Math.max(low, interval.low), high: Math.min(high, interval.high) },
    ...reason !== undefined && { reason }
  }
}

export function emptyScore ({ metric, signature }: Measure, reason: string): Score {
  return { metric, signature, value: null, n: 0, clusters: 0, interval: null, reason }
}

/** A bound: what is assumed of each unit that ended in error, and what the others are worth. */
export interface BoundedScore { measure: Measure, values: readonly number[] }

/** Partial-identification bounds; none where nothing ended in error. @param units  one a value */
export function boundScores (
  units: ReadonlyArray<{ cluster: string, outcome: string }>, bounds: readonly BoundedScore[]
): Score[] {
  if (!units.some(({ outcome }) => outcome === 'error')) return []
  return bounds.map(({ measure: { metric, signature }, values }) => ({
    metric,
    signature,
    value: values.reduce((sum, value) => sum + value, 0) / values.length,
    n: values.length,
    clusters: clustersOf(units),
    interval: null,
    reason: 'A partial-identification bound has no interval of its own.'
  }))
}

export function clustersOf (observations: ReadonlyArray<{ cluster: string }>): number {
  return new Set(observations.map(({ cluster }) => cluster)).size
}
