/** What the queue knows of the items of a reviewing, kept in memory for a while. */
import type { Candidate } from './domain/queue.ts'
import type { HumanStore } from './store.ts'

const keptMs = 30_000
const listsMax = 4

export type CandidateLists = (reviewingId: string) => Promise<Candidate[]>

interface Kept { count: number, since: number, list: Promise<Candidate[]> }

/**
 * Reading all items for each request would cost seconds with tens of thousands; what is kept is
 * forgotten after half a minute, or when there are more items. Whether an item may be taken is
 * decided on the item itself.
 *
 * @param now  milliseconds that never go back
 */
export function candidateLists (store: HumanStore, now: () => number): CandidateLists {
  const kept = new Map<string, Kept>()
  return async reviewingId => {
    const count = await store.countItems(reviewingId)
    const known = kept.get(reviewingId)
    if (known?.count === count && now() - known.since < keptMs) return await known.list
    const list = read(store, reviewingId)
    kept.delete(reviewingId)
    kept.set(reviewingId, { count, since: now(), list })
    for (const oldest of kept.keys()) if (kept.size > listsMax) kept.delete(oldest)
    list.catch(() => { kept.delete(reviewingId) })
    return await list
  }
}

async function read (store: HumanStore, reviewingId: string): Promise<Candidate[]> {
  const list: Candidate[] = []
  for await (const some of store.scan(reviewingId)) {
    for (const { reviewed: { item, verdict, eligible, flags }, state } of some) {
      const { id: itemId, kind } = item
      list.push({ itemId, kind, verdict, eligible, disputed: state.disputed, flagged: flags !== undefined })
    }
  }
  return list
}
