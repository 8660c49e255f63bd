/**
 * Calls under the budget of a job (a generation, a reviewing), which inference keeps for its group. It
 * reserves what each call may take at most, and refuses what does not fit beside the calls under way: so
 * a call that was refused waits for one of those to end and to give back what it did not use, and is out
 * of budget only when none of this process is left.
 */
import { Problem } from '../errors/problem.ts'
import type { Jobs } from '../tasks/tasks.ts'
import type { InferenceClient } from './inference.ts'

export interface Budgets {
  /** @returns undefined where the budget has no room for the call, and will have none */
  under: <T>(group: string, signal: AbortSignal, call: () => Promise<T>) => Promise<T | undefined>
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
    async under (group, signal, call) {
      for (;;) {
        const calls = begin(group)
        let refused = false
        try {
          return await call()
        } catch (cause) {
          refused = cause instanceof Problem && cause.kind === 'budget-exhausted'
          if (!refused) throw cause
          if (calls.underWay === 1) return undefined
        } finally {
          // Who was refused gave nothing back, but the last one must not leave others waiting.
          if (!refused || calls.underWay === 1) end(group, calls)
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

interface BudgetParts { jobs: Pick<Jobs<never>, 'view'>, inference: Pick<InferenceClient, 'freeGroup'> }
interface Budgeted { _id: string, spec: { recipe: { tokensMax?: number } }, cancelled: boolean }

/** A job that may be retried keeps its budget: what is left of it is all that a retry may spend. */
export async function endBudget (
  { jobs, inference }: BudgetParts, { _id, spec, cancelled }: Budgeted
): Promise<void> {
  if (spec.recipe.tokensMax === undefined || cancelled) return
  const { progress } = await jobs.view(_id)
  if (progress.failed === 0) await inference.freeGroup(_id)
}
