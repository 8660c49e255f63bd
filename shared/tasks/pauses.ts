/** Pauses between attempts, as durations since this process first saw the task wait. */
import type { Clock } from './clock.ts'
import { claimId } from './records.ts'
import type { Task } from './tasks.ts'

/** Forgetting a pause only begins it anew. */
const rememberedMax = 20_000

export interface Pauses {
  /** Milliseconds until the task may be tried again; 0 or less: now. */
  leftMs: (task: Task) => number
}

export function createPauses (clock: Clock): Pauses {
  const since = new Map<string, number>()
  return {
    leftMs ({ _id, attempt, pauseMs }) {
      if (pauseMs === 0) return 0
      const id = claimId(_id, attempt)
      const now = clock.now()
      const start = since.get(id) ?? now
      const leftMs = start + pauseMs - now
      since.delete(id)
      // Kept when over, too: the task may have to wait for a free place.
      since.set(id, start)
      if (since.size > rememberedMax) since.delete(since.keys().next().value as string)
      return leftMs
    }
  }
}
