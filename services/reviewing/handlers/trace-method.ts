/** How the items of some reviewings came to be: the generations behind them, and what those threw away. */
import type { Method } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingSpec } from './review-paper.ts'

export interface Traced { method: Method, rejections: Record<string, number> }

/** More than any generation makes within its own limits; a card that counts fewer would be wrong. */
const rejectionsMax = 200_000
const pageLimit = 200

/**
 * @param specs  of the reviewings, by id
 * @throws Problem not-computable beyond 200,000 rejections of one generation
 */
export async function traceMethod (
  { generation }: Pick<Peers, 'generation'>, specs: ReadonlyMap<string, ReviewingSpec>
): Promise<Traced> {
  const reviewings = [...specs].map(([id, { source, recipe, prompts = [] }]) =>
    ({ id, generationId: source.generationId, recipe, prompts })).sort(byId)
  const generations: Method['generations'] = []
  const counts = new Map<string, number>()
  for (const id of new Set(reviewings.map(({ generationId }) => generationId))) {
    const { recipe, prompts = [], itemCount, rejectionCount } = await generation.getGeneration(id)
    if (rejectionCount > rejectionsMax) {
      throw new Problem('not-computable', `Generation ${id} has ${rejectionCount} rejections; a data card counts at most ${rejectionsMax} of one.`)
    }
    generations.push({ id, recipe, prompts, itemCount, rejectionCount })
    await countRejections(generation, id, counts)
  }
  const rejections = Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1))
  return { method: { generations: generations.sort(byId), reviewings }, rejections }
}

async function countRejections (
  generation: Peers['generation'], id: string, counts: Map<string, number>
): Promise<void> {
  let cursor: string | undefined
  do {
    const from = cursor === undefined ? {} : { cursor }
    const page = await generation.listRejections(id, { limit: pageLimit, ...from })
    for (const { reason } of page.items) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

function byId (a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
