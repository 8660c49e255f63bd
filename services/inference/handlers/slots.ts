/** Slots of upstreams: which is best for a call, taking it, and giving it back. */
import type { Clock } from '../../../shared/tasks/clock.ts'
import type { Call } from '../domain/call.ts'
import type { IndexedHeap } from '../domain/indexed-heap.ts'
import type { Lane, Reach, Waiting } from '../domain/lane.ts'
import type { QueueRoom } from '../domain/queue-room.ts'
import type { Replica, Target } from '../domain/replica.ts'
import { chooseReplica } from '../domain/routing.ts'
import {
  beginCall, candidateOf, endCall, refreshState, upstreamState, type UpstreamState
} from '../domain/upstream-state.ts'
import type { Ended, Lease } from './dispatcher.ts'

/** What the dispatcher needs of the directory. */
export interface TargetSource {
  replicas: () => readonly Replica[]
  targets: (model: string, needs: readonly string[]) => Promise<readonly Target[]>
  /** Something is wrong there: it is probed. */
  faulted?: (name: string, detail: string) => void
}

export interface DispatcherOptions {
  directory: TargetSource
  clock: Clock
  /** In [0, 1); spreads probes and pauses. */
  random: () => number
  limits: {
    waitingMax: number
    waitingBytesMax: number
    /** Tokens a hash of `call.prefix` stands for. */
    blockTokens: number
  }
}

/** All a dispatcher knows; one for each process. */
export interface Dispatching extends DispatcherOptions {
  /** By name of the upstream. */
  states: Map<string, UpstreamState>
  /** Those in which somebody waits, by key. */
  lanes: Map<string, Lane<Lease>>
  room: QueueRoom
  /** All who wait, the earliest deadline first. */
  deadlines: IndexedHeap<Waiting<Lease>>
  /** Gives a slot that may have become free to whoever waits for it. */
  released: (state: UpstreamState, ended: Ended, now: number) => void
  /** When the one timer of this process fires; Infinity while none runs. */
  wakeAt: number
  cancelTimer: () => void
  refreshedAt: number
  closed: boolean
  /** Counts calls, so that equals take turns. */
  turn: number
  /** Tokens of a call, of late. */
  tokensMean: number
}

export function reachOf (all: Dispatching, targets: readonly Target[], now: number): Reach {
  const states = targets.map(({ replica }) => {
    const { name } = replica.upstream
    let state = all.states.get(name)
    if (state === undefined) all.states.set(name, state = upstreamState(replica))
    refreshState(state, replica, now)
    return state
  })
  return { states, targets }
}

/** Index of the best of `among`, which are indices too. */
export function choose (
  all: Dispatching, { reach, among, call }: { reach: Reach, among: readonly number[], call: Call },
  now: number
): number {
  if (among.length === 1) return among[0] as number
  const candidates = among.map(at => {
    const state = reach.states[at] as UpstreamState
    return candidateOf(state, savedTokens(all, state, call), { now, tokensMean: all.tokensMean })
  })
  return among[chooseReplica(candidates, call.tokens, all.turn++)] as number
}

/** Tokens of the call that the upstream's prefix cache probably holds. */
export function savedTokens (all: Dispatching, state: UpstreamState, { prefix, tokens }: Call): number {
  if (prefix.length === 0) return 0
  return Math.min(tokens, state.prefixes.matched(prefix) * all.limits.blockTokens)
}

export interface Beginning { reach: Reach, at: number, since: number, now: number }

/** Takes the slot. */
export function begin (all: Dispatching, call: Call, { reach, at, since, now }: Beginning): Lease {
  const state = reach.states[at] as UpstreamState
  const work = Math.max(1, call.tokens - savedTokens(all, state, call))
  const wasProbe = beginCall(state, work)
  state.prefixes.add(call.prefix)
  all.tokensMean += (call.tokens - all.tokensMean) / 64
  let released = false
  return {
    target: reach.targets[at] as Target,
    queueMs: now - since,
    release (ended) {
      if (released) return
      released = true
      const then = all.clock.now()
      const usualElsewhereMs = (form: string): number | null => usualMs(all, form)
      const end = { ended, now: then, random: all.random(), usualElsewhereMs }
      if (endCall(state, { work, wasProbe, begunAt: now }, end)) {
        all.directory.faulted?.(state.replica.upstream.name, 'sends no byte while callers wait, and leave: it may hang')
      }
      if (all.room.count > 0) all.released(state, ended, then)
    }
  }
}

/** Of the first byte of calls of this form, where it comes soonest. */
function usualMs ({ states }: Dispatching, form: string): number | null {
  const all = Array.from(states.values(), ({ suspicion }) => suspicion.usualMs(form))
  const known = all.filter(ms => ms !== null)
  return known.length === 0 ? null : Math.min(...known)
}
