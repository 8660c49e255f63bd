/**
 * What curations made: items in their order, changes step by step, and what each came to. Inserting twice is
 * a no-op, so a curation that runs again after a crash does no harm.
 */
import type { Curation, CurationChange, CurationFlag } from '../../../shared/contracts/curation.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Doc, Filter, Store } from '../../../shared/store/store.ts'
import type { Entry } from './domain/steps.ts'
import { sourceStore, type CuratedDoc, type SourceDoc } from './source-store.ts'

/** `key` is the order: curation, place. */
interface ItemDoc extends CuratedDoc { itemId: string, kind: string, rootId: string }
interface ChangeDoc extends Doc {
  key: string
  curationId: string
  step: number
  action: string
  change: CurationChange
}
type Outcome = Pick<Curation, 'sourceCount' | 'itemCount' | 'stepCounts' | 'findings'>
interface OutcomeDoc extends Doc { outcome: Outcome }

export interface ItemsAsked extends PageRequest { curationId: string, kind?: string }
export interface ChangesAsked extends PageRequest { step?: number, action?: string }

export async function curationStore (store: Store) {
  const items = await store.collection<ItemDoc>('curation-items', [
    { keys: ['curationId', 'key'] }, { keys: ['curationId', 'kind', 'key'] }, { keys: ['itemId', 'key'] },
    { keys: ['curationId', 'rootId'] }
  ])
  const changes = await store.collection<ChangeDoc>('curation-changes', [
    { keys: ['curationId', 'key'] }, { keys: ['curationId', 'step', 'key'] },
    { keys: ['curationId', 'action', 'key'] }, { keys: ['curationId', 'step', 'action', 'key'] }
  ])
  const outcomes = await store.collection<OutcomeDoc>('curation-outcomes')
  const banks = await store.collection<SourceDoc>('items', [{ keys: ['item.source.bankId', 'item.source.row'] }])

  return {
    ...sourceStore(items, banks),
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
    findOutcome: async (curationId: string): Promise<Outcome | undefined> =>
      (await outcomes.find(curationId))?.outcome,
    /** As the first curation that has it holds it. */
    findItem: async (itemId: string): Promise<Item | undefined> =>
      (await items.findMany({ itemId }, { sort: { key: 1 }, limit: 1 }))[0]?.item,
    async listItems ({ curationId, kind, cursor, limit }: ItemsAsked): Promise<Page<Item>> {
      mustBeKey(cursor, curationId)
      const filter: Filter = { curationId, ...kind !== undefined && { kind }, ...after(cursor) }
      const found = await items.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
      return pageFrom(found, limit, ({ item }) => item)
    },
    async listChanges (
      curationId: string, { step, action, cursor, limit }: ChangesAsked
    ): Promise<Page<CurationChange>> {
      mustBeKey(cursor, curationId)
      const filter: Filter = {
        curationId, ...step !== undefined && { step }, ...action !== undefined && { action }, ...after(cursor)
      }
      const found = await changes.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
      return pageFrom(found, limit, ({ change }) => change)
    },
    /** By the ids items have in the end; of one that a later step dropped there is none. */
    async listFlags (curationId: string, { cursor, limit }: PageRequest): Promise<Page<CurationFlag>> {
      mustBeKey(cursor, curationId)
      const filter: Filter = { curationId, action: 'flagged', ...after(cursor) }
      const found = await changes.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
      const page = pageFrom(found, limit, ({ change }) => change)
      const rootIds = [...new Set(page.items.map(({ rootId }) => rootId))]
      if (rootIds.length === 0) return { items: [], nextCursor: null }
      const ofRoots: Filter = { curationId, rootId: { $in: rootIds } }
      const standing = await items.findMany(ofRoots, { limit: rootIds.length })
      const itemIds = new Map(standing.map(({ rootId, itemId }) => [rootId, itemId]))
      return {
        items: page.items.flatMap(({ rootId, step, reason, detail }) => {
          const itemId = itemIds.get(rootId)
          return itemId === undefined ? [] : [{ itemId, step, reason, detail }]
        }),
        nextCursor: page.nextCursor
      }
    }
  }
}

export type CurationStore = Awaited<ReturnType<typeof curationStore>>

function after (cursor: string | undefined): Filter {
  return cursor === undefined ? {} : { key: { $gt: cursor } }
}

function pageFrom<D extends { key: string }, T> (
  found: readonly D[], limit: number, shown: (doc: D) => T
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
