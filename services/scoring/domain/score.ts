/** Scores out of observations: a value never stands without its n, papers, interval and signature. */
import type { Score } from '../../../shared/contracts/report.ts'
import { intervalOfMean } from '../../../shared/stats/interval-of-mean.ts'

/** One value; `cluster` is its paper, `unit` what it shares with others that stand or fall with it (a pair). */
export interface Observation { value: number, cluster: string, unit: string }

/** What is measured, and every choice behind it. */
export interface Measure {
  metric: string
  signature: string
  /** A share of right answers, say: observations are 0 or 1. */
  proportion: boolean
}

/** The mean, with an interval that respects papers; null with `reason` when there is nothing. */
export function meanScore (
  { metric, signature, proportion }: Measure, observations: readonly Observation[], reason: string
): Score {
  if (observations.length === 0) return emptyScore(metric, signature, reason)
  const { interval, reason: whyNone } = intervalOfMean(observations, { proportion })
  return {
    metric,
    signature,
    value: sum(observations.map(({ value }) => value)) / observations.length,
    n: observations.length,
    clusters: clustersOf(observations),
    interval,
    ...interval === null && { reason: whyNone }
  }
}

/** A number that is no mean: it has no interval, and says so. */
export function plainScore (
  { metric, signature }: Omit<Measure, 'proportion'>, value: number | null,
  { observations, reason }: { observations: ReadonlyArray<{ cluster: string }>, reason: string }
): Score {
  return {
    metric, signature, value, n: observations.length, clusters: clustersOf(observations), interval: null, reason
  }
}

export function emptyScore (metric: string, signature: string, reason: string): Score {
  return { metric, signature, value: null, n: 0, clusters: 0, interval: null, reason }
}

export function clustersOf (observations: ReadonlyArray<{ cluster: string }>): number {
  return new Set(observations.map(({ cluster }) => cluster)).size
}

export function sum (values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
