/** The difference of two shares of different items, and of two means over items that share papers. */
import { binomialCdf, binomialMass, tQuantile } from '../../../../shared/stats/distributions.ts'
import { wilsonInterval, type Range } from '../../../../shared/stats/proportions.ts'
import type { RightOf } from './analysis.ts'

/**
 * Newcombe's hybrid score interval of two independent shares: keeps its coverage at the ends.
 *
 * @see Newcombe 1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I (method 10)
 */
export function newcombeInterval (first: RightOf, second: RightOf, level = 0.95): Range {
  const [a, b] = [first, second].map(({ right, n }) =>
    ({ share: right / n, ...wilsonInterval({ successes: right, trials: n }, level) })) as [Ends, Ends]
  return newcombeOf(a, b)
}

/** The same of two shares whose Wilson intervals are known. */
export function newcombeOf (a: Ends, b: Ends): Range {
  const difference = a.share - b.share
  return {
    low: difference - Math.hypot(a.share - a.low, b.high - b.share),
    high: difference + Math.hypot(a.high - a.share, b.share - b.low)
  }
}

interface Ends extends Range { share: number }

/** Binomial probabilities of `n` draws, without the tails that are below rounding. */
function massOf ({ right, n }: RightOf): Array<{ k: number, mass: number }> {
  const p = right / n
  const reach = 10 * Math.sqrt(n * p * (1 - p)) + 10
  const found = []
  for (let k = Math.max(0, Math.floor(right - reach)); k <= Math.min(n, Math.ceil(right + reach)); k++) {
    const mass = p === 0 || p === 1 ? Number(k === right) : binomialMass(k, { n, p })
    if (mass > 0) found.push({ k, mass })
  }
  return found
}

/**
 * The percentile bootstrap of one share with infinitely many replicates: quantiles of the binomial
 * distribution, so that no seed matters.
 */
export function bootstrapShare ({ right, n }: RightOf, level = 0.95): Range {
  const masses = massOf({ right, n })
  const quantile = (share: number) => {
    let sum = 0
    for (const { k, mass } of masses) if ((sum += mass) >= share) return k / n
    return 1
  }
  return { low: quantile((1 - level) / 2), high: quantile((1 + level) / 2) }
}

/** The same of a difference of two independent shares: each of their items is drawn again. */
export function bootstrapDifference (first: RightOf, second: RightOf, level = 0.95): Range {
  const masses = massOf(first)
  const p = second.right / second.n
  const below = (k: number) => p === 0 || p === 1
    ? Number(k >= second.right)
    : k < 0 ? 0 : k >= second.n ? 1 : binomialCdf(k, { n: second.n, p })
  /** P(first share - second share <= bound). */
  const distribution = (bound: number) => masses.reduce((sum, { k, mass }) =>
    sum + mass * (1 - below(Math.ceil(second.n * (k / first.n - bound) - 1e-9) - 1)), 0)
  const quantile = (share: number) => {
    let [low, high] = [-1.001, 1.001]
    for (let step = 0; step < 48; step++) {
      const middle = (low + high) / 2
      if (distribution(middle) >= share) high = middle
      else low = middle
    }
    // Zero, and the bisection's last step beside it.
    return Math.abs(high) < 1e-8 ? 0 : high
  }
  return { low: quantile((1 - level) / 2), high: quantile((1 + level) / 2) }
}

export interface GroupValue { value: number, cluster: string, first: boolean }

export interface GroupGap extends Range { gap: number, clusters: number, method: string }

/**
 * Mean of the first group minus that of the second, over the papers they share: t on Bell and
 * McCaffrey's CR2, which for two groups takes the residuals of each paper and group by its share of
 * the group.
 *
 * @returns  null where a group is empty, there is one paper, or a group lies in one paper
 */
export function gapOverPapers (values: readonly GroupValue[], level = 0.95): GroupGap | null {
  const groups = [true, false].map(first => values.filter(value => value.first === first))
  if (groups.some(group => group.length === 0)) return null
  const means = groups.map(group => group.reduce((sum, { value }) => sum + value, 0) / group.length)
  const pulls = new Map<string, number>()
  let fewest = Infinity
  for (const [side, group] of groups.entries()) {
    const papers = new Map<string, { sum: number, size: number }>()
    for (const { value, cluster } of group) {
      const own = papers.get(cluster) ?? { sum: 0, size: 0 }
      papers.set(cluster, { sum: own.sum + value - means[side]!, size: own.size + 1 })
    }
    if (papers.size < 2) return null
    fewest = Math.min(fewest, papers.size)
    for (const [cluster, { sum, size }] of papers) {
      const pull = sum / group.length / Math.sqrt(1 - size / group.length)
      pulls.set(cluster, (pulls.get(cluster) ?? 0) + (side === 0 ? pull : -pull))
    }
  }
  const gap = means[0]! - means[1]!
  const error = Math.sqrt([...pulls.values()].reduce((sum, pull) => sum + pull * pull, 0))
  if (!(error > 1e-12)) return null
  // The group of fewer papers decides how well the error is known.
  const df = fewest - 1
  const half = tQuantile((1 + level) / 2, df) * error
  return {
    gap,
    low: Math.max(-1, gap - half),
    high: Math.min(1, gap + half),
    clusters: pulls.size,
    method: `t, ${df} df, CR2${fewest < 5 ? `, conditional on these papers (${fewest} in one slice)` : ''}`
  }
}
