/**
 * Asks upstreams until one has begun to answer. Up to then the caller has seen nothing, so a request
 * that failed may be sent again: elsewhere, later, or not at all.
 */
import type { Call } from '../domain/call.ts'
import { UpstreamFault } from '../domain/fault.ts'
import { backoffMs, type RetryBudget } from '../domain/retry-budget.ts'
import { retryAfter } from '../domain/retry.ts'
import type { CallTrace } from './call-trace.ts'
import type { Directory } from './directory.ts'
import type { Dispatcher, Ended, Lease } from './dispatcher.ts'
import type { CallWatch } from './observe-calls.ts'

export interface AttemptParts {
  dispatcher: Dispatcher
  directory: Directory
  retryBudget: RetryBudget
  /** 0 to below 1. */
  random: () => number
  queueTimeoutMs: number
}

export interface Attempting {
  call: Call
  trace: CallTrace
  watch: CallWatch
  /** Monotonic, of the whole call. */
  deadline: number
}

/** A place at an upstream, and what is told when it is given back. */
export interface Attempt {
  lease: Lease
  /** To be sent along: the trace it belongs to. */
  headers: Record<string, string>
  /** Gives the place back; the first word counts. */
  ended: (ended: Ended, cause?: unknown) => void
}

/**
 * @param once  one request; it ends the attempt when it succeeds, be it later
 * @throws what the last attempt threw; a Problem of the queue; the reason of the signal
 */
export async function withAttempts<T> (
  parts: AttemptParts, attempting: Attempting, once: (attempt: Attempt) => Promise<T>
): Promise<T> {
  const { call, trace, deadline } = attempting
  const exclude = new Set<string>()
  const tried = { paced: 0, directed: 0 }
  let last: UpstreamFault | undefined
  for (;;) {
    const lease = await acquire(parts, attempting, exclude, last)
    const attempt = beginAttempt(attempting, lease)
    try { return await once(attempt) } catch (cause) {
      attempt.ended(endedBy(cause, call.signal), cause)
      if (!(cause instanceof UpstreamFault) || call.signal.aborted) throw cause
      last = cause
      tried[cause.retryAfterMs === null ? 'paced' : 'directed'] += 1
      const hasOthers = (await parts.directory.targets(call.body.model, call.needs)).length > 1
      const leftMs = deadline - performance.now()
      const next = retryAfter({ fault: cause, ...tried, hasOthers, leftMs })
      if (next === 'stop' || (next === 'pause' && !parts.retryBudget.tryTake(performance.now()))) throw cause
      if (hasOthers) exclude.add(lease.target.replica.upstream.name)
      if (next === 'pause') await pause(Math.min(backoffMs(tried.paced, parts.random), leftMs), call.signal)
    }
  }
}
