/** A mean of paired differences as one row of an analysis: interval, test, and what it could have shown. */
import { clusterTest } from '../../../../shared/stats/cluster-test.ts'
import { clusteredMean } from '../../../../shared/stats/clustered.ts'
import { detectableEffect } from '../../../../shared/stats/detectable-effect.ts'
import { clopperPearsonInterval } from '../../../../shared/stats/proportions.ts'
import { inClusters } from '../compare/paired.ts'
import { intervalOfMean, type ItemValue } from '../metrics/interval-of-mean.ts'

/** A type and not an interface, so that it can be spread into a row. */
export type Effect = {
  /** Null is "no data", never zero. */
  value: number | null
  low: number | null
  high: number | null
  /** Two-sided; null where nothing varies and the mean is not 0. */
  p: number | null
  /** Items. */
  n: number
  /** Papers; an item of a bank is a cluster of its own. */
  clusters: number
  /** Minimum detectable effect: found with power .8 at a two-sided level of .05. */
  detectable: number | null
  method: string
  /** Why something is null; else empty. */
  reason: string
}

export interface EffectKind {
  /** Largest size that a difference can have: 1 for shares, 2 for a difference of their differences. */
  width: number
  level?: number
}

/**
 * Interval as of any mean over clusters (t on CR2; of one cluster over its items). Where no item differs
 * that would be a point: the share of items that do is then below Clopper and Pearson's bound with the
 * number of clusters as n, and the mean within that share of the width. The test is the exact sign-flip
 * over clusters where up to 24 of them differ, else t on CR2.
 *
 * @param values  one an item, finite
 */
export function effectOf (values: readonly ItemValue[], { width, level = 0.95 }: EffectKind): Effect {
  if (values.length === 0) return noEffect('no item in common')
  const { value, interval, n, clusters, reason } =
    intervalOfMean(values, { proportion: false, range: [-width, width], level })
  const observations = inClusters(values)
  const test = clusterTest(observations)
  const { seCr2, clusters: units } = clusteredMean(observations)
  const detectable = seCr2 > 1e-12 ? detectableEffect(seCr2, { df: units - 1 }) : null
  const found = { value, p: test.pValue, n, clusters, detectable }
  if (values.every(each => each.value === 0)) {
    const bound = width * clopperPearsonInterval({ successes: 0, trials: units }, level).high
    return { ...found, low: -bound, high: bound, method: `Clopper-Pearson of the share that differs, n = ${units}; no item differs`, reason: '' }
  }
  return {
    ...found,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    method: [interval?.method, testNames[test.kind], interval?.note].filter(Boolean).join('; '),
    reason: reason ?? ''
  }
}

const testNames = { 'sign-flip': 'exact sign-flip', t: 't test', none: 'no test: nothing varies' }

export function noEffect (reason: string): Effect {
  return { value: null, low: null, high: null, p: null, n: 0, clusters: 0, detectable: null, method: 'none', reason }
}

/** A mean of what is from 0 to 1 (right, or the share of repeats that were), as a row beside effects. */
export function shareOf (values: readonly ItemValue[]): Effect {
  const { value, interval, n, clusters, reason } = intervalOfMean(values, { proportion: true })
  return {
    value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p: null,
    n,
    clusters,
    detectable: null,
    method: [interval?.method ?? 'none', interval?.note].filter(Boolean).join('; '),
    reason: reason ?? ''
  }
}
