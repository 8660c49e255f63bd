/** Hands out items to review: leases for a while, to one rater at a time or to two where that is wanted. */
import type { QueueEntry, ReviewQueue } from '../../../../shared/contracts/human-review.ts'
import { itemEtag, stateEtag } from '../domain/etags.ts'
import { itemHashOf, standingOpinions, standOf, versionForBlind, withStanding } from '../domain/opinions.ts'
import { candidatesFor, isDouble, mayTake, type Candidate, type Lease, type QueueQuery, type Seats } from '../domain/queue.ts'
import type { SeatsDoc, Subject } from '../store.ts'
import { listItemReviews } from './list-reviews.ts'
import type { HumanParts } from './parts.ts'
import { disputedQueue } from './seats.ts'

export interface TakeRequest extends QueueQuery {
  reviewingId: string
  limit: number
  leaseSeconds: number
  blind: boolean
}

interface Seat { itemId: string, double: boolean, seats: Seats, version: number }
const batch = 200
/** Races for one seat that are lost before another item is tried. */
const racesMax = 3

/**
 * First what the rater holds already, its lease renewed, then free items in the seed's order. An
 * item that is handed out and never reviewed comes again when its lease has run out.
 */
export async function takeItems (parts: HumanParts, asked: TakeRequest): Promise<ReviewQueue> {
  const { reviewingId, raterId, limit, disputed } = asked
  await parts.assertReviewing(reviewingId)
  const all = disputed ? await disputedCandidates(parts, reviewingId) : await parts.candidates(reviewingId)
  const candidates = candidatesFor(all, asked)
  const entries: QueueEntry[] = []
  const offer = async (seat: Seat): Promise<void> => {
    const entry = entries.length < limit ? await take(parts, asked, seat) : undefined
    if (entry !== undefined) entries.push(entry)
  }
  for (const held of await heldFirst(parts, asked, candidates)) await offer(held)
  const held = new Set(entries.map(({ item }) => item.id))
  for (let start = 0; start < candidates.length && entries.length < limit; start += batch) {
    const some = candidates.slice(start, start + batch).filter(({ itemId }) => !held.has(itemId))
    for (const seat of await seatsOf(parts, asked, some)) await offer(seat)
  }
  const progress = {
    items: candidates.length,
    yours: await parts.human.countDone(reviewingId, raterId),
    reviewed: await parts.human.countDone(reviewingId)
  }
  return { entries, progress }
}

function queueOf ({ disputed, reviewingId }: TakeRequest): string {
  return disputed ? disputedQueue(reviewingId) : reviewingId
}

async function disputedCandidates ({ human }: HumanParts, reviewingId: string): Promise<Candidate[]> {
  return (await human.listDisputed(reviewingId)).map(({ reviewed, state: { disputed } }) => {
    const { item: { id: itemId, kind }, verdict, eligible, flags } = reviewed
    return { itemId, kind, verdict, eligible, disputed, flagged: flags !== undefined }
  })
}

async function heldFirst (
  parts: HumanParts, asked: TakeRequest, candidates: readonly Candidate[]
): Promise<Seat[]> {
  const docs = await parts.human.heldBy(queueOf(asked), asked.raterId)
  const held = new Set(docs.map(({ _id }) => _id))
  return await seatsOf(parts, asked, candidates.filter(({ itemId }) => held.has(`${queueOf(asked)}.${itemId}`)))
}

async function seatsOf (
  parts: HumanParts, asked: TakeRequest, candidates: readonly Candidate[]
): Promise<Seat[]> {
  const ids = candidates.map(({ itemId }) => `${queueOf(asked)}.${itemId}`)
  const docs = new Map((await parts.human.findSeats(ids)).map(doc => [doc._id, doc]))
  return candidates.map(({ itemId }, at) => seatOf(parts, asked, { itemId, doc: docs.get(ids[at]!) }))
}

/** The seats of an item without the leases that have run out. */
function seatOf (
  { watch }: HumanParts, asked: TakeRequest, { itemId, doc }: { itemId: string, doc: SeatsDoc | undefined }
): Seat {
  const leases = Object.entries(doc?.leases ?? {})
    .filter(([raterId, lease]) => watch.live(doc?._id ?? '', raterId, lease))
  return {
    itemId,
    double: !asked.disputed && isDouble(itemId, asked),
    seats: { leases: Object.fromEntries(leases), done: doc?.done ?? {} },
    version: doc?.version ?? 0
  }
}

async function take (parts: HumanParts, asked: TakeRequest, first: Seat): Promise<QueueEntry | undefined> {
  const { raterId, reviewingId, leaseSeconds, blind, disputed } = asked
  let seat = first
  for (let races = 0; races < racesMax; races++) {
    const wanted = { raterId, seats: seat.double ? 2 : 1 }
    if (!mayTake(seat.seats, wanted)) return undefined
    const subject = await parts.human.findSubject(reviewingId, seat.itemId)
    if (subject === undefined || (disputed && !subject.state.disputed)) return undefined
    // The reviews are the truth: a crash may have kept one from the seats.
    const done = disputed ? seat.seats.done : { ...seat.seats.done, ...doneBy(subject) }
    if (!mayTake({ ...seat.seats, done }, wanted)) return undefined
    const item = blind ? versionForBlind(subject.state, raterId) : standOf(subject.state).item
    const itemHash = itemHashOf(item)
    const lease: Lease = { beat: seat.version + 1, ms: leaseSeconds * 1_000, blind, itemHash }
    const place = { queueId: queueOf(asked), itemId: seat.itemId }
    const seats = { leases: { ...seat.seats.leases, [raterId]: lease }, done }
    if (await parts.human.saveSeats(place, seats, seat.version)) {
      // From now on it is watched here.
      parts.watch.live(`${place.queueId}.${place.itemId}`, raterId, lease)
      return await entryOf(parts, asked, { subject, double: seat.double })
    }
    const doc = await parts.human.findSeat(`${place.queueId}.${place.itemId}`)
    seat = seatOf(parts, asked, { itemId: seat.itemId, doc })
  }
  return undefined
}

function doneBy ({ state }: Subject): Record<string, true> {
  return Object.fromEntries(standingOpinions(state).map(({ review }) => (
    [review.human.rater.id, true] as const)))
}

async function entryOf (
  parts: HumanParts, { reviewingId, raterId, leaseSeconds, blind }: TakeRequest,
  { subject, double }: { subject: Subject, double: boolean }
): Promise<QueueEntry> {
  const { reviewed, state } = subject
  if (blind) {
    const version = versionForBlind(state, raterId)
    const { provenance: _, ...item } = version
    const original = itemHashOf(version) === itemHashOf(state.base.item)
    return {
      reviewingId,
      etag: itemEtag(version),
      leaseSeconds,
      blind,
      double,
      item,
      revision: original ? state.base.revision : reviewed.revision,
      failedChecks: original ? state.base.failedChecks : reviewed.failedChecks,
      verdict: null,
      decision: null,
      disputed: false,
      reviews: []
    }
  }
  const { item, revision, failedChecks, verdict, decision } = reviewed
  const { disputed } = state
  const page = await listItemReviews(parts, item.id, { limit: 200 })
  const reviews = [
    ...page.items.filter(review => !('human' in review)),
    ...state.opinions.map(opinion => withStanding(state, opinion))
  ]
  const etag = stateEtag(reviewed)
  const lease = { reviewingId, etag, leaseSeconds, blind, double }
  return { ...lease, item, revision, failedChecks, verdict, decision, disputed, reviews }
}
