/**
 * Items as made, what could not be made, and whose end is still to be told. Inserting twice is a
 * no-op, so a task that runs again does no harm. `key` is the order of the paper: generation,
 * paper, place, number.
 */
import type { Outcome } from '../../shared/contracts/generation.ts'
import type { Item, Rejection } from '../../shared/contracts/item.ts'
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'

interface Keyed extends Doc { key: string, generationId: string }
interface ItemDoc extends Keyed { paperId: string, kind: string, item: Item }
/** What one place and writer gave, before the end of the generation chooses among the drafts of a paper. */
interface DraftsDoc extends Keyed { paperIndex: number, placeIndex: number, items: Item[], tally: Outcome }
interface OutcomeDoc extends Doc { outcome: Outcome }
interface RejectionDoc extends Keyed { rejection: Rejection }
/**
 * The end of a generation with so many items; told again until whoever listens has acknowledged it.
 * One that is retried ends with more, which is news again.
 */
interface Announcement extends Doc { acknowledged: boolean, itemCount: number }

export interface ItemsAsked extends PageRequest { generationId?: string, paperId?: string, kind?: string }
export interface Slot { generationId: string, paperIndex: number, placeIndex: number }

export type Drafts = Pick<DraftsDoc, 'placeIndex' | 'items' | 'tally'>

const announcementsMax = 1000
/** Of one paper: more places and writers than any paper has. */
const draftsMax = 10_000
/** Place of rejections that belong to a paper as a whole. */
const noPlace = 99_999

