/** Reviews the items of one paper by checks alone: the task of a reviewing with the strategy mechanical. */
import type { ReviewingSource } from '../../../shared/contracts/review.ts'
import type { ResolvedReview } from '../../../shared/contracts/review-recipe.ts'
import { reviewItems } from '../domain/review-items.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingStore } from '../store.ts'
import { getDocumentToCheck, type PaperVersion } from './get-document.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { listItems } from './list-items.ts'

/** What describes a reviewing. */
export interface ReviewingSpec {
  source: ReviewingSource
  recipe: ResolvedReview
  /** None where the items are of an item bank. */
  papers: PaperVersion[]
  /** Of the whole source when the reviewing was opened. */
  itemCount: number
  /** Of the strategy model, in ascending name. */
  prompts?: Array<{ name: string, hash: string }>
}

export interface ReviewPaperRequest {
  reviewingId: string
  generationId: string
  paper: PaperVersion
  signal: AbortSignal
}

/** Twice is once: reviews have content ids and are never overwritten. */
export async function reviewPaper (
  { peers, store }: { peers: Peers, store: ReviewingStore }, request: ReviewPaperRequest
): Promise<void> {
  const { reviewingId, generationId, paper, signal } = request
  const items = await listItems(peers, { generationId, paperId: paper.paperId })
  if (items.length === 0) return
  const document = await getDocumentToCheck(peers, paper)
  await store.saveReviewed(await inTurns(reviewItems({ reviewingId, document, items }), signal))
}
