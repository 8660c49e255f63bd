/** A judge's mean brought to what people would have given, from the predictions that people labelled. */
import type { CorrectedMean } from '../../../../../shared/contracts/judgement-summary.ts'
import { predictionPowered } from '../../../../../shared/stats/prediction-powered.ts'
import type { ScoreRange } from '../rubric.ts'
import { around, groupedBy } from './numbers.ts'

/** One prediction of a run that the judge has rated. */
export interface Labelled {
  judge: number
  /** Mean of people's totals; null where nobody labelled it. */
  human: number | null
  /** With which it was drawn to be labelled; null where no sample was drawn. */
  probability: number | null
  cluster: string
}

type Result = Omit<CorrectedMean, 'judge'>

/**
 * Prediction-powered where the labels are a random choice of all; where they were drawn with unequal
 * probabilities, the judge's mean less its bias as weighted by their inverses. Intervals are cut at the ends
 * of the scale, as those of every score.
 *
 * @param range  of totals, by the rubric
 */
export function correctedMean (answers: readonly Labelled[], range: ScoreRange): Result {
  const { min, max } = range
  const found = uncutMean(answers)
  const cut = <I extends { low: number | null, high: number | null }>(interval: I): I => ({
    ...interval,
    low: interval.low === null ? null : Math.min(max, Math.max(min, interval.low)),
    high: interval.high === null ? null : Math.max(min, Math.min(max, interval.high))
  })
  return { ...cut(found), humanOnly: found.humanOnly === null ? null : cut(found.humanOnly) }
}

function uncutMean (answers: readonly Labelled[]): Result {
  const labelled = answers.filter(isLabelled)
  const probabilities = labelled.map(({ probability }) => probability)
  const weighted = new Set(probabilities).size > 1
  const counts = { labelled: labelled.length, unlabelled: answers.length - labelled.length }
  if (weighted && probabilities.includes(null)) {
    return { ...none('Some labels have an inclusion probability and others none: they cannot be weighed against each other.'), method: 'inverse-probability', ...counts }
  }
  return weighted ? { ...inverseProbability(answers), ...counts } : { ...powered(answers), ...counts }
}

type Found = Omit<Result, 'labelled' | 'unlabelled'>
type WithLabel = Labelled & { human: number }

function isLabelled (answer: Labelled): answer is WithLabel {
  return answer.human !== null
}

const none = (reason: string): Found => ({
  method: 'prediction-powered', value: null, low: null, high: null, judgeBias: null, humanOnly: null, reason
})

function powered (answers: readonly Labelled[]): Found {
  const found = predictionPowered(answers)
  if ('reason' in found) return none(found.reason)
  const { mean, interval, judgeBias, humanOnly } = found
  return {
    method: 'prediction-powered',
    value: mean,
    ...interval,
    judgeBias,
    humanOnly: { value: humanOnly.mean, ...humanOnly.interval }
  }
}

/**
 * mean of judge over all - Σ w (judge - human) / Σ w, w the inverse of the inclusion probability (Hájek).
 * The error is the delete-one-paper jackknife of all of it, t with one degree of freedom fewer than there
 * are papers with labels.
 *
 * @see Särndal, Swensson & Wretman 1992, chapter 6 (difference estimator)
 */
function inverseProbability (answers: readonly Labelled[]): Found {
  const papers = [...groupedBy(answers, ({ cluster }) => cluster).values()].map(sumsOf)
  const all = papers.reduce(plus)
  const value = estimateOf(all)
  const left = papers.map(own => estimateOf(minus(all, own)))
  const squares = left.reduce((sum, each) => sum + (each - value) ** 2, 0)
  const withLabels = papers.filter(({ weight }) => weight > 0).length
  const error = Math.sqrt((papers.length - 1) / papers.length * squares)
  return {
    method: 'inverse-probability',
    value,
    ...around(value, error, withLabels - 1),
    judgeBias: all.bias / all.weight,
    humanOnly: { value: all.human / all.weight, low: null, high: null },
    ...!(withLabels > 1 && error > 1e-12) && { reason: 'An interval needs labels of two papers that differ.' }
  }
}

/** Of all: number, and what the judge gave. Of the labelled, weighted: what people gave, the judge's bias. */
interface Sums { n: number, judge: number, weight: number, human: number, bias: number }

function sumsOf (answers: readonly Labelled[]): Sums {
  const sums = { n: 0, judge: 0, weight: 0, human: 0, bias: 0 }
  for (const { judge, human, probability } of answers) {
    sums.n++
    sums.judge += judge
    if (human === null) continue
    const weight = 1 / probability!
    sums.weight += weight
    sums.human += weight * human
    sums.bias += weight * (judge - human)
  }
  return sums
}

/** NaN where no label is left. */
function estimateOf ({ n, judge, weight, bias }: Sums): number {
  return judge / n - bias / weight
}

function plus (a: Sums, b: Sums): Sums {
  return {
    n: a.n + b.n,
    judge: a.judge + b.judge,
    weight: a.weight + b.weight,
    human: a.human + b.human,
    bias: a.bias + b.bias
  }
}

function minus (a: Sums, b: Sums): Sums {
  return plus(a, { n: -b.n, judge: -b.judge, weight: -b.weight, human: -b.human, bias: -b.bias })
}
