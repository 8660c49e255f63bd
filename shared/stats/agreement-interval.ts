/** The interval of a coefficient of agreement, from the influence of each unit. */
import type { NotComputable, RatedUnit } from './agreement.ts'
import { jackknifeError } from './agreement-alpha.ts'
import { clusteredMean } from './clustered.ts'
import { tQuantile } from './distributions.ts'
import type { Range } from './proportions.ts'

/** Below so many papers the interval says nothing beyond these papers. */
export const clustersMin = 5

export interface AgreementInterval extends Range { over: 'papers' | 'items' }

/**
 * t on the cluster-robust (CR2) variance with one degree of freedom fewer than there are clusters;
 * below five clusters, over units as if they were independent. Ends are cut at -1 and 1.
 *
 * @param influences  one for each unit, mean = the coefficient
 * @param clusters    of the units, in the same order
 * @returns           null for one unit, or where nothing varies: a point is no interval
 */
export function agreementInterval (
  influences: readonly number[], clusters: readonly string[], level = 0.95
): AgreementInterval | null {
  const found = clusteredMean(influences.map((value, i) => ({ value, cluster: clusters[i]! })))
  const byPaper = found.clusters >= clustersMin
  const [error, df] = byPaper ? [found.seCr2, found.clusters - 1] : [found.seIndependent, found.n - 1]
  return intervalAround(found.mean, { error, df, over: byPaper ? 'papers' : 'items', level })
}

/** Parts that are left out one at a time: of more the work would grow with their square. */
export const jackknifeMax = 1000

/**
 * Of a coefficient without influences: t on its jackknife over papers; below five papers over units.
 *
 * @returns  null where nothing varies; 'too-many' for more than 1,000 parts
 */
export function jackknifeInterval<U extends RatedUnit & { cluster: string }> (
  units: readonly U[], value: number, statistic: (units: readonly U[]) => { value: number } | NotComputable
): AgreementInterval | null | 'too-many' {
  const papers = new Set(units.map(({ cluster }) => cluster)).size
  const byPaper = papers >= clustersMin
  const parts = byPaper ? papers : units.length
  if (parts > jackknifeMax) return 'too-many'
  const places = new Map(units.map((unit, at) => [unit, String(at)]))
  const error = jackknifeError(units, unit => byPaper ? unit.cluster : places.get(unit)!, statistic)
  return intervalAround(value, { error, df: parts - 1, over: byPaper ? 'papers' : 'items' })
}

/** @returns null where the error is none to speak of, or not defined */
export function intervalAround (
  value: number, { error, df, over, level = 0.95 }: { error: number, df: number, over: 'papers' | 'items', level?: number }
): AgreementInterval | null {
  if (!(error > 1e-12) || df < 1) return null
  const half = tQuantile((1 + level) / 2, df) * error
  return { low: Math.max(-1, value - half), high: Math.min(1, value + half), over }
}
