/**
 * The smallest slice of a benchmark that ranks models as the whole does: chosen on some models and tried
 * on others. On the models it was chosen with a slice always looks better than it is, and whether
 * choosing pays at all is seen only beside random slices of the same size.
 */
import type { Draws } from './draws.ts'
import { kendallTauB } from './kendall.ts'

export interface SliceOptions {
  sizes: readonly number[]
  /** Kendall's τ-b with the ranking by all items that held-out models are to have. */
  target: number
  /** Times the models are split in two. */
  splits: number
  /** Random slices tried in each split. */
  randoms: number
  draws: Draws
}

/** Means over splits of τ-b with the ranking by all items. */
export interface SliceSize {
  size: number
  /** On the models it was chosen with: flattering. */
  chosen: number | null
  heldOut: number | null
  /** Share of splits in which held-out models reach the target. */
  reached: number
  random: number | null
  randomReached: number
}

export interface SufficientSlice {
  sizes: SliceSize[]
  /** Smallest size whose held-out mean reaches the target, at it and all larger ones; null if none. */
  sufficient: number | null
  /** The same of random slices. */
  sufficientRandom: number | null
  /** Of the size that suffices, chosen on all models; in the order of choosing. */
  items: number[] | null
}

/** Models in either half; a τ of fewer is hardly anything. */
export const modelsMin = 6

/**
 * Items are chosen one after the other so that the mean of the slice comes closest to that of all items,
 * model
 * by model, but for a constant (forward selection by least squares).
 *
 * @param scores  rows are models, columns items, complete and finite
 * @returns       a reason for fewer than six models, or models that are all equal
 */
export function sufficientSlice (
  scores: ReadonlyArray<readonly number[]>, options: SliceOptions
): SufficientSlice | { reason: string } {
  const { target, splits, draws } = options
  const models = scores.length
  const items = scores[0]?.length ?? 0
  const sizes = [...new Set(options.sizes)].filter(size => size >= 1 && size < items).sort((a, b) => a - b)
  if (models < modelsMin) return { reason: `There are ${models} models: with fewer than ${modelsMin} none can be held out.` }
  if (sizes.length === 0) return { reason: 'No size is smaller than the whole.' }
  const whole = scores.map(meanOf)
  if (whole.every(mean => mean === whole[0])) return { reason: 'All models have the same score: there is no ranking to keep.' }
  const found = Array.from({ length: splits }, () => {
    const order = shuffled(models, draws)
    const [fit, test] = [order.slice(0, models >> 1), order.slice(models >> 1)]
    const chosen = forward(fit.map(model => scores[model]!), sizes.at(-1)!)
    const randoms = Array.from({ length: options.randoms }, () => shuffled(items, draws))
    return sizes.map(size => ({
      chosen: agreement(fit, chosen.slice(0, size), { scores, whole }),
      heldOut: agreement(test, chosen.slice(0, size), { scores, whole }),
      random: randoms.map(order => agreement(test, order.slice(0, size), { scores, whole }))
    }))
  })
  const table = sizes.map((size, at) => {
    const own = found.map(split => split[at]!)
    const randoms = own.flatMap(({ random }) => random)
    return {
      size,
      chosen: meanOfKnown(own.map(({ chosen }) => chosen)),
      heldOut: meanOfKnown(own.map(({ heldOut }) => heldOut)),
      reached: shareOf(own.map(({ heldOut }) => heldOut), target),
      random: meanOfKnown(randoms),
      randomReached: shareOf(randoms, target)
    }
  })
  const sufficient = smallest(table, 'heldOut', target)
  return {
    sizes: table,
    sufficient,
    sufficientRandom: smallest(table, 'random', target),
    items: sufficient === null ? null : forward(scores, sufficient)
  }
}

function smallest (table: readonly SliceSize[], key: 'heldOut' | 'random', target: number): number | null {
  let found: number | null = null
  for (const row of table.toReversed()) {
    const tau = row[key]
    if (tau === null || tau < target) break
    found = row.size
  }
  return found
}

function meanOf (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function meanOfKnown (values: ReadonlyArray<number | null>): number | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : meanOf(known)
}

/** A τ that is not defined does not reach it. */
function shareOf (values: ReadonlyArray<number | null>, target: number): number {
  return values.length === 0
    ? 0
    : values.filter(
      value => value !== null && value >= target
    ).length / values.length
}

interface Whole { scores: ReadonlyArray<readonly number[]>, whole: readonly number[] }

/** τ-b of some models by a slice with the same by all items; null where one is constant. */
function agreement (
  models: readonly number[], slice: readonly number[], { scores, whole }: Whole
): number | null {
  // Sums of fractions in another order differ in the last digit, and then equals are none.
  const x = models.map(model => round(meanOf(slice.map(item => scores[model]![item]!))))
  const { statistic } = kendallTauB({ x, y: models.map(model => round(whole[model]!)) })
  return Number.isNaN(statistic) ? null : statistic
}

function round (value: number): number {
  return Math.round(value * 1e9) / 1e9
}

function shuffled (count: number, draws: Draws): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = draws.below(i + 1)
    const kept = order[i]!
    order[i] = order[j]!
    order[j] = kept
  }
  return order
}

function forward (scores: ReadonlyArray<readonly number[]>, size: number): number[] {
  const models = scores.length
  const columns = scores[0]!.map((_, item) => centred(scores.map(row => row[item]!)))
  const whole = centred(scores.map(meanOf))
  const squares = columns.map(column => product(column, column))
  const onWhole = columns.map(column => product(column, whole))
  const free = new Set(columns.keys())
  const sum = new Float64Array(models)
  const order: number[] = []
  while (order.length < size && free.size > 0) {
    const next = order.length + 1
    let [best, least] = [-1, Infinity]
    for (const item of free) {
      // ‖(sum + column) / next - whole‖², without what all items have in common.
      const distance = (squares[item]! + 2 * product(columns[item]!, sum)) / next - 2 * onWhole[item]!
      if (distance < least) [best, least] = [item, distance]
    }
    free.delete(best)
    order.push(best)
    columns[best]!.forEach((value, j) => { sum[j]! += value })
  }
  return order
}

function centred (values: readonly number[]): Float64Array {
  const mean = meanOf(values)
  return Float64Array.from(values, value => value - mean)
}

function product (a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
