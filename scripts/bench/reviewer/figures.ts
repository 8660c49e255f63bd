/** From scores to figures: how well a reviewer tells faulty from sound, and how steady it is. */
import { clusteredMean, type Observation } from '../../../shared/stats/clustered.ts'
import { tQuantile } from '../../../shared/stats/distributions.ts'
import { clopperPearsonInterval, wilsonInterval, type Range } from '../../../shared/stats/proportions.ts'

/** Mean score of an item as it was and with the fault in it, by the same reviewer. */
export interface Contrast { paperId: string, original: number, mutant: number }

export interface Figure {
  /** Contrasts; null figures where there are none. */
  n: number
  papers: number
  value: number | null
  interval: Range | null
  /** By what the interval was made, and what it does not cover. */
  method: string
}

/**
 * The probability that the original scores higher than its mutant, ties counted half: .5 for a
 * reviewer that gives every text the same, 1 for one that sees every fault.
 */
export function detectionAuc (contrasts: readonly Contrast[]): Figure {
  return shareOf(contrasts.map(({ paperId, original, mutant }) => (
    { cluster: paperId, value: original > mutant ? 1 : original === mutant ? 0.5 : 0 })))
}

/** How often a change without a fault lowers the score. */
export function loweredShare (contrasts: readonly Contrast[]): Figure {
  return shareOf(contrasts.map(({ paperId, original, mutant }) => (
    { cluster: paperId, value: mutant < original ? 1 : 0 })))
}

const papersMin = 5

/**
 * A mean of values in [0, 1]. Items of one paper are alike: from five papers on the interval is by t
 * on cluster-robust variance (CR2), below that Wilson's over the items, conditional on these papers.
 * Where all values are alike a robust interval collapses: then Clopper and Pearson's, with the
 * papers as n.
 */
export function shareOf (observations: readonly Observation[]): Figure {
  const n = observations.length
  const papers = new Set(observations.map(({ cluster }) => cluster)).size
  if (n === 0) return { n, papers, value: null, interval: null, method: 'none' }
  const { mean, seCr2 } = clusteredMean(observations)
  if (papers < papersMin) {
    return { n, papers, value: mean, interval: wilsonInterval({ successes: mean * n, trials: n }), method: 'Wilson over items, conditional on these papers' }
  }
  if (seCr2 === 0) {
    return { n, papers, value: mean, interval: clopperPearsonInterval({ successes: mean * papers, trials: papers }), method: 'Clopper-Pearson, n = papers' }
  }
  const half = tQuantile(0.975, papers - 1) * seCr2
  return { n, papers, value: mean, interval: { low: Math.max(0, mean - half), high: Math.min(1, mean + half) }, method: 't over papers, CR2' }
}

/** A mean difference of scores, in points of the scale. */
export function meanDifference (observations: readonly Observation[]): Figure {
  const n = observations.length
  const papers = new Set(observations.map(({ cluster }) => cluster)).size
  if (n === 0) return { n, papers, value: null, interval: null, method: 'none' }
  const { mean, seCr2, seIndependent } = clusteredMean(observations)
  const few = papers < papersMin
  const [se, df] = few ? [seIndependent, n - 1] : [seCr2, papers - 1]
  // Differences that are all alike tell nothing of how they would vary.
  if (!(se > 0)) return { n, papers, value: mean, interval: null, method: 'no interval: the differences do not vary' }
  const half = tQuantile(0.975, df) * se
  return { n, papers, value: mean, interval: { low: mean - half, high: mean + half }, method: few ? 't over items, conditional on these papers' : 't over papers, CR2' }
}

/**
 * How far scores of one item lie apart when it is asked again.
 *
 * @param repeats  of each item its scores, at least two; others are left out
 * @returns        root of the mean variance within items; null where nothing was asked twice
 */
export function spreadWithin (repeats: ReadonlyArray<readonly number[]>): number | null {
  const several = repeats.filter(scores => scores.length > 1)
  if (several.length === 0) return null
  const variances = several.map(scores => {
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
    return scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1)
  })
  return Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / variances.length)
}
