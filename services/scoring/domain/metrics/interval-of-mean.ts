/**
 * How sure we are of a mean over items that come from papers.
 *
 * Papers are the sample, items of one paper resemble each other: an interval that takes the items
 * for independent is too narrow, and so is a percentile bootstrap of a handful of papers.
 */
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { tQuantile } from '../../../../shared/stats/distributions.ts'
import { clusterNoun, isLoneItem } from '../../../../shared/stats/item-cluster.ts'
import { clopperPearsonInterval, wilsonInterval } from '../../../../shared/stats/proportions.ts'

export interface ItemValue {
  value: number
  /** The paper, or of an item of a bank what `clusterOf` says. */
  cluster: string
  /** Shared by the two members of a minimal pair; without one, every item is its own unit. */
  pairId?: string
}

export interface MeanInterval {
  low: number
  high: number
  /** Coverage aimed at, for example 0.95. */
  level: number
  method: string
  /** What a reader must know of it; empty if nothing. */
  note: string
}

export interface Estimate {
  /** Null is "no data", never zero. */
  value: number | null
  /** Items. */
  n: number
  /** Papers. */
  clusters: number
  interval: MeanInterval | null
  /** Why there is no value or no interval. */
  reason?: string
}

export interface MeanKind {
  /** Values are 0 or 1 each, or counts of such: the interval stays within 0 and 1. */
  proportion: boolean
  /**
   * Limits of every value, and so of the interval; where all lie on one of them it is exact, as a
   * proportion's.
   */
  range?: readonly [low: number, high: number]
  level?: number
  /** Clusters of one item are items and no papers: the caller knows that no item is said to be from any. */
  independent?: boolean
}

/** Fewer papers than this say little of others. */
const papersFew = 5

/**
 * Mean with its interval:
 *
 * - items of banks that are no part of a cluster are independent: Wilson's for a proportion of such, else
 *   as over papers, with the items in place of papers;
 * - two papers or more: t with P - 1 degrees of freedom on the CR2 variance; below five papers the
 *   note says "conditional on these papers";
 * - there, a proportion whose variance over papers is zero or that is 0 or 1: Clopper-Pearson with
 *   the number of papers as n, for the interval above would be a point; so too a mean of values
 *   between limits that are all at one of them: that all of P papers are at 0 while their mean is m
 *   has at most the probability (1 - m)^P that it has for shares;
 * - one paper: over its items, a minimal pair counted once; Wilson's for a proportion, else t on
 *   CR2 with pairs as clusters; labelled as saying nothing of other papers;
 * - nothing observed: null.
 *
 * @param observations  one per item; outcomes that do not count are left out by the caller
 * @throws RangeError   if a value is not finite, or outside 0 to 1 for a proportion
 * @see Cameron, Gelbach & Miller 2008, doi:10.1162/rest.90.3.414; Bell & McCaffrey 2002
 */
export function intervalOfMean (observations: readonly ItemValue[], kind: MeanKind): Estimate {
  if (kind.proportion && observations.some(({ value }) => value < 0 || value > 1)) {
    throw new RangeError('A proportion is of values from 0 to 1')
  }
  if (observations.length === 0) {
    return { value: null, n: 0, clusters: 0, interval: null, reason: 'no observations' }
  }
  return aroundValue(estimateOf(observations, kind))
}

/** The last digits of a mean and of its interval come of other sums: no end is on the wrong side. */
function aroundValue (found: Estimate): Estimate {
  const { value, interval } = found
  if (value === null || interval === null) return found
  const [low, high] = [Math.min(interval.low, value), Math.max(interval.high, value)]
  return { ...found, interval: { ...interval, low, high } }
}

function estimateOf (observations: readonly ItemValue[], kind: MeanKind): Estimate {
  const { mean, n, clusters } = clusteredMean(observations)
  const alone = kind.independent === true || observations.every(({ cluster }) => isLoneItem(cluster))
  if (kind.proportion && clusters === n && alone) {
    return { value: mean, n, clusters, interval: overIndependent(mean, n, kind) }
  }
  return clusters > 1 ? overPapers(observations, kind) : overItems(observations, kind)
}

