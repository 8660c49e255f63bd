/**
 * The threads of scoring: neither parsing 32 MiB nor comparing them may hold the event loop. A thread is
 * started when first needed and kept, for loading its code takes a second of the processor.
 */
import { Worker } from 'node:worker_threads'
import { asProblem, problemFromBody } from '../../../shared/errors/problem-body.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Duty } from './duties.ts'
import type { Asked, Told } from './work.ts'

export interface ThreadLimits {
  /** Threads at work; more than the cores only slow each other down. */
  threadsMax: number
  /** Requests that wait for one. */
  waitingMax: number
  timeoutMs: number
}

export const threadLimits: ThreadLimits = { threadsMax: 2, waitingMax: 8, timeoutMs: 120_000 }

const heapMb = 1024

export interface How {
  /** Who no longer needs the answer frees the thread at once. */
  signal?: AbortSignal | undefined
  /** Sent one after another, each when the one before it has been taken. */
  parts?: Iterable<unknown> | AsyncIterable<unknown>
  /** Waits however many wait: for callers whose number is bounded elsewhere, as tasks are. */
  patient?: boolean
}

export interface Threads {
  /** @throws Problem too-many-requests, not-computable, or whatever is wrong with the duty */
  run: (duty: Duty, how?: How) => Promise<Buffer>
  /** Threads that have been started so far. */
  started: () => number
  close: () => Promise<void>
}

export function createThreads (limits: ThreadLimits = threadLimits): Threads {
  const all = new Set<Worker>()
  const idle: Worker[] = []
  const waiting: Array<() => void> = []
  let busy = 0
  let started = 0
  let closed = false

  function start (): Worker {
    const worker = new Worker(new URL('entry.mjs', import.meta.url), {
      execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb }
    })
    started++
    all.add(worker)
    // An idle one has nobody else to hear of its end.
    worker.on('error', () => {})
    worker.once('exit', () => {
      all.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    })
    return worker
  }
  const free = () => {
    const next = waiting.shift()
    // The place goes to the next in line rather than to whoever comes first.
    if (next !== undefined) next()
    else busy--
  }
  const place = async (patient: boolean) => {
    if (busy < limits.threadsMax) busy++
    else if (patient || waiting.length < limits.waitingMax) {
      await new Promise<void>(resolve => waiting.push(resolve))
    } else throw new Problem('too-many-requests', 'Other long requests are being answered; ask again in some seconds.', { retryAfterSeconds: 5 })
  }

  return {
    async run (duty, { signal, parts = [], patient = false } = {}) {
      await place(patient)
      try {
        if (closed) throw new Problem('shutting-down', 'No more threads are started; ask again.')
        if (signal?.aborted === true) throw gone()
        const worker = idle.pop() ?? start()
        // One that is idle must not keep the process from ending.
        worker.ref()
        const { answer, lives } = await onThread(worker, { duty, parts, signal, timeoutMs: limits.timeoutMs })
        if (!lives || closed) await worker.terminate()
        else {
          worker.unref()
          idle.push(worker)
        }
        return answer()
      } finally {
        free()
      }
    },
    started: () => started,
    async close () {
      closed = true
      await Promise.all([...all].map(async worker => await worker.terminate()))
    }
  }
}

interface Order extends Pick<How, 'signal'> { duty: Duty, parts: NonNullable<How['parts']>, timeoutMs: number }
/** `lives`: nothing but the duty was wrong, if anything was. */
interface Outcome { answer: () => Buffer, lives: boolean }

async function onThread (worker: Worker, { duty, parts, signal, timeoutMs }: Order): Promise<Outcome> {
  const ended = new AbortController()
  const told = conversation(worker, { signal, timeoutMs, ended: ended.signal })
  try {
    let answer = await told({ duty })
    if ('next' in answer) {
      for await (const part of parts) {
        answer = await told({ part })
        if (!('next' in answer)) break
      }
    }
    if ('next' in answer) answer = await told({ finish: true })
    const last = answer
    return {
      lives: true,
      answer () {
        if ('problem' in last) throw asProblem(problemFromBody(last.problem))
        return Buffer.from((last as { result: Uint8Array }).result.buffer)
      }
    }
  } catch (cause) {
    return { lives: false, answer () { throw cause } }
  } finally {
    ended.abort()
  }
}

interface Bounds extends Pick<How, 'signal'> { timeoutMs: number, ended: AbortSignal }

/** Says one thing after another to a thread, until it answers, ends, takes too long or nobody waits. */
function conversation (worker: Worker, { signal, timeoutMs, ended }: Bounds) {
  let answered: (told: Told) => void = () => {}
  let failed: (cause: unknown) => void = () => {}
  let failure: unknown
  const fail = (cause: unknown) => {
    failure ??= cause
    failed(cause)
  }
  const timer = setTimeout(() => { fail(tooMuch(`it took more than ${timeoutMs / 1000} s`)) }, timeoutMs)
  timer.unref()
  const left = () => { fail(gone()) }
  const heard = (told: Told) => { answered(told) }
  const broke = (cause: NodeJS.ErrnoException) => {
    fail(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('it needed more than 1 GB') : cause)
  }
  const stopped = () => { fail(new Problem('shutting-down', 'The thread was stopped; ask again.')) }
  signal?.addEventListener('abort', left)
  worker.on('message', heard).on('error', broke).on('exit', stopped)
  ended.addEventListener('abort', () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', left)
    worker.off('message', heard).off('error', broke).off('exit', stopped)
  }, { once: true })

  return async (asked: Asked): Promise<Told> => await new Promise((resolve, reject) => {
    answered = resolve
    failed = reject
    if (failure !== undefined) failed(failure)
    else worker.postMessage(asked, handedOver(asked))
  })
}

/** Handed over rather than copied, where the memory holds nothing else. */
function handedOver (asked: Asked): ArrayBuffer[] {
  const given = 'duty' in asked ? asked.duty : 'part' in asked ? asked.part : undefined
  const bytes = (given as { bytes?: unknown } | undefined)?.bytes
  const whole = bytes instanceof Uint8Array && bytes.length === bytes.buffer.byteLength
  return whole ? [bytes.buffer as ArrayBuffer] : []
}

function gone (): Problem {
  return new Problem('request-timeout', 'The caller has gone.')
}

function tooMuch (what: string): Problem {
  return new Problem('not-computable', `The computation was given up: ${what}. Send fewer or shorter texts or lists in one request.`)
}
