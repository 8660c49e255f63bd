/**
 * Asks upstreams until one has begun to answer. Up to then the caller has seen nothing, so a request
 * that failed may be sent again: elsewhere, later, or not at all.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { asProblem } from '../../../shared/errors/problem-body.ts'
import type { Call, Leaving } from '../domain/call.ts'
import { UpstreamFault } from '../domain/fault.ts'
import type { RetryBudget } from '../domain/retry-budget.ts'
import { backoffMs, retryAfter } from '../domain/retry.ts'
import type { CallTrace } from './call-trace.ts'
import type { Directory } from './directory.ts'
import type { Dispatcher, Ended, Lease } from './dispatcher.ts'
import type { Exchanges } from './exchange.ts'
import type { CallWatch } from './observe-calls.ts'

export interface AttemptParts {
  dispatcher: Dispatcher
  directory: Directory
  retryBudget: RetryBudget
  /** 0 to below 1. */
  random: () => number
  queueTimeoutMs: number
  exchanges: Pick<Exchanges, 'heardAt'>
}

export interface Attempting {
  call: Call
  trace: CallTrace
  watch: CallWatch
  /** Monotonic, of the whole call. */
  deadline: number
  /**
   * Once, before an upstream is asked: what is replayed or shared takes nothing of a budget.
   * @throws Problem budget-exhausted
   */
  reserve: () => Promise<void>
}

/** A place at an upstream, and what is told when it is given back. */
export interface Attempt {
  lease: Lease
  /** When it was asked; it may be restarted with another. */
  upstreamVersion: string | null
  /** To be sent along: the trace it belongs to. */
  headers: Record<string, string>
  /** Gives the place back; the first word counts. @param firstByteAt  monotonic */
  answered: (firstByteAt: number) => void
  ended: (ended: NoAnswer, cause: unknown) => void
}

/** Of a call that was left, what is known of the server is added. */
type NoAnswer = Exclude<Ended, { kind: 'answered' | 'cancelled' }> | { kind: 'cancelled' }

/**
 * @param once  one request; it ends the attempt when it succeeds, be it later
 * @throws what the last attempt threw; a Problem of the queue; the reason of the signal
 */
export async function withAttempts<T> (
  parts: AttemptParts, attempting: Attempting, once: (attempt: Attempt) => Promise<T>
): Promise<T> {
  const { call, deadline } = attempting
  await attempting.reserve()
  const exclude = new Set<string>()
  const tried = { paced: 0, directed: 0 }
  let last: UpstreamFault | undefined
  for (;;) {
    const lease = await acquire(parts, attempting, { exclude, last })
    const attempt = beginAttempt(parts, attempting, lease)
    try { return await once(attempt) } catch (cause) {
      attempt.ended(endedBy(cause, call.signal), cause)
      if (cause instanceof UpstreamFault && (cause.blame === 'fault' || cause.kind === 'model-not-found')) {
        parts.directory.faulted(lease.target.replica.upstream.name, cause.message)
      }
      if (!(cause instanceof UpstreamFault) || call.signal.aborted) throw cause
      last = cause
      tried[cause.retryAfterMs === null ? 'paced' : 'directed'] += 1
      const hasOthers = (await parts.directory.targets(call.body.model, call.needs)).length > 1
      const leftMs = deadline - performance.now()
      const next = retryAfter({ fault: cause, ...tried, hasOthers, leftMs })
      if (next === 'stop' || (next === 'pause' && !parts.retryBudget.tryTake(performance.now()))) throw cause
      if (hasOthers) exclude.add(lease.target.replica.upstream.name)
      if (next === 'pause') await pause(Math.min(backoffMs(tried.paced, parts.random()), leftMs), call.signal)
    }
  }
}

interface Before { exclude: ReadonlySet<string>, last: UpstreamFault | undefined }

async function acquire (
  { dispatcher, queueTimeoutMs }: AttemptParts, attempting: Attempting, { exclude, last }: Before
): Promise<Lease> {
  const { call, trace, deadline } = attempting
  const from = performance.now()
  try {
    return await dispatcher.acquire(call, { exclude, deadline: Math.min(deadline, from + queueTimeoutMs) })
  } catch (cause) {
    // Why the server failed says more than that waiting for it was no use.
    throw last !== undefined && !call.signal.aborted ? last : cause
  } finally { trace.queueMs += performance.now() - from }
}

function beginAttempt (
  { exchanges }: AttemptParts, { call, trace, watch }: Attempting, lease: Lease
): Attempt {
  const { replica, served } = lease.target
  trace.attempts += 1
  trace.upstream = replica.upstream.name
  trace.upstreamVersion = replica.probe.version
  trace.servedModel = served
  const span = watch.attempt({ upstream: replica.upstream, served, queueMs: lease.queueMs })
  const begunAt = performance.now()
  const form = call.body.stream === true ? 'stream' : call.path
  let isOver = false
  const giveBack = (ended: Ended, ending: Parameters<typeof span.ended>[0]): void => {
    if (isOver) return
    isOver = true
    lease.release(ended)
    span.ended(ending)
  }
  return {
    lease,
    upstreamVersion: replica.probe.version,
    headers: span.headers,
    answered (firstByteAt) {
      // Of the server alone: what the call waited for before says nothing of how busy it is.
      giveBack({ kind: 'answered', firstByteMs: firstByteAt - begunAt, form }, 'answered')
    },
    ended (ended, cause) {
      const { heardAt } = exchanges
      const told = ended.kind === 'cancelled' ? { ...ended, form, heardAt: heardAt(replica.upstream) } : ended
      giveBack(told, call.signal.aborted ? 'cancelled' : asProblem(cause).kind)
    }
  }
}

/** What the upstream is told to be the cause of. */
export function endedBy (cause: unknown, signal: Leaving): NoAnswer {
  if (signal.aborted || !(cause instanceof UpstreamFault)) return { kind: 'cancelled' }
  // Its time was up: in how much of it the server was silent says whether it works.
  if (cause.kind === 'upstream-timeout' && cause.blame === 'none') return { kind: 'cancelled' }
  if (cause.blame === 'busy') return { kind: 'busy', retryAfterMs: cause.retryAfterMs }
  return { kind: cause.blame === 'fault' ? 'fault' : 'refused' }
}

async function pause (ms: number, signal: Leaving): Promise<void> {
  const controller = new AbortController()
  const stop = (): void => { controller.abort() }
  signal.addEventListener('abort', stop)
  try { await wait(ms, undefined, { signal: controller.signal }) } catch (cause) {
    throw signal.aborted ? signal.reason : cause
  } finally { signal.removeEventListener('abort', stop) }
}
