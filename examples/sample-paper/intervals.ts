/** Four 95 % intervals of an accuracy whose items come from papers; all clipped to 0 and 1. */
import type { Random } from './random.ts'

export interface Paper { correct: number, items: number }
export interface Interval { low: number, high: number }

/** In the order in which the paper introduces them. */
export const methods = ['wilson', 'bootstrap', 'sandwich', 't'] as const
export type Method = typeof methods[number]

/** 97.5 % quantile of the standard normal distribution. */
const z = 1.959964
/** 97.5 % quantiles of Student's t by degrees of freedom. */
const tQuantiles: Readonly<Record<number, number>> = { 4: 2.776445, 9: 2.262157, 19: 2.093024, 39: 2.022691 }

export interface Spread { mean: number, seUncorrected: number, seCr2: number }

/** The mean over items and its cluster-robust standard errors. */
export function spreadOf (papers: readonly Paper[]): Spread {
  const items = papers.reduce((sum, paper) => sum + paper.items, 0)
  const mean = papers.reduce((sum, { correct }) => sum + correct, 0) / items
  let plain = 0
  let adjusted = 0
  for (const paper of papers) {
    const residual = paper.correct - paper.items * mean
    plain += residual * residual
    adjusted += residual * residual / (1 - paper.items / items)
  }
  return { mean, seUncorrected: Math.sqrt(plain) / items, seCr2: Math.sqrt(adjusted) / items }
}

/** Wilson 1927, doi:10.1080/01621459.1927.10502953: every item for itself. */
export function wilson (papers: readonly Paper[]): Interval {
  const items = papers.reduce((sum, paper) => sum + paper.items, 0)
  const { mean } = spreadOf(papers)
  const shrink = 1 + z * z / items
  const centre = (mean + z * z / (2 * items)) / shrink
  const half = z * Math.sqrt(mean * (1 - mean) / items + z * z / (4 * items * items)) / shrink
  return clip(centre - half, centre + half)
}

/** Percentile bootstrap of whole papers; `resamples` + 1 must be a multiple of 40. */
export function bootstrap (papers: readonly Paper[], resamples: number, random: Random): Interval {
  const means = new Float64Array(resamples)
  for (let resample = 0; resample < resamples; resample++) {
    let correct = 0
    let items = 0
    for (let draw = 0; draw < papers.length; draw++) {
      const paper = papers[random.below(papers.length)]!
      correct += paper.correct
      items += paper.items
    }
    means[resample] = correct / items
  }
  means.sort()
  const tail = (resamples + 1) / 40
  return { low: means[tail - 1]!, high: means[resamples - tail]! }
}

/** Normal quantile on the uncorrected cluster-robust variance. */
export function sandwich (papers: readonly Paper[]): Interval {
  const { mean, seUncorrected } = spreadOf(papers)
  return clip(mean - z * seUncorrected, mean + z * seUncorrected)
}

/** Student's t, one degree of freedom less than papers, on the CR2 variance. */
export function tCr2 (papers: readonly Paper[]): Interval {
  const { mean, seCr2 } = spreadOf(papers)
  const half = tQuantile(papers.length - 1) * seCr2
  return clip(mean - half, mean + half)
}

/** @throws RangeError for degrees of freedom the experiment does not use */
export function tQuantile (df: number): number {
  const quantile = tQuantiles[df]
  if (quantile === undefined) throw new RangeError(`No t quantile for ${df} degrees of freedom`)
  return quantile
}

function clip (low: number, high: number): Interval {
  return { low: Math.max(0, low), high: Math.min(1, high) }
}
