/** How a judge's totals go with the length of replies. */
import type { LengthBias } from '../../../../../shared/contracts/judgement-summary.ts'
import { meanOf, overRepeats, type JudgedUnit } from './judged.ts'
import { around, groupedBy } from './numbers.ts'

export interface LengthRow { item: string, cluster: string, x: number, y: number }

/** @param runCount  with several runs the replies to one item are compared with each other alone */
export function lengthBiasOf (
  units: readonly JudgedUnit[], { judge, name, runCount }: { judge: number, name: string, runCount: number }
): LengthBias {
  const rows = units.flatMap(({ unit, ratings }): LengthRow[] => {
    const rated = overRepeats(ratings[judge] ?? [])
    const [length = 0] = unit.lengths
    const { itemId: item, cluster } = unit
    return rated === null ? [] : [{ item, cluster, x: Math.log2(length), y: rated.total }]
  })
  const within = runCount > 1 ? 'items' as const : 'all' as const
  return { judge: name, within, ...slopeOf(rows, within) }
}

type Slope = Pick<LengthBias, 'slope' | 'low' | 'high' | 'n' | 'clusters' | 'reason'>

/**
 * Least squares, about the means of items (or of all): Σ x̃ỹ / Σ x̃². The error is cluster-robust over
 * papers with the factor C / (C - 1), the interval t with C - 1 degrees of freedom.
 *
 * @see Cameron & Miller 2015, doi:10.3368/jhr.50.2.317
 */
export function slopeOf (rows: readonly LengthRow[], within: 'items' | 'all'): Slope {
  const groups = groupedBy(rows, ({ item }) => within === 'items' ? item : '')
  const centred = [...groups.values()].filter(group => group.length > 1).flatMap(group => {
    const [x, y] = [meanOf(group.map(row => row.x)), meanOf(group.map(row => row.y))]
    return group.map(row => ({ cluster: row.cluster, x: row.x - x, y: row.y - y }))
  })
  const clusters = new Set(centred.map(({ cluster }) => cluster)).size
  const found = { n: centred.length, clusters }
  const spread = centred.reduce((sum, { x }) => sum + x * x, 0)
  if (!(spread > 1e-12)) return { slope: null, low: null, high: null, ...found, reason: 'The lengths that can be compared do not vary.' }
  const slope = centred.reduce((sum, { x, y }) => sum + x * y, 0) / spread
  const scores = new Map<string, number>()
  for (const { cluster, x, y } of centred) {
    scores.set(cluster, (scores.get(cluster) ?? 0) + x * (y - slope * x))
  }
  const meat = [...scores.values()].reduce((sum, score) => sum + score * score, 0)
  const error = clusters < 2 ? NaN : Math.sqrt(clusters / (clusters - 1) * meat) / spread
  const interval = around(slope, error, clusters - 1)
  return { slope, ...interval, ...found, ...interval.low === null && { reason: 'An interval needs two papers, and totals that vary over them.' } }
}
