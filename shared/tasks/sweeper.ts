/**
 * Finds what nobody announces: heartbeats that stand still, claims whose task was not told, jobs
 * whose next step was lost in a crash, and messages the bus dropped. Each pass reads a bounded
 * number of open tasks and jobs through an index, so history costs nothing.
 */
import type { Collection, Doc, Filter } from '../store/store.ts'
import { follow } from './claims.ts'
import type { Core, KindParts } from './core.ts'
import { claimId, openPhases } from './records.ts'

const tasksPage = 500
const jobsPage = 100
export interface Sweeper {
  /** One pass over a kind; says whether anything was open. */
  sweep: (parts: KindParts) => Promise<boolean>
}

interface Sighting { beat: number, silentMs: number, seenAt: number }

interface Round { name: string, filter: Filter, limit: number }

export function createSweeper (core: Core): Sweeper {
  const sightings = new Map<string, Sighting>()
  const cursors = new Map<string, string>()

  /** How long a claim's beat has stood still while we watched. */
  function silence (id: string, holder: string, beat: number): number {
    const now = core.clock.now()
    const key = `${id} ${holder}`
    const last = sightings.get(key)
    // A long gap between two looks may be our own standstill, with the whole host's; it proves
    // no silence of the other, so no look counts for more than two intervals.
    const watchedMs = last === undefined ? 0 : Math.min(now - last.seenAt, 2 * core.sweepMs)
    const silentMs = last?.beat === beat ? last.silentMs + watchedMs : 0
    sightings.set(key, { beat, silentMs, seenAt: now })
    return silentMs
  }

  function forgetOld (): void {
    const oldest = core.clock.now() - 20 * core.leaseMs
    for (const [key, { seenAt }] of sightings) if (seenAt < oldest) sightings.delete(key)
  }

  /** The next documents of a round, from the first again after the last. */
  async function nextPage<T extends Doc> (
    collection: Collection<T>, { name, filter, limit }: Round
  ): Promise<T[]> {
    const after = cursors.get(name)
    const rest = after === undefined ? filter : { ...filter, _id: { $gt: after } }
    const page = await collection.findMany(rest, { sort: { _id: 1 }, limit })
    const last = page.at(-1)
    if (last === undefined || page.length < limit) cursors.delete(name)
    else cursors.set(name, last._id)
    return page
  }

  async function sweepTasks ({ kind, jobs }: KindParts): Promise<boolean> {
    const tasks = await nextPage(core.tasks, {
      name: `running ${kind.name}`, filter: { kind: kind.name, state: 'running' }, limit: tasksPage
    })
    for (const task of tasks) {
      const id = claimId(task._id, task.attempt)
      if (core.running.has(id)) continue
      const claim = await core.claims.find(id)
      if (claim === undefined) {
        // The rest of an interrupted deletion.
        if (await jobs.find(task.jobId) === undefined) await core.tasks.delete(task._id)
        continue
      }
      await follow(core, { task, claim, silentMs: silence(id, claim.holder, claim.beat) })
    }
    return tasks.length > 0
  }

  async function sweepJobs ({ kind, jobs }: KindParts): Promise<boolean> {
    let open = false
    for (const phase of openPhases) {
      const page = await nextPage(jobs, { name: `${phase} ${kind.name}`, filter: { phase }, limit: jobsPage })
      for (const { _id } of page) core.changed(kind.name, _id)
      open ||= page.length > 0
    }
    return open
  }

  return {
    async sweep (parts) {
      forgetOld()
      const running = await sweepTasks(parts)
      const open = await sweepJobs(parts)
      try {
        await core.census.count(parts.kind.name, parts.jobs)
      } finally {
        parts.kick()
      }
      return running || open
    }
  }
}
