/** Asking the same thing twice counts one fact double and hides how little a paper was asked. */
import type { Item } from '../../../shared/contracts/item.ts'
import { nearDuplicatePrints, printOf, type Print } from '../../../shared/text/similarity.ts'

/** Items that live and die together: the members of a pair, or one item alone. */
export type Unit = readonly Item[]

/**
 * Which items repeat an earlier one of the same paper and kind, polarity minded: to ask for the
 * highest and for the lowest is to ask two questions.
 *
 * @param units  in the order in which items stand; those that failed already are left out
 * @returns      item id → id of the earlier item. A unit with a repeated member is no longer
 *               compared against, so that one fault does not take a third item with it; members of
 *               one unit are never compared with each other. Stops after each unit, so that a caller
 *               with other work may turn to it
 */
export function * duplicatesAmong (units: readonly Unit[]): Generator<void, Map<string, string>> {
  const duplicateOf = new Map<string, string>()
  const kept = new Map<string, Array<{ id: string, print: Print }>>()
  for (const unit of units) {
    yield
    const entries = unit.map(item => (
      { id: item.id, print: printOf(comparedText(item)), group: groupOf(item) }))
    let repeated = false
    for (const { id, print, group } of entries) {
      const earlier = kept.get(group)?.find(other => nearDuplicatePrints(print, other.print))
      if (earlier === undefined) continue
      duplicateOf.set(id, earlier.id)
      repeated = true
    }
    if (repeated) continue
    for (const { id, print, group } of entries) {
      const list = kept.get(group) ?? []
      kept.set(group, list)
      list.push({ id, print })
    }
  }
  return duplicateOf
}

/** A fixed question asked of every section is a new one each time: its answer tells them apart. */
function comparedText (item: Item): string {
  const choices = item.kind === 'choice' ? (item.choices ?? []).map(choice => choice.text) : []
  return [item.question, ...item.answer === undefined ? [] : [item.answer], ...choices].join('\n')
}

function groupOf ({ kind, source }: Item): string {
  return `${kind} ${'paperId' in source ? source.paperId : source.bankId}`
}

/** Pairs together, in the order of their first member; everything else alone. */
export function unitsOf (items: readonly Item[]): Unit[] {
  const units = new Map<string, Item[]>()
  for (const item of items) {
    const key = item.pairId === undefined ? item.id : `pair ${item.pairId}`
    const unit = units.get(key) ?? []
    units.set(key, unit)
    unit.push(item)
  }
  return [...units.values()]
}
