/** Writes of one item one after the other. */
import { Problem } from '../../../shared/errors/problem.ts'

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** More than reviews that one item may have. */
const waitingMax = 250

/**
 * Within this process, whoever writes to an item waits for those before. Without it of eighty raters
 * who send at once only every eighth is taken and the others must send again: each write overtakes
 * all that were read before it. Writes of other processes are told by the guard of each write.
 *
 * The work throws what it throws; those behind it go on. Beyond `waitingMax` for one key: Problem
 * conflict.
 */
export function inTurn (): InTurn {
  const last = new Map<string, { done: Promise<unknown>, waiting: number }>()
  return async (key, work) => {
    const before = last.get(key) ?? { done: Promise.resolve(), waiting: 0 }
    if (before.waiting >= waitingMax) throw new Problem('conflict', 'Too many write to this item at once; send it again in a moment.')
    const own = before.done.then(work)
    const turn = { done: own.catch(() => {}), waiting: before.waiting + 1 }
    last.set(key, turn)
    try {
      return await own
    } finally {
      const latest = last.get(key)!
      latest.waiting--
      if (latest === turn) last.delete(key)
    }
  }
}
