/** What the dispatcher knows of one upstream, and what an ended call teaches it. */
import { adaptiveLimit, type AdaptiveLimit } from './adaptive-limit.ts'
import { breaker, type Breaker, type Evidence } from './breaker.ts'
import { prefixIndex, type PrefixIndex } from './prefix-index.ts'
import type { Replica } from './replica.ts'
import { foreignCalls, loadFreshMs, type Candidate } from './routing.ts'
import { suspicion, type Suspicion } from './suspicion.ts'
import { turns, type Turns } from './turns.ts'

/**
 * How a call ended for the server it was sent to: `busy` is a 429 or a 503 for load, `fault` no
 * answer or a 5xx, `refused` any other 4xx. `form`: calls whose first bytes come in like times;
 * `heardAt`: when the last byte of any call came from there, monotonic.
 */
export type CallEnding =
  { kind: 'answered', firstByteMs: number, form: string } |
  { kind: 'busy', retryAfterMs: number | null } |
  { kind: 'fault' } | { kind: 'refused' } |
  { kind: 'cancelled', form: string, heardAt: number }

export interface UpstreamState {
  /** Newest from the directory. */
  replica: Replica
  baseUrl: string
  breaker: Breaker
  suspicion: Suspicion
  limit: AdaptiveLimit
  prefixes: PrefixIndex
  turns: Turns
  inFlight: number
  /** Tokens of calls under way, without what its prefix cache probably saved. */
  work: number
  /** Calls that wait and would best go here, and their tokens likewise. */
  expected: number
  expectedWork: number
  /** Busy until then, in monotonic milliseconds. */
  pausedUntil: number
  pausedAt: number
  /** Pauses in a row that no answer ended. */
  pauses: number
  /** Most under way in this stretch of time and in the one before; for gauges are of some moment ago. */
  peak: number
  peakBefore: number
  peakSince: number
}

const hashesMax = 32_768

export function upstreamState (replica: Replica): UpstreamState {
  return {
    replica,
    baseUrl: replica.upstream.baseUrl,
    breaker: breaker(),
    suspicion: suspicion(),
    limit: adaptiveLimit(),
    prefixes: prefixIndex(hashesMax),
    turns: turns(),
    inFlight: 0,
    work: 0,
    expected: 0,
    expectedWork: 0,
    pausedUntil: 0,
    pausedAt: 0,
    pauses: 0,
    peak: 0,
    peakBefore: 0,
    peakSince: 0
  }
}

/** Takes over what the directory knows; another address is another server, of which nothing is known. */
export function refreshState (state: UpstreamState, replica: Replica, now: number): void {
  if (replica.upstream.baseUrl !== state.baseUrl) {
    const { inFlight, work, expected, expectedWork } = state
    Object.assign(state, upstreamState(replica), { inFlight, work, expected, expectedWork })
  }
  state.replica = replica
  replica.inFlight = state.inFlight
  if (replica.load !== null) state.limit.scraped(replica.load)
  if (now - state.peakSince < loadFreshMs) return
  state.peakBefore = now - state.peakSince < 2 * loadFreshMs ? state.peak : state.inFlight
  state.peak = state.inFlight
  state.peakSince = now
}

/** Gets nothing new: taken out by a person, asleep, or known to be down. */
export function isAway ({ replica: { upstream, probe } }: UpstreamState): boolean {
  return upstream.draining === true || probe.state === 'sleeping' || probe.state === 'down'
}

export function slotsOf ({ replica, limit }: UpstreamState): number {
  return replica.upstream.slots ?? limit.value
}

/** Whether a call could be sent now as far as slots and pauses go; the breaker is asked apart. */
export function hasSlot (state: UpstreamState, now: number): boolean {
  return !isAway(state) && now >= state.pausedUntil && state.inFlight < slotsOf(state)
}

/**
 * Whether the breaker lets a call through; of several that are all open, the one that may be tried
 * soonest does so earlier. One that may hang has one call at a time, unless no other is better.
 */
