/** Scores of open questions: overlap with the reference, and the length that overlap depends on. */
import type { Score } from '../../../shared/contracts/report.ts'
import { addBleuCounts, bleuOf, type BleuCounts } from './metrics/bleu.ts'
import { emptyScore, meanScore, plainScore, type Observation } from './score.ts'
import { nothingIn } from './choice-scores.ts'
import { corpusOptions, corpusSignature, isCounted, rougeSignatureReported, rougeTypesReported, sentenceSignature, type ScoredText } from './scored.ts'

const headline = 'zero:unparsable,refused,truncated|excluded:error,skipped|viva:1'
const answeredOnly = 'over:answered|viva:1'

/**
 * ROUGE F and BLEU of all replies, those that are no answer as 0; then over answers only, the share
 * of items answered, and the length ratio.
 */
export function textScores (all: readonly ScoredText[]): Score[] {
  const rows = all.filter(({ outcome }) => isCounted(outcome))
  const answered = rows.filter(({ outcome }) => outcome === 'answered')
  const nothing = nothingIn(all)
  const noneAnswered = rows.length === 0 ? nothing : 'No reply gave an answer.'
  const mean = (metric: string, signature: string, [from, valueOf]: Values) =>
    meanScore({ metric, signature, proportion: false }, observe(from, valueOf), from === answered ? noneAnswered : nothing)
  return [
    ...rougeTypesReported.map(type => mean(`${type}.fmeasure`, `${rougeSignatureReported}|${headline}`,
      [rows, row => row.rouge?.[type]?.fmeasure ?? null])),
    mean('bleu.sentence', `${sentenceSignature}|mean|${headline}`, [rows, row => row.sentenceBleu]),
    corpusScore(rows, nothing),
    ...rougeTypesReported.map(type => mean(`${type}.fmeasure.answered`, `${rougeSignatureReported}|${answeredOnly}`,
      [answered, row => row.rouge?.[type]?.fmeasure ?? null])),
    meanScore({ metric: 'responseRate', signature: 'over:all but error,skipped|viva:1', proportion: true },
      observe(rows, row => row.outcome === 'answered' ? 1 : 0), nothing),
    mean('lengthRatio', `tokens of reply / tokens of reference|tok:13a|mean|${answeredOnly}`,
      [answered, row => row.lengthRatio])
  ]
}

type Values = [readonly ScoredText[], (row: ScoredText) => number | null]

function observe (rows: readonly ScoredText[], valueOf: (row: ScoredText) => number | null): Observation[] {
  return rows.flatMap(row => {
    const value = valueOf(row)
    return value === null ? [] : [{ value, cluster: row.cluster, unit: row.itemId }]
  })
}

/** One score of all replies together, which is not the mean of the sentences' scores. */
function corpusScore (rows: readonly ScoredText[], nothing: string): Score {
  const signature = `${corpusSignature}|${headline}`
  const counts = rows.map(({ bleu }) => bleu).filter((bleu): bleu is BleuCounts => bleu !== null)
  if (counts.length === 0) return emptyScore('bleu.corpus', signature, nothing)
  return plainScore({ metric: 'bleu.corpus', signature }, bleuOf(addBleuCounts(counts), corpusOptions).score, {
    observations: rows, reason: 'Corpus BLEU is no mean over items; no interval is given.'
  })
}
