/**
 * Equal calls under way share one. Each caller waits for itself: one who leaves takes nothing from the
 * others, and the last to leave cancels the call. A failure is told to all; whoever asks again then starts
 * anew, and those who do so at once share that one too.
 */

export interface Joined<T> {
  value: T
  /** True for exactly one of those who get the value: the one to whom its cost is put down. */
  isOwner: boolean
}

export interface Flights<T> {
  /**
   * @param start  called at once unless an equal call is under way; its signal aborts when nobody waits
   * @throws what `start` throws; the reason of the caller's signal when the caller leaves
   */
  join: (key: string, start: (signal: AbortSignal) => Promise<T>, caller: AbortSignal) => Promise<Joined<T>>
  /** Calls under way. */
  size: () => number
}

interface Waiter<T> {
  resolve: (joined: Joined<T>) => void
  reject: (cause: unknown) => void
  leave: () => void
  signal: AbortSignal
}
interface Flight<T> { waiters: Set<Waiter<T>>, controller: AbortController }

export function coalescer<T> (): Flights<T> {
  const flights = new Map<string, Flight<T>>()

  function takeOff (key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const flight: Flight<T> = { waiters: new Set(), controller: new AbortController() }
    flights.set(key, flight)
    const land = (settle: (waiter: Waiter<T>, at: number) => void): void => {
      if (flights.get(key) === flight) flights.delete(key)
      const waiters = [...flight.waiters]
      flight.waiters.clear()
      waiters.forEach((waiter, at) => {
        waiter.signal.removeEventListener('abort', waiter.leave)
        settle(waiter, at)
      })
    }
    // Also what `start` throws before its first await goes to the waiters.
    void (async () => await start(flight.controller.signal))().then(
      value => { land((waiter, at) => { waiter.resolve({ value, isOwner: at === 0 }) }) },
      (cause: unknown) => { land(waiter => { waiter.reject(cause) }) })
    return flight
  }

  return {
    size: () => flights.size,
    async join (key, start, caller) {
      caller.throwIfAborted()
      const flight = flights.get(key) ?? takeOff(key, start)
      return await new Promise<Joined<T>>((resolve, reject) => {
        const leave = (): void => {
          flight.waiters.delete(waiter)
          reject(caller.reason)
          if (flight.waiters.size > 0) return
          // At once, so that nobody joins a call that is being cancelled.
          if (flights.get(key) === flight) flights.delete(key)
          flight.controller.abort(caller.reason)
        }
        const waiter = { resolve, reject, leave, signal: caller }
        flight.waiters.add(waiter)
        caller.addEventListener('abort', leave, { once: true })
      })
    }
  }
}
