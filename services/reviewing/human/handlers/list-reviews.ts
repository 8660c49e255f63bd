/** All that was thought of an item, in the order in which it was. */
import type { HumanReview } from '../../../../shared/contracts/human-review.ts'
import type { Page, PageRequest } from '../../../../shared/contracts/page.ts'
import type { Review } from '../../../../shared/contracts/review.ts'
import type { HumanParts } from './parts.ts'

/**
 * Reviews of checks, of models and of people, with what has become of theirs.
 *
 * @throws Problem item-not-found for an item that no reviewing has seen
 */
export async function listItemReviews (
  { human, store }: Pick<HumanParts, 'human' | 'store'>, itemId: string, page: PageRequest
): Promise<Page<HumanReview | Review>> {
  const settled = await human.settleReviews(itemId)
  const { items, nextCursor } = await store.listReviews(itemId, page, [...settled.keys()])
  return { items: items.map(review => settled.get(review.id) ?? review), nextCursor }
}
