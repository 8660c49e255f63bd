/**
 * Equal calls under way share one. Each caller waits for itself: one who leaves takes nothing from the
 * others, and the last to leave cancels the call. A failure is told to all; whoever asks again then starts
 * anew, and those who do so at once share that one too.
 */
import { Problem } from '../../../shared/errors/problem.ts'
import type { Leaving } from '../domain/call.ts'
import { departure, type Departure } from './departure.ts'

export interface Flown<T> {
  value: T
  /** Whether this caller started it: its cost is put down to who asked, also where that one has left. */
  started: boolean
}

export interface Flights<T> {
  /**
   * @param start  called at once unless an equal call is under way; its signal aborts when nobody waits
   * @throws what `start` throws, unless that was for want of another caller's budget: then this one starts;
   *  the reason of the caller's signal when the caller leaves
   */
  join: (key: string, start: (signal: Leaving) => Promise<T>, caller: Leaving) => Promise<Flown<T>>
  /** Whether an equal call is under way. */
  has: (key: string) => boolean
  /** Calls under way. */
  size: () => number
}

interface Waiter<T> {
  resolve: (value: T) => void
  reject: (cause: unknown) => void
  leave: () => void
  signal: Leaving
}
interface Flight<T> { waiters: Set<Waiter<T>>, departure: Departure }

export function coalescer<T> (): Flights<T> {
  const flights = new Map<string, Flight<T>>()

  function takeOff (key: string, start: (signal: Leaving) => Promise<T>): Flight<T> {
    const flight: Flight<T> = { waiters: new Set(), departure: departure() }
    flights.set(key, flight)
    const land = (settle: (waiter: Waiter<T>) => void): void => {
      if (flights.get(key) === flight) flights.delete(key)
      const waiters = [...flight.waiters]
      flight.waiters.clear()
      waiters.forEach(waiter => {
        waiter.signal.removeEventListener('abort', waiter.leave)
        settle(waiter)
      })
    }
    begin(start, flight.departure.signal).then(
      value => { land(waiter => { waiter.resolve(value) }) },
      (cause: unknown) => { land(waiter => { waiter.reject(cause) }) })
    return flight
  }

  function board (key: string, flight: Flight<T>, caller: Leaving): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        flight.waiters.delete(waiter)
        reject(caller.reason)
        if (flight.waiters.size > 0) return
        // At once, so that nobody joins a call that is being cancelled.
        if (flights.get(key) === flight) flights.delete(key)
        flight.departure.abort(caller.reason)
      }
      const waiter = { resolve, reject, leave, signal: caller }
      flight.waiters.add(waiter)
      caller.addEventListener('abort', leave)
    })
  }

  return {
    has: key => flights.has(key),
    size: () => flights.size,
    async join (key, start, caller) {
      for (;;) {
        caller.throwIfAborted()
        const under = flights.get(key)
        try {
          const value = await board(key, under ?? takeOff(key, start), caller)
          return { value, started: under === undefined }
        } catch (cause) {
          // Ends: whoever starts is told what came of it.
          if (under === undefined || !isAnothers(cause)) throw cause
        }
      }
    }
  }
}

/** What it throws before its first await, too, goes to all who wait. */
function begin<T> (start: (signal: Leaving) => Promise<T>, signal: Leaving): Promise<T> {
  try { return start(signal) } catch (cause) { return Promise.reject(cause) }
}

/** What says nothing about others who ask the same. */
function isAnothers (cause: unknown): boolean {
  return cause instanceof Problem && cause.kind === 'budget-exhausted'
}
