/** Who reviews what, and in which order. */
import { inHashOrder, sha256 } from '../../../../shared/contracts/hash.ts'
import type { ReviewedItem } from '../../../../shared/contracts/review.ts'

/** What the queue needs to know of an item; of a whole reviewing it is held in memory for a while. */
export interface Candidate {
  itemId: string
  kind: ReviewedItem['item']['kind']
  verdict: ReviewedItem['verdict']
  eligible: boolean
  disputed: boolean
  /** Whether its curation left something for a person to decide. */
  flagged: boolean
}

export interface QueueQuery {
  raterId: string
  seed: number
  /** Share of the items that two raters are to review, 0 to 1. */
  doubleShare: number
  /** All raters there are; empty: whoever comes takes what is free. */
  raters: readonly string[]
  kind?: Candidate['kind']
  verdict?: Candidate['verdict']
  eligible?: boolean
  disputed: boolean
}

/**
 * Whether two raters are to review an item. A greater share with the same seed keeps those that
 * were double before.
 */
export function isDouble (itemId: string, { seed, doubleShare }: Pick<QueueQuery, 'seed' | 'doubleShare'>): boolean {
  return Number.parseInt(sha256(`double ${seed} ${itemId}`).slice(0, 8), 16) / 2 ** 32 < doubleShare
}

/** One rater for an item, or two; who they are depends on nothing but seed, item and the list. */
export function ratersFor (itemId: string, { seed, raters, doubleShare }: Pick<QueueQuery, 'seed' | 'raters' | 'doubleShare'>): string[] {
  const count = isDouble(itemId, { seed, doubleShare }) ? 2 : 1
  return inHashOrder([...raters].sort(), rater => `rater ${seed} ${itemId} ${rater}`).slice(0, count)
}

/**
 * Those that match and are the rater's, in an order that depends on the seed and each item alone; those
 * that a curation left to people come before the others.
 */
export function candidatesFor (all: readonly Candidate[], query: QueueQuery): Candidate[] {
  const { kind, verdict, eligible, disputed, raters, raterId } = query
  const matching = all.filter(one => (kind === undefined || one.kind === kind) &&
    (verdict === undefined || one.verdict === verdict) &&
    (eligible === undefined || one.eligible === eligible) &&
    (!disputed || one.disputed) &&
    (disputed || raters.length === 0 || ratersFor(one.itemId, query).includes(raterId)))
  const ordered = inHashOrder(matching, ({ itemId }) => `${query.seed} ${itemId}`)
  return [...ordered.filter(({ flagged }) => flagged), ...ordered.filter(({ flagged }) => !flagged)]
}

/** Who holds an item, and who has reviewed it; by rater id. */
export interface Seats {
  leases: Record<string, Lease>
  done: Record<string, true>
}

/** `beat` is new each time it is granted or renewed. */
export interface Lease { beat: number, ms: number, blind: boolean, itemHash: string }

/** Whether the rater may take the item: not done by them, and a seat is free. */
export function mayTake (
  { leases, done }: Seats, { raterId, seats }: { raterId: string, seats: number }
): boolean {
  if (Object.hasOwn(done, raterId)) return false
  const others = new Set([...Object.keys(leases), ...Object.keys(done)].filter(id => id !== raterId))
  return others.size < seats
}

/** Sets of items to be judged as sets: as even as can be, in the order of the seed. */
export function setsOf (
  itemIds: readonly string[], { sets, size, seed }: { sets: number, size: number, seed: number }
): string[][] {
  const ordered = inHashOrder([...itemIds], itemId => `${seed} ${itemId}`).slice(0, sets * size)
  const count = Math.min(sets, Math.floor(ordered.length / 2))
  return Array.from({ length: count }, (_, at) => ordered.filter((_, position) => position % count === at))
}
