/**
 * The floor of a descriptive score: what the reference answer of another part of the same paper
 * would get. Papers repeat their words everywhere, so that no ROUGE of a real answer is near 0.
 */
import type { Item } from '../../../shared/contracts/item.ts'
import { bleuCounts, bleuOf } from './metrics/bleu.ts'
import { numberRecall, saidInReference, termRecall } from './recall.ts'
import { rougeTypesReported, scoreRouge, sentenceOptions } from './text-metrics.ts'

/** Each part of the paper is compared with so many others; the mean of them is the item's floor. */
export const othersMax = 4
export const floorSignature = `reply:reference of another place of the paper|mean of ${othersMax} at most`

export const floorMetrics = [
  ...rougeTypesReported.map(type => `${type}.fmeasure` as const), 'bleu.sentence', 'numberRecall', 'termRecall'
] as const
export type FloorMetric = (typeof floorMetrics)[number]

/** Null where the reference has nothing to find, no number for example. */
export type Floor = Record<FloorMetric, number | null>

/**
 * For each descriptive item of a paper: the reference answers that stand in for a reply, at most
 * four. Those of the next items in the order of ids, which are hashes, so that the choice depends
 * on nothing else; of items about the same place none.
 *
 * @returns nothing for an item without another
 */
export function otherReferences (items: readonly Item[]): Map<string, string[]> {
  const papers = new Map<string, Item[]>()
  for (const item of items) {
    if (item.answer === undefined || !('paperId' in item.source)) continue
    const { paperId } = item.source
    const own = papers.get(paperId)
    if (own === undefined) papers.set(paperId, [item])
    else own.push(item)
  }
  const found = new Map<string, string[]>()
  for (const own of papers.values()) {
    const inOrder = own.toSorted((a, b) => a.id < b.id ? -1 : 1)
    for (const [at, { id, place }] of inOrder.entries()) {
      const others: string[] = []
      for (let step = 1; step < inOrder.length && others.length < othersMax; step++) {
        const other = inOrder[(at + step) % inOrder.length]!
        if (other.place !== place) others.push(other.answer!)
      }
      if (others.length > 0) found.set(id, others)
    }
  }
  return found
}

/** @param others  at least one; their mean is taken metric by metric */
export function floorOf (reference: string, others: readonly string[]): Floor {
  const said = saidInReference(reference)
  const scores = others.map(other => {
    const rouge = scoreRouge(other, [reference])
    const reply = saidInReference(other)
    return {
      'rouge1.fmeasure': rouge.rouge1!.fmeasure,
      'rouge2.fmeasure': rouge.rouge2!.fmeasure,
      'rougeL.fmeasure': rouge.rougeL!.fmeasure,
      'bleu.sentence': bleuOf(bleuCounts({ prediction: other, references: [reference] }), sentenceOptions).score,
      numberRecall: numberRecall(said, reply),
      termRecall: termRecall(said, reply)
    }
  })
  const means = floorMetrics.map(metric => [metric, meanOf(scores.map(score => score[metric]))])
  return Object.fromEntries(means) as Floor
}

/** What is null is so for every other answer alike: it depends on the reference alone. */
function meanOf (values: ReadonlyArray<number | null>): number | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}
