/** How fast a queue empties, and when it is worth coming back. */

export interface DrainRate {
  /** One has left the queue to be served. `now` in monotonic milliseconds. */
  left: (now: number) => void
  /** Departures a second over about the last ten seconds; null before the first. */
  perSecond: (now: number) => number | null
}

const memoryMs = 10_000

/** An exponentially weighted rate, corrected for how short it has been observed. */
export function drainRate (): DrainRate {
  let since: number | null = null
  let at = 0
  /** Departures, each weighing less the longer ago it was. */
  let weight = 0

  return {
    left (now) {
      since ??= now
      weight = weight * Math.exp((at - now) / memoryMs) + 1
      at = now
    },
    perSecond (now) {
      if (since === null) return null
      // The first second counts as one, or two departures at once would be an infinite rate.
      const observed = memoryMs * (1 - Math.exp(-Math.max(1000, now - since) / memoryMs))
      return weight * Math.exp((at - now) / memoryMs) / observed * 1000
    }
  }
}

const knownNothingSeconds = 5
const secondsMax = 60

/**
 * When one who found no room should come back: when a tenth of what waits has been served.
 *
 * @returns whole seconds, 1 to 60
 */
export function retryAfterSeconds (waiting: number, perSecond: number | null): number {
  if (perSecond === null) return knownNothingSeconds
  if (perSecond * secondsMax * 10 <= waiting) return secondsMax
  return Math.max(1, Math.min(secondsMax, Math.ceil(waiting / 10 / perSecond)))
}
