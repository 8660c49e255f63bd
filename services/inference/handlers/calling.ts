/** What the steps of a call share. */
import type { CallRecord } from '../domain/call.ts'
import type { CompletionKey } from '../domain/completion-key.ts'
import type { Reply } from '../domain/reply.ts'
import type { StreamParts } from './answer-stream.ts'
import type { LedgerParts } from './answer-whole.ts'
import type { AskParts } from './ask-model.ts'
import type { Attempting } from './attempts.ts'
import type { Budgets } from './budgets.ts'
import type { CallObserver } from './observe-calls.ts'

export interface CallParts extends AskParts {
  ledger: LedgerParts
  streams: StreamParts<StreamHead>
  observer: CallObserver
  budgets: Pick<Budgets, 'reserve'>
  /** Told of each call once. */
  note: (record: CallRecord) => void
}

/** One call under way. */
export interface Calling extends Attempting {
  /** Null where nothing is recorded, replayed or shared. */
  key: CompletionKey | null
  /**
   * Work that may outlive a caller who leaves, as when others wait for it too: what the call cost is
   * known, and noted, at its end. Whoever asked pays.
   */
  until: (work: Promise<unknown>) => void
}

/** Of a stream that several may read. */
export interface StreamHead {
  /** What is known of it so far. */
  about: () => Omit<Reply, 'bytes'>
}
