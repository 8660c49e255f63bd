/**
 * Gives every call an upstream and a slot there: at once where one is free, else in its turn. A
 * slot that is released goes to the next waiter in the same moment. Nothing is sent here: a lease
 * says where a call may be sent, and releasing it what became of it.
 */
import { Problem } from '../../../shared/errors/problem.ts'
import type { Call } from '../domain/call.ts'
import { indexedHeap } from '../domain/indexed-heap.ts'
import { ready, withoutExcluded, type Reach } from '../domain/lane.ts'
import type { Target } from '../domain/replica.ts'
import { isAway, slotsOf, type CallEnding, type UpstreamState } from '../domain/upstream-state.ts'
import { begin, choose, reachOf, type DispatcherOptions, type Dispatching } from './slots.ts'
import { closeQueue, pump, released, wait } from './wait-for-slot.ts'

export type Ended = CallEnding

export interface Lease {
  target: Target
  /** Time spent waiting for it. */
  queueMs: number
  /** To be called once for each lease, whatever happens; further calls do nothing. */
  release: (ended: Ended) => void
}

export interface AcquireOptions {
  /** Names of upstreams this call has failed at; avoided while another works. */
  exclude: ReadonlySet<string>
  /** When waiting is no use any more, in milliseconds of the dispatcher's clock (`performance.now()`). */
  deadline: number
}

export interface Dispatcher {
  /**
   * @throws Problem model-not-found or upstream-unavailable as the directory says; upstream-unavailable
   *         when none is there; too-many-requests when there is no room to wait, or all are busy for
   *         longer than the deadline; upstream-timeout when the deadline passes; shutting-down;
   *         or the signal's reason when the caller leaves
   */
  acquire: (call: Call, options: AcquireOptions) => Promise<Lease>
  observe: () => DispatcherGauges
  close: () => void
}

export interface DispatcherGauges {
  queues: Array<{ model: string, waiting: readonly [number, number, number], perSecond: number | null }>
  waiting: number
  waitingBytes: number
  upstreams: Array<{
    name: string, inFlight: number, slots: number, breaker: 'closed' | 'open' | 'probing', suspected: boolean, pausedMs: number
  }>
}

export function dispatcher (options: DispatcherOptions): Dispatcher {
  const { waitingMax, waitingBytesMax } = options.limits
  const all: Dispatching = {
    ...options,
    room: { countMax: waitingMax, bytesMax: waitingBytesMax, count: 0, bytes: 0 },
    lanes: new Map(),
    deadlines: indexedHeap((a, b) => a.deadline < b.deadline),
    wakeAt: Infinity,
    cancelTimer () {},
    released (state, ended, now) { released(all, state, { ended, now }) },
    refreshedAt: -Infinity,
    closed: false,
    states: new Map(),
    turn: 0,
    tokensMean: 1000
  }
  return {
    acquire: (call, acquireOptions) => acquire(all, call, acquireOptions),
    observe: () => observe(all),
    close () { closeQueue(all) }
  }
}

async function acquire (all: Dispatching, call: Call, options: AcquireOptions): Promise<Lease> {
  call.signal.throwIfAborted()
  const targets = await all.directory.targets(call.body.model, call.needs)
  call.signal.throwIfAborted()
  if (all.closed) throw new Problem('shutting-down', 'The service is shutting down; ask again in a moment.')
  const now = all.clock.now()
  const reach = withoutExcluded(reachOf(all, targets, now), options.exclude)
  // A pause or a backoff may just be over: whoever waits for it was here before.
  if (all.room.count > 0) for (const state of reach.states) pump(all, state, now)
  const free = ready(reach, now)
  if (free.length > 0) {
    const at = choose(all, { reach, among: free, call }, now)
    return begin(all, call, { reach, at, since: now, now })
  }
  refuseHopeless(reach, options.deadline, now)
  const there = reach.states.flatMap((state, at) => isAway(state) ? [] : [at])
  const home = choose(all, { reach, among: there, call }, now)
  return await wait(all, call, { ...options, reach, home: reach.states[home] as UpstreamState, now })
}

/** Waiting that cannot end well is spared. */
function refuseHopeless ({ states }: Reach, deadline: number, now: number): void {
  const there = states.filter(state => !isAway(state))
  if (there.length === 0) {
    const names = states.map(({ replica }) => replica.upstream.name).join(', ')
    throw new Problem('upstream-unavailable', `No model server that offers this model takes requests now (${names}): they are down, asleep or draining. GET /v1/upstreams says why.`, { retryAfterSeconds: 5 })
  }
  const busyUntil = Math.min(...there.map(({ pausedUntil }) => pausedUntil))
  if (busyUntil <= deadline) return
  throw new Problem('too-many-requests', 'Every model server that offers this model has asked to be left alone for longer than this request may take; ask again after the time in Retry-After.', { retryAfterSeconds: Math.ceil((busyUntil - now) / 1000) })
}

function observe (all: Dispatching): DispatcherGauges {
  const now = all.clock.now()
  const known = new Set(all.directory.replicas().map(({ upstream }) => upstream.name))
  for (const [name, { inFlight }] of all.states) {
    if (!known.has(name) && inFlight === 0 && all.room.count === 0) all.states.delete(name)
  }
  return {
    queues: Array.from(all.lanes.values(), ({ model, waiting, rate }) => ({
      model, waiting: [...waiting] as const, perSecond: rate.perSecond(now)
    })),
    waiting: all.room.count,
    waitingBytes: all.room.bytes,
    upstreams: Array.from(all.states.values(), state => ({
      name: state.replica.upstream.name,
      inFlight: state.inFlight,
      slots: slotsOf(state),
      breaker: state.breaker.state,
      suspected: state.suspicion.stands,
      pausedMs: Math.max(0, state.pausedUntil - now)
    }))
  }
}
