/**
 * Makes items in a thread: looking through a long paper for support of false members takes up to
 * a second, and would hold the event loop. One thread, started when first needed.
 */
import { Worker } from 'node:worker_threads'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Made, Order } from '../domain/extractive.ts'
import type { Place } from '../domain/plan.ts'

/** `order` goes along when the thread does not know the paper yet; `forget` makes room for it. */
export interface Asked { id: number, key: string, place: Place, order?: Order, forget?: string }
export interface Told { id: number, made?: Made, error?: string }

export interface Maker {
  /**
   * @param order  called only when the thread does not have the paper yet
   * @throws Problem paper-too-complex when it takes too long; shutting-down after close
   */
  make: (key: string, place: Place, order: () => Promise<Order>) => Promise<Made>
  close: () => Promise<void>
}

interface Waiting { resolve: (made: Made) => void, reject: (cause: unknown) => void }

/** Papers the thread keeps: as many as are likely to be worked on at once. */
const papersMax = 4

export function createMaker ({ timeoutMs }: { timeoutMs: number }): Maker {
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
    started.on('message', ({ id, made, error }: Told) => {
      const asker = waiting.get(id)
      waiting.delete(id)
      if (made !== undefined) asker?.resolve(made)
      else asker?.reject(new Error(`Making items failed: ${error}`))
    })
    started.on('error', cause => { if (thread === started) end(cause) })
    return started
  }

  async function ask (asked: Omit<Asked, 'id'>): Promise<Made> {
    const id = next++
    thread ??= start()
    const to = thread
    const promise = new Promise<Made>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      to.postMessage({ id, ...asked } satisfies Asked)
    })
    const timer = setTimeout(() => {
      end(new Problem('paper-too-complex', `Making the items of ${asked.place.id} took more than ${timeoutMs} ms; GENERATION_TIMEOUT_MS raises that.`))
    }, timeoutMs)
    try { return await promise } finally { clearTimeout(timer) }
  }

  return {
    async make (key, place, order) {
      const fetched = known.includes(key) ? undefined : await order()
      if (closed) throw new Problem('shutting-down', 'Generation is closing; the task is taken up again after the start.')
      // Another may have brought the paper while this one was fetching it.
      if (fetched === undefined || known.includes(key)) {
        if (known.includes(key)) return await ask({ key, place })
        return await this.make(key, place, order)
      }
      known.push(key)
      const forget = known.length > papersMax ? known.shift() : undefined
      return await ask({ key, place, order: fetched, ...forget !== undefined && { forget } })
    },
    async close () {
      closed = true
      end(new Problem('shutting-down', 'Generation is closing; the task is taken up again after the start.'))
    }
  }
}
