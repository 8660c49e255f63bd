/** A thread that is kept from one work to the next, and does one after the other. */
import { Worker } from 'node:worker_threads'

export interface KeptThreadOptions {
  heapMb: number
  /** What work is told that comes after the end. */
  closing: () => Error
  /** Whether work that failed so may have left the thread as no other can use it; it is replaced then. */
  spoils: (cause: unknown) => boolean
}

export interface KeptThread {
  /** @throws what the work throws; `closing()` after close */
  run: <T>(work: (worker: Worker) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export function keptThread (entry: URL, { heapMb, closing, spoils }: KeptThreadOptions): KeptThread {
  let last: Promise<unknown> = Promise.resolve()
  let thread: Worker | undefined
  let closed = false

  function start (): Worker {
    const started = new Worker(entry, {
      execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb }
    })
    started.unref()
    // Whoever has work on it hears of an error; after that, of what ends it, nobody is left who would.
    started.on('error', () => {})
    started.once('exit', () => { if (thread === started) thread = undefined })
    return started
  }

  async function onThread<T> (work: (worker: Worker) => Promise<T>): Promise<T> {
    if (closed) throw closing()
    const worker = thread ??= start()
    try {
      return await work(worker)
    } catch (cause) {
      if (spoils(cause)) {
        thread = undefined
        await worker.terminate()
      }
      throw cause
    }
  }

  return {
    async run (work) {
      const running = last.then(async () => await onThread(work))
      last = running.catch(() => {})
      return await running
    },
    async close () {
      closed = true
      await thread?.terminate()
    }
  }
}
