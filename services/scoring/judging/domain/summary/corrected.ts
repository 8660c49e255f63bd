/** A judge's mean brought to what people would have given, from the predictions that people labelled. */
import type { CorrectedMean } from '../../../../../shared/contracts/judgement-summary.ts'
import { predictionPowered } from '../../../../../shared/stats/prediction-powered.ts'
import { meanOf } from './judged.ts'
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
 * probabilities, the judge's mean less its bias as weighted by their inverses.
 */
export function correctedMean (answers: readonly Labelled[]): Result {
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
  const papers = [...groupedBy(answers, ({ cluster }) => cluster).values()]
  const value = differenceEstimate(answers)
  const withLabels = papers.filter(own => own.some(isLabelled)).length
  const left = papers.map(own => differenceEstimate(answers.filter(answer => !own.includes(answer))))
  const squares = left.reduce<number>((sum, each) => sum + ((each ?? NaN) - value!) ** 2, 0)
  const error = withLabels < 2 ? NaN : Math.sqrt((papers.length - 1) / papers.length * squares)
  const labelled = answers.filter(isLabelled)
  const human = weightedMean(labelled.map(each => ({ value: each.human, weight: 1 / each.probability! })))
  return {
    method: 'inverse-probability',
    value,
    ...around(value!, error, withLabels - 1),
    judgeBias: biasOf(labelled),
    humanOnly: { value: human, low: null, high: null },
    ...!(error > 1e-12) && { reason: 'An interval needs labels of two papers that remain when one is left out.' }
  }
}

function differenceEstimate (answers: readonly Labelled[]): number | null {
  const labelled = answers.filter(isLabelled)
  if (labelled.length === 0) return null
  return meanOf(answers.map(({ judge }) => judge)) - biasOf(labelled)
}

function biasOf (labelled: readonly WithLabel[]): number {
  return weightedMean(labelled.map(({ judge, human, probability }) => (
    { value: judge - human, weight: 1 / probability! })))
}

export function weightedMean (values: ReadonlyArray<{ value: number, weight: number }>): number {
  const weights = values.reduce((sum, { weight }) => sum + weight, 0)
  return values.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights
}
