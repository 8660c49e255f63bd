/** Who may use a parser process: so many at once, the others in the order they came. */
import { Problem } from '../../../shared/errors/problem.ts'

/** Requests that may wait for a process; more is for the caller to try again. */
const waitingMax = 200

export interface Turns {
  /** @throws Problem too-many-requests when too many wait already */
  take: () => Promise<void>
  give: () => void
}

export function takingTurns (size: number): Turns {
  const waiting: Array<() => void> = []
  let running = 0
  return {
    async take () {
      if (running < size) { running++; return }
      if (waiting.length >= waitingMax) {
        throw new Problem('too-many-requests', 'Too many papers and pages are waiting for a parser; try again in a while.', { retryAfterSeconds: 10 })
      }
      // Whoever ends passes its place on, so nobody can slip in between.
      await new Promise<void>(resolve => waiting.push(resolve))
    },
    give () {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
