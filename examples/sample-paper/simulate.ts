/**
 * The experiment of the sample paper: how often four intervals contain the true accuracy when the
 * items of a benchmark come from few papers. Pure: the same settings give the same numbers.
 */
import {
  bootstrap, methods, sandwich, spreadOf, tCr2, tQuantile, wilson,
  type Interval, type Method, type Paper
} from './intervals.ts'
import { randomFrom, type Random } from './random.ts'

export interface Setting {
  papers: number
  /** Intraclass correlation of the items of one paper, 0 up to 1. */
  icc: number
  /** Items in each paper, on average. */
  items: number
  /** `skewed`: one paper in five holds three fifths of all items. */
  sizes: 'equal' | 'skewed'
  /** True accuracy, above 0 and below 1. */
  accuracy: number
}

export interface Tally {
  /** Shares of the replicates; covered + tooLow + tooHigh = 1. */
  covered: number
  /** The whole interval lies below the truth. */
  tooLow: number
  tooHigh: number
  /** Mean of high - low, as a fraction. */
  width: number
}

export type Cell = Setting & Record<Method, Tally>

export interface Density {
  setting: Setting
  replicates: number
  estimate: { low: number, high: number, bins: number }
  error: { low: number, high: number, bins: number }
  /** Row by row from the lowest standard error, each from the lowest estimate. */
  counts: number[]
  /** Replicates outside the frame. */
  outside: number
  /** Pearson correlation of estimate and standard error. */
  correlation: number
  /** Shares of replicates whose t interval lies wholly below, wholly above the truth. */
  tooLow: number
  tooHigh: number
  meanError: number
  /** Standard deviation of the estimates: what the standard error estimates. */
  spread: number
}

export const plan = {
  seed: 20240607,
  replicates: 4000,
  resamples: 399,
  densityReplicates: 40000,
  papers: [5, 10, 20, 40],
  iccs: [0, 0.05, 0.1, 0.2, 0.4],
  items: [5, 10, 20, 40, 80],
  accuracies: [0.5, 0.7, 0.9, 0.95],
  base: { papers: 10, icc: 0.1, items: 20, sizes: 'equal', accuracy: 0.7 } as Setting
}

/** Every setting once: the grid, then items, then skewed sizes, then accuracies. */
export function settingsOf ({ base, papers, iccs, items, accuracies }: typeof plan): Setting[] {
  return [
    ...papers.flatMap(count => iccs.map((icc): Setting => ({ ...base, papers: count, icc }))),
    ...items.filter(count => count !== base.items).map((count): Setting => ({ ...base, items: count })),
    ...papers.map((count): Setting => ({ ...base, papers: count, sizes: 'skewed' })),
    ...accuracies.filter(share => share !== base.accuracy)
      .map((accuracy): Setting => ({ ...base, accuracy }))
  ]
}

/** Items of each paper; skewed sizes repeat 1 : 2 : 3 : 4 : 15, whose mean is 5. */
function sizesOf ({ papers, items, sizes }: Setting): number[] {
  const parts = [1, 2, 3, 4, 15]
  return Array.from({ length: papers }, (_, index) =>
    sizes === 'equal' ? items : parts[index % parts.length]! * items / 5)
}

/**
 * Beta-binomial counts by Pólya's urn: an item is right with the probability that the paper's
 * earlier items and a prior worth (1 - icc) / icc items suggest. No logarithm, no power: exact
 * in the same bits everywhere.
 */
function drawPaper ({ icc, accuracy }: Setting, items: number, random: Random): Paper {
  const prior = icc === 0 ? Infinity : (1 - icc) / icc
  let correct = 0
  for (let item = 0; item < items; item++) {
    const chance = prior === Infinity ? accuracy : (accuracy * prior + correct) / (prior + item)
    if (random.uniform() < chance) correct++
  }
  return { correct, items }
}

function randomOf (setting: Setting, seed: number): Random {
  const { papers, icc, items, sizes, accuracy } = setting
  return randomFrom([seed, papers, Math.round(icc * 1000), items, sizes.length, Math.round(accuracy * 1000)])
}

export interface Replicate { mean: number, intervals: Record<Method, Interval> }
interface Draw { setting: Setting, sizes: readonly number[], resamples: number, random: Random }

