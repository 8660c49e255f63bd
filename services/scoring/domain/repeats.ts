/** What repeats of one run say together: the mean, and how much of its spread is sampling alone. */
import { itemKinds, type Item, type ItemKind } from '../../../shared/contracts/item.ts'
import type { RepeatedRuns } from '../../../shared/contracts/run.ts'
import { clusterOf } from '../../../shared/stats/item-cluster.ts'
import { runIdOf, type RunSpec } from './plan.ts'
import { intervalOfMean } from './metrics/interval-of-mean.ts'

/** Of one repeat: what each item is worth, null where it does not count. */
export interface Repeat { runId: string, worths: ReadonlyMap<string, number | null> }

/**
 * Over the items that count in every repeat; the others are counted and left out, for a mean over other
 * items in each repeat would confound the two. An item's mean over repeats is one observation, so that
 * repeats make the mean surer and never pretend to more items. Gives way between its steps.
 */
export function * repeatedRuns (
  items: readonly Item[], repeats: readonly Repeat[]
): Generator<void, RepeatedRuns> {
  const kinds: OfKind[] = []
  for (const kind of itemKinds) {
    const own = items.filter(item => item.kind === kind)
    yield
    if (own.length > 0) kinds.push(yield * ofKind(kind, own, repeats))
  }
  return { runIds: repeats.map(({ runId }) => runId), kinds }
}

/** Of the same run with another number; of one scored again, that of the other number's first run. */
export function repeatIdOf ({ rescoredFrom, vision: _, ...spec }: RunSpec, repeat: number): string {
  const sibling = { ...spec, condition: { ...spec.condition, repeat } }
  if (rescoredFrom === undefined) return runIdOf(sibling)
  const runId = runIdOf({ ...sibling, benchmarkId: rescoredFrom.benchmarkId })
  return runIdOf({ ...sibling, rescoredFrom: { ...rescoredFrom, runId } })
}

type OfKind = RepeatedRuns['kinds'][number]

function * ofKind (
  kind: ItemKind, items: readonly Item[], repeats: readonly Repeat[]
): Generator<void, OfKind> {
  const whole: Array<{ item: Item, values: number[], mean: number }> = []
  for (const item of items) {
    const values = repeats.flatMap(({ worths }) => worths.get(item.id) ?? [])
    if (values.length === repeats.length) whole.push({ item, values, mean: meanOf(values)! })
    yield
  }
  const labelled = kind === 'binary' || kind === 'choice'
  const { value, interval, reason } = intervalOfMean(whole.map(({ item, mean }) => ({
    value: mean,
    cluster: clusterOf(item),
    ...item.pairId !== undefined && { pairId: item.pairId }
  })), { proportion: false, range: [0, 1] })
  const within = repeats.length < 2 ? null : meanOf(whole.map(({ values }) => varianceOf(values)!))
  const ofMeans = varianceOf(whole.map(({ mean }) => mean))
  const between = within === null || ofMeans === null ? null : Math.max(0, ofMeans - within / repeats.length)
  yield
  const icc = (within ?? 0) + (between ?? 0) > 0 && between !== null ? between / (within! + between) : null
  const perRepeat = repeats.map((_, at) => meanOf(whole.map(({ values }) => values[at]!)))
  const why = whole.length === 0
    ? 'No item of this kind counts in every repeat.'
    : repeats.length < 2
      ? 'One repeat says nothing of the variance over repeats.'
      : [reason ?? [], icc === null ? 'Nothing varies over items and repeats, or there is one item: no ICC.' : []].flat().join('. ')
  return {
    kind,
    metric: labelled ? 'accuracy' : 'rougeL.fmeasure',
    items: whole.length,
    leftOut: items.length - whole.length,
    repeats: repeats.length,
    mean: whole.length === 0 ? null : value,
    interval: interval === null ? null : within01(interval),
    perRepeat,
    withinItemVariance: within,
    betweenItemVariance: between,
    sdOfRepeats: sdOf(perRepeat.flatMap(mean => mean ?? [])),
    icc,
    unstable: whole.filter(({ values }) => values.some(each => each !== values[0])).length,
    ...why !== '' && { reason: why }
  }
}

/** As for every score: an interval that leaves the metric's own limits is cut there. */
function within01<I extends { low: number, high: number }> (interval: I): I {
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(1, interval.high) }
}

function meanOf (values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Unbiased; null for fewer than two. */
function varianceOf (values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = meanOf(values)!
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

function sdOf (values: readonly number[]): number | null {
  const variance = varianceOf(values)
  return variance === null ? null : Math.sqrt(variance)
}
