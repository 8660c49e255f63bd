/** The end of a reviewing with a model: whether rewriting has made two items of a paper one. */
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { duplicatesAmong, unitsOf } from '../../../shared/text/duplicates.ts'
import type { ReviewingStore } from '../store.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import type { ReviewingSpec } from './review-paper.ts'

/**
 * Items were compared as they were made; here as they stand. A rewritten one that repeats another
 * goes, whole pairs with it; of two rewritten ones the later by id. Again after a retry: the same.
 */
export async function finishReviewing (
  store: ReviewingStore, { _id: reviewingId, spec }: JobRecord<ReviewingSpec>, signal: AbortSignal
): Promise<void> {
  if (spec.recipe.strategy === 'mechanical') return
  for (const { paperId } of spec.papers) {
    signal.throwIfAborted()
    const entries = await store.allReviewedItems(reviewingId, paperId)
    if (!entries.some(({ revision }) => revision > 0)) continue
    const byId = new Map(entries.map(entry => [entry.item.id, entry]))
    const units = unitsOf(entries.map(({ item }) => item))
      .filter(unit => unit.every(({ id }) => byId.get(id)!.eligible))
    const isRewritten = (unit: (typeof units)[number]) => unit.some(({ id }) => byId.get(id)!.revision > 0)
    const steps = duplicatesAmong([...units.filter(unit => !isRewritten(unit)), ...units.filter(isRewritten)])
    const repeats = await inTurns(steps, signal)
    for (const unit of units) {
      if (!unit.some(({ id }) => repeats.has(id))) continue
      for (const { id } of unit) await store.failReviewedItem(byId.get(id) as ReviewedItem, repeats.has(id) ? 'duplicate' : 'partner')
    }
  }
}
