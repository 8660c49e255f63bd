/** Reads replies: long ones on a thread, for the rules take microseconds a character. */
import { readReply, type Reading, type Reply } from '../answers/outcome.ts'
import type { Question } from '../answers/lenient.ts'
import { askThread } from '../app/ask-thread.ts'
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
      return await thread.run(async worker => await askThread<Reading, Reading>(worker, {
        message: { given, question } satisfies ToRead,
        timeoutMs,
        heapMb,
        signal,
        hear: (reading, { resolve }) => { resolve(reading) },
        tooMuch,
        stopped: closing
      }))
    },
    close: thread.close
  }
}

function closing (): Problem {
  return new Problem('shutting-down', 'No more replies are read; it is taken up again after the start.')
}

function tooMuch (what: string): Problem {
  return new Problem('not-computable', `Reading the reply was given up: ${what}.`)
}
