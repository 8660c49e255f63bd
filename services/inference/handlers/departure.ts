/**
 * Tells whoever works for a caller that the caller has left. An AbortController does the same; of those a
 * call would need two with a listener or three, which in Node costs it more than its place in the queue.
 */
import type { Leaving } from '../domain/call.ts'

export interface Departure {
  signal: Leaving
  /** The first time; listeners hear of it in the order they came. */
  abort: (reason: unknown) => void
}

export function departure (): Departure {
  const listeners: Array<() => void> = []
  const signal = {
    aborted: false,
    reason: undefined as unknown,
    throwIfAborted () { if (signal.aborted) throw signal.reason },
    addEventListener (_: 'abort', listener: () => void) { if (!signal.aborted) listeners.push(listener) },
    removeEventListener (_: 'abort', listener: () => void) {
      const at = listeners.indexOf(listener)
      if (at >= 0) listeners.splice(at, 1)
    }
  }
  return {
    signal,
    abort (reason) {
      if (signal.aborted) return
      signal.aborted = true
      signal.reason = reason
      // One by one: a listener may take out one that comes after it.
      for (let next = listeners.shift(); next !== undefined; next = listeners.shift()) next()
    }
  }
}
