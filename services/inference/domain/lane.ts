/** Calls that may go to the same upstreams wait in one lane: of one model, with the same needs. */
import type { Call } from './call.ts'
import { drainRate, type DrainRate } from './drain-rate.ts'
import { fairQueue, type FairQueue, type Offer, type Ticket } from './fair-queue.ts'
import type { Placed } from './indexed-heap.ts'
import type { QueueRoom } from './queue-room.ts'
import type { Target } from './replica.ts'
import { hasSlot, isAway, mayTry, type UpstreamState } from './upstream-state.ts'

export interface Waiting<Answer> extends Offer, Placed {
  call: Call
  lane: Lane<Answer>
  /** Where it would best go, by load and prefix, when it came. */
  home: UpstreamState
  /** Tokens less what the home's cache probably saves. */
  work: number
  since: number
  deadline: number
  ticket: Ticket<Waiting<Answer>> | null
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
  onAbort: () => void
}

export interface Lane<Answer> extends Pick<FairQueue<Waiting<Answer>>, 'waiting' | 'peek'> {
  readonly key: string
  readonly model: string
  readonly needs: readonly string[]
  readonly exclude: ReadonlySet<string>
  readonly queue: FairQueue<Waiting<Answer>>
  readonly rate: DrainRate
  reach: Reach
  /** Since when none of its upstreams is there; null while one is. */
  awaySince: number | null
}

/** Upstreams a call may go to, and how each knows the model; of the same length. */
export interface Reach { states: readonly UpstreamState[], targets: readonly Target[] }

export function lane<Answer> (
  key: string, call: Pick<Call, 'body' | 'needs'>, { exclude, reach, room }: { exclude: ReadonlySet<string>, reach: Reach, room: QueueRoom }
): Lane<Answer> {
  const queue = fairQueue<Waiting<Answer>>(room)
  return {
    waiting: queue.waiting,
    peek: queue.peek,
    key,
    model: call.body.model,
    needs: call.needs,
    exclude,
    queue,
    rate: drainRate(),
    reach,
    awaySince: null
  }
}

export function laneKey ({ body, needs }: Call, exclude: ReadonlySet<string>): string {
  if (needs.length === 0 && exclude.size === 0) return body.model
  return JSON.stringify([body.model, [...needs].sort(), [...exclude].sort()])
}

/** Without those it has failed at, unless no other works. */
export function withoutExcluded (reach: Reach, exclude: ReadonlySet<string>): Reach {
  if (exclude.size === 0) return reach
  const kept = reach.states.flatMap((state, at) => {
    return exclude.has(state.replica.upstream.name) || isAway(state) || state.breaker.state !== 'closed' ? [] : [at]
  })
  if (kept.length === 0) return reach
  return {
    states: kept.map(at => reach.states[at] as UpstreamState),
    targets: kept.map(at => reach.targets[at] as Target)
  }
}

/** Indices of those a call can be sent to now. */
export function ready ({ states }: Reach, now: number): number[] {
  const found: number[] = []
  for (let at = 0; at < states.length; at++) {
    const state = states[at] as UpstreamState
    if (hasSlot(state, now) && mayTry(state, states, now)) found.push(at)
  }
  return found
}
