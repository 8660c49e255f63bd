/** The items of an item bank, as imported or as curated, and whether they are all there. */
import type { BankImport } from '../../../shared/contracts/bank.ts'
import type { Curation, CurationFlag } from '../../../shared/contracts/curation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Page } from '../../../shared/contracts/page.ts'
import type { BankSource, ReviewingSource } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Peers } from '../peers.ts'
import { reviewedItemsMax } from '../store.ts'

export function isBankSource (source: ReviewingSource): source is BankSource {
  return !('generationId' in source)
}

/**
 * How many items there are to review.
 *
 * @throws Problem not-finished while the import or curation is at work; not-computable where it made
 *   no item; limit-exceeded beyond what a benchmark may be chosen from
 */
export async function countFinished ({ generation }: Pick<Peers, 'generation'>, source: BankSource): Promise<number> {
  const [name, path, found]: [string, string, BankImport | Curation] = 'importId' in source
    ? ['Import', 'imports', await generation.getImport(source.importId)]
    : ['Curation', 'curations', await generation.getCuration(source.curationId)]
  const { id, state, itemCount } = found
  if (state === 'queued' || state === 'running') {
    throw new Problem('not-finished', `${name} ${id} is ${state}; GET /v1/${path}/${id}?wait=60 waits for it.`)
  }
  if (itemCount === 0) throw new Problem('not-computable', `${name} ${id} made no item, so there is nothing to review; GET /v1/${path}/${id} says why.`)
  if (itemCount <= reviewedItemsMax) return itemCount
  throw new Problem('limit-exceeded', `${name} ${id} has ${itemCount} items; a reviewing takes at most ${reviewedItemsMax}. Import the bank in parts.`)
}

/** A page at a time, in the order in which generation lists them. */
export async function * bankItems (
  { generation }: Pick<Peers, 'generation'>, source: BankSource
): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page = await generation.listItems({ ...source, limit: 200, ...cursor !== null && { cursor } })
    yield * page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}

/** What the curation left for people, by item; an import leaves nothing to a later step. */
export async function flagsOf (
  { generation }: Pick<Peers, 'generation'>, source: BankSource
): Promise<Map<string, CurationFlag[]>> {
  const flags = new Map<string, CurationFlag[]>()
  if (!('curationId' in source)) return flags
  let cursor: string | null = null
  do {
    const asked = { limit: 200, ...cursor !== null && { cursor } }
    const page: Page<CurationFlag> = await generation.listCurationFlags(source.curationId, asked)
    for (const flag of page.items) flags.set(flag.itemId, [...flags.get(flag.itemId) ?? [], flag])
    cursor = page.nextCursor
  } while (cursor !== null)
  return flags
}