export function mayTry (state: UpstreamState, among: readonly UpstreamState[], now: number): boolean {
  if (state.suspicion.stands && state.inFlight > 0 && among.some(isTrusted)) return false
  if (state.breaker.allows(now)) return true
  if (!state.breaker.allowsLastResort(now)) return false
  return among.every(other => other === state || isAway(other) ||
    (other.breaker.state !== 'closed' && state.breaker.probeAt <= other.breaker.probeAt))
}

function isTrusted (state: UpstreamState): boolean {
  return !isAway(state) && state.breaker.state === 'closed' && !state.suspicion.stands
}

/** Of the weight of a server that may hang. */
const suspectShare = 1 / 16

/** @param tokensMean what a call of others is taken to be */
export function candidateOf (
  state: UpstreamState, saved: number, { now, tokensMean }: { now: number, tokensMean: number }
): Candidate {
  const { replica, inFlight, peak, peakBefore } = state
  const share = now < state.suspicion.avoidedUntil ? suspectShare : 1
  const foreign = foreignCalls(replica.load, Math.max(inFlight, peak, peakBefore), now)
  return {
    work: state.work + state.expectedWork + foreign * tokensMean,
    calls: inFlight + state.expected + foreign,
    weight: Math.max(0.001, replica.upstream.weight ?? 1) * share,
    saved
  }
}

/** @param work its tokens, without what is probably cached; @returns whether it is the breaker's probe */
export function beginCall (state: UpstreamState, work: number): boolean {
  state.inFlight += 1
  state.replica.inFlight = state.inFlight
  state.work += work
  state.peak = Math.max(state.peak, state.inFlight)
  state.limit.begun(state.inFlight)
  return state.breaker.begin()
}

const evidenceOf: Record<CallEnding['kind'], Evidence> = {
  answered: 'alive', refused: 'alive', fault: 'fault', busy: 'none', cancelled: 'none'
}

export interface CallEnd {
  ended: CallEnding
  now: number
  random: number
  usualElsewhereMs: (form: string) => number | null
}

export interface Begun { work: number, wasProbe: boolean, begunAt: number }

/**
 * @param random  in [0, 1)
 * @param usualElsewhereMs  of the first byte of calls of a form, at other servers
 * @returns whether the server is suspected to hang, for what became of this call
 */
export function endCall (
  state: UpstreamState, { work, wasProbe, begunAt }: Begun,
  { ended, now, random, usualElsewhereMs }: CallEnd
): boolean {
  state.inFlight -= 1
  state.replica.inFlight = state.inFlight
  state.work = Math.max(0, state.work - work)
  state.breaker.end(evidenceOf[ended.kind], wasProbe, { now, random })
  if (ended.kind === 'cancelled') {
    const { form, heardAt } = ended
    const usualMs = state.suspicion.usualMs(form) ?? usualElsewhereMs(form)
    return state.suspicion.left({ begunAt, heardAt, usualMs }, now)
  }
  if (ended.kind === 'answered') {
    state.suspicion.answered(ended.firstByteMs, ended.form)
    state.pauses = 0
    state.limit.answered(ended.firstByteMs, ended.form, now)
  } else if (ended.kind === 'busy') {
    state.limit.busy(begunAt, now)
    pause(state, begunAt, { retryAfterMs: ended.retryAfterMs, now, random })
  }
  if (ended.kind === 'busy' || ended.kind === 'refused') state.suspicion.heard()
  return false
}

const pauseBaseMs = 250
const pauseMaxMs = 60_000
/** Without Retry-After a guess must not take a server away for long. */
const pauseGuessMaxMs = 8000

function pause (
  state: UpstreamState, begunAt: number,
  { retryAfterMs, now, random }: { retryAfterMs: number | null, now: number, random: number }
): void {
  // Many calls sent together are told the same thing once.
  if (begunAt >= state.pausedAt) state.pauses += 1
  const guessMs = Math.min(pauseGuessMaxMs, pauseBaseMs * 2 ** Math.min(state.pauses - 1, 8))
  const pauseMs = Math.min(pauseMaxMs, Math.max(0, retryAfterMs ?? guessMs * (0.5 + random / 2)))
  if (now + pauseMs <= state.pausedUntil) return
  state.pausedUntil = now + pauseMs
  state.pausedAt = now
}
