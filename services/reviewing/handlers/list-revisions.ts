/** The versions of an item: those of the loop, then what people made of them. */
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { Revision } from '../../../shared/contracts/review.ts'
import { editsOf, itemHashOf, type HumanState } from '../human/domain/opinions.ts'
import type { ReviewingStore } from '../store.ts'

export interface RevisionParts {
  store: Pick<ReviewingStore, 'listRevisions'>
  statesOf: (itemId: string) => Promise<HumanState[]>
}

/**
 * Edits come with the last page, also those taken back. The item as made stands first
 * also where no model rewrote it.
 *
 * @throws Problem item-not-found for an item that no reviewing has seen
 */
export async function listRevisions (
  { store, statesOf }: RevisionParts, itemId: string, page: PageRequest
): Promise<Page<Revision>> {
  const { items, nextCursor } = await store.listRevisions(itemId, page)
  if (nextCursor !== null) return { items, nextCursor }
  const edited = (await statesOf(itemId)).filter(state => editsOf(state).length > 0)
  const made = edited.filter(({ base }) => base.lastRevision === undefined).map(asMade)
  return { items: [...items, ...made, ...edited.flatMap(editsOf)], nextCursor }
}

function asMade ({ base: { item, reviewingId } }: HumanState): Revision {
  const { model, strategy } = item.provenance
  return {
    itemId: item.id,
    reviewingId,
    revision: 0,
    author: { type: 'generation', name: model ?? strategy },
    round: null,
    itemHash: itemHashOf(item),
    item
  }
}
