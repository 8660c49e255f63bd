/** What a service may ask of its jobs; everything is read from the store. */
import type { JobView } from '../contracts/job.ts'
import type { ProblemBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import type { Collection, Filter } from '../store/store.ts'
import { interrupt, type Core, type KindParts } from './core.ts'
import { viewOf } from './decisions.ts'
import { eraseJob } from './erase.ts'
import { newJob, stages, type JobDoc } from './records.ts'
import { retryTasks } from './retry.ts'
import type { Stepper } from './stepper.ts'
import { cancelQueued } from './steps.ts'
import type { Jobs, JobsAsked, Task } from './tasks.ts'

const waitMaxMs = 60_000
const pollMs = 1_000
const listMax = 10_000
const problemsMax = 100

export function createJobs (core: Core, parts: KindParts, stepper: Stepper): Jobs<unknown> {
  const { jobs, kind } = parts

  const find = async (id: string): Promise<JobDoc | undefined> => await findJob(jobs, id)

  /** Whether the job may be opened: it exists already, or there is room for it. */
  async function admit (id: string): Promise<void> {
    try {
      core.census.admit()
    } catch (full) {
      if (await find(id) === undefined) throw full
    }
  }

  async function wait (id: string, timeoutMs: number): Promise<void> {
    const until = core.clock.now() + Math.min(timeoutMs, waitMaxMs)
    for (;;) {
      const leftMs = until - core.clock.now()
      // Listening begins before reading, so an end in between is heard.
      const end = stepper.ended(id, Math.min(leftMs, pollMs))
      const job = await find(id)
      if (leftMs <= 0 || job === undefined || job.phase === 'settled' || core.stopping) {
        end.cancel()
        return
      }
      await end.heard
    }
  }

  async function cancel (id: string): Promise<void> {
    const job = await find(id)
    if (job === undefined || job.cancelled) return
    if (job.phase === 'settled' && !await isHoldingBack(core, kind, job)) return
    const { version } = job
    // What is held back is given up for a finishing of its own.
    const again = job.phase === 'settled' ? { phase: 'working', round: job.round + 1 } as const : {}
    const cancelling = { $set: { cancelled: true, ...again }, $inc: { version: 1 } }
    const cancelled = await jobs.update(id, { version }, cancelling)
    // It moved on meanwhile: look again.
    if (!cancelled) { await cancel(id); return }
    for (const running of core.running.values()) {
      if (running.jobId === id && running.stage !== 'finish') interrupt(running, 'cancelled')
    }
    if (job.phase === 'working') await cancelQueued(core, id)
    stepper.changed(kind.name, id)
  }

  return {
    find,
    admit,

    async open (id, spec) {
      await admit(id)
      const created = await jobs.insert(newJob(id, spec))
      core.probe?.('opened', id)
      if (created) {
        core.census.note(kind.name, { jobs: 1 })
        stepper.changed(kind.name, id)
      }
      return { created }
    },

    list: async page => await list(jobs, page),

    view: async id => await view(core, parts, id),

    wait,
    cancel,
    deadInputs: async id => (await deadTasks(core, id, listMax)).map(({ input }) => input),

    async retry (id) {
      const count = await core.tasks.count({
        jobId: id, stage: { $in: stages }, state: { $in: ['dead', 'cancelled'] }
      })
      if (count === 0) return 0
      if (await retryTasks(core, parts, { jobId: id, _id: null })) return count
      throw new Problem('not-found', `There is no ${kind.name} ${id}.`)
    },

    async delete (id) {
      await eraseJob(core, parts, id)
      stepper.changed(kind.name, id)
    }
  }
}

async function deadTasks (core: Core, jobId: string, limit: number): Promise<Task[]> {
  return await core.tasks.findMany({ jobId, stage: 'work', state: 'dead' }, { limit })
}

async function isHoldingBack (core: Core, kind: KindParts['kind'], job: JobDoc): Promise<boolean> {
  return kind.holdsBack?.(job) === true && (await deadTasks(core, job._id, 1)).length > 0
}

/** What is being deleted is there no more. */
async function findJob (jobs: Collection<JobDoc>, id: string): Promise<JobDoc | undefined> {
  const job = await jobs.find(id)
  return job?.phase === 'deleting' ? undefined : job
}

async function view (core: Core, { jobs, kind }: KindParts, jobId: string): Promise<JobView> {
  const job = await findJob(jobs, jobId)
  if (job === undefined) throw new Problem('not-found', `There is no ${kind.name} ${jobId}.`)
  const counts = await core.tasks.countBy('state', { jobId, stage: 'work' })
  const problems: ProblemBody[] = []
  const waits: ProblemBody[] = []
  for (const stage of stages) {
    const dead = await core.tasks.findMany({ jobId, stage, state: 'dead' }, { limit: problemsMax })
    problems.push(...dead.flatMap(({ problem }) => problem ?? []))
    if (job.phase === 'settled') continue
    const waiting = await core.tasks.findMany({ jobId, stage, state: 'queued', 'problem.status': { $gt: 0 } }, { limit: problemsMax })
    waits.push(...waiting.flatMap(({ problem }) => problem ?? []))
  }
  const dead = problems.slice(0, problemsMax)
  return viewOf(job, counts, { dead, waiting: waits.slice(0, problemsMax - dead.length) })
}

async function list (
  jobs: Collection<JobDoc>, { after, limit, where = {} }: JobsAsked
): Promise<JobDoc[]> {
  const rest = after === undefined ? {} : { _id: { $gt: after } }
  const filter: Filter = { phase: { $ne: 'deleting' }, ...where, ...rest }
  return await jobs.findMany(filter, { sort: { _id: 1 }, limit: Math.min(limit, listMax) })
}
