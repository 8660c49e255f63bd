/** Moves jobs on: has them planned, has them finished once their tasks have ended, settles them. */
import { changeTask } from './claims.ts'
import type { Core, KindParts } from './core.ts'
import { eraseJob } from './erase.ts'
import { changeJob, newTask, openTaskStates, stages, taskId, type JobDoc } from './records.ts'
import { stepRetrying } from './retry.ts'
import { wake } from './stages.ts'
import type { Stage, Task } from './tasks.ts'

const cancelPage = 500

/** One step of a job; says whether it is at its end. Anyone may do it, any number of times. */
export async function stepJob (core: Core, parts: KindParts, jobId: string): Promise<boolean> {
  const job = await parts.jobs.find(jobId)
  if (job === undefined || job.phase === 'settled') return true
  switch (job.phase) {
    case 'planning': return await stepPlanning(core, parts, job)
    case 'working': return await stepWorking(core, parts, job)
    case 'retrying': await stepRetrying(core, parts, job); return false
    case 'finishing': return await stepFinishing(core, parts, job)
    case 'deleting': await eraseJob(core, parts, jobId); return true
  }
}

async function stepPlanning (core: Core, parts: KindParts, job: JobDoc): Promise<boolean> {
  const task = await ensure(core, parts, { job, stage: 'plan', key: '' })
  if (task.state === 'done') {
    // Done means that all its tasks are there; only the job was not told.
    const working = await changeJob(parts.jobs, job, { phase: 'working' })
    return working === undefined ? false : await stepWorking(core, parts, working)
  }
  const ended = task.state === 'dead' || task.state === 'cancelled' ||
    (job.cancelled && task.state === 'queued' && await changeTask(core, task, { state: 'cancelled' }))
  if (!ended) return false
  // Part of the tasks may have been planned.
  await cancelQueued(core, job._id)
  return await hasOpenTasks(core, job) ? false : await settle(core, parts, { job, problem: task.problem })
}

async function stepWorking (core: Core, parts: KindParts, job: JobDoc): Promise<boolean> {
  if (job.cancelled) await cancelQueued(core, job._id)
  if (await hasOpenTasks(core, job)) return false
  if (parts.kind.finish === undefined) return await settle(core, parts, { job, problem: null })
  const finishing = await changeJob(parts.jobs, job, { phase: 'finishing' })
  return finishing === undefined ? false : await stepFinishing(core, parts, finishing)
}

/** To be asked after reading the job, whose version changes before a task is queued again. */
async function hasOpenTasks (core: Core, { _id }: JobDoc): Promise<boolean> {
  // One query: between two, a task could slip from the state asked later to the one asked first.
  const filter = { jobId: _id, stage: { $in: stages }, state: { $in: openTaskStates } }
  const options = { sort: { stage: 1, state: 1 }, limit: 1 } as const
  return (await core.tasks.findMany(filter, options)).length > 0
}

async function stepFinishing (core: Core, parts: KindParts, job: JobDoc): Promise<boolean> {
  const task = await ensure(core, parts, { job, stage: 'finish', key: String(job.round) })
  if (task.state !== 'dead') return false
  return await settle(core, parts, { job, problem: task.problem })
}

async function ensure (
  core: Core, parts: KindParts, { job, stage, key }: { job: JobDoc, stage: Stage, key: string }
): Promise<Task> {
  const found = await core.tasks.find(taskId(job._id, stage, key))
  if (found !== undefined) return found
  const { name: kind, attemptsMax = 3 } = parts.kind
  const task = newTask({ job, kind, stage, key, input: null, attemptsMax })
  if (await core.tasks.insert(task)) wake(core, kind, task._id)
  parts.kick()
  return task
}

async function settle (
  core: Core, { jobs, kind }: KindParts, { job, problem }: { job: JobDoc, problem: JobDoc['problem'] }
): Promise<boolean> {
  const settled = await changeJob(jobs, job, { phase: 'settled', problem }) !== undefined
  if (settled) core.census.note(kind.name, { jobs: -1 })
  return settled
}

/** Ends the queued tasks of a cancelled job; one just being claimed ends with its attempt. */
export async function cancelQueued (core: Core, jobId: string): Promise<void> {
  for (const stage of ['plan', 'work'] as const) await cancelStage(core, jobId, stage)
}

async function cancelStage (core: Core, jobId: string, stage: Stage): Promise<void> {
  for (;;) {
    const tasks = await core.tasks.findMany({ jobId, stage, state: 'queued' }, { limit: cancelPage })
    const ended = await Promise.all(tasks.map(async task =>
      await changeTask(core, task, { state: 'cancelled' })))
    if (tasks.length < cancelPage || !ended.includes(true)) return
  }
}
