/** Small sums. */
import { tQuantile } from '../../../../../shared/stats/distributions.ts'
import { quantile } from '../../../../../shared/stats/quantile.ts'

/** @throws RangeError of nothing */
export function median (values: readonly number[]): number {
  return quantile(values, 0.5, 'midpoint')
}

/** t with `df` around `value`, at 95 %; null without a degree of freedom or an error. */
export function around (
  value: number, error: number, df: number
): { low: number | null, high: number | null } {
  if (!(error > 1e-12) || df < 1) return { low: null, high: null }
  const half = tQuantile(0.975, df) * error
  return { low: value - half, high: value + half }
}

/** Undefined numbers are null to a reader. */
export function orNull (value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** In the order in which the keys are met. */
export function groupedBy<T> (elements: readonly T[], keyOf: (element: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const element of elements) {
    const group = groups.get(keyOf(element))
    if (group === undefined) groups.set(keyOf(element), [element])
    else group.push(element)
  }
  return groups
}

export function weightedMean (values: ReadonlyArray<{ value: number, weight: number }>): number {
  const weights = values.reduce((sum, { weight }) => sum + weight, 0)
  return values.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights
}
