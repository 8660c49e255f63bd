/** Those who wait: they come, are served, leave or run out of time. One timer serves them all. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { Call } from '../domain/call.ts'
import { retryAfterSeconds } from '../domain/drain-rate.ts'
import { lane, laneKey, withoutExcluded, type Lane, type Reach, type Waiting } from '../domain/lane.ts'
import { hasSlot, isAway, mayTry, type UpstreamState } from '../domain/upstream-state.ts'
import { deferred } from './deferred.ts'
import type { Ended, Lease } from './dispatcher.ts'
import { begin, reachOf, savedTokens, type Dispatching } from './slots.ts'

/** While somebody waits, so often is looked whether upstreams have come, gone or changed. */
const refreshMs = 1000
/** A server that is away this long fails those who wait for it; a shorter absence they do not notice. */
const awayMaxMs = 15_000

interface Wish {
  exclude: ReadonlySet<string>
  deadline: number
  reach: Reach
  /** Where it would best go. */
  home: UpstreamState
  now: number
}

export async function wait (all: Dispatching, call: Call, wish: Wish): Promise<Lease> {
  const { exclude, deadline, reach, home, now } = wish
  if (deadline <= now) throw timeIsUp(call)
  const key = laneKey(call, exclude)
  const own = all.lanes.get(key) ?? lane<Lease>(key, call, { exclude, reach, room: all.room })
  own.reach = reach
  const { promise, resolve, reject } = deferred<Lease>()
  const waiting: Waiting<Lease> = {
    caller: call.labels.caller,
    group: call.labels.group,
    band: call.band,
    tokens: call.tokens,
    bytes: call.bytes,
    call,
    lane: own,
    home,
    work: Math.max(1, call.tokens - savedTokens(all, home, call)),
    since: now,
    deadline,
    ticket: null,
    place: -1,
    resolve,
    reject,
    onAbort () { giveUp(all, waiting, call.signal.reason) }
  }
  waiting.ticket = own.queue.offer(waiting)
  if (waiting.ticket === null) throw noRoom(all, own, now)
  all.lanes.set(key, own)
  all.deadlines.add(waiting)
  home.expected += 1
  home.expectedWork += waiting.work
  // Its prompt will be there before those that come after it.
  home.prefixes.add(call.prefix)
  call.signal.addEventListener('abort', waiting.onAbort)
  wakeBy(all, Math.min(deadline, nextEvent(all, now)), now)
  return await promise
}

/** Gives free slots of an upstream to those who wait for them, while there are both. */
export function pump (all: Dispatching, state: UpstreamState, now: number): void {
  while (all.room.count > 0 && hasSlot(state, now)) {
    const lanes: Array<Lane<Lease>> = []
    for (const own of all.lanes.values()) {
      if (own.reach.states.includes(state) && mayTry(state, own.reach.states, now)) lanes.push(own)
    }
    const next = state.turns.next(lanes)
    if (next === undefined) return
    const { queue: own, band } = next
    const waiting = own.queue.take(band, ({ home }) => home === state) as Waiting<Lease>
    state.turns.served(lanes, own, waiting)
    own.rate.left(now)
    forget(all, waiting)
    const at = own.reach.states.indexOf(state)
    waiting.resolve(begin(all, waiting.call, { reach: own.reach, at, since: waiting.since, now }))
  }
}

/** A call has ended there. */
export function released (
  all: Dispatching, state: UpstreamState, { ended, now }: { ended: Ended, now: number }
): void {
  pump(all, state, now)
  // A pause or a backoff may have begun, whose end somebody waits for.
  if (ended.kind === 'busy' || ended.kind === 'fault') wakeBy(all, nextEvent(all, now), now)
}

export function closeQueue (all: Dispatching): void {
  all.closed = true
  all.cancelTimer()
  for (const own of all.lanes.values()) {
    failAll(all, own, new Problem('shutting-down', 'The service is shutting down; ask again in a moment.'))
  }
}

