/**
 * When leases run out. A lease is a duration: it has run out when its beat has been seen unchanged
 * for that long, on the monotonic clock of the process that looks. A process that starts counts from
 * its first look, so a restart lengthens a lease and never cuts one.
 */
import type { Lease, Seats } from './queue.ts'

export interface LeaseWatch {
  /** Whether a lease of the seats still holds, by what was seen so far; seen now where it is new. */
  live: (seatId: string, raterId: string, lease: Lease) => boolean
  /** Forgets leases that are no more. */
  keepOnly: (open: ReadonlyMap<string, Seats>) => void
}

/** @param now  milliseconds that never go back */
export function leaseWatch (now: () => number): LeaseWatch {
  const seen = new Map<string, { beat: number, since: number }>()
  return {
    live (seatId, raterId, { beat, ms }) {
      const key = `${seatId} ${raterId}`
      const known = seen.get(key)
      if (known?.beat === beat) return now() - known.since < ms
      seen.set(key, { beat, since: now() })
      return true
    },
    keepOnly (open) {
      for (const key of seen.keys()) {
        const [seatId = '', raterId = ''] = key.split(' ')
        if (!Object.hasOwn(open.get(seatId)?.leases ?? {}, raterId)) seen.delete(key)
      }
    }
  }
}
