/** Who has reviewed what, as the queue keeps it. The reviews themselves are the truth; this follows. */
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import type { Lease, Seats } from '../domain/queue.ts'
import type { SeatsPlace } from '../store.ts'
import type { HumanParts } from './parts.ts'
import { triesMax } from './write-stand.ts'

export const disputedQueue = (reviewingId: string): string => `${reviewingId}.disputed`

/** Ends what the rater holds of the item, and remembers that it is done. */
export async function markDone (
  parts: HumanParts, { reviewingId, item }: ReviewedItem, raterId: string
): Promise<void> {
  const done = ({ leases, done }: Seats): Seats => (
    { leases: without(leases, raterId), done: { ...done, [raterId]: true } })
  await changeSeats(parts, { queueId: reviewingId, itemId: item.id }, done)
  if (await parts.human.findSeat(`${disputedQueue(reviewingId)}.${item.id}`) === undefined) return
  // A dispute may come up again, and then the same person may settle it.
  await changeSeats(parts, { queueId: disputedQueue(reviewingId), itemId: item.id }, ({ leases, done }) => (
    { leases: without(leases, raterId), done }))
}

/**
 * Gives the item back to a rater who takes a review back.
 *
 * @throws Problem conflict when others are always faster: the seat would stay taken
 */
export async function markUndone (
  parts: HumanParts, { reviewingId, item }: ReviewedItem, { raterId, lease }: { raterId: string, lease: Omit<Lease, 'beat'> }
): Promise<void> {
  const place = { queueId: reviewingId, itemId: item.id }
  const given = await changeSeats(parts, place, ({ leases, done }, beat) => (
    { leases: { ...leases, [raterId]: { ...lease, beat } }, done: without(done, raterId) }))
  if (!given) throw new Problem('conflict', 'Others take this item all the time; try again.')
}

async function changeSeats (
  { human }: HumanParts, place: SeatsPlace, change: (seats: Seats, beat: number) => Seats
): Promise<boolean> {
  for (let tries = 0; tries < triesMax; tries++) {
    const found = await human.findSeat(`${place.queueId}.${place.itemId}`)
    const before = found?.version ?? 0
    const seats = { leases: found?.leases ?? {}, done: found?.done ?? {} }
    if (await human.saveSeats(place, change(seats, before + 1), before)) return true
  }
  return false
}

function without<T> (record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}
