/** Writes gather for a turn of the event loop and are committed together. */

/**
 * Bounds how long one transaction keeps other processes and the event loop waiting: 200 updates of
 * tasks, which have two indexes, take 10 to 20 ms.
 */
const batchMax = 200
/** And where writes are large: after it, those that are left go with the next. */
const batchMaxMs = 20

export interface Write {
  change: () => unknown
  resolve: (value: any) => void
  reject: (cause: unknown) => void
}

export interface WriteQueue {
  /** Resolves with what `change` returns, once that is committed. */
  add<T> (change: () => T): Promise<T>
  /** Resolves when everything added so far has been committed or refused. */
  settled: () => Promise<void>
}

/**
 * @param commit  commits the writes it takes and answers what to call for each; when it rejects,
 *   none of them has happened. It takes them once it may write: the longer it had to wait for that,
 *   the more go together. What it takes last counts.
 */
export function groupCommit (
  commit: (take: () => Iterable<Write>) => Promise<Array<() => void>>
): WriteQueue {
  let queue: Write[] = []
  let flushing: Promise<void> | undefined

  async function flush (): Promise<void> {
    do {
      await nextTurn()
      let batch: Write[] = []
      function * take (): Generator<Write> {
        batch = []
        const began = performance.now()
        for (const write of queue.slice(0, batchMax)) {
          batch.push(write)
          yield write
          if (performance.now() - began > batchMaxMs) return
        }
      }
      try {
        const settles = await commit(take)
        queue = queue.slice(batch.length)
        for (const settle of settles) settle()
      } catch (cause) {
        if (batch.length === 0) batch = queue.slice(0, batchMax)
        queue = queue.slice(batch.length)
        for (const { reject } of batch) reject(cause)
      }
    } while (queue.length > 0)
    flushing = undefined
  }

  return {
    async add (change) {
      return await new Promise((resolve, reject) => {
        queue.push({ change, resolve, reject })
        flushing ??= flush()
      })
    },
    async settled () {
      await flushing
    }
  }
}

async function nextTurn (): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
}
