/**
 * What curations made: items in their order, changes step by step, and what each came to. Inserting twice is
 * a no-op, so a curation that runs again after a crash does no harm.
 */
import type { Curation, CurationChange, CurationSource } from '../../../shared/contracts/curation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Doc, Filter, Store } from '../../../shared/store/store.ts'
import type { Entry } from './domain/steps.ts'

/** `key` is the order: curation, place. */
interface ItemDoc extends Doc {
  key: string,
  curationId: string,
  itemId: string,
  kind: string,
  rootId: string,
  item: Item
}
interface ChangeDoc extends Doc {
  key: string,
  curationId: string,
  step: number,
  action: string,
  change: CurationChange
}
type Outcome = Pick<Curation, 'sourceCount' | 'itemCount' | 'stepCounts' | 'findings'>
interface OutcomeDoc extends Doc { outcome: Outcome }
/** As generation keeps them. */
interface SourceDoc extends Doc { item: Item }

export interface ChangesAsked extends PageRequest { step?: number, action?: string }

/** Of one source: what a curation holds in memory. */
export const sourceItemsMax = 100_000
const readAtOnce = 1_000
const idsAtOnce = 1_000

export async function curationStore (store: Store) {
  const items = await store.collection<ItemDoc>('curation-items', [
    { keys: ['curationId', 'key'] }, { keys: ['curationId', 'kind', 'key'] }, { keys: ['itemId', 'key'] }
  ])
  const changes = await store.collection<ChangeDoc>('curation-changes', [
    { keys: ['curationId', 'key'] }, { keys: ['curationId', 'step', 'key'] },
    { keys: ['curationId', 'action', 'key'] }, { keys: ['curationId', 'step', 'action', 'key'] }
  ])
  const outcomes = await store.collection<OutcomeDoc>('curation-outcomes')
  const banks = await store.collection<SourceDoc>('items', [{ keys: ['item.source.bankId', 'item.source.row'] }])

  async function * pagesOf (source: CurationSource): AsyncGenerator<Entry[]> {
    if ('curationId' in source) {
      yield * inPages(async (after: string | undefined) => {
        const filter: Filter = {
          curationId: source.curationId,
          ...after !== undefined && { key: { $gt: after } }
        }
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
          for (const { itemId } of await items.findMany({ curationId: source.curationId, itemId: { $in } }, { limit: idsAtOnce })) known.add(itemId)
        } else {
          for (const { _id } of await banks.findMany({ _id: { $in }, 'item.source.bankId': source.importId }, { limit: idsAtOnce })) known.add(_id)
        }
      }
      return known
    },
    async insertItems (curationId: string, entries: readonly Entry[], from: number): Promise<void> {
      await items.insertMissing(entries.map(({ rootId, item }, at) => {
        const key = keyOf(curationId, from + at)
        return { _id: key, key, curationId, itemId: item.id, kind: item.kind, rootId, item }
      }))
    },
    async insertChanges (curationId: string, made: readonly CurationChange[], from: number): Promise<void> {
      await changes.insertMissing(made.map((change, at) => {
        const key = `${curationId}-${String(change.step).padStart(2, '0')}-${digits(from + at)}`
        return { _id: key, key, curationId, step: change.step, action: change.action, change }
      }))
    },
    async saveOutcome (curationId: string, outcome: Outcome): Promise<void> {
      await outcomes.insert({ _id: curationId, outcome })
    },
    findOutcome: async (curationId: string): Promise<Outcome | undefined> => (
      await outcomes.find(curationId)
    )?.outcome,
    /** As the first curation that has it holds it. */
    findItem: async (itemId: string): Promise<Item | undefined> =>
      (await items.findMany({ itemId }, { sort: { key: 1 }, limit: 1 }))[0]?.item,
    async listItems (
      { curationId, kind, cursor, limit }: PageRequest & { curationId: string, kind?: string }
    ): Promise<Page<Item>> {
      mustBeKey(cursor, curationId)
      const filter: Filter = {
        curationId,
        ...kind !== undefined && { kind },
        ...cursor !== undefined && { key: { $gt: cursor } }
      }
      const found = await items.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
      return pageFrom(found, limit, ({ item }) => item)
    },
    async listChanges (
      curationId: string,
      { step, action, cursor, limit }: ChangesAsked
    ): Promise<Page<CurationChange>> {
      mustBeKey(cursor, curationId)
      const filter: Filter = {
        curationId,
        ...step !== undefined &&
          { step },
        ...action !== undefined && { action },
        ...cursor !== undefined && { key: { $gt: cursor } }
      }
      const found = await changes.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
      return pageFrom(found, limit, ({ change }) => change)
    }
  }
}

export type CurationStore = Awaited<ReturnType<typeof curationStore>>

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

function pageFrom<D extends { key: string }, T> (
  found: readonly D[],
  limit: number,
  shown: (doc: D) => T
): Page<T> {
  const docs = found.slice(0, limit)
  return { items: docs.map(shown), nextCursor: found.length > limit ? docs.at(-1)!.key : null }
}

function mustBeKey (cursor: string | undefined, curationId: string): void {
  if (cursor === undefined || (cursor.startsWith(`${curationId}-`) && /^[\d-]+$/u.test(cursor.slice(curationId.length)))) return
  throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
}

function keyOf (curationId: string, place: number): string {
  return `${curationId}-${digits(place)}`
}

function digits (place: number): string {
  return String(place).padStart(6, '0')
}
