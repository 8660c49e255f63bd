/** Steps jobs one by one, each once however many of its tasks have just ended; wakes waiters. */
import type { Core } from './core.ts'
import { stepJob } from './steps.ts'

export interface Stepper {
  changed: (kind: string, jobId: string) => void
  /** `heard` resolves when this process learns of the job's end, after `ms`, or when cancelled. */
  ended: (jobId: string, ms: number) => { heard: Promise<void>, cancel: () => void }
  /** Wakes all who wait. */
  wakeAll: () => void
}

export function createStepper (core: Core): Stepper {
  const dirty = new Map<string, string>()
  const waiters = new Map<string, Set<() => void>>()
  let stepping = false

  async function steps (): Promise<void> {
    for (const [jobId, kind] of dirty) {
      dirty.delete(jobId)
      const parts = core.kinds.get(kind)
      if (parts === undefined) continue
      try {
        if (await stepJob(core, parts, jobId)) wakeWaiters(jobId)
      } catch (error) {
        core.log.warn({ err: error, job: jobId }, 'A job could not be moved on; the sweeper will do it')
      }
    }
    // Not when the promise settles, which is later: a change in between would be forgotten.
    stepping = false
  }

  function wakeWaiters (jobId: string): void {
    for (const wakeOne of waiters.get(jobId) ?? []) wakeOne()
  }

  return {
    changed (kind, jobId) {
      dirty.set(jobId, kind)
      if (stepping) return
      stepping = true
      // Deleting and setting while iterating visits what was set anew, so none is forgotten.
      void steps()
    },

    ended (jobId, ms) {
      const set = waiters.get(jobId) ?? new Set()
      waiters.set(jobId, set)
      let cancel = (): void => {}
      const heard = new Promise<void>(resolve => {
        const cancelTimer = core.clock.after(ms, done)
        function done (): void {
          cancelTimer()
          set.delete(done)
          if (set.size === 0 && waiters.get(jobId) === set) waiters.delete(jobId)
          resolve()
        }
        set.add(done)
        cancel = done
      })
      return { heard, cancel }
    },

    wakeAll () {
      for (const jobId of [...waiters.keys()]) wakeWaiters(jobId)
    }
  }
}
