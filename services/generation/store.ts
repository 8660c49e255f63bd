/**
 * Items as made, and what could not be made. Inserting twice is a no-op, so a task that runs again
 * does no harm. `key` is the order of the paper: generation, paper, place, number.
 */
import type { ItemsQuery } from '../../shared/clients/generation.ts'
import type { Item, Rejection } from '../../shared/contracts/item.ts'
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter, Store } from '../../shared/store/store.ts'
import { announcementStore } from './announcement-store.ts'
import { diversityStore } from './diversity-store.ts'
import type { NotTaken } from './domain/select-items.ts'
import { draftStore, type Drafts } from './draft-store.ts'
import { keyOf, rowKeyOf, type Slot } from './slot.ts'

interface Keyed extends Doc { key: string }
/** Of papers by generation, of item banks by import. */
interface ItemDoc extends Keyed {
  generationId?: string
  paperId?: string
  importId?: string
  kind: string
  item: Item
}
interface RejectionDoc extends Keyed { generationId: string, rejection: Rejection }

/** Rejections of drafts come after those of writing at the same place, which are fewer. */
const afterWriting = 50_000
/** Asked for at once, by their ids. */
const idsMax = 10_000

export async function generationStore (store: Store) {
  const keyed = [{ keys: ['key'] }, { keys: ['generationId', 'key'] }]
  // One for each way of asking, for a kind may be rare: without it a page of none reads everything.
  const items = await store.collection<ItemDoc>('items', [
    ...keyed, { keys: ['generationId', 'paperId', 'key'] }, { keys: ['generationId', 'kind', 'key'] },
    { keys: ['paperId', 'key'] }, { keys: ['kind', 'key'] },
    { keys: ['importId', 'key'] }, { keys: ['importId', 'kind', 'key'] }
  ])
  const rejections = await store.collection<RejectionDoc>('rejections', keyed)

  return {
    ...await draftStore(store),
    ...await announcementStore(store),
    ...await diversityStore(store),
    /** @throws Problem item-not-found */
    async getItem (itemId: string): Promise<Item> {
      const found = await items.find(itemId)
      if (found === undefined) throw new Problem('item-not-found', `There is no item ${itemId}; GET /v1/items lists those there are.`)
      return found.item
    },
    async listItems (asked: ItemsQuery): Promise<Page<Item>> {
      const { docs, nextCursor } = await pageOf(items, wantedOf(asked), asked)
      return { items: docs.map(({ item }) => item), nextCursor }
    },
    async listRejections (generationId: string, page: PageRequest): Promise<Page<Rejection>> {
      const { docs, nextCursor } = await pageOf(rejections, { generationId }, page)
      return { items: docs.map(({ rejection }) => rejection), nextCursor }
    },
    countItems: async (generationId: string) => await items.count({ generationId }),
    countRejections: async (generationId: string) => await rejections.count({ generationId }),
    async insertItems (slot: Slot, made: readonly Item[]): Promise<void> {
      await items.insertMissing(made.map((item, index) => itemDoc(item, slot, index)))
    },
    /** By row of the bank. */
    insertBankItems: async (importId: string, made: readonly BankItem[]): Promise<void> => {
      await items.insertMissing(made.map(each => bankItemDoc(importId, each)))
    },
    async insertRejections (slot: Slot, made: readonly Rejection[]): Promise<void> {
      await rejections.insertMissing(made.map((rejection, index) =>
        ({ _id: keyOf(slot, index), key: keyOf(slot, index), generationId: slot.generationId, rejection })))
    },
    /** Of drafts that became no item; each at its own place, so that a later end adds what is new. */
    async insertNotTaken (
      paper: Omit<Slot, 'placeIndex'>, drafts: readonly Drafts[], notTaken: readonly NotTaken[]
    ): Promise<void> {
      const byId = new Map(notTaken.map(({ itemId, rejection }) => [itemId, rejection]))
      const docsAt = ({ placeIndex, items }: Drafts) => items.flatMap(({ id }, index) => {
        const rejection = byId.get(id)
        if (rejection === undefined) return []
        const key = keyOf({ ...paper, placeIndex }, afterWriting + index)
        return [{ _id: key, key, generationId: paper.generationId, rejection }]
      })
      await rejections.insertMissing(drafts.flatMap(docsAt))
    },
    /** Those of the ids that are items. */
    async listItemIds (ids: readonly string[]): Promise<Set<string>> {
      const found = ids.length === 0 ? [] : await items.findMany({ _id: { $in: ids } }, { limit: idsMax })
      return new Set(found.map(({ _id }) => _id))
    },
    /** `chosen` are among the drafts; each keeps the place it had there. */
    async insertChosen (
      paper: Omit<Slot, 'placeIndex'>, drafts: readonly Drafts[], chosen: readonly Item[]
    ): Promise<void> {
      const byId = new Map(chosen.map(item => [item.id, item]))
      await items.insertMissing(drafts.flatMap(({ placeIndex, items }) => items.flatMap(({ id }, index) => {
        const item = byId.get(id)
        return item === undefined ? [] : [itemDoc(item, { ...paper, placeIndex }, index)]
      })))
    }
  }
}

export type GenerationStore = Awaited<ReturnType<typeof generationStore>>

/** By name: whatever else a caller sends must not become part of a filter. */
function wantedOf ({ generationId, paperId, importId, kind }: ItemsQuery): Filter {
  return {
    ...generationId !== undefined && { generationId },
    ...paperId !== undefined && { paperId },
    ...importId !== undefined && { importId },
    ...kind !== undefined && { kind }
  }
}

async function pageOf<T extends Keyed> (collection: Collection<T>, wanted: Filter, page: PageRequest) {
  const { cursor, limit } = page
  if (cursor !== undefined && !/^(?:gen_[0-9a-f]{32}(?:-\d{5}){3}|imp_[0-9a-f]{32}-\d{8})$/u.test(cursor)) {
    throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
  }
  const filter: Filter = { ...wanted, ...cursor !== undefined && { key: { $gt: cursor } } }
  const found = await collection.findMany(filter, { sort: { key: 1 }, limit: limit + 1 })
  const docs = found.slice(0, limit)
  return { docs, nextCursor: found.length > limit ? docs.at(-1)?.key ?? null : null }
}

export interface BankItem { row: number, item: Item }

function bankItemDoc (importId: string, { row, item }: BankItem): ItemDoc {
  return { _id: item.id, key: rowKeyOf(importId, row), importId, kind: item.kind, item }
}

function itemDoc (item: Item, slot: Slot, index: number): ItemDoc {
  const paperId = 'paperId' in item.source ? item.source.paperId : ''
  const { generationId } = slot
  return { _id: item.id, key: keyOf(slot, index), generationId, paperId, kind: item.kind, item }
}
