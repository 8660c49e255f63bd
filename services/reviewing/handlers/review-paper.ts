/** Reviews the items that one generation made of one paper: the task of a reviewing. */
import { setImmediate } from 'node:timers/promises'
import type { ReviewRecipe } from '../../../shared/contracts/generation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { reviewItems } from '../domain/review-items.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingStore } from '../store.ts'
import { getDocument, type PaperVersion } from './get-document.ts'

/** What describes a reviewing; everything its plan needs, so that planning asks nobody. */
export interface ReviewingSpec {
  source: { generationId: string }
  recipe: ReviewRecipe
  papers: PaperVersion[]
  /** Of the whole generation when the reviewing was opened. */
  itemCount: number
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
  const items = await itemsOf(peers, generationId, paper.paperId)
  if (items.length === 0) return
  const document = await getDocument(peers, paper)
  const steps = reviewItems({ reviewingId, document, items })
  for (;;) {
    signal.throwIfAborted()
    const step = steps.next()
    if (step.done === true) return await store.saveReviewed(step.value)
    // Whole papers take long enough to be felt by others in this process.
    await setImmediate()
  }
}

async function itemsOf (peers: Peers, generationId: string, paperId: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page = await peers.generation.listItems(
      { generationId, paperId, limit: 200, ...cursor !== null && { cursor } })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}