function drawReplicate ({ setting, sizes, resamples, random }: Draw): Replicate {
  const papers = sizes.map(items => drawPaper(setting, items, random))
  const intervals = {
    wilson: wilson(papers),
    bootstrap: bootstrap(papers, resamples, random),
    sandwich: sandwich(papers),
    t: tCr2(papers)
  }
  return { mean: spreadOf(papers).mean, intervals }
}

/** The first `count` replicates of the base setting, as its cell counts them. */
export function firstReplicates ({ base, seed, resamples }: typeof plan, count: number): Replicate[] {
  const random = randomOf(base, seed)
  const sizes = sizesOf(base)
  return Array.from({ length: count }, () => drawReplicate({ setting: base, sizes, resamples, random }))
}

/** Draws one cell's replicates and counts how each interval fares. */
export function runCell (setting: Setting, { seed, replicates, resamples }: typeof plan): Cell {
  const random = randomOf(setting, seed)
  const sizes = sizesOf(setting)
  const tallies = Object.fromEntries(methods.map(method =>
    [method, { covered: 0, tooLow: 0, tooHigh: 0, width: 0 }])) as Record<Method, Tally>
  for (let replicate = 0; replicate < replicates; replicate++) {
    const { intervals: found } = drawReplicate({ setting, sizes, resamples, random })
    for (const method of methods) count(tallies[method], found[method], setting.accuracy)
  }
  for (const tally of Object.values(tallies)) {
    for (const key of Object.keys(tally) as (keyof Tally)[]) tally[key] = rounded(tally[key] / replicates)
  }
  return { ...setting, ...tallies }
}

function count (tally: Tally, { low, high }: Interval, truth: number): void {
  tally.width += high - low
  if (high < truth) tally.tooLow++
  else if (low > truth) tally.tooHigh++
  else tally.covered++
}

/** The joint distribution of the estimate and its CR2 standard error in the base setting. */
export function runDensity ({ base, seed, densityReplicates }: typeof plan): Density {
  const random = randomOf(base, seed + 1)
  const sizes = sizesOf(base)
  // One bin for each share of 200 items, which lies in its middle.
  const estimate = { low: 0.4725, high: 0.9225, bins: 90 }
  const error = { low: 0.01, high: 0.09, bins: 80 }
  const counts = new Array<number>(estimate.bins * error.bins).fill(0)
  const sums = { x: 0, y: 0, xx: 0, yy: 0, xy: 0, low: 0, high: 0, outside: 0 }
  const binOf = (value: number, { low, high, bins }: typeof estimate) =>
    Math.floor((value - low) / (high - low) * bins)
  for (let replicate = 0; replicate < densityReplicates; replicate++) {
    const { mean, seCr2 } = spreadOf(sizes.map(items => drawPaper(base, items, random)))
    const half = tQuantile(base.papers - 1) * seCr2
    if (mean + half < base.accuracy) sums.low++
    if (mean - half > base.accuracy) sums.high++
    const x = mean - base.accuracy
    sums.x += x; sums.y += seCr2; sums.xx += x * x; sums.yy += seCr2 * seCr2; sums.xy += x * seCr2
    const [column, row] = [binOf(mean, estimate), binOf(seCr2, error)]
    if (column < 0 || column >= estimate.bins || row < 0 || row >= error.bins) sums.outside++
    else counts[row * estimate.bins + column]!++
  }
  const n = densityReplicates
  const varX = sums.xx / n - (sums.x / n) ** 2
  const varY = sums.yy / n - (sums.y / n) ** 2
  return {
    setting: base,
    replicates: n,
    estimate,
    error,
    counts,
    outside: sums.outside,
    correlation: rounded((sums.xy / n - sums.x * sums.y / n / n) / Math.sqrt(varX * varY)),
    tooLow: rounded(sums.low / n),
    tooHigh: rounded(sums.high / n),
    meanError: rounded(sums.y / n),
    spread: rounded(Math.sqrt(varX))
  }
}

/** Six decimals hold every share of the replicates exactly and hide the last bits of sums. */
function rounded (value: number): number {
  return Math.round(value * 1e6) / 1e6
}
