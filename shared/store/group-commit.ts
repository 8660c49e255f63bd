/** Writes gather for a turn of the event loop and are committed together. */

/** Bounds how long one transaction keeps other processes and the event loop waiting. */
const batchMax = 500

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
 * @param commit  commits the writes of a batch and answers what to call for each; when it rejects,
 *   none of them has happened
 */
export function groupCommit (
  commit: (batch: readonly Write[]) => Promise<Array<() => void>>
): WriteQueue {
  let queue: Write[] = []
  let flushing: Promise<void> | undefined

  async function flush (): Promise<void> {
    do {
      await nextTurn()
      const batch = queue.slice(0, batchMax)
      queue = queue.slice(batchMax)
      try {
        for (const settle of await commit(batch)) settle()
      } catch (cause) {
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
