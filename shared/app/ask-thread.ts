/** One message to a thread, and what comes of it. */
import type { Worker } from 'node:worker_threads'

export interface Settle<T> { resolve: (value: T) => void, reject: (cause: unknown) => void }

export interface Asked<Said, T> {
  message: unknown
  timeoutMs: number
  /** What the thread may have, for the words of `tooMuch`. */
  heapMb: number
  /** Who no longer waits; the signal's reason is thrown then. */
  signal?: AbortSignal
  /** Hears all that the thread says, until it settles. */
  hear: (said: Said, settle: Settle<T>) => void
  /** Why it was given up, with what was too much: "it took more than 5 s". */
  tooMuch: (what: string) => Error
  /** Where the thread was stopped from outside. */
  stopped: () => Error
}

/**
 * @throws what `hear` rejects with; `tooMuch`, `stopped`, the signal's reason; an error of the thread itself
 */
export async function askThread<Said, T> (worker: Worker, asked: Asked<Said, T>): Promise<T> {
  const { message, timeoutMs, heapMb, signal, hear, tooMuch, stopped } = asked
  signal?.throwIfAborted()
  let forget = () => {}
  try {
    return await new Promise<T>((resolve, reject) => {
      const late = () => { reject(tooMuch(`it took more than ${timeoutMs / 1000} s`)) }
      const timer = setTimeout(late, timeoutMs)
      const listeners = {
        message: (said: Said) => { hear(said, { resolve, reject }) },
        error: (cause: NodeJS.ErrnoException) => {
          const isFull = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
          reject(isFull ? tooMuch(`it needed more than ${heapMb} MB`) : cause)
        },
        exit: () => { reject(stopped()) }
      }
      const left = () => { reject(signal!.reason) }
      for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener)
      signal?.addEventListener('abort', left, { once: true })
      forget = () => {
        clearTimeout(timer)
        for (const [event, listener] of Object.entries(listeners)) worker.removeListener(event, listener)
        signal?.removeEventListener('abort', left)
      }
      worker.postMessage(message)
    })
  } finally {
    forget()
  }
}
