/** Reads logs on a thread: neither parsing 64 MiB nor reading 50,000 replies may hold the event loop. */
import type { Worker } from 'node:worker_threads'
import { askThread } from '../../../shared/app/ask-thread.ts'
import { keptThread } from '../../../shared/app/kept-thread.ts'
import type { RunImportOptions } from '../../../shared/contracts/run-import.ts'
import { asProblem, problemFromBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { keptOf, type Kept } from './kept.ts'
import { readLog } from './read-log.ts'

/** Logs up to this are read where they come in: some ms. A zip may be long however short it is. */
const inlineBytesMax = 32 * 1024
/** Logs that are read at once, or wait to be. */
const atOnceMax = 4
const timeoutMs = 300_000
const heapMb = 1_024

export interface LogReader {
  /** @throws Problem too-many-requests, not-computable, or whatever is wrong with the log */
  read: (bytes: Buffer, options: RunImportOptions) => Promise<Kept>
  close: () => Promise<void>
}

export function logReader (): LogReader {
  const thread = keptThread(new URL('import-thread.mjs', import.meta.url), {
    heapMb,
    closing: () => new Problem('shutting-down', 'No more logs are read; send it again.'),
    // Only a problem of the log leaves the thread as it was.
    spoils: cause => !(cause instanceof Problem) || cause.kind === 'not-computable'
  })
  let waiting = 0

  return {
    async read (bytes, options) {
      const isShort = bytes.byteLength <= inlineBytesMax && bytes[0] !== 0x50
      if (isShort) return keptOf(await readLog(bytes, options))
      if (waiting >= atOnceMax) throw busy()
      waiting++
      // One after another: each may need much memory.
      try {
        return await thread.run(async worker => await answerOf(worker, { bytes, options }))
      } finally {
        waiting--
      }
    },
    close: thread.close
  }
}

interface Told { kept?: Kept, problem?: unknown }

async function answerOf (worker: Worker, asked: { bytes: Buffer, options: RunImportOptions }): Promise<Kept> {
  return await askThread<Told, Kept>(worker, {
    message: asked,
    timeoutMs,
    heapMb,
    hear ({ kept, problem }, { resolve, reject }) {
      if (problem === undefined) resolve(kept!)
      else reject(asProblem(problemFromBody(problem)))
    },
    tooMuch,
    stopped: () => new Problem('shutting-down', 'The thread was stopped; send the log again.')
  })
}

function busy (): Problem {
  return new Problem('too-many-requests', 'Other logs are being read; send this one again in some seconds.', { retryAfterSeconds: 5 })
}

function tooMuch (what: string): Problem {
  return new Problem('not-computable', `Reading the log was given up: ${what}. Split it and send the parts.`)
}
