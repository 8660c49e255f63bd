/** Work that ended is taken up again. */
import type { Collection } from '../store/store.ts'
import { changeTask } from './claims.ts'
import type { Core, KindParts } from './core.ts'
import { eraseTask } from './erase.ts'
import type { JobDoc } from './records.ts'
import type { Stage, Task } from './tasks.ts'

/**
 * Queues ended tasks of one job again and reopens it; answers how many. The tasks come first: one
 * that is queued in a settled job is seen by whoever claims it, who then reopens the job, while an
 * open job without open tasks would be settled again.
 */
export async function requeue (
  core: Core, parts: KindParts, tasks: readonly Task[]
): Promise<number> {
  const anew = { state: 'queued', failures: 0, losses: 0, pauseMs: 0, problem: null } as const
  let count = 0
  for (const task of tasks) {
    if (task.stage === 'finish' || await changeTask(core, task, anew)) count += 1
  }
  const [first] = tasks
  const job = first === undefined ? undefined : await parts.jobs.find(first.jobId)
  if (job === undefined || count === 0) return 0
  await reopen(parts.jobs, job, tasks.some(({ stage }) => stage === 'plan') ? 'plan' : 'work')
  // The new round gets a finishing of its own.
  for (const task of tasks) if (task.stage === 'finish') await eraseTask(core, task)
  core.changed(parts.kind.name, job._id)
  parts.kick()
  return count
}

/**
 * Opens a new round of a job, unless somebody else has. The version rises even when the job is
 * open, so that whoever was about to settle it, on a look at its tasks from before, cannot.
 *
 * @returns the job as it now is
 */
export async function reopen (
  jobs: Collection<JobDoc>, job: JobDoc, stage: Stage
): Promise<JobDoc> {
  const phase = stage === 'plan' ? 'planning' : 'working'
  const changed = { phase, cancelled: false, problem: null, round: job.round + 1 } as const
  const { _id, version } = job
  if (job.phase === 'deleting') return job
  if (await jobs.update(_id, { version }, { $set: changed, $inc: { version: 1 } })) {
    return { ...job, ...changed, version: version + 1 }
  }
  const now = await jobs.find(_id)
  if (now === undefined) return { ...job, phase: 'deleting' }
  return now.phase === 'settled' || now.cancelled ? await reopen(jobs, now, stage) : now
}
