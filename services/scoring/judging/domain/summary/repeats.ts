/** How far a judge agrees with itself when it is asked again. */
import type { Repeats } from '../../../../../shared/contracts/judgement-summary.ts'
import { meanScore } from '../../../domain/score.ts'
import { meanOf, type JudgedUnit } from './judged.ts'

/** @param judge  its place among the judges, and its name */
export function repeatsOf (
  units: readonly JudgedUnit[], { judge, name }: { judge: number, name: string }
): Repeats {
  const series = units.map(({ unit, ratings }) => ({
    unit, totals: (ratings[judge] ?? []).flatMap(rated => rated === null ? [] : [rated.total])
  })).filter(({ totals }) => totals.length > 1)
  if (series.length === 0) return { judge: name, n: 0, identical: null, sdWithin: null, drift: null }
  const variances = series.map(({ totals }) => {
    const mean = meanOf(totals)
    return totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / (totals.length - 1)
  })
  const drifts = series.map(({ unit: { cluster, pairId }, totals }) =>
    ({ value: totals.at(-1)! - totals[0]!, cluster, ...pairId !== null && { pairId } }))
  return {
    judge: name,
    n: series.length,
    identical: meanOf(series.map(({ totals }) => totals.every(total => total === totals[0]) ? 1 : 0)),
    sdWithin: Math.sqrt(meanOf(variances)),
    drift: meanScore({ metric: 'drift', signature: `judge:${name}|last minus first repeat|total` }, drifts, '')
  }
}
