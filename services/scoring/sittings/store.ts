/**
 * Sittings, and a seat for each item that was reached. A seat is one document: an answer and when it
 * came are one write, which holds only while the seat is not sealed; closing seals all of them before
 * it reads any, so that no acknowledged answer is missed.
 */
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { sittingEndings, type SittingEnding } from '../../../shared/contracts/run.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { newSeat, type Seat } from './domain/seat.ts'
import type { SittingSpec } from './domain/spec.ts'

type State = 'open' | 'closing' | 'closed'

export interface SittingDoc extends Doc {
  spec: SittingSpec
  /** Item ids in the order in which they are asked. */
  order: string[]
  state: State
  startedAt: number | null
  runId: string | null
}

/** What stays of a sitting: that there was one. */
interface DeletedDoc extends Doc { state: 'deleting' | 'deleted', spec: SittingSpec | null }

export interface SeatDoc extends Doc, Seat { sittingId: string, sealed: boolean, version: number }

const standing: readonly State[] = ['open', 'closing', 'closed']
const batch = 500
/** As many as a sitting has items. */
const seatsMax = 2_000

export async function sittingStore (store: Store) {
  const sittings = await store.collection<SittingDoc | DeletedDoc>('sittings', [{ keys: ['state'] }])
  const seats = await store.collection<SeatDoc>('sitting-seats', [
    { keys: ['sittingId', 'place'] }, { keys: ['sittingId', 'ending'] }
  ])

  /** @throws Problem sitting-not-found, sitting-deleted */
  async function get (sittingId: string): Promise<SittingDoc> {
    const doc = await sittings.find(sittingId)
    if (doc === undefined) throw new Problem('sitting-not-found', `There is no sitting ${sittingId}; POST /v1/sittings opens one.`)
    if (isDeleted(doc)) throw deleted(sittingId)
    return doc
  }

  return {
    get,
    /** @throws Problem sitting-deleted */
    async isKnown (sittingId: string): Promise<boolean> {
      const doc = await sittings.find(sittingId)
      if (isDeleted(doc)) throw deleted(sittingId)
      return doc !== undefined
    },
    isDeleted: async (sittingId: string) => isDeleted(await sittings.find(sittingId)),
    insert: async (_id: string, { spec, order }: Pick<SittingDoc, 'spec' | 'order'>) =>
      await sittings.insert({ _id, spec, order, state: 'open', startedAt: null, runId: null }),

    async list ({ cursor = '', limit }: PageRequest): Promise<Page<SittingDoc>> {
      const later = { _id: { $gt: cursor }, state: { $in: standing } }
      const found = await sittings.findMany(later, { limit: limit + 1 })
      const items = found.slice(0, limit) as SittingDoc[]
      return { items, nextCursor: found.length > limit ? items.at(-1)!._id : null }
    },

    /** The first to start it sets its clock. */
    async start (sittingId: string, now: number): Promise<SittingDoc> {
      await sittings.update(sittingId, { startedAt: null, state: 'open' }, { $set: { startedAt: now } })
      return await get(sittingId)
    },
    beginClosing: async (sittingId: string) =>
      await sittings.update(sittingId, { state: 'open' }, { $set: { state: 'closing' } }),
    endClosing: async (sittingId: string, runId: string) =>
      await sittings.update(sittingId, { state: { $in: ['closing', 'closed'] } }, { $set: { state: 'closed', runId } }),
    beginDeleting: async (sittingId: string) =>
      await sittings.update(sittingId, { state: { $ne: 'deleted' } }, { $set: { state: 'deleting' } }),
    endDeleting: async (sittingId: string) => await sittings.update(sittingId, { state: 'deleting' }, {
      $set: { state: 'deleted', spec: null, order: [], startedAt: null, runId: null }
    }),

    ...seatsIn(seats)
  }
}

function seatsIn (seats: Collection<SeatDoc>) {
  const seatId = (sittingId: string, itemId: string) => `${sittingId}.${itemId}`

  return {
    findSeat: async (sittingId: string, itemId: string) => await seats.find(seatId(sittingId, itemId)),
    listSeats: async (sittingId: string) =>
      await seats.findMany({ sittingId }, { sort: { place: 1 }, limit: seatsMax }),
    async countEndings (sittingId: string, items: number): Promise<Record<SittingEnding, number>> {
      const counts = await seats.countBy('ending', { sittingId })
      const found = sittingEndings.map(ending => [ending, counts[ending] ?? 0] as const)
      const unreached = items - found.reduce((sum, [, count]) => sum + count, 0)
      const all = Object.fromEntries(found) as Record<SittingEnding, number>
      return { ...all, 'not-reached': all['not-reached'] + unreached }
    },
    /** The seat there is now: this one, or the one that another request was first with. */
    async showSeat (sittingId: string, seat: Seat): Promise<SeatDoc> {
      const doc = { _id: seatId(sittingId, seat.itemId), sittingId, ...seat, sealed: false, version: 1 }
      return await seats.insert(doc) ? doc : (await seats.find(doc._id))!
    },
    /** Says whether nobody wrote since it was read, and it is not sealed. */
    saveAnswers: async ({ _id, version }: SeatDoc, { answers, ending }: Seat) => await seats.update(
      _id, { version, sealed: false }, { $set: { answers, ending, version: version + 1 } }),
    /** From here on none of these takes an answer. */
    async seal (sittingId: string, order: readonly string[]): Promise<void> {
      for (let from = 0; from < order.length; from += batch) {
        await seats.insertMissing(order.slice(from, from + batch).map((itemId, at) => ({
          _id: seatId(sittingId, itemId), sittingId, ...newSeat(itemId, from + at), sealed: true, version: 1
        })))
      }
      for (const { _id } of await seats.findMany({ sittingId, sealed: false }, { limit: seatsMax })) {
        await seats.update(_id, { sealed: false }, { $set: { sealed: true } })
      }
    },
    async deleteSeats (sittingId: string): Promise<void> {
      for (const { _id } of await seats.findMany({ sittingId }, { limit: seatsMax })) await seats.delete(_id)
    }
  }
}

export type SittingStore = Awaited<ReturnType<typeof sittingStore>>

function isDeleted (doc: SittingDoc | DeletedDoc | undefined): doc is DeletedDoc {
  return doc !== undefined && (doc.state === 'deleting' || doc.state === 'deleted')
}

export function deleted (sittingId: string): Problem {
  return new Problem('sitting-deleted', `Sitting ${sittingId} was deleted, and its answers with it. Another seed opens another one.`)
}
