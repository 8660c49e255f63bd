/** A mean over people and papers as one row of an analysis. */
import { crossedMean, type CrossedObservation } from '../../../../shared/stats/crossed-mean.ts'
import { detectableEffect } from '../../../../shared/stats/detectable-effect.ts'
import { tQuantile, tTail } from '../../../../shared/stats/distributions.ts'
import { clopperPearsonInterval } from '../../../../shared/stats/proportions.ts'
import { noEffect, type Effect } from './effect.ts'

export type CrossedEffect = Effect & { persons: number }

export interface CrossedKind {
  /** Limits of every value. */
  range: readonly [low: number, high: number]
  /** Whether 0 is a value to be told from: else there is neither test nor detectable effect. */
  difference: boolean
}

/**
 * t on the two-way variance, with one degree of freedom fewer than there are persons (or papers, if they
 * are fewer). Below two persons there is no interval. Where nothing varies it would be a point: Clopper and
 * Pearson's of the number of persons or papers, the smaller, then says how far the truth may be.
 */
export function crossedEffect (
  observations: readonly CrossedObservation[], kind: CrossedKind
): CrossedEffect {
  if (observations.length === 0) {
    return { ...noEffect(kind.difference ? 'no item in common' : 'no item with a value'), persons: 0 }
  }
  const { mean: value, se, df, n, persons, clusters, overClusters } = crossedMean(observations)
  const found = { value, low: null, high: null, p: null, n, clusters, persons, detectable: null, method: 'none', reason: '' }
  if (se === null) return { ...found, reason: 'one person says nothing of how much people differ' }
  const [low, high] = kind.range
  if (se <= 1e-12) return { ...found, ...atLimit(value, { ...kind, units: df + 1 }) }
  const half = tQuantile(0.975, df) * se
  const note = overClusters ? '' : '; conditional on these items'
  return {
    ...found,
    low: Math.max(low, value - half),
    high: Math.min(high, value + half),
    ...kind.difference && {
      p: Math.min(1, 2 * tTail(Math.abs(value) / se, df)), detectable: detectableEffect(se, { df })
    },
    method: `t, ${df} df, clusters: persons${overClusters ? ' and papers' : ''}${note}`
  }
}

interface Limits extends CrossedKind { units: number }

function atLimit (value: number, { range: [low, high], difference, units }: Limits): Partial<Effect> {
  const bound = clopperPearsonInterval({ successes: 0, trials: units }, 0.95).high
  const method = `Clopper-Pearson, n = ${units}: nothing varies`
  if (difference && value === 0) return { low: low * bound, high: high * bound, method }
  if (Number.isFinite(high) && value === low) return { low, high: low + (high - low) * bound, method }
  if (Number.isFinite(high) && value === high) return { low: high - (high - low) * bound, high, method }
  return { reason: 'the values do not vary over persons and papers' }
}
