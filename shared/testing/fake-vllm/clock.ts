/** Time for the fake: the real one, or one that only moves when told, so that a test waits for nothing. */

export interface Clock {
  /** Milliseconds; real time is counted from 1970 and never goes back. */
  now: () => number
  /** Calls `act` after `ms`. @returns a function that calls it off */
  after: (ms: number, act: () => void) => () => void
  /** Moves logical time on, and does in order what falls due. @throws Error for real time */
  tick: (ms: number) => Promise<void>
}

export function realClock (): Clock {
  return {
    now: () => performance.timeOrigin + performance.now(),
    after (ms, act) {
      // Longer than a timer can be: for good.
      if (ms > 2 ** 31 - 1) return () => {}
      const timer = setTimeout(act, ms)
      timer.unref()
      return () => { clearTimeout(timer) }
    },
    async tick () { throw new Error('This fake runs on real time; start it with clock: logical.') }
  }
}

interface Due { at: number, act: () => void }

/** Starts at 0. */
export function logicalClock (): Clock {
  let now = 0
  const due = new Set<Due>()
  const next = (until: number): Due | undefined => {
    let first: Due | undefined
    for (const each of due) {
      if (each.at > until) continue
      // Of two at one time the set holds the older first.
      if (first === undefined || each.at < first.at) first = each
    }
    return first
  }
  return {
    now: () => now,
    after (ms, act) {
      const task = { at: now + ms, act }
      due.add(task)
      return () => { due.delete(task) }
    },
    async tick (ms) {
      const until = now + ms
      for (let task = next(until); task !== undefined; task = next(until)) {
        due.delete(task)
        now = task.at
        task.act()
        // What waited for it may want to be called before the next one is.
        await new Promise(resolve => { setImmediate(resolve) })
      }
      now = until
      await new Promise(resolve => { setImmediate(resolve) })
    }
  }
}

/** Resolves after `ms`, at once for none, and never for Infinity. */
export async function wait (clock: Clock, ms: number): Promise<void> {
  if (ms <= 0) return
  await new Promise<void>(resolve => { clock.after(ms, resolve) })
}
