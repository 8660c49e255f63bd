/** Reads replies: long ones on a thread, for the rules take microseconds a character. */
import type { Worker } from 'node:worker_threads'
import { readReply, type Reading, type Reply } from '../answers/outcome.ts'
import type { Question } from '../answers/lenient.ts'
import { keptThread } from '../app/kept-thread.ts'
import { Problem } from '../errors/problem.ts'

/** UTF-16 units; the worst replies of this length hold the event loop for some ten milliseconds. */
export const inlineCharsMax = 6_000
const timeoutMs = 120_000
const heapMb = 512

/** `question` is null for descriptive kinds. */
export interface ToRead { given: Omit<Reply, 'lenient'>, question: Question | null }

export interface ReplyReader {
  /** One after another. @throws Problem shutting-down, not-computable for too long; the signal's reason */
  read: (asked: ToRead, signal: AbortSignal) => Promise<Reading>
  close: () => Promise<void>
}

export function replyReader (): ReplyReader {
  const thread = keptThread(new URL('entry.mjs', import.meta.url), { heapMb, closing, spoils: () => true })
  return {
    async read ({ given, question }, signal) {
      if (given.reply.length <= inlineCharsMax) return readReply(given, question)
      return await thread.run(async worker => await readOn(worker, { asked: { given, question }, signal }))
    },
    close: thread.close
  }
}

interface Asked { asked: ToRead, signal: AbortSignal }

async function readOn (worker: Worker, { asked, signal }: Asked): Promise<Reading> {
  signal.throwIfAborted()
  const ended = new AbortController()
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => { reject(tooLong()) }, timeoutMs)
      const stopped = () => { reject(closing()) }
      const left = () => { reject(signal.reason) }
      ended.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        worker.removeListener('exit', stopped)
        signal.removeEventListener('abort', left)
      }, { once: true })
      signal.addEventListener('abort', left, { once: true })
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', stopped)
      worker.postMessage(asked)
    })
  } finally {
    ended.abort()
  }
}

function closing (): Problem {
  return new Problem('shutting-down', 'No more replies are read; it is taken up again after the start.')
}

function tooLong (): Problem {
  return new Problem('not-computable', `Reading the reply was given up: it took more than ${timeoutMs / 1000} s.`)
}
