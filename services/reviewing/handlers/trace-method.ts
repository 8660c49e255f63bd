/** How the items of some reviewings came to be: generations and banks, and what those threw away. */
import type { Bank, Method } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Peers } from '../peers.ts'
import { isBankSource } from './bank-items.ts'
import type { ReviewingSpec } from './review-paper.ts'
import { traceBanks } from './trace-banks.ts'

export interface Traced { method: Method, rejections: Record<string, number>, banks?: Bank[] }

/** More than any generation makes within its own limits; a card that counts fewer would be wrong. */
const rejectionsMax = 200_000
const pageLimit = 200

/**
 * @param specs  of the reviewings, by id
 * @throws Problem not-computable beyond 200,000 rejections of one generation
 */
export async function traceMethod (
  peers: Pick<Peers, 'generation'>, specs: ReadonlyMap<string, ReviewingSpec>
): Promise<Traced> {
  const reviewings = [...specs].map(([id, { source, recipe, prompts = [] }]) =>
    ({ id, ...source, recipe, prompts })).sort(byId)
  const sources = [...specs.values()].map(({ source }) => source)
  const ids = sources.flatMap(source => isBankSource(source) ? [] : source.generationId)
  const { generations, rejections } = await traceGenerations(peers, ids)
  const { banks, imports, curations } = await traceBanks(peers, sources.filter(isBankSource))
  const ofBanks = banks.length === 0 ? {} : { imports, curations }
  return { method: { generations, ...ofBanks, reviewings }, rejections, ...banks.length > 0 && { banks } }
}

async function traceGenerations ({ generation }: Pick<Peers, 'generation'>, ids: readonly string[]) {
  const generations: Method['generations'] = []
  const counts = new Map<string, number>()
  for (const id of new Set(ids)) {
    const { recipe, prompts = [], itemCount, rejectionCount } = await generation.getGeneration(id)
    if (rejectionCount > rejectionsMax) {
      throw new Problem('not-computable', `Generation ${id} has ${rejectionCount} rejections; a data card counts at most ${rejectionsMax} of one.`)
    }
    generations.push({ id, recipe, prompts, itemCount, rejectionCount })
    await countRejections(generation, id, counts)
  }
  const rejections = Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1))
  return { generations: generations.sort(byId), rejections }
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
