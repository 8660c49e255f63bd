/** Slope of a straight line through values that come in clusters. */
import { tQuantile, tTail } from '../../../../shared/stats/distributions.ts'
import { detectableEffect } from '../../../../shared/stats/detectable-effect.ts'
import { excessExponent, timesPowerOfTwo } from '../../../../shared/stats/scale.ts'
import type { Effect } from './effect.ts'
import { noEffect } from './effect.ts'

export interface Point { x: number, y: number, cluster: string }

interface Sums { n: number, x: number, y: number, xx: number, xy: number }

/**
 * Least squares; the error by leaving out one cluster at a time (CR3), which is on the safe side with few
 * of them, and t with two degrees of freedom less than clusters.
 *
 * @returns null value, with a reason, below four clusters or two different x
 * @see MacKinnon, Nielsen & Webb 2023, doi:10.1016/j.jeconom.2022.04.001
 */
export function slopeOf (points: readonly Point[]): Effect {
  const clusters = new Map<string, Sums>()
  // Years are large beside their spread: sums are of what is left of them.
  const exponent = excessExponent(points.map(({ x }) => x))
  const near = (x: number) => timesPowerOfTwo(x, -exponent)
  const origin = near(points[0]?.x ?? 0)
  for (const { x: at, y, cluster } of points) {
    const x = near(at) - origin
    const own = clusters.get(cluster) ?? none
    clusters.set(cluster, plus(own, { n: 1, x, y, xx: x * x, xy: x * y }))
  }
  if (clusters.size < 4) return noEffect('a trend needs four independent items or papers')
  const all = [...clusters.values()].reduce(plus, none)
  const slope = slopeFrom(all)
  if (slope === null) return noEffect('all items have the same value of the dimension')
  const without = [...clusters.values()].map(own => slopeFrom(plus(all, negative(own))))
  if (without.includes(null)) return noEffect('one paper has all but one value of the dimension')
  const df = clusters.size - 2
  const squares = without.reduce<number>((sum, each) => sum + (each! - slope) ** 2, 0)
  const error = Math.sqrt(squares * (clusters.size - 1) / clusters.size)
  const found = { value: near(slope), n: points.length, clusters: clusters.size }
  if (!(error > 1e-12)) return { ...found, low: null, high: null, p: null, detectable: null, method: 'none', reason: 'the values lie on the line' }
  const half = tQuantile(0.975, df) * error
  return {
    ...found,
    low: near(slope - half),
    high: near(slope + half),
    p: Math.min(1, 2 * tTail(Math.abs(slope / error), df)),
    detectable: near(detectableEffect(error, { df })),
    method: `least squares; t, ${df} df, CR3`,
    reason: ''
  }
}

const none: Sums = { n: 0, x: 0, y: 0, xx: 0, xy: 0 }

function plus (a: Sums, b: Sums): Sums {
  return { n: a.n + b.n, x: a.x + b.x, y: a.y + b.y, xx: a.xx + b.xx, xy: a.xy + b.xy }
}

function negative ({ n, x, y, xx, xy }: Sums): Sums {
  return { n: -n, x: -x, y: -y, xx: -xx, xy: -xy }
}

function slopeFrom ({ n, x, y, xx, xy }: Sums): number | null {
  const spread = xx - x * x / n
  return n > 1 && spread > 1e-9 * Math.max(1, xx) ? (xy - x * y / n) / spread : null
}
