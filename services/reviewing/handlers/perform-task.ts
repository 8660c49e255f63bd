/** Does one task of a reviewing, of either strategy. */
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import { performUnit } from './perform-unit.ts'
import type { TaskInput, UnitInput } from './plan-reviewing.ts'
import { generationOf } from './open-reviewing.ts'
import { reviewBankItems } from './review-bank.ts'
import { reviewPaper, type ReviewingSpec } from './review-paper.ts'
import type { UnitParts } from './unit-parts.ts'

type Perform = (task: Task<TaskInput>, job: JobRecord<ReviewingSpec>, signal: AbortSignal) => Promise<void>

/** Units wait for models, papers take the processor: so many more units may be at work at once. */
export function performTask (parts: UnitParts, { papersAtOnce }: { papersAtOnce: number }): Perform {
  const { peers, store } = parts
  let free = papersAtOnce
  const waiting: Array<() => void> = []

  async function withPlace (work: () => Promise<void>): Promise<void> {
    if (free > 0) free--
    else await new Promise<void>(resolve => { waiting.push(resolve) })
    try {
      await work()
    } finally {
      const next = waiting.shift()
      // The place goes to the next in line rather than to whoever comes first.
      if (next === undefined) free++
      else next()
    }
  }

  return async (task, job, signal) => {
    const { input } = task
    if ('bankItemIds' in input) {
      const some = { reviewingId: job._id, input, signal }
      await withPlace(async () => { await reviewBankItems({ peers, store }, some) })
      return
    }
    if ('itemIds' in input) {
      await performUnit(parts, { task: task as Task<UnitInput>, job }, signal)
      return
    }
    const request = { reviewingId: job._id, generationId: generationOf(job.spec), paper: input, signal }
    await withPlace(async () => { await reviewPaper({ peers, store }, request) })
  }
}
