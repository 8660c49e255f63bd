/** Scores of yes/no and multiple-choice items. */
import type { Score } from '../../../shared/contracts/score.ts'
import { matthews } from '../../../shared/stats/mcc.ts'
import type { ItemValue } from './metrics/interval-of-mean.ts'
import { intervalOfStatistic } from './metrics/interval-of-statistic.ts'
import { boundScores, emptyScore, meanScore, scoreOf } from './score.ts'
import { isCounted, type ScoredChoice } from './scored.ts'

/** Binary items have the choices Yes, No, in this order. */
const yes = 0
const version = 'viva:1'
const headline = 'wrong:unparsable,refused,truncated|excluded:error,skipped'
const signatures = {
  accuracy: `reading:lenient|${headline}|${version}`,
  strict: `reading:strict|${headline}|${version}`,
  gap: `strict minus lenient, paired by item|${headline}|${version}`,
  answered: `reading:lenient|over:answered|${version}`,
  response: `over:all but error,skipped|${version}`,
  format: `reading:strict|over:all but error,skipped|${version}`,
  pair: `reading:lenient|right:both members|${headline}|unit:pair|${version}`,
  bound: `reading:lenient|wrong:unparsable,refused,truncated|error:assumed|excluded:skipped|${version}`
}

type Is = (row: ScoredChoice) => boolean

/**
 * Accuracy first, read leniently, with unparsable, refused and truncated replies wrong; then what
 * lies behind it. Error and skipped are in no score, only in the counts of outcomes.
 */
export function choiceScores (all: readonly ScoredChoice[]): Score[] {
  const rows = all.filter(({ outcome }) => isCounted(outcome))
  const answered = rows.filter(({ outcome }) => outcome === 'answered')
  const nothing = nothingIn(all)
  const noneAnswered = rows.length === 0 ? nothing : 'No reply gave an answer.'
  const share = (metric: string, signature: string, is: Is) =>
    meanScore({ metric, signature, proportion: true }, rows.map(row => observe(row, is(row))), nothing)
  const gap = { metric: 'accuracy.strict-minus-lenient', signature: signatures.gap, range: [-1, 1] as const }
  return [
    share('accuracy', signatures.accuracy, row => row.correct),
    share('accuracy.strict', signatures.strict, row => row.strictCorrect),
    meanScore(gap, rows.map(row => observe(row, Number(row.strictCorrect) - Number(row.correct))), nothing),
    meanScore({ metric: 'accuracy.answered', signature: signatures.answered, proportion: true },
      answered.map(row => observe(row, row.correct)), noneAnswered),
    share('responseRate', signatures.response, row => row.outcome === 'answered'),
    share('formatAdherence', signatures.format, row => row.adheres),
    ...all[0]?.kind === 'binary' ? [pairScore(rows, nothing), ...labelScores(answered, noneAnswered)] : [],
    ...bounds(all),
    ...all[0]?.kind === 'binary' ? pairBounds(all) : []
  ]
}

/** A pair is right when both its members are, and counts once. */
function pairScore (rows: readonly ScoredChoice[], nothing: string): Score {
  const whole = wholePairs(rows)
  return meanScore({ metric: 'pairAccuracy', signature: signatures.pair, proportion: true },
    whole.map(pair => observe(pair[0]!, pair.every(({ correct }) => correct))),
    rows.length === 0 ? nothing : 'No minimal pair has both its members counted here.')
}

/** Pairs that have both members here: one that does not count takes its pair along. */
function wholePairs (rows: readonly ScoredChoice[]): ScoredChoice[][] {
  const pairs = new Map<string, ScoredChoice[]>()
  for (const row of rows) {
    if (row.pairId !== null) pairs.set(row.pairId, [...pairs.get(row.pairId) ?? [], row])
  }
  return [...pairs.values()].filter(pair => pair.length === 2)
}

/** What accuracy hides when a model favours one label. */
function labelScores (answered: readonly ScoredChoice[], nothing: string): Score[] {
  const mcc = { metric: 'mcc', signature: signatures.answered }
  const papers = new Map<string, ScoredChoice[]>()
  for (const row of answered) papers.set(row.cluster, [...papers.get(row.cluster) ?? [], row])
  const estimate = intervalOfStatistic([...papers.values()], { statistic: correlation, range: [-1, 1] })
  return [
    answered.length === 0
      ? emptyScore(mcc, nothing)
      : scoreOf(mcc, estimate.value === null
        ? { ...estimate, reason: 'Undefined: only one label was answered, or only one is ever right.' }
        : estimate),
    meanScore({ metric: 'yesRatio', signature: signatures.answered, proportion: true },
      answered.map(row => observe(row, row.answerIndex === yes)), nothing)
  ]
}

function correlation (rows: readonly ScoredChoice[]): number | null {
  // One pass: it is asked for once a paper left out.
  const counts = { truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 0 }
  for (const { answerIndex, referenceIndex } of rows) {
    const isYes = referenceIndex === yes
    if (answerIndex === yes) counts[isYes ? 'truePositives' : 'falsePositives']++
    else counts[isYes ? 'falseNegatives' : 'trueNegatives']++
  }
  return matthews(counts)
}

/** What accuracy would be if every item that ended in error had been wrong, and had been right. */
function bounds (all: readonly ScoredChoice[]): Score[] {
  const asked = all.filter(({ outcome }) => outcome !== 'skipped')
  return boundScores(asked, [0, 1].map(assumed => ({
    measure: { metric: `accuracy.${ends[assumed]}`, signature: signatures.bound },
    values: asked.map(row => row.outcome === 'error' ? assumed : Number(row.correct))
  })))
}

/** The same for pairs: one with a member in error is right only if the other member is too. */
function pairBounds (all: readonly ScoredChoice[]): Score[] {
  const pairs = wholePairs(all.filter(({ outcome }) => outcome !== 'skipped'))
  const units = pairs.map(pair => ({
    cluster: pair[0]!.cluster, outcome: pair.find(({ outcome }) => outcome === 'error')?.outcome ?? ''
  }))
  return boundScores(units, [0, 1].map(assumed => ({
    measure: { metric: `pairAccuracy.${ends[assumed]}`, signature: `${signatures.bound}|unit:pair` },
    values: pairs.map(pair => Number(pair.every(row => row.outcome === 'error' ? assumed === 1 : row.correct)))
  })))
}

const ends = ['lowest', 'highest']

function observe ({ cluster, pairId }: ScoredChoice, value: number | boolean): ItemValue {
  return { value: Number(value), cluster, ...pairId !== null && { pairId } }
}

/** Why a slice has no scores: how its items ended. */
export function nothingIn (rows: ReadonlyArray<{ outcome: string }>): string {
  const count = (outcome: string) => rows.filter(row => row.outcome === outcome).length
  return `None of ${rows.length} items counts: ${count('skipped')} skipped, ${count('error')} error.`
}
