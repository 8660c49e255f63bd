/** What a model's stated confidence is worth, and whether it abstains where it should. */
import type { Score } from '../../../shared/contracts/score.ts'
import { brierScore, type Forecast } from '../../../shared/stats/brier.ts'
import { riskCoverage } from '../../../shared/stats/risk-coverage.ts'
import { abstentionVersion } from './abstention.ts'
import { nothingIn } from './choice-scores.ts'
import type { ItemValue } from './metrics/interval-of-mean.ts'
import { intervalOfStatistic } from './metrics/interval-of-statistic.ts'
import { emptyScore, meanScore, scoreOf, type Measure } from './score.ts'
import { isCounted, type Scored } from './scored.ts'

const version = 'viva:1'
const over = `over:answered, confidence stated|reading:lenient|excluded:error,skipped|${version}`
const share = [0, 1] as const

/**
 * Scores of a slice in which a confidence was asked for; none where it was not. Brier and risk-coverage
 * are over answers that state one and are right or wrong: descriptive answers are so only where the
 * paper has none. How many state one stands beside them, for leaving it out must not pay.
 */
export function confidenceScores (all: readonly Scored[]): Score[] {
  const rows = all.filter(({ outcome, confidenceAsked }) => isCounted(outcome) && confidenceAsked)
  if (!all.some(({ confidenceAsked }) => confidenceAsked)) return []
  const forecasts = rows.flatMap(row => {
    const { outcome, confidence, cluster, isRight } = row
    if (outcome !== 'answered' || confidence === null || isRight === null) return []
    return [{ probability: confidence / 100, right: isRight, cluster }]
  })
  const nothing = rows.length === 0 ? nothingIn(all) : 'No answer here states a confidence and is right or wrong.'
  const stated = { metric: 'confidence.stated', signature: `in the form asked for|over:all but error,skipped|${version}`, proportion: true }
  const brier = { metric: 'brier', signature: `(stated - right)^2|mean|${over}`, range: share }
  return [
    meanScore(stated, shareOf(rows, ({ confidence }) => confidence !== null), nothingIn(all)),
    meanScore({ metric: 'confidence.mean', signature: over, range: share },
      forecasts.map(({ cluster, probability: value }) => ({ cluster, value })), nothing),
    meanScore(brier, forecasts.map(({ cluster, probability, right }) =>
      ({ cluster, value: (probability - Number(right)) ** 2 })), nothing),
    ofAll({ metric: 'brier.skill', signature: `1 - brier / (share right * share wrong)|${over}` },
      { forecasts, nothing, statistic: some => brierScore(some)?.skill ?? null }),
    ofAll({ metric: 'calibrationError', signature: `bins:10 equal widths|${over}`, range: share },
      { forecasts, nothing, statistic: some => brierScore(some)?.calibrationError ?? null }),
    ofAll({ metric: 'riskCoverage.area', signature: `mean risk over coverages, equals in all orders|lower is better|${over}`, range: share },
      { forecasts, nothing, statistic: some => riskCoverage(some.map(asConfident))?.aurc ?? null }),
    ofAll({ metric: 'riskCoverage.excess', signature: `area less that of a perfect order|lower is better|${over}`, range: share },
      { forecasts, nothing, statistic: some => riskCoverage(some.map(asConfident))?.excess ?? null })
  ]
}

function shareOf (rows: readonly Scored[], is: (row: Scored) => boolean): ItemValue[] {
  return rows.map(row => ({ cluster: row.cluster, value: Number(is(row)) }))
}

interface Stated extends Forecast { cluster: string }
interface OfAll {
  forecasts: readonly Stated[]
  nothing: string
  statistic: (some: readonly Stated[]) => number | null
}

const asConfident = ({ probability, right }: Stated) => ({ confidence: probability, right })

function ofAll (measure: Measure, { forecasts, nothing, statistic }: OfAll): Score {
  if (forecasts.length === 0) return emptyScore(measure, nothing)
  const papers = new Map<string, Stated[]>()
  for (const forecast of forecasts) {
    const own = papers.get(forecast.cluster)
    if (own === undefined) papers.set(forecast.cluster, [forecast])
    else own.push(forecast)
  }
  const kind = { statistic, ...measure.range !== undefined && { range: measure.range } }
  return scoreOf(measure, intervalOfStatistic([...papers.values()], kind))
}

const abstains = `${abstentionVersion}|wrong:unparsable,truncated|excluded:error,skipped|${version}`

/**
 * Scores of a slice with items that the paper does not answer; none without. Refusing is abstaining only
 * where the refusal says that the paper has no answer. Of multiple choice, items count that offer it.
 */
export function abstentionScores (all: readonly Scored[]): Score[] {
  if (!all.some(({ answerability }) => answerability !== 'answerable')) return []
  const rows = all.filter(({ outcome, abstained }) => isCounted(outcome) && abstained !== null)
  const [open, answerable] = [
    rows.filter(row => row.answerability !== 'answerable'), rows.filter(row => row.answerability === 'answerable')
  ]
  const right = {
    metric: 'abstention.right', signature: `unanswerable:says so|false-premise:says so or that the premise is wrong|${abstains}`, proportion: true
  }
  const needless = { metric: 'abstention.needless', signature: `over:answerable|lower is better|${abstains}`, proportion: true }
  return [
    meanScore(right, shareOf(open, ({ isRight }) => isRight === true), nothingIn(all)),
    meanScore(needless, shareOf(answerable, ({ abstained }) => abstained === true),
      'No answerable item here counts that could be abstained from.')
  ]
}
