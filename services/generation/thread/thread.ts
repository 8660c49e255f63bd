/**
 * Works on papers in a thread: looking through a long paper for support of a false member, or for the
 * place of a quote, takes tenths of a second, and would hold the event loop. Started when first needed.
 */
import { Worker } from 'node:worker_threads'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Duty, Done, PaperOrder } from './duties.ts'

/** `order` goes along when the thread does not know the paper yet; `forget` makes room for it. */
export interface Asked { id: number, key: string, duty: Duty, order?: PaperOrder, forget?: string }
export interface Told { id: number, done?: Done, error?: string }

export interface Thread {
  /**
   * @param key    of the paper within its generation
   * @param order  called only when the thread does not have the paper yet
   * @throws Problem paper-too-complex when it takes too long; shutting-down after close
   */
  work: <D extends Duty>(key: string, duty: D, order: () => Promise<PaperOrder>) => Promise<Done<D>>
  close: () => Promise<void>
}

interface Waiting { resolve: (done: Done) => void, reject: (cause: unknown) => void }

/** Papers the thread keeps: as many as are likely to be worked on at once. */
const papersMax = 12

export function createThread ({ timeoutMs }: { timeoutMs: number }): Thread {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let known: string[] = []
  let next = 0
  let closed = false

  function end (cause: unknown): void {
    void thread?.terminate()
    thread = undefined
    known = []
    for (const { reject } of waiting.values()) reject(cause)
    waiting.clear()
  }

  function start (): Worker {
    const started = new Worker(new URL('entry.mjs', import.meta.url), { execArgv: [] })
    started.unref()
    started.on('message', ({ id, done, error }: Told) => {
      const asker = waiting.get(id)
      waiting.delete(id)
      if (done !== undefined) asker?.resolve(done)
      else asker?.reject(new Error(`Making items failed: ${error}`))
    })
    started.on('error', cause => { if (thread === started) end(cause) })
    return started
  }

  async function ask (asked: Omit<Asked, 'id'>): Promise<Done> {
    const id = next++
    thread ??= start()
    const to = thread
    const promise = new Promise<Done>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      to.postMessage({ id, ...asked } satisfies Asked)
    })
    const timer = setTimeout(() => {
      end(new Problem('paper-too-complex', `Making the items of ${'place' in asked.duty ? asked.duty.place.id : 'a paper'} took more than ${timeoutMs} ms; GENERATION_TIMEOUT_MS raises that.`))
    }, timeoutMs)
    try { return await promise } finally { clearTimeout(timer) }
  }

  /** Who was asked for longest ago goes first. */
  function touch (key: string): void {
    known = [...known.filter(each => each !== key), key]
  }

  async function work (key: string, duty: Duty, order: () => Promise<PaperOrder>): Promise<Done> {
    // Another may bring the paper while this one is fetching it.
    const fetched = known.includes(key) ? undefined : await order()
    if (closed) throw new Problem('shutting-down', 'Generation is closing; the task is taken up again after the start.')
    if (known.includes(key)) {
      touch(key)
      return await ask({ key, duty })
    }
    if (fetched === undefined) return await work(key, duty, order)
    touch(key)
    const forget = known.length > papersMax ? known.shift() : undefined
    return await ask({ key, duty, order: fetched, ...forget !== undefined && { forget } })
  }

  return {
    work: async (key, duty, order) => await work(key, duty, order) as Done<typeof duty>,
    async close () {
      closed = true
      end(new Problem('shutting-down', 'Generation is closing; the task is taken up again after the start.'))
    }
  }
}
