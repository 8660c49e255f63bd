/**
 * Answers one stateless request, long ones on a thread of their own: neither parsing 32 MiB
 * nor comparing them may hold the event loop.
 */
import { Worker } from 'node:worker_threads'
import { asProblem, problemFromBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { isHeavy, statelessAnswer, type StatelessName } from '../domain/stateless.ts'

/** Bodies up to this are parsed and, unless heavy, answered on the event loop: a few ms. */
export const inlineBytesMax = 16 * 1024
export const metricBytesMax = 32 * 1024 * 1024

export interface ThreadLimits {
  /** Threads at work; more than the cores only slow each other down. */
  threadsMax: number
  /** Requests that wait for one. */
  waitingMax: number
  timeoutMs: number
}

export const threadLimits: ThreadLimits = { threadsMax: 2, waitingMax: 8, timeoutMs: 120_000 }

export interface MetricThreads {
  /** @throws Problem too-many-requests, not-computable, or whatever is wrong with the body */
  run: (name: StatelessName, bytes: Uint8Array, signal: AbortSignal) => Promise<Buffer>
  close: () => Promise<void>
}

/** @param body  parsed, or the raw bytes of a long one */
export async function measure (
  threads: MetricThreads, name: StatelessName, { body, signal }: { body: unknown, signal: AbortSignal }
): Promise<object> {
  if (Buffer.isBuffer(body)) return await threads.run(name, body, signal)
  if (!isHeavy(name, body)) return statelessAnswer(name, body)
  return await threads.run(name, Buffer.from(JSON.stringify(body)), signal)
}

export function metricThreads (limits: ThreadLimits = threadLimits): MetricThreads {
  const working = new Set<Worker>()
  const waiting: Array<() => void> = []
  let busy = 0
  let closed = false

  const free = () => {
    const next = waiting.shift()
    // The place goes to the next in line rather than to whoever comes first.
    if (next !== undefined) next()
    else busy--
  }
  const place = async () => {
    if (busy < limits.threadsMax) busy++
    else if (waiting.length < limits.waitingMax) await new Promise<void>(resolve => waiting.push(resolve))
    else throw new Problem('too-many-requests', 'Other long requests are being answered; ask again in some seconds.', { retryAfterSeconds: 5 })
  }

  return {
    async run (name, bytes, signal) {
      await place()
      try {
        if (closed) throw new Problem('shutting-down', 'No more threads are started; ask again.')
        return await onThread({ name, bytes }, { signal, working, timeoutMs: limits.timeoutMs })
      } finally {
        free()
      }
    },
    async close () {
      closed = true
      await Promise.all([...working].map(async worker => await worker.terminate()))
    }
  }
}

interface Job { name: StatelessName, bytes: Uint8Array }
interface Bounds { signal: AbortSignal, working: Set<Worker>, timeoutMs: number }

async function onThread (job: Job, { signal, working, timeoutMs }: Bounds): Promise<Buffer> {
  const { bytes } = job
  const worker = new Worker(new URL('metric-thread.mjs', import.meta.url), {
    workerData: job,
    // Handed over rather than copied, where the memory holds nothing else.
    transferList: bytes.length === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 1024 }
  })
  working.add(worker)
  const timer = AbortSignal.timeout(timeoutMs)
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const gone = new Problem('request-timeout', 'The caller has gone.')
      if (signal.aborted) reject(gone)
      signal.addEventListener('abort', () => reject(gone), { once: true })
      timer.addEventListener('abort', () => reject(tooMuch(`it took more than ${timeoutMs / 1000} s`)), { once: true })
      worker.once('message', ({ result, problem }) => {
        if (problem === undefined) resolve(Buffer.from(result.buffer))
        else reject(asProblem(problemFromBody(problem)))
      })
      worker.once('error', (cause: NodeJS.ErrnoException) => reject(
        cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('it needed more than 1 GB') : cause))
      worker.once('exit', () => reject(new Problem('shutting-down', 'The thread was stopped; ask again.')))
    })
  } finally {
    working.delete(worker)
    await worker.terminate()
  }
}

function tooMuch (what: string): Problem {
  return new Problem('not-computable', `The computation was given up: ${what}. Send fewer or shorter texts or lists in one request.`)
}