export async function generationStore (store: Store) {
  const keyed = [{ keys: ['key'] }, { keys: ['generationId', 'key'] }]
  // One for each way of asking, for a kind may be rare: without it a page of none reads everything.
  const items = await store.collection<ItemDoc>('items', [
    ...keyed, { keys: ['generationId', 'paperId', 'key'] }, { keys: ['generationId', 'kind', 'key'] },
    { keys: ['paperId', 'key'] }, { keys: ['kind', 'key'] }
  ])
  const rejections = await store.collection<RejectionDoc>('rejections', keyed)
  const drafts = await store.collection<DraftsDoc>('drafts', [{ keys: ['generationId', 'paperIndex', 'key'] }])
  const outcomes = await store.collection<OutcomeDoc>('outcomes')
  const announcements = await store.collection<Announcement>('announcements', [{ keys: ['acknowledged'] }])

  async function insertRejections (slot: Slot, made: readonly Rejection[]): Promise<void> {
    await rejections.insertMissing(made.map((rejection, index) =>
      ({ _id: keyOf(slot, index), key: keyOf(slot, index), generationId: slot.generationId, rejection })))
  }

  return {
    /** @throws Problem item-not-found */
    async getItem (itemId: string): Promise<Item> {
      const found = await items.find(itemId)
      if (found === undefined) throw new Problem('item-not-found', `There is no item ${itemId}; GET /v1/items lists those there are.`)
      return found.item
    },
    async listItems ({ cursor, limit, generationId, paperId, kind }: ItemsAsked): Promise<Page<Item>> {
      const page = { limit, ...cursor !== undefined && { cursor } }
      // By name: whatever else a caller sends must not become part of a filter.
      const wanted = {
        ...generationId !== undefined && { generationId },
        ...paperId !== undefined && { paperId },
        ...kind !== undefined && { kind }
      }
      const { docs, nextCursor } = await pageOf(items, wanted, page)
      return { items: docs.map(({ item }) => item), nextCursor }
    },
    async listRejections (generationId: string, page: PageRequest): Promise<Page<Rejection>> {
      const { docs, nextCursor } = await pageOf(rejections, { generationId }, page)
      return { items: docs.map(({ rejection }) => rejection), nextCursor }
    },
    countItems: async (generationId: string) => await items.count({ generationId }),
    countRejections: async (generationId: string) => await rejections.count({ generationId }),
    async insertMade (slot: Slot, made: { items: Item[], rejections: Rejection[] }) {
      await insertRejections(slot, made.rejections)
      await items.insertMissing(made.items.map((item, index) => itemDoc(item, slot, index)))
    },
    hasDrafts: async (slot: Slot): Promise<boolean> => await drafts.find(keyOf(slot, 0)) !== undefined,
    /** The drafts last: where they are, the rejections are. */
    async insertDrafts (slot: Slot, made: { items: Item[], rejections: Rejection[], tally: Outcome }) {
      await insertRejections(slot, made.rejections)
      const { items, tally } = made
      await drafts.insert({ _id: keyOf(slot, 0), key: keyOf(slot, 0), ...slot, items, tally })
    },
    /** Of one paper, in the order of its places. */
    async listDrafts (generationId: string, paperIndex: number): Promise<Drafts[]> {
      return await drafts.findMany({ generationId, paperIndex }, { sort: { key: 1 }, limit: draftsMax })
    },
    /** Those of the ids that are items. */
    async listItemIds (ids: readonly string[]): Promise<Set<string>> {
      const found = ids.length === 0 ? [] : await items.findMany({ _id: { $in: ids } }, { limit: draftsMax })
      return new Set(found.map(({ _id }) => _id))
    },
    /** `selected` are among the drafts; each keeps the place it had there. */
    async insertSelected (
      { generationId, paperIndex }: { generationId: string, paperIndex: number },
      selected: { drafts: readonly Drafts[], items: readonly Item[], rejections: Rejection[] }
    ) {
      const chosen = new Map(selected.items.map(item => [item.id, item]))
      const docs = selected.drafts.flatMap(({ placeIndex, items }) => items.flatMap(({ id }, index) => {
        const item = chosen.get(id)
        return item === undefined ? [] : [itemDoc(item, { generationId, paperIndex, placeIndex }, index)]
      }))
      await insertRejections({ generationId, paperIndex, placeIndex: noPlace }, selected.rejections)
      await items.insertMissing(docs)
    },
    async saveOutcome (generationId: string, outcome: Outcome): Promise<void> {
      if (await outcomes.insert({ _id: generationId, outcome })) return
      await outcomes.update(generationId, {}, { $set: { outcome } })
    },
    findOutcome: async (generationId: string): Promise<Outcome | null> =>
      (await outcomes.find(generationId))?.outcome ?? null,
    async announce (generationId: string): Promise<void> {
      const itemCount = await items.count({ generationId })
      const news = { acknowledged: false, itemCount }
      if (await announcements.insert({ _id: generationId, ...news })) return
      await announcements.update(generationId, { itemCount: { $ne: itemCount } }, { $set: news })
    },
    /** Nothing for an end with other items: its news is still on the way. */
    acknowledge: async (generationId: string, itemCount: number) => {
      await announcements.update(generationId, { itemCount }, { $set: { acknowledged: true } })
    },
    async listUnacknowledged (): Promise<string[]> {
      const found = await announcements.findMany({ acknowledged: false }, { limit: announcementsMax })
      return found.map(({ _id }) => _id)
    }
  }
}

export type GenerationStore = Awaited<ReturnType<typeof generationStore>>

async function pageOf<T extends Keyed> (collection: Collection<T>, wanted: Filter, page: PageRequest) {
  const { cursor, limit } = page
  if (cursor !== undefined && !/^gen_[0-9a-f]{32}(?:-\d{5}){3}$/u.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const filter: Filter = { ...wanted, ...cursor !== undefined && { key: { $gt: cursor } } }
  const found = await collection.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
  const docs = found.slice(0, limit)
  return { docs, nextCursor: found.length > limit ? docs.at(-1)?.key ?? null : null }
}

function itemDoc (item: Item, slot: Slot, index: number): ItemDoc {
  const paperId = 'paperId' in item.source ? item.source.paperId : ''
  return { _id: item.id, key: keyOf(slot, index), generationId: slot.generationId, paperId, kind: item.kind, item }
}

function keyOf ({ generationId, paperIndex, placeIndex }: Slot, index: number): string {
  return `${generationId}-${digits(paperIndex)}-${digits(placeIndex)}-${digits(index)}`
}

function digits (index: number): string {
  return String(index).padStart(5, '0')
}
