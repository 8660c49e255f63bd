/**
 * Retries a process may make: a tenth of its calls and one a second besides, saved up to a bound. When a
 * server fails for everybody, retries of everybody must not double what it has to bear.
 *
 * @see token buckets for retries: gRPC proposal A6, and Google SRE book, chapter 22
 */
export interface RetryBudget {
  /** A call, not a retry, has begun. */
  called: () => void
  /** Takes one retry if there is one. `now` in monotonic milliseconds. */
  tryTake: (now: number) => boolean
}

const perCall = 0.1
const perSecond = 1
/** Saved by calls at most, and by time at most: a quiet process can retry a few times at once. */
const savedMax = 100
const floorMax = 10

export function retryBudget (): RetryBudget {
  let saved = 0
  let floor = floorMax
  let at: number | null = null

  return {
    called () { saved = Math.min(savedMax, saved + perCall) },
    tryTake (now) {
      floor = Math.min(floorMax, floor + (now - (at ?? now)) / 1000 * perSecond)
      at = now
      if (saved >= 1) saved -= 1
      else if (floor >= 1) floor -= 1
      else return false
      return true
    }
  }
}
