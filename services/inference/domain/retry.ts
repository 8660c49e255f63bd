/** Whether a request that failed is sent again. Nothing of it has reached the caller yet. */
import type { UpstreamFault } from './fault.ts'

/** Requests of one call that fail without a word of when to come again. */
const pacedMax = 4
/** Requests of one call that are sent away with such a word. */
const directedMax = 20

export interface Tried {
  fault: UpstreamFault
  /** Requests made so far that failed without such a word, and with. */
  paced: number
  directed: number
  /** Whether another upstream serves the model. */
  hasOthers: boolean
  /** Of the caller's time. */
  leftMs: number
}

/**
 * `again`: at once, elsewhere or when the server said; `pause`: after a random wait, if the budget for
 * retries has one left; `stop`: the fault is the caller's to know.
 */
export function retryAfter ({ fault, paced, directed, hasOthers, leftMs }: Tried): 'again' | 'pause' | 'stop' {
  if (fault.retry === 'never' || leftMs <= 0) return 'stop'
  if (fault.retryAfterMs !== null) {
    // Waiting for longer than the caller would only hide when to come again.
    if (!hasOthers && fault.retryAfterMs >= leftMs) return 'stop'
    return directed < directedMax ? 'again' : 'stop'
  }
  return paced < pacedMax ? 'pause' : 'stop'
}

const backoffBaseMs = 100
const backoffMaxMs = 5000

/**
 * How long to wait before a retry, with full jitter: spread evenly from 0, so that those who failed
 * together do not come back together.
 *
 * @param attempt  1 for the first retry
 * @param random   in [0, 1)
 * @see            https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMs (attempt: number, random: number): number {
  return random * Math.min(backoffMaxMs, backoffBaseMs * 2 ** Math.min(attempt - 1, 16))
}
