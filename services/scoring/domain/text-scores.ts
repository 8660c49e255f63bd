/** Scores of open questions: overlap with the reference, and the length that overlap depends on. */
import type { Score } from '../../../shared/contracts/score.ts'
import { addBleuCounts, bleuOf, type BleuCounts } from './metrics/bleu.ts'
import type { ItemValue } from './metrics/interval-of-mean.ts'
import { intervalOfStatistic } from './metrics/interval-of-statistic.ts'
import { nothingIn } from './choice-scores.ts'
import { boundScores, emptyScore, meanScore, scoreOf, type BoundedScore, type Measure } from './score.ts'
import { floorMetrics, floorSignature, type FloorMetric } from './floor.ts'
import { numberRecallSignature, termRecallSignature } from './recall.ts'
import { isCounted, type ScoredText } from './scored.ts'
import { corpusOptions, corpusSignature, rougeSignatureReported, rougeTypesReported, sentenceSignature } from './text-metrics.ts'

const headline = 'zero:unparsable,refused,truncated|excluded:error,skipped|viva:1'
const answeredOnly = 'over:answered|viva:1'
const fraction = [0, 1] as const
const hundred = [0, 100] as const

type ValueOf = (row: ScoredText) => number | null

/**
 * ROUGE F and BLEU of all replies, those that are no answer as 0; then over answers only, the share
 * of items answered, and the length ratio; then what these numbers stand between and leave out:
 * number and term recall, the floor, and the ceiling.
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
    }, row => row.lengthRatio),
    ...contextScores(rows, nothing),
    ...bounds(all)
  ]
}

const secondReference = 'Each item here has one reference; a ceiling needs a second one, of another item that asks the same of the same place.'

function contextScores (rows: readonly ScoredText[], nothing: string): Score[] {
  const recall = (metric: 'numberRecall' | 'termRecall', signature: string, without: string) =>
    meanScore({ metric, signature: `${signature}|mean|${headline}`, range: fraction },
      observe(rows, row => row[metric]), rows.length === 0 ? nothing : without)
  const floor = (metric: FloorMetric) => meanScore(
    { metric: `${metric}.floor`, signature: `${signatureOf[metric]}|${floorSignature}|over:the same items|viva:1`, range: metric === 'bleu.sentence' ? hundred : fraction },
    observe(rows, row => row.floor?.[metric] ?? null),
    rows.length === 0 ? nothing : 'No paper here has a reference about another place that could stand in.')
  return [
    recall('numberRecall', numberRecallSignature, 'No reference here has a number.'),
    recall('termRecall', termRecallSignature, 'No reference here has a term.'),
    ...floorMetrics.map(floor),
    meanScore({ metric: 'rougeL.fmeasure.ceiling', signature: `${rougeSignatureReported}|reply:a second reference|viva:1`, range: fraction },
      observe(rows, row => row.ceiling), rows.length === 0 ? nothing : secondReference)
  ]
}

const signatureOf: Record<FloorMetric, string> = {
  'rouge1.fmeasure': rougeSignatureReported,
  'rouge2.fmeasure': rougeSignatureReported,
  'rougeL.fmeasure': rougeSignatureReported,
  'bleu.sentence': sentenceSignature,
  numberRecall: numberRecallSignature,
  termRecall: termRecallSignature
}

/** What ROUGE-L would be if every reply that ended in error had scored 0, and had scored 1. */
function bounds (all: readonly ScoredText[]): Score[] {
  const asked = all.filter(({ outcome }) => outcome !== 'skipped')
  const bound = (end: string, assumed: number): BoundedScore => ({
    measure: { metric: `rougeL.fmeasure.${end}`, signature: `${rougeSignatureReported}|zero:unparsable,refused,truncated|error:assumed ${assumed}|excluded:skipped|viva:1` },
    values: asked.map(row => row.outcome === 'error' ? assumed : row.rouge?.rougeL?.fmeasure ?? 0)
  })
  return boundScores(asked, [bound('lowest', 0), bound('highest', 1)])
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
