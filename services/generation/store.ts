/**
 * Items as made, what could not be made, and whose end is still to be told. Inserting twice is a
 * no-op, so a task that runs again does no harm. `key` is the order of the paper: generation,
 * paper, place, number.
 */
import type { Item, Rejection } from '../../shared/contracts/item.ts'
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'

interface Keyed extends Doc { key: string, generationId: string }
interface ItemDoc extends Keyed { paperId: string, kind: string, item: Item }
interface RejectionDoc extends Keyed { rejection: Rejection }
/**
 * The end of a generation with so many items; told again until whoever listens has acknowledged it.
 * One that is retried ends with more, which is news again.
 */
interface Announcement extends Doc { acknowledged: boolean, itemCount: number }

export interface ItemsAsked extends PageRequest { generationId?: string, paperId?: string, kind?: string }
export interface Slot { generationId: string, paperIndex: number, placeIndex: number }

const announcementsMax = 1000

export async function generationStore (store: Store) {
  const keyed = [{ keys: ['key'] }, { keys: ['generationId', 'key'] }]
  // One for each way of asking, for a kind may be rare: without it a page of none reads everything.
  const items = await store.collection<ItemDoc>('items', [
    ...keyed, { keys: ['generationId', 'paperId', 'key'] }, { keys: ['generationId', 'kind', 'key'] },
    { keys: ['paperId', 'key'] }, { keys: ['kind', 'key'] }
  ])
  const rejections = await store.collection<RejectionDoc>('rejections', keyed)
  const announcements = await store.collection<Announcement>('announcements', [{ keys: ['acknowledged'] }])

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
    async insertMade ({ generationId, ...at }: Slot, made: { items: Item[], rejections: Rejection[] }) {
      const keyOf = (index: number) =>
        `${generationId}-${digits(at.paperIndex)}-${digits(at.placeIndex)}-${digits(index)}`
      await rejections.insertMissing(made.rejections.map((rejection, index) =>
        ({ _id: keyOf(index), key: keyOf(index), generationId, rejection })))
      await items.insertMissing(made.items.map((item, index) => {
        const paperId = 'paperId' in item.source ? item.source.paperId : ''
        return { _id: item.id, key: keyOf(index), generationId, paperId, kind: item.kind, item }
      }))
    },
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

function digits (index: number): string {
  return String(index).padStart(5, '0')
}
