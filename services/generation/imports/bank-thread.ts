/** Reads banks in a thread: neither parsing 64 MiB nor looking at images may hold the event loop. */
import type { Worker } from 'node:worker_threads'
import { askThread } from '../../../shared/app/ask-thread.ts'
import { keptThread } from '../../../shared/app/kept-thread.ts'
import type { Container, ImportOptions } from '../../../shared/contracts/bank.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { asProblem, problemFromBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { ExamImages } from './domain/exam/pictures.ts'
import type { Batch, Sink, Summary } from './read-bank.ts'

/** A file, or an exam with images of its figures and pages. */
export type Order = { importId: string, options: ImportOptions } & (
  { bytes: Uint8Array, container: Container } |
  { document: Document, images: ExamImages }
)
export type ToThread = { order: Order } | { kept: true }
export type ToKeep = { image: Parameters<Sink['image']>[0] } | { batch: Batch }
export type FromThread = ToKeep | { summary: Summary } | { problem: unknown }

const heapMb = 2_048

export interface BankThread {
  /**
   * One after the other; `sink` is called for images before the rows that show them.
   * @throws Problem of the bank; limit-exceeded for one that takes too long or too much memory
   */
  read: (order: Order, sink: Sink, signal: AbortSignal) => Promise<Summary>
  close: () => Promise<void>
}

export function bankThread ({ timeoutMs }: { timeoutMs: number }): BankThread {
  // Whatever it was at when reading failed, it is not to go on with it.
  const thread = keptThread(new URL('import-thread.mjs', import.meta.url), { heapMb, closing, spoils: () => true })
  return {
    read: async (order, sink, signal) =>
      await thread.run(async worker => await answerOf(worker, { order, sink, signal, timeoutMs })),
    close: thread.close
  }
}

interface Asked { order: Order, sink: Sink, signal: AbortSignal, timeoutMs: number }

async function answerOf (worker: Worker, { order, sink, signal, timeoutMs }: Asked): Promise<Summary> {
  return await askThread<FromThread, Summary>(worker, {
    message: { order } satisfies ToThread,
    timeoutMs,
    heapMb,
    signal,
    hear (message, { resolve, reject }) {
      if ('summary' in message) resolve(message.summary)
      else if ('problem' in message) reject(asProblem(problemFromBody(message.problem)))
      else {
        keep(message, sink).then(() => { worker.postMessage({ kept: true } satisfies ToThread) })
          .catch(reject)
      }
    },
    tooMuch,
    stopped: closing
  })
}

async function keep (message: ToKeep, sink: Sink): Promise<void> {
  if ('image' in message) await sink.image(message.image)
  else await sink.batch(message.batch)
}

function closing (): Problem {
  return new Problem('shutting-down', 'Generation is closing; the import is taken up again after the start.')
}

function tooMuch (what: string): Problem {
  return new Problem('limit-exceeded', `Reading the bank was given up: ${what}. Split it and import the parts.`)
}
