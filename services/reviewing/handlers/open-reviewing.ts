/**
 * Opens the reviewing of a finished generation, import or curation, by request or because a generation
 * finished.
 */
import type { Generation, ReviewRecipe } from '../../../shared/contracts/generation.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import type { BankSource, ReviewingSource } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Jobs } from '../../../shared/tasks/tasks.ts'
import type { Peers } from '../peers.ts'
import { resolveReviewRecipe, type ResolvedReview } from '../../../shared/contracts/review-recipe.ts'
import { countFinished, isBankSource } from './bank-items.ts'
import type { PaperVersion } from './get-document.ts'
import { visionOf } from './plan-reviewing.ts'
import { promptHashes } from './prompt-hashes.ts'
import type { ReviewingSpec } from './review-paper.ts'
import type { Prompts } from './unit-parts.ts'

export interface OpenParts { peers: Peers, jobs: Jobs<ReviewingSpec>, prompts: Prompts }
export interface Asked { source: ReviewingSource, recipe: ReviewRecipe }
export interface Opened { id: string, created: boolean }

/**
 * The id names source, recipe and number of items: neither a generation nor an import ever changes an
 * item, but one that is retried has more of them, and those want a reviewing too.
 *
 * @throws Problem not-finished while the source is at work; model-not-found; invalid-request for a bank
 *   and the strategy model
 */
export async function openReviewing (parts: OpenParts, { source, ...asked }: Asked): Promise<Opened> {
  const recipe = resolveReviewRecipe(asked.recipe)
  if (isBankSource(source)) return await openForBank(parts, source, recipe)
  if (recipe.strategy === 'model') await visionOf(parts.peers, recipe)
  return await openFor(parts, await finishedGeneration(parts.peers, source.generationId), recipe)
}

async function openForBank (
  { peers, jobs }: OpenParts, source: BankSource, recipe: ResolvedReview
): Promise<Opened> {
  mustNeedNoPaper(recipe)
  const itemCount = await countFinished(peers, source)
  const id = idOf('reviewing', { source, recipe, itemCount })
  const { created } = await jobs.open(id, { source, recipe, papers: [], itemCount })
  return { id, created }
}

/** @throws Problem invalid-request for the strategy model: each of its six criteria is read off the paper */
export function mustNeedNoPaper ({ strategy }: ResolvedReview): void {
  if (strategy === 'mechanical') return
  throw new Problem('invalid-request', 'The strategy model holds items against their paper (evidence, relevance, completeness), and items of an item bank have none. Ask for the strategy mechanical; people review the items at /review, and a curation changes them by models.', {
    errors: [{ pointer: '/body/recipe/strategy', detail: 'Must be mechanical for an import or a curation.' }]
  })
}

/** Of a reviewing whose items are of papers. */
export function generationOf ({ source }: Pick<ReviewingSpec, 'source'>): string {
  if (isBankSource(source)) throw new TypeError('Items of an item bank are of no generation')
  return source.generationId
}

/** @throws Problem not-finished while the generation is at work */
export async function finishedGeneration (
  { generation }: Pick<Peers, 'generation'>, generationId: string
): Promise<Generation> {
  const found = await generation.getGeneration(generationId)
  if (found.state !== 'queued' && found.state !== 'running') return found
  throw new Problem('not-finished', `Generation ${found.id} is ${found.state}; GET /v1/generations/${found.id}?wait=60 waits for it.`)
}

export function papersOf ({ paperIds, documentHashes }: Generation): PaperVersion[] {
  return paperIds.map((paperId, i) => ({ paperId, documentHash: documentHashes[i]! }))
}

/**
 * The one step nobody has to ask for, unless the generation's recipe says `review: false`. The news
 * is acknowledged last: until then generation tells it again.
 */
export async function openReviewingUnasked (
  parts: OpenParts, generationId: string
): Promise<void> {
  const { peers } = parts
  const generation = await finishedGeneration(peers, generationId)
  const { itemCount, recipe: { review } } = generation
  // Without items there is nothing to review; a retry that makes some tells of its end anew.
  if (review !== false && itemCount > 0) await openFor(parts, generation, resolveReviewRecipe(review ?? { strategy: 'mechanical' }))
  await peers.generation.acknowledgeGeneration(generationId, itemCount)
}

async function openFor (
  { jobs, prompts }: OpenParts, generation: Generation, recipe: ResolvedReview
): Promise<Opened> {
  const source = { generationId: generation.id }
  const { itemCount } = generation
  const papers = papersOf(generation)
  const versions = recipe.strategy === 'model' ? { prompts: promptHashes(prompts) } : {}
  const id = idOf('reviewing', { source, recipe, itemCount, ...versions })
  const { created } = await jobs.open(id, { source, recipe, papers, itemCount, ...versions })
  return { id, created }
}