/** What is remembered of one who waited, besides the place in the queue. */
function forget (all: Dispatching, waiting: Waiting<Lease>): void {
  const { lane: own, home, work, call } = waiting
  all.deadlines.remove(waiting)
  home.expected -= 1
  home.expectedWork = Math.max(0, home.expectedWork - work)
  call.signal.removeEventListener('abort', waiting.onAbort)
  if (own.queue.size === 0) all.lanes.delete(own.key)
}

function giveUp (all: Dispatching, waiting: Waiting<Lease>, reason: unknown): void {
  if (waiting.ticket === null || !waiting.lane.queue.remove(waiting.ticket)) return
  forget(all, waiting)
  waiting.reject(reason)
}

function failAll (all: Dispatching, own: Lane<Lease>, reason: unknown): void {
  for (const band of [0, 1, 2] as const) {
    for (let waiting = own.queue.take(band); waiting !== undefined; waiting = own.queue.take(band)) {
      forget(all, waiting)
      waiting.reject(reason)
    }
  }
}

function wakeBy (all: Dispatching, at: number, now: number): void {
  if (at >= all.wakeAt || all.closed) return
  all.cancelTimer()
  all.wakeAt = at
  // Timers may fire a fraction of a millisecond early.
  all.cancelTimer = all.clock.after(Math.max(0, Math.ceil(at - now)), () => { wake(all) })
}

function wake (all: Dispatching): void {
  const now = all.clock.now()
  all.wakeAt = Infinity
  let first = all.deadlines.first()
  for (; first !== undefined && first.deadline <= now; first = all.deadlines.first()) {
    giveUp(all, first, timeIsUp(first.call))
  }
  for (const state of all.states.values()) pump(all, state, now)
  if (now - all.refreshedAt >= refreshMs) {
    all.refreshedAt = now
    for (const own of all.lanes.values()) void refresh(all, own)
  }
  if (all.room.count > 0) wakeBy(all, nextEvent(all, now), now)
}

/** When time alone changes something: a deadline, the end of a pause or a backoff, the next look around. */
function nextEvent (all: Dispatching, now: number): number {
  let at = Math.min(all.deadlines.first()?.deadline ?? Infinity, Math.max(now, all.refreshedAt + refreshMs))
  for (const { pausedUntil, breaker } of all.states.values()) {
    for (const end of [pausedUntil, breaker.probeAt, breaker.lastResortAt]) {
      if (end > now && end < at) at = end
    }
  }
  return at
}

/** Asks the directory anew for those who wait: servers may have come, gone, or changed their slots. */
async function refresh (all: Dispatching, own: Lane<Lease>): Promise<void> {
  let away = true
  try {
    const targets = await all.directory.targets(own.model, own.needs)
    own.reach = withoutExcluded(reachOf(all, targets, all.clock.now()), own.exclude)
    away = own.reach.states.every(isAway)
  } catch (error) {
    // One that is away may come back; a model that nobody has any more does not.
    if (!(error instanceof Problem && error.kind === 'upstream-unavailable')) { failAll(all, own, error); return }
  }
  const now = all.clock.now()
  own.awaySince = away ? own.awaySince ?? now : null
  if (own.awaySince !== null && now - own.awaySince >= awayMaxMs) {
    failAll(all, own, new Problem('upstream-unavailable', `No model server that offers ${own.model} has been there for ${awayMaxMs / 1000} seconds; GET /v1/upstreams says why.`, { retryAfterSeconds: 5 }))
  }
  for (const state of own.reach.states) pump(all, state, now)
}

function noRoom (all: Dispatching, { queue, model, rate }: Lane<Lease>, now: number): Problem {
  const { count, countMax, bytes, bytesMax } = all.room
  return new Problem(
    'too-many-requests',
    `There is no room for one more request of this caller to wait for ${model}: ${count} of ${countMax} requests and ${bytes} of ${bytesMax} bytes wait. Send fewer at once, or come back after the time in Retry-After.`,
    { retryAfterSeconds: retryAfterSeconds(queue.size, rate.perSecond(now)) }
  )
}

function timeIsUp ({ body, timeoutMs }: Call): Problem {
  return new Problem('upstream-timeout', `No slot for ${body.model} became free within the ${timeoutMs} ms this request may take; ask again, or allow it more time.`)
}
