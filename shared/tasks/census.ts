/**
 * How much work there is, of each kind: counted by the sweeper as it passes, and between two counts
 * known from what this process has added and taken since. So asking costs nothing, and other
 * processes' work is seen a sweep later.
 */
import { Problem } from '../errors/problem.ts'
import type { Collection } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { openPhases, stages, type JobDoc } from './records.ts'
import type { Task } from './tasks.ts'

/** Counting takes at most this share of the time: a long queue is counted less often. */
const shareMax = 1 / 20
const retryAfterSeconds = 10

/** What is known of one kind; zero until it was first counted. */
export interface Census {
  kind: string
  /** Tasks of all stages. */
  queued: number
  running: number
  dead: number
  /**
   * For how long there have been queued tasks at every count, by this process's monotonic clock; 0
   * when there were none at the last.
   */
  queuedForMs: number
}

export interface CensusTaker {
  /** Counts a kind anew, unless that was done a moment ago. */
  count: (kind: string, jobs: Collection<JobDoc>) => Promise<void>
  /** This process has added so many jobs, or tasks of stage `work`, or taken them (negative). */
  note: (kind: string, change: { jobs?: number, tasks?: number }) => void
  /** Whether planning must wait: so many tasks of stage `work` are queued already. */
  isFull: () => boolean
  /** @throws Problem queue-full when a new job is one too many */
  admit: () => void
  taken: () => Census[]
}

export interface CensusOptions {
  service: string
  clock: Clock
  tasks: Collection<Task>
  /** Of tasks queued, and of these and open jobs together, over all kinds. */
  queueMax: number
}

interface Count { jobs: number, work: number }
interface Known {
  counts: Omit<Census, 'kind' | 'queuedForMs'>
  counted: Count
  /** Added by this process since the count began. */
  since: Count
  queuedFrom: number | undefined
  nextAt: number
}

export function createCensus ({ service, clock, tasks, queueMax }: CensusOptions): CensusTaker {
  const known = new Map<string, Known>()

  function of (kind: string): Known {
    const found = known.get(kind)
    if (found !== undefined) return found
    const nothing: Known = {
      counts: { queued: 0, running: 0, dead: 0 },
      counted: { jobs: 0, work: 0 },
      since: { jobs: 0, work: 0 },
      queuedFrom: undefined,
      nextAt: 0
    }
    known.set(kind, nothing)
    return nothing
  }

  function total (): Count {
    const all = [...known.values()].map(({ counted, since }) =>
      // Others may have taken, and a count may have seen already, what is noted here.
      ({ jobs: Math.max(0, counted.jobs + since.jobs), work: Math.max(0, counted.work + since.work) }))
    return {
      jobs: all.reduce((sum, { jobs }) => sum + jobs, 0), work: all.reduce((sum, { work }) => sum + work, 0)
    }
  }

  return {
    async count (kind, jobs) {
      const own = of(kind)
      const began = clock.now()
      if (began < own.nextAt) return
      const before = { ...own.since }
      const byStage: number[] = []
      for (const stage of stages) byStage.push(await tasks.count({ kind, state: 'queued', stage }))
      const running = await tasks.count({ kind, state: 'running' })
      const dead = await tasks.count({ kind, state: 'dead' })
      const open = await jobs.count({ phase: { $in: openPhases } })
      const queued = byStage.reduce((sum, count) => sum + count, 0)
      const now = clock.now()
      own.counts = { queued, running, dead }
      own.counted = { jobs: open, work: byStage[stages.indexOf('work')] ?? 0 }
      own.since = { jobs: own.since.jobs - before.jobs, work: own.since.work - before.work }
      own.queuedFrom = queued === 0 ? undefined : own.queuedFrom ?? now
      own.nextAt = began + (now - began) / shareMax
    },

    note (kind, { jobs = 0, tasks = 0 }) {
      const { since } = of(kind)
      since.jobs += jobs
      since.work += tasks
    },

    isFull: () => total().work >= queueMax,

    admit () {
      const { jobs, work } = total()
      if (jobs + work < queueMax) return
      throw new Problem('queue-full', `The queue of ${service} is full: ${work} tasks wait and ${jobs} jobs are open, and QUEUE_MAX is ${queueMax}. Nothing was stored; send the same request again after the time in Retry-After. More replicas empty the queue sooner.`, { retryAfterSeconds })
    },

    taken: () => [...known].map(([kind, { counts, queuedFrom }]) => ({
      kind, ...counts, queuedForMs: queuedFrom === undefined ? 0 : clock.now() - queuedFrom
    }))
  }
}
