/** Krippendorff's alpha: any number of raters, missing ratings, nominal, ordinal, interval or ratio data. */
import type { NotComputable, RatedUnit } from './agreement.ts'

export type Level = 'nominal' | 'ordinal' | 'interval'
/** What alpha takes besides: scales with a zero, on which a ratio means something. */
export type AlphaLevel = Level | 'ratio'

/**
 * 1 - observed / expected disagreement, over the coincidences of ratings within units. Units with
 * one rating have no coincidences and are passed over.
 *
 * @param values  of the categories, ascending; ratings are indices into it
 * @returns       not computable where no unit was rated twice, or all ratings are the same
 * @see Krippendorff, Content Analysis, 4th ed. 2018, chapter 12; Hayes & Krippendorff 2007,
 *      doi:10.1080/19312450709336664
 */
export function krippendorffAlpha (
  units: readonly RatedUnit[], { level, values }: { level: AlphaLevel, values: readonly number[] }
): { value: number } | NotComputable {
  return alphaOfCounts(units.map(unit => countsOf(unit, values.length)), { level, values })
}

/**
 * The same of counts: one row for each unit, of how often each category was chosen.
 *
 * @param values  of the categories, ascending, as many as a row has counts
 */
export function alphaOfCounts (
  table: ReadonlyArray<readonly number[]>, { level, values }: { level: AlphaLevel, values: readonly number[] }
): { value: number } | NotComputable {
  const counts = table.filter(unit => unit.reduce((sum, count) => sum + count, 0) >= 2)
  if (counts.length === 0) return { reason: 'No unit was rated twice.' }
  const totals = values.map((_, k) => counts.reduce((sum, unit) => sum + unit[k]!, 0))
  const distance = distancesOf(totals, { level, values })
  const n = totals.reduce((sum, total) => sum + total, 0)
  const expected = quadratic(totals, distance) / (n - 1)
  if (expected === 0) return { reason: 'All ratings are the same: no disagreement is to be expected.' }
  const observed = counts.reduce((sum, unit) => {
    const own = unit.reduce((all, count) => all + count, 0)
    return sum + quadratic(unit, distance) / (own - 1)
  }, 0)
  return { value: 1 - observed / expected }
}

/**
 * Standard error by leaving out one cluster at a time: it holds for every level, ordinal distances
 * and their dependence on the ratings included.
 *
 * @param clusterOf  units of one cluster are left out together
 * @returns          NaN where some cluster cannot be left out
 * @see Efron & Stein 1981, doi:10.1214/aos/1176345462
 */
export function jackknifeError<U extends RatedUnit> (
  units: readonly U[], clusterOf: (unit: U) => string,
  statistic: (units: readonly U[]) => { value: number } | NotComputable
): number {
  const clusters = new Map<string, U[]>()
  for (const unit of units) clusters.set(clusterOf(unit), [...clusters.get(clusterOf(unit)) ?? [], unit])
  const values = [...clusters.keys()].map(left => {
    const found = statistic(units.filter(unit => clusterOf(unit) !== left))
    return 'value' in found ? found.value : NaN
  })
  const c = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / c
  return c < 2 ? NaN : Math.sqrt((c - 1) / c * values.reduce((sum, value) => sum + (value - mean) ** 2, 0))
}

function countsOf ({ ratings }: RatedUnit, categories: number): number[] {
  const counts = Array.from({ length: categories }, () => 0)
  for (const rating of ratings) if (rating !== null) counts[rating]! += 1
  return counts
}

function quadratic (counts: readonly number[], distance: ReadonlyArray<readonly number[]>): number {
  return counts.reduce((sum, a, k) => a === 0
    ? sum
    : sum + a * counts.reduce((all, b, l) => all + b * distance[k]![l]!, 0), 0)
}

/**
 * Squared; for ordinal data by how many ratings lie between two categories, half of both ends, and
 * for ratio data relative to the sum of the two.
 */
function distancesOf (
  totals: readonly number[], { level, values }: { level: AlphaLevel, values: readonly number[] }
): number[][] {
  const upTo: number[] = []
  for (const [k, total] of totals.entries()) upTo.push((upTo[k - 1] ?? 0) + total)
  return totals.map((_, k) => totals.map((_, l) => {
    if (k === l) return 0
    if (level === 'nominal') return 1
    if (level === 'interval') return (values[k]! - values[l]!) ** 2
    if (level === 'ratio') return relativeDistance(values[k]!, values[l]!)
    // From the middle of one category to the middle of the other.
    return (Math.abs(upTo[k]! - upTo[l]!) - (totals[Math.max(k, l)]! - totals[Math.min(k, l)]!) / 2) ** 2
  }))
}

function relativeDistance (a: number, b: number): number {
  return a + b === 0 ? 0 : ((a - b) / (a + b)) ** 2
}