function overIndependent (mean: number, trials: number, { level = 0.95 }: MeanKind): MeanInterval {
  const interval = wilsonInterval({ successes: mean * trials, trials }, level)
  return { ...interval, level, method: `Wilson, n = ${trials} independent items`, note: '' }
}

function overPapers (observations: readonly ItemValue[], kind: MeanKind): Estimate {
  const { level = 0.95, proportion } = kind
  const { mean, n, clusters, seCr2 } = clusteredMean(observations)
  const found = { value: mean, n, clusters }
  const noun = clusterNoun(observations.map(({ cluster }) => cluster))
  const notes = clusters < papersFew ? [`conditional on these ${noun}`] : []
  if (!collapses(mean, seCr2, proportion)) {
    const interval = aroundMean({ mean, se: seCr2, df: clusters - 1 }, kind)
    return { ...found, interval: { ...interval, note: notes.join('; ') } }
  }
  const exact = exactInterval(mean, clusters, kind)
  if (exact === null) return { ...found, interval: null, reason: `the values do not vary over ${noun}` }
  notes.unshift(`no variance over ${noun}, so exact with the number of ${noun} as n`)
  return {
    ...found,
    interval: { ...exact, level, method: `Clopper-Pearson, n = ${clusters} ${noun}`, note: notes.join('; ') }
  }
}

const onePaper = 'over the items of one paper, minimal pairs counted once; says nothing of other papers'

function overItems (observations: readonly ItemValue[], kind: MeanKind): Estimate {
  const { level = 0.95, proportion } = kind
  const units = observations.map(({ value, pairId }, i) =>
    ({ value, cluster: pairId === undefined ? `item ${i}` : `pair ${pairId}` }))
  const { mean, n, clusters: trials, seCr2 } = clusteredMean(units)
  const found = { value: mean, n, clusters: 1 }
  if (proportion) {
    const range = wilsonInterval({ successes: mean * trials, trials }, level)
    const method = `Wilson, n = ${trials} independent items`
    return { ...found, interval: { ...range, level, method, note: onePaper } }
  }
  if (trials === 1) return { ...found, interval: null, reason: 'one independent item' }
  if (collapses(mean, seCr2, proportion)) {
    const exact = exactInterval(mean, trials, kind)
    if (exact === null) return { ...found, interval: null, reason: 'the values do not vary over items' }
    const method = `Clopper-Pearson, n = ${trials} independent items`
    return { ...found, interval: { ...exact, level, method, note: `no variance over items; ${onePaper}` } }
  }
  const interval = aroundMean({ mean, se: seCr2, df: trials - 1 }, kind)
  return { ...found, interval: { ...interval, note: onePaper } }
}

/** For values that do not vary: shares anywhere, other values only at one of their limits. */
function exactInterval (mean: number, trials: number, { proportion, range, level = 0.95 }: MeanKind) {
  const [low, high] = proportion ? [0, 1] : range ?? [-Infinity, Infinity]
  if (!Number.isFinite(high - low)) return null
  const share = Math.min(1, Math.max(0, (mean - low) / (high - low)))
  const atLimit = share < 1e-12 ? 0 : share > 1 - 1e-12 ? 1 : undefined
  if (!proportion && atLimit === undefined) return null
  const exact = clopperPearsonInterval({ successes: (atLimit ?? share) * trials, trials }, level)
  return { low: low + exact.low * (high - low), high: low + exact.high * (high - low) }
}

/** Rounding leaves a little of a variance that is zero. */
function collapses (mean: number, se: number, proportion: boolean): boolean {
  return se <= 1e-12 * Math.max(1, Math.abs(mean)) || (proportion && (mean === 0 || mean === 1))
}

interface Spread { mean: number, se: number, df: number }

function aroundMean ({ mean, se, df }: Spread, { level = 0.95, proportion, range }: MeanKind) {
  const half = tQuantile((1 + level) / 2, df) * se
  const [least, most] = proportion ? [0, 1] : range ?? [-Infinity, Infinity]
  const [low, high] = [Math.max(least, mean - half), Math.min(most, mean + half)]
  return { low, high, level, method: `t, ${df} df, CR2` }
}
