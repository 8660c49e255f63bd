/** Scores of yes/no and multiple-choice items. */
import type { Score } from '../../../shared/contracts/report.ts'
import { mccScore, type YesNo } from './mcc-score.ts'
import { emptyScore, meanScore, plainScore, type Observation } from './score.ts'
import { isCounted, type ScoredChoice } from './scored.ts'

/** Binary items have the choices Yes, No, in this order. */
const yes = 0
const version = 'viva:1'
const headline = 'wrong:unparsable,refused,truncated|excluded:error,skipped'
const signatures = {
  accuracy: `reading:lenient|${headline}|${version}`,
  strict: `reading:strict|${headline}|${version}`,
  answered: `reading:lenient|over:answered|${version}`,
  rate: `over:all but error,skipped|${version}`,
  pair: `reading:lenient|right:both members|${headline}|unit:pair|${version}`,
  bound: `reading:lenient|wrong:unparsable,refused,truncated|error:assumed|excluded:skipped|${version}`
}

/**
 * Accuracy first, read leniently, with unparsable, refused and truncated replies wrong; then what
 * lies behind it. Error and skipped are in no score, only in the counts of outcomes.
 */
export function choiceScores (all: readonly ScoredChoice[]): Score[] {
  const rows = all.filter(({ outcome }) => isCounted(outcome))
  const answered = rows.filter(({ outcome }) => outcome === 'answered')
  const share = (metric: string, signature: string, [from, is]: [readonly ScoredChoice[], (row: ScoredChoice) => boolean]) =>
    meanScore({ metric, signature, proportion: true }, from.map(row => observe(row, is(row) ? 1 : 0)), nothingIn(all))
  return [
    share('accuracy', signatures.accuracy, [rows, row => row.correct]),
    share('accuracy.strict', signatures.strict, [rows, row => row.strictCorrect]),
    meanScore({ metric: 'accuracy.strict-minus-lenient', signature: `paired|${headline}|${version}`, proportion: false },
      rows.map(row => observe(row, Number(row.strictCorrect) - Number(row.correct))), nothingIn(all)),
    share('accuracy.answered', signatures.answered, [answered, row => row.correct]),
    share('responseRate', signatures.rate, [rows, row => row.outcome === 'answered']),
    share('formatAdherence', `reading:strict|${signatures.rate}`, [rows, row => row.adheres]),
    ...all[0]?.kind === 'binary' ? binaryScores(rows, answered, nothingIn(all)) : [],
    ...bounds(all)
  ]
}

function binaryScores (rows: readonly ScoredChoice[], answered: readonly ScoredChoice[], nothing: string): Score[] {
  const pairs = wholePairs(rows)
  const noPairs = rows.length === 0 ? nothing : 'No minimal pair has both its members counted here.'
  const ratio = { metric: 'yesRatio', signature: signatures.answered, proportion: true }
  const noneAnswered = rows.length === 0 ? nothing : 'No reply gave an answer.'
  return [
    meanScore({ metric: 'pairAccuracy', signature: signatures.pair, proportion: true },
      pairs.map(pair => observe(pair[0]!, pair.every(({ correct }) => correct) ? 1 : 0)), noPairs),
    answered.length === 0
      ? emptyScore('mcc', signatures.answered, noneAnswered)
      : mccScore(signatures.answered, answered.map(yesNoOf)),
    meanScore(ratio, answered.map(row => observe(row, row.answerIndex === yes ? 1 : 0)), noneAnswered)
  ]
}

function yesNoOf ({ cluster, pairId, itemId, answerIndex, referenceIndex }: ScoredChoice): YesNo {
  return { cluster, unit: pairId ?? itemId, predicted: answerIndex === yes, actual: referenceIndex === yes }
}

/** Whole pairs in the order of their first members; a member that is not counted takes its pair along. */
function wholePairs (rows: readonly ScoredChoice[]): ScoredChoice[][] {
  const pairs = new Map<string, ScoredChoice[]>()
  for (const row of rows) {
    if (row.pairId !== null) pairs.set(row.pairId, [...pairs.get(row.pairId) ?? [], row])
  }
  return [...pairs.values()].filter(pair => pair.length === 2)
}

/** What accuracy would be if every item that ended in error had been wrong, and had been right. */
function bounds (all: readonly ScoredChoice[]): Score[] {
  const asked = all.filter(({ outcome }) => outcome !== 'skipped')
  if (!asked.some(({ outcome }) => outcome === 'error')) return []
  const bound = (metric: string, assumed: boolean) => {
    const right = asked.filter(row => row.outcome === 'error' ? assumed : row.correct).length
    return plainScore({ metric, signature: signatures.bound }, right / asked.length, {
      observations: asked, reason: 'A partial-identification bound has no interval of its own.'
    })
  }
  return [bound('accuracy.lowest', false), bound('accuracy.highest', true)]
}

function observe ({ cluster, pairId, itemId }: ScoredChoice, value: number): Observation {
  return { value, cluster, unit: pairId ?? itemId }
}

/** Why a slice has no scores: how its items ended. */
export function nothingIn (rows: ReadonlyArray<{ outcome: string }>): string {
  const count = (outcome: string) => rows.filter(row => row.outcome === outcome).length
  return `None of ${rows.length} items counts: ${count('skipped')} skipped, ${count('error')} error.`
}
