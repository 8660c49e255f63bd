/** Items shown in full, because a score alone convinces nobody. */
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Example } from '../../../../shared/contracts/report.ts'
import type { Prediction } from '../../../../shared/contracts/run.ts'
import { placeName } from '../messages.ts'
import { bankTitle, referenceText } from './bank-place.ts'
import { isCounted, type Scored } from '../scored.ts'

const kindsShown = ['binary', 'choice', 'vqa', 'qa'] as const
const perKindMax = 4
const replyCharsMax = 1000

/** What one run's reply to an item is worth, 0 to 1; null when it does not count. */
export function worthOf (row: Scored): number | null {
  if (!isCounted(row.outcome)) return null
  return 'correct' in row ? Number(row.correct) : row.rouge?.rougeL?.fmeasure ?? null
}

/**
 * At most four items of each kind: those first on which the runs disagree most, in the benchmark's
 * order among equals; a question that many papers are asked is shown once before it is repeated.
 * They are worth reading, and not typical: the report says so.
 *
 * @param worths  for each run, the worth of its reply by item id
 */
export function chooseExamples (
  items: readonly BenchmarkItem[], worths: ReadonlyArray<ReadonlyMap<string, number | null>>
): BenchmarkItem[] {
  const spread = new Map(items.map(({ id }) => {
    const values = worths.map(worth => worth.get(id) ?? null).filter(value => value !== null)
    return [id, values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)]
  }))
  return kindsShown.flatMap(kind => {
    const ofKind = items.filter(item => item.kind === kind)
      .sort((a, b) => spread.get(b.id)! - spread.get(a.id)!)
    const firsts = new Set([...new Map(ofKind.toReversed().map(item => [item.question, item])).values()])
    return [...ofKind.filter(item => firsts.has(item)), ...ofKind.filter(item => !firsts.has(item))]
      .slice(0, perKindMax)
  })
}

interface Shown {
  benchmark: Benchmark
  document: Document | null
  replies: ReadonlyArray<{ model: string, prediction: Prediction }>
}

export function exampleOf (item: BenchmarkItem, { benchmark, document, replies }: Shown): Example {
  const paperId = 'paperId' in item.source ? item.source.paperId : null
  const figures = document?.figures.filter(({ id }) => item.figureIds.includes(id)) ?? []
  return {
    itemId: item.id,
    kind: item.kind,
    paperId,
    paperTitle: benchmark.papers.find(paper => paper.paperId === paperId)?.title ?? '',
    place: paperId === null ? bankTitle(item, benchmark) : placeName(item.place, document),
    question: item.question,
    reference: referenceText(item),
    verdict: item.verdict,
    evidence: item.evidence.map(({ quote }) => quote),
    figures: [
      ...figures.flatMap(({ imageId, label, caption }) =>
        imageId === null ? [] : [{ imageId, label, caption }]),
      ...(item.images ?? []).map(({ imageId, time, caption = '' }, at) => (
        { imageId, label: [`Image ${at + 1}`, time].filter(Boolean).join(', '), caption }))
    ],
    replies: replies.map(({ model, prediction }) => replyOf(model, prediction, item))
  }
}

function replyOf (model: string, prediction: Prediction, item: BenchmarkItem): Example['replies'][number] {
  const { runId, outcome, reply, lenient, detail } = prediction
  const characters = Array.from(reply ?? '')
  const cut = characters.length > replyCharsMax
  const judged = item.choices !== undefined && isCounted(outcome)
  return {
    model,
    runId,
    outcome,
    reply: cut ? characters.slice(0, replyCharsMax).join('') : reply,
    cut,
    read: lenient?.label ?? null,
    correct: judged ? outcome === 'answered' && lenient?.index === item.answerIndex : null,
    detail
  }
}
