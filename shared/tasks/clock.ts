/** Time as the worker sees it: a monotonic clock and timers. Never the time of day. */
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now: () => number
  /** Calls once, after at least `ms`; the answer cancels it. */
  after: (ms: number, call: () => void) => () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after (ms, call) {
    const timer = setTimeout(call, ms)
    return () => { clearTimeout(timer) }
  }
}

export async function pause (clock: Clock, ms: number): Promise<void> {
  await new Promise<void>(resolve => { clock.after(ms, resolve) })
}
