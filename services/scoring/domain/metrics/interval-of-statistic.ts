/** How sure we are of a statistic over papers that is no mean, such as MCC: delete one paper. */
import { tQuantile } from '../../../../shared/stats/distributions.ts'
import type { Estimate } from './interval-of-mean.ts'

export interface StatisticKind<T> {
  /** Null where it is not defined. */
  statistic: (items: readonly T[]) => number | null
  /** The statistic's own limits. */
  range?: readonly [low: number, high: number]
  level?: number
}

/**
 * The statistic of all items, with a delete-one-paper jackknife (CR3) t interval of P - 1 degrees
 * of freedom. Rather wide than narrow for few papers. There is no interval, and a reason, where
 * one paper is all there is, where the statistic is not defined without some paper, or where
 * leaving papers out changes nothing.
 *
 * @param papers  the items by paper; empty papers are left out
 * @see Cameron & Miller 2015, doi:10.3368/jhr.50.2.317
 */
export function intervalOfStatistic<T> (
  papers: readonly (readonly T[])[], kind: StatisticKind<T>
): Estimate {
  const { statistic, range = [-Infinity, Infinity], level = 0.95 } = kind
  const filled = papers.filter(items => items.length > 0)
  const all = filled.flat()
  const found = { value: statistic(all), n: all.length, clusters: filled.length }
  const without = (reason: string): Estimate => ({ ...found, interval: null, reason })
  if (found.value === null) return without(all.length === 0 ? 'no observations' : 'not defined')
  if (filled.length < 2) return without('one paper gives no interval over papers')
  const left = filled.map((_, gone) => statistic(filled.filter((_, i) => i !== gone).flat()))
  const values = left.filter(value => value !== null)
  if (values.length < left.length) return without('not defined when one of the papers is left out')
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const df = values.length - 1
  const variance = df / values.length * values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  if (Math.sqrt(variance) <= 1e-12) return without('it does not vary over papers')
  const half = tQuantile((1 + level) / 2, df) * Math.sqrt(variance)
  const interval = {
    low: Math.max(range[0], found.value - half),
    high: Math.min(range[1], found.value + half),
    level,
    method: `t, ${df} df, jackknife over papers`,
    note: filled.length < 5 ? 'conditional on these papers' : ''
  }
  return { ...found, interval }
}
