/** What a check looks at, and what it answers. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'

/** One item in its surroundings: the paper it asks about, and the items that share its pair id. */
export interface Subject {
  item: Item
  document: Document
  /** Other items of the paper with the item's `pairId`, in ascending id. */
  partners: readonly Item[]
}

/** `detail` says what was found in words that a person who never saw the code understands. */
export interface Finding { passed: boolean, detail: string }

/** Null where the check has nothing to say about an item of this kind. */
export type CheckFunction = (subject: Subject) => Finding | null

export function pass (detail: string): Finding {
  return { passed: true, detail }
}

export function fail (detail: string): Finding {
  return { passed: false, detail }
}

/** A text as a detail shows it: quoted, on one line, cut at 80 code points. */
export function shown (text: string): string {
  const points = [...text.replace(/\s/gu, ' ')]
  return points.length <= 80 ? `"${points.join('')}"` : `"${points.slice(0, 79).join('')}…"`
}
