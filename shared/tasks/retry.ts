/**
 * Work that ended is taken up again. That is written into the job first, as its phase: so it is
 * acknowledged by one write, anyone can complete it after a crash, and nobody settles the job in
 * between, on a look at its tasks from before.
 */
import { Problem } from '../errors/problem.ts'
import { changeTask } from './claims.ts'
import type { Core, KindParts } from './core.ts'
import { eraseTask } from './erase.ts'
import { changeJob, stages, taskId, type JobDoc } from './records.ts'
import type { Stage, Task, TaskState } from './tasks.ts'

const page = 500
const anew = { state: 'queued', failures: 0, outages: 0, losses: 0, pauseMs: 0, problem: null } as const

/**
 * Reopens a job.
 *
 * @param task   `_id` null for all tasks of the job that are dead or cancelled
 * @returns      whether there is such a job
 * @throws       Problem not-finished while the job is being cancelled
 */
export async function retryTasks (
  core: Core, parts: KindParts, task: { jobId: string, _id: string | null }
): Promise<boolean> {
  const job = await parts.jobs.find(task.jobId)
  if (job === undefined || job.phase === 'deleting') return false
  if (job.cancelled && job.phase !== 'settled') {
    throw new Problem('not-finished', `${job._id} is still being cancelled. Retry it once it has ended.`)
  }
  // One retry after another: the job holds one.
  if (job.phase === 'retrying') await stepRetrying(core, parts, job)
  const round = job.round + 1
  const { _id: retrying } = task
  const change = { phase: 'retrying', retrying, cancelled: false, problem: null, round } as const
  const reopened = job.phase === 'retrying' ? undefined : await changeJob(parts.jobs, job, change)
  if (reopened === undefined) return await retryTasks(core, parts, task)
  core.changed(parts.kind.name, job._id)
  return true
}

/** Queues the tasks and goes on; any number of processes may do this at once. */
export async function stepRetrying (core: Core, parts: KindParts, job: JobDoc): Promise<void> {
  for (const stage of stages) {
    for (const state of ['dead', 'cancelled'] as const) {
      for (;;) {
        const tasks = await endedTasks(core, job, { stage, state })
        for (const task of tasks) await queueAnew(core, task, job.round)
        if (tasks.length < page) break
      }
    }
  }
  const plan = await core.tasks.find(taskId(job._id, 'plan', ''))
  const phase = plan?.state === 'done' ? 'working' : 'planning'
  await changeJob(parts.jobs, job, { phase, retrying: null })
  core.changed(parts.kind.name, job._id)
  parts.kick()
}

async function endedTasks (
  core: Core, job: JobDoc, ended: { stage: Stage, state: TaskState }
): Promise<Task[]> {
  const { _id, retrying, round } = job
  const only = retrying === null ? {} : { _id: retrying }
  // Of earlier rounds: we may be late, and what has ended again since then is not ours to retry.
  const filter = { jobId: _id, ...ended, round: { $lt: round }, ...only }
  return await core.tasks.findMany(filter, { limit: page })
}

async function queueAnew (core: Core, task: Task, round: number): Promise<void> {
  // The new round gets a finishing of its own.
  if (task.stage === 'finish') await eraseTask(core, task)
  else await changeTask(core, task, { ...anew, round })
}
