/** The ledger of a process: what was answered, what was used, what may be spent. */
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { Store } from '../../../shared/store/store.ts'
import type { Landed } from './answer-whole.ts'
import { openBudgets, type Budgets } from './budgets.ts'
import { coalescer, type Flights } from './coalesce.ts'
import { completionRecord, type CompletionRecord } from './completion-record.ts'
import { usageLedger, type UsageLedger } from './usage-ledger.ts'

export interface Ledger {
  record: CompletionRecord
  /** Whole calls under way. */
  flights: Flights<Landed>
  usage: UsageLedger
  budgets: Budgets
  /** Writes what has not been written. Call it after the last call has ended, before the store closes. */
  close: () => Promise<void>
}

interface Parts {
  store: Store
  blobs: Blobs
  /** For replies used last. */
  cacheBytesMax: number
  /** Told when sums could not be written or read; it is tried again each second. */
  onFault: (cause: unknown) => void
}

export async function openLedger ({ store, blobs, cacheBytesMax, onFault }: Parts): Promise<Ledger> {
  const usage = await usageLedger(store, { onFault })
  const budgets = await openBudgets(store, onFault)
  return {
    record: await completionRecord({ store, blobs, cacheBytesMax }),
    flights: coalescer(),
    usage,
    budgets,
    async close () {
      // Each is tried, whatever becomes of the other.
      const ended = await Promise.allSettled([usage.close(), budgets.close()])
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    }
  }
}
