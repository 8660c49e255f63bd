/** A mean over items, and how far it is to be trusted: over papers where there are enough. */
import { clustersMin, intervalAround } from '../../../../shared/stats/agreement-interval.ts'
import { clusterOf } from '../../../../shared/stats/item-cluster.ts'
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { clopperPearsonInterval } from '../../../../shared/stats/proportions.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialEstimate } from '../../../../shared/contracts/partial-input.ts'

/** `unit`: the item, or the pair that it is of. */
export interface Observed { value: number, paper: string, unit: string }

/**
 * Mean with a two-sided 95 % interval: t on a cluster-robust variance over papers, from five on; below,
 * over items, pairs counted once. Where nothing varies that is a point, and the exact interval of so
 * many papers or units stands in its place, for shares alone.
 *
 * @param of  share: in [0, 1]; difference: in [-1, 1]
 */
export function estimateOf (observed: readonly Observed[], of: 'share' | 'difference' = 'share'): PartialEstimate {
  if (observed.length === 0) return { value: null, low: null, high: null, over: null }
  const byPaper = clusteredMean(observed.map(({ value, paper }) => ({ value, cluster: paper })))
  const over = byPaper.clusters >= clustersMin ? 'papers' : 'items'
  const found = over === 'papers' ? byPaper : clusteredMean(observed.map(({ value, unit }) => ({ value, cluster: unit })))
  const { mean: value, clusters, seCr2 } = found
  const interval = intervalAround(value, { error: seCr2, df: clusters - 1, over })
  if (interval !== null) {
    return { value, low: of === 'share' ? Math.max(0, interval.low) : interval.low, high: interval.high, over }
  }
  if (of === 'difference') return { value, low: null, high: null, over: null }
  const share = Math.min(1, Math.max(0, value))
  const { low, high } = clopperPearsonInterval({ successes: share * clusters, trials: clusters })
  return { value, low, high, over: 'exact' }
}

/** A bank counts as one paper: the interval is then over its clusters, and says that it is over items. */
export function observationOf (item: Item, value: number): Observed {
  const { id, pairId, source } = item
  return 'paperId' in source
    ? { value, paper: source.paperId, unit: pairId ?? id }
    : { value, paper: source.bankId, unit: clusterOf(item) }
}
