/** Asking the same thing twice counts one fact double and hides how little a paper was asked. */
import type { Item } from '../contracts/item.ts'
import { inOneGo } from './in-one-go.ts'
import { askingOf, sameAsking, type Asking } from './paraphrase.ts'
import { nearDuplicatePrints, printOf, type Print } from './similarity.ts'

/** Items that live and die together: the members of a pair, or one item alone. */
export type Unit = readonly Item[]

interface Words { text: string, print: Print, asking: Asking }
interface Entry { item: Item, group: string, question: Words, answer: Words }

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
  const kept = new Map<string, Entry[]>()
  for (const unit of units) {
    yield
    const entries = unit.map(entryOf)
    let repeated = false
    for (const entry of entries) {
      const earlier = kept.get(entry.group)?.find(other => repeats(entry, other))
      if (earlier === undefined) continue
      duplicateOf.set(entry.item.id, earlier.item.id)
      repeated = true
    }
    if (repeated) continue
    for (const entry of entries) {
      const list = kept.get(entry.group) ?? []
      kept.set(entry.group, list)
      list.push(entry)
    }
  }
  return duplicateOf
}

/** For callers without other work. */
export function allDuplicatesAmong (units: readonly Unit[]): Map<string, string> {
  return inOneGo(duplicatesAmong(units))
}

function entryOf (item: Item): Entry {
  return { item, group: groupOf(item), question: wordsOf(item.question), answer: wordsOf(answerOf(item)) }
}

function wordsOf (text: string): Words {
  return { text, print: printOf(text), asking: askingOf(text) }
}

/**
 * The same question with the same answer, in nearly the same or in other words. A fixed question asked of
 * every section is a new one each time: its answer tells them apart.
 */
function repeats (one: Entry, other: Entry): boolean {
  return one.question.asking.claims === other.question.asking.claims &&
    alike(one.question, other.question) && alike(one.answer, other.answer) &&
    (sameFigures(one.item, other.item) || shareEvidence(one.item, other.item))
}

function alike (one: Words, other: Words): boolean {
  return one.text === other.text || nearDuplicatePrints(one.print, other.print) ||
    sameAsking(one.asking, other.asking)
}

/** "How does the curve go on?" is another question of each figure, unless the same words answer it. */
function sameFigures ({ figureIds: a }: Item, { figureIds: b }: Item): boolean {
  return a.length === 0 || b.length === 0 || a.some(id => b.includes(id))
}

function shareEvidence ({ evidence: a }: Item, { evidence: b }: Item): boolean {
  return a.some(one => b.some(other => {
    const sameText = one.target.type === other.target.type && one.target.id === other.target.id
    return sameText && one.charStart < other.charEnd && other.charStart < one.charEnd
  }))
}

/** What answers it; of a question without an answer, that it has none. */
function answerOf ({ answer, choices, answerIndex, answerability }: Item): string {
  return answer ?? choices?.[answerIndex ?? -1]?.text ?? answerability ?? ''
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
