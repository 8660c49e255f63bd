/** Which of the drafts of one paper become items. */
import type { Item, Rejection } from '../../../shared/contracts/item.ts'
import type { Resolved } from './recipe.ts'

export interface Selecting {
  recipe: Resolved
  /** Items already: they stay. */
  kept: ReadonlySet<string>
}

/** All of them. */
export function selectItems (
  drafts: readonly Item[], _selecting: Selecting
): { items: Item[], rejections: Rejection[] } {
  return { items: [...drafts], rejections: [] }
}
