/**
 * Calls under a generation's budget, which inference keeps. It reserves what each call may take at
 * most, and refuses what does not fit beside the calls under way: so a call that was refused waits for
 * one of those to end and to give back what it did not use, and is out of budget only when none of
 * this process is left.
 */
import { Problem } from '../../../shared/errors/problem.ts'

export interface Budgets {
  /** @returns undefined where the budget has no room for the call, and will have none */
  under: <T>(generationId: string, signal: AbortSignal, call: () => Promise<T>) => Promise<T | undefined>
}

interface Calls { underWay: number, waiting: Array<() => void> }

export function takingTurnsInBudgets (): Budgets {
  const groups = new Map<string, Calls>()

  function begin (group: string): Calls {
    const calls = groups.get(group) ?? { underWay: 0, waiting: [] }
    groups.set(group, calls)
    calls.underWay++
    return calls
  }

  /** One goes on for one that ended: about as much was given back as one needs. */
  function end (group: string, calls: Calls): void {
    calls.underWay--
    const next = calls.waiting.shift()
    if (next !== undefined) next()
    else if (calls.underWay === 0) groups.delete(group)
  }

  return {
    async under (generationId, signal, call) {
      for (;;) {
        const calls = begin(generationId)
        let refused = false
        try {
          return await call()
        } catch (cause) {
          refused = cause instanceof Problem && cause.kind === 'budget-exhausted'
          if (!refused) throw cause
          if (calls.underWay === 1) return undefined
        } finally {
          // Who was refused gave nothing back, but the last one must not leave others waiting.
          if (!refused || calls.underWay === 1) end(generationId, calls)
          else calls.underWay--
        }
        await nextEnd(calls, signal)
      }
    }
  }
}

async function nextEnd (calls: Calls, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      calls.waiting = calls.waiting.filter(each => each !== go)
      reject(signal.reason)
    }
    const go = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    calls.waiting.push(go)
    signal.addEventListener('abort', leave, { once: true })
  })
}
