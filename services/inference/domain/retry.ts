/** Whether a request that failed is sent again. Nothing of it has reached the caller yet. */
import type { UpstreamFault } from './fault.ts'

/** Requests to upstreams for one call, all told. */
const attemptsMax = 4
/** Of them, such as are only waits: the server has said when to come again. */
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
  return paced < attemptsMax ? 'pause' : 'stop'
}
