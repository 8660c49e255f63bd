/**
 * Whose turn it is at one upstream: which band first, then which of the queues it serves.
 *
 * A higher band goes first, but each lower one that waits is owed a share of all tokens served here
 * and goes first as soon as what it is owed pays for its next request: nobody starves, and a band
 * is not held up by more than the share of those below it. Queues of one band share by tokens, as
 * callers do in a queue; they are few, so the least is looked for each time.
 */
import type { Band } from './call.ts'

/** What the bands below the first are owed of the tokens served, however much waits above them. */
const bandShares: Readonly<Record<Band, number>> = { 0: 0, 1: 0.2, 2: 0.05 }

interface Queue {
  readonly waiting: readonly [number, number, number]
  peek: (band: Band) => { tokens: number } | undefined
}

export interface Turns {
  /** @param queues those that wait and that this upstream serves */
  next: <Q extends Queue>(queues: readonly Q[]) => { queue: Q, band: Band } | undefined
  /** @param queues those given to `next`, after the request was taken */
  served: (queues: readonly Queue[], queue: Queue, request: { band: Band, tokens: number }) => void
}

const ascending: readonly Band[] = [0, 1, 2]
const lowestFirst: readonly Band[] = [2, 1]

export function turns (): Turns {
  const owed: [number, number, number] = [0, 0, 0]
  /** Virtual times in tokens, as in fair-share.ts, by band. */
  const virtual: [number, number, number] = [0, 0, 0]
  const noStarts = () => new WeakMap<Queue, number>()
  const starts = [noStarts(), noStarts(), noStarts()] as const

  const startOf = (queue: Queue, band: Band) => Math.max(virtual[band], starts[band].get(queue) ?? 0)

  function first<Q extends Queue> (queues: readonly Q[], band: Band): Q | undefined {
    let found: Q | undefined
    let least = Infinity
    for (const queue of queues) {
      if (queue.waiting[band] === 0) continue
      const start = startOf(queue, band)
      if (start >= least) continue
      found = queue
      least = start
    }
    return found
  }

  return {
    next (queues) {
      for (const band of lowestFirst) {
        if (owed[band] === 0) continue
        const queue = first(queues, band)
        if (queue === undefined) owed[band] = 0
        else if (owed[band] >= (queue.peek(band)?.tokens ?? 0)) return { queue, band }
      }
      for (const band of ascending) {
        const queue = first(queues, band)
        if (queue !== undefined) return { queue, band }
      }
      return undefined
    },
    served (queues, queue, { band, tokens }) {
      const start = startOf(queue, band)
      virtual[band] = start
      starts[band].set(queue, start + tokens)
      for (const lower of lowestFirst) {
        if (queues.some(({ waiting }) => waiting[lower] > 0)) owed[lower] += bandShares[lower] * tokens
      }
      owed[band] = Math.max(0, owed[band] - tokens)
    }
  }
}
