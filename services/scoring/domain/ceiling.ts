/**
 * The ceiling of a descriptive score: what a second reference would get as a reply. Items have one reference
 * each; a second one is there where two items ask the same of the same place, as those of two generations or
 * two authors do. An answer before it was shortened is none: it is the same one, longer.
 */
import type { Item } from '../../../shared/contracts/item.ts'
import { normalised } from '../../../shared/text/normalise.ts'
import { scoreRouge } from './text-metrics.ts'

/** The mean over so many others at most. */
const othersMax = 4

/**
 * @returns by item, other answers to the same question about the same place, at most four, by the ids of
 *          their items; nothing for an item without. The same words again are no second answer.
 */
export function secondReferences (items: readonly Item[]): Map<string, string[]> {
  const alike = new Map<string, Item[]>()
  for (const item of items) {
    if (item.answer === undefined || item.answerability !== undefined) continue
    const { source, kind, place, figureIds, images = [], question } = item
    const of = 'paperId' in source ? source.paperId : source.bankId
    const shown = [...figureIds, ...images.map(({ imageId }) => imageId)]
    const key = JSON.stringify([of, kind, place, shown, normalised(question).toLowerCase()])
    alike.set(key, [...alike.get(key) ?? [], item])
  }
  const found = new Map<string, string[]>()
  for (const group of alike.values()) {
    if (group.length < 2) continue
    const inOrder = group.toSorted((a, b) => a.id < b.id ? -1 : 1)
    for (const { id, answer } of inOrder) {
      const others = new Set(inOrder.map(other => other.answer!))
      const own = normalised(answer!)
      const second = [...others].filter(other => normalised(other) !== own).slice(0, othersMax)
      if (second.length > 0) found.set(id, second)
    }
  }
  return found
}

/** ROUGE-L F of second references as replies, their mean. @param others  at least one */
export function ceilingOf (reference: string, others: readonly string[]): number {
  const sum = others.reduce((all, other) => all + scoreRouge(other, [reference]).rougeL!.fmeasure, 0)
  return sum / others.length
}
