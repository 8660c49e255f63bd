/** What a rater is shown in reply to a review: a blind one learns no verdict, decision or other's edit. */
import type { HumanReview, HumanReviewAnswer } from '../../../../shared/contracts/human-review.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { itemEtag, stateEtag } from './etags.ts'
import { itemHashOf, versionOf, type HumanState } from './opinions.ts'

export interface Shown { answer: HumanReviewAnswer, etag: string }

export function shownAfter (
  review: HumanReview, { reviewed, state }: { reviewed: ReviewedItem, state: HumanState }
): Shown {
  const { blind, decides } = review.human
  const own = state.opinions.find(opinion => opinion.review.id === review.id)?.edited ?? null
  if (!blind) {
    const answer = { review, reviewed, ...own !== null && { edited: own } }
    return { answer, etag: stateEtag(reviewed) }
  }
  // Who decides sees what stands; anybody else the version that was read.
  const version = decides ? reviewed.item : versionOf(state, review.itemHash) ?? reviewed.item
  const item = withoutProvenance(version)
  const stands = itemHashOf(version) === itemHashOf(state.base.item) ? state.base : reviewed
  const { reviewingId } = reviewed
  const { eligible, failedChecks, revision } = stands
  const hidden = { item, reviewingId, eligible, failedChecks, revision, verdict: null, decision: null }
  const edited = own !== null && { edited: withoutProvenance(own) }
  return { answer: { review, reviewed: hidden, ...edited }, etag: itemEtag(version) }
}

function withoutProvenance ({ provenance: _, ...item }: Item): Omit<Item, 'provenance'> {
  return item
}
