/** The items that a curation begins with: of an import, or of another curation. */
import type { CurationSource } from '../../../shared/contracts/curation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Filter } from '../../../shared/store/store.ts'
import type { Entry } from './domain/steps.ts'

/** As a curation keeps them, by their place. */
export interface CuratedDoc extends Doc { key: string, curationId: string, itemId: string, item: Item }
/** As generation keeps the items of imports. */
export interface SourceDoc extends Doc { item: Item }

/** Of one source: what a curation holds in memory. */
export const sourceItemsMax = 100_000
const readAtOnce = 1_000
const idsAtOnce = 1_000

export function sourceStore (items: Pick<Collection<CuratedDoc>, 'findMany'>, banks: Collection<SourceDoc>) {
  async function * pagesOf (source: CurationSource): AsyncGenerator<Entry[]> {
    if ('curationId' in source) {
      yield * inPages(async (after: string | undefined) => {
        const from = after === undefined ? {} : { key: { $gt: after } }
        const filter: Filter = { curationId: source.curationId, ...from }
        const found = await items.findMany(filter, { sort: { key: 1 }, limit: readAtOnce })
        return { entries: found.map(({ item }) => ({ rootId: item.id, item })), last: found.at(-1)?.key }
      })
      return
    }
    yield * inPages(async (after: number | undefined) => {
      const filter: Filter = { 'item.source.bankId': source.importId, ...after !== undefined && { 'item.source.row': { $gt: after } } }
      const found = await banks.findMany(filter, { sort: { 'item.source.row': 1 }, limit: readAtOnce })
      const last = found.at(-1)?.item.source
      return { entries: found.map(({ item }) => ({ rootId: item.id, item })), last: last !== undefined && 'row' in last ? last.row : undefined }
    })
  }

  return {
    /**
     * The items of an import in the order of its rows, or of a curation in its order.
     * @throws Problem item-not-found for none; limit-exceeded for more than `sourceItemsMax`
     */
    async listSourceItems (source: CurationSource): Promise<Entry[]> {
      const all: Entry[] = []
      for await (const page of pagesOf(source)) {
        all.push(...page)
        if (all.length > sourceItemsMax) throw new Problem('limit-exceeded', `The source has more than ${sourceItemsMax} items; curate it in parts.`)
      }
      if (all.length > 0) return all
      throw nothingIn(source)
    },
    /** @throws Problem item-not-found where the source has none */
    async assertItems (source: CurationSource): Promise<void> {
      for await (const { length } of pagesOf(source)) if (length > 0) return
      throw nothingIn(source)
    },
    /** Those of the ids that are items of the source. */
    async sourceItemIds (source: CurationSource, ids: readonly string[]): Promise<Set<string>> {
      const known = new Set<string>()
      for (let from = 0; from < ids.length; from += idsAtOnce) {
        const $in = ids.slice(from, from + idsAtOnce)
        if ('curationId' in source) {
          const wanted = { curationId: source.curationId, itemId: { $in } }
          const found = await items.findMany(wanted, { limit: idsAtOnce })
          for (const { itemId } of found) known.add(itemId)
        } else {
          const wanted = { _id: { $in }, 'item.source.bankId': source.importId }
          for (const { _id } of await banks.findMany(wanted, { limit: idsAtOnce })) known.add(_id)
        }
      }
      return known
    }
  }
}

function nothingIn (source: CurationSource): Problem {
  return new Problem('item-not-found', `There are no items of ${Object.values(source).join()}; an import that has ended with items, or a curation, is curated.`)
}

async function * inPages<K> (
  read: (after: K | undefined) => Promise<{ entries: Entry[], last: K | undefined }>
): AsyncGenerator<Entry[]> {
  for (let after: K | undefined; ;) {
    const { entries, last } = await read(after)
    if (entries.length > 0) yield entries
    if (entries.length < readAtOnce || last === undefined) return
    after = last
  }
}
