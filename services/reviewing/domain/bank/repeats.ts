/**
 * Items of a bank that ask exactly the same. What is merely alike is for a curation to decide, with a
 * threshold that somebody chose: a bank's own wording may differ in one word on purpose.
 */
import type { Check, Item } from '../../../../shared/contracts/item.ts'
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'

/** All that is compared of an item, a few bytes of it: banks are read in one pass. */
export interface Asking { itemId: string, row: number, asked: string, answered: string }

/** What repetition says of an item; `same` is false where the other is marked with another answer. */
export interface Repeat { itemId: string, otherId: string, same: boolean }

/** The same words, images and choices, in whatever order the choices stand. */
export function askingOf (item: Item): Asking {
  const { id: itemId, source, kind, question, images = [], choices = [] } = item
  const { answer, answerIndex } = item
  const shown = choices.map(({ text, imageId = '' }) => canonicalJson([folded(text), imageId]))
  // Two references of an open question are two ways to say it: only the same words are the same.
  const open = choices.length === 0 ? folded(answer ?? '') : ''
  const shownImages = images.map(({ imageId }) => imageId)
  const asked = [kind, folded(question), shownImages, [...shown].sort(), open]
  const row = 'row' in source ? source.row : 0
  const answered = shown[answerIndex ?? -1] ?? open
  return { itemId, row, asked: sha256(canonicalJson(asked)), answered: sha256(answered) }
}

/**
 * Of those that ask the same with the same answer all but the first, by row; where answers differ, all
 * of them: one is marked wrongly, and nothing tells which.
 */
export function repeatsAmong (askings: readonly Asking[]): Repeat[] {
  const groups = new Map<string, Asking[]>()
  for (const asking of [...askings].sort(byRow)) {
    const own = groups.get(asking.asked)
    if (own === undefined) groups.set(asking.asked, [asking])
    else own.push(asking)
  }
  return [...groups.values()].flatMap(([first, ...others]): Repeat[] => {
    const other = others.find(({ answered }) => answered !== first!.answered)
    if (other === undefined) {
      return others.map(({ itemId }) => ({ itemId, otherId: first!.itemId, same: true }))
    }
    return [first!, ...others].map(({ itemId, answered }) => (
      { itemId, otherId: answered === first!.answered ? other.itemId : first!.itemId, same: false }))
  })
}

/** The check `duplicate`; undefined: nothing else asks the same. */
export function repeatCheck (repeat: Omit<Repeat, 'itemId'> | undefined): Check {
  if (repeat === undefined) return { name: 'duplicate', passed: true, detail: 'No earlier item of the bank asks exactly the same.' }
  return {
    name: 'duplicate',
    passed: false,
    detail: repeat.same
      ? `The item ${repeat.otherId} asks the same.`
      : `The item ${repeat.otherId} asks the same and is marked with another answer: one of them is wrong.`
  }
}

function folded (text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}

/** As the bank has them. */
export function byRow (a: Asking, b: Asking): number {
  return a.row - b.row || (a.itemId < b.itemId ? -1 : 1)
}
