/** Scores of open questions: overlap with the reference, and the length that overlap depends on. */
import type { Score } from '../../../shared/contracts/report.ts'
import { addBleuCounts, bleuOf, type BleuCounts } from './metrics/bleu.ts'
import type { ItemValue } from './metrics/interval-of-mean.ts'
import { intervalOfStatistic } from './metrics/interval-of-statistic.ts'
import { nothingIn } from './choice-scores.ts'
import { emptyScore, meanScore, scoreOf, type Measure } from './score.ts'
import {
  corpusOptions, corpusSignature, isCounted, rougeSignatureReported, rougeTypesReported,
  sentenceSignature, type ScoredText
} from './scored.ts'

const headline = 'zero:unparsable,refused,truncated|excluded:error,skipped|viva:1'
const answeredOnly = 'over:answered|viva:1'
const fraction = [0, 1] as const
const hundred = [0, 100] as const

type ValueOf = (row: ScoredText) => number | null

/**
 * ROUGE F and BLEU of all replies, those that are no answer as 0; then over answers only, the share
 * of items answered, and the length ratio.
 */
export function textScores (all: readonly ScoredText[]): Score[] {
  const rows = all.filter(({ outcome }) => isCounted(outcome))
  const answered = rows.filter(({ outcome }) => outcome === 'answered')
  const nothing = nothingIn(all)
  const noneAnswered = rows.length === 0 ? nothing : 'No reply gave an answer.'
  const overAll = (measure: Measure, valueOf: ValueOf) => meanScore(measure, observe(rows, valueOf), nothing)
  const overAnswered = (measure: Measure, valueOf: ValueOf) =>
    meanScore(measure, observe(answered, valueOf), noneAnswered)
  const rouge = (type: (typeof rougeTypesReported)[number], end: string, rest: string): Measure =>
    ({ metric: `${type}.fmeasure${end}`, signature: `${rougeSignatureReported}|${rest}`, range: fraction })
  return [
    ...rougeTypesReported.map(type =>
      overAll(rouge(type, '', headline), row => row.rouge?.[type]?.fmeasure ?? null)),
    overAll({ metric: 'bleu.sentence', signature: `${sentenceSignature}|mean|${headline}`, range: hundred },
      row => row.sentenceBleu),
    corpusScore(rows, nothing),
    ...rougeTypesReported.map(type =>
      overAnswered(rouge(type, '.answered', answeredOnly), row => row.rouge?.[type]?.fmeasure ?? null)),
    overAll({ metric: 'responseRate', signature: 'over:all but error,skipped|viva:1', proportion: true },
      row => row.outcome === 'answered' ? 1 : 0),
    overAnswered({
      metric: 'lengthRatio', signature: `tokens of reply / tokens of reference|tok:13a|mean|${answeredOnly}`, range: [0, Infinity]
    }, row => row.lengthRatio)
  ]
}

function observe (rows: readonly ScoredText[], valueOf: ValueOf): ItemValue[] {
  return rows.flatMap(row => {
    const value = valueOf(row)
    return value === null ? [] : [{ value, cluster: row.cluster }]
  })
}

/** One score of all replies together, which is not the mean of the sentences' scores. */
function corpusScore (rows: readonly ScoredText[], nothing: string): Score {
  const measure = { metric: 'bleu.corpus', signature: `${corpusSignature}|${headline}` }
  if (rows.length === 0) return emptyScore(measure, nothing)
  const papers = new Map<string, BleuCounts[]>()
  for (const { cluster, bleu } of rows) {
    if (bleu !== null) papers.set(cluster, [...papers.get(cluster) ?? [], bleu])
  }
  return scoreOf(measure, intervalOfStatistic([...papers.values()], {
    statistic: counts => bleuOf(addBleuCounts(counts), corpusOptions).score, range: hundred
  }))
}
