/** What an attempt does: plans the job, does one of its tasks, or finishes it. */
import type { Core, KindParts } from './core.ts'
import { newTask, type JobDoc } from './records.ts'
import type { Task } from './tasks.ts'

/** Planned tasks written in one call. */
const planBatch = 500
/** Messages sent for a plan: each wakes one process, which then takes what it can. */
const wakesMax = 4

interface Stage { task: Task, job: JobDoc, signal: AbortSignal }

export async function performStage (core: Core, parts: KindParts, stage: Stage): Promise<void> {
  switch (stage.task.stage) {
    case 'plan': await plan(core, parts, stage); return
    case 'work': await parts.kind.perform(stage.task, stage.job, stage.signal); return
    case 'finish': await finish(core, parts, stage)
  }
}

async function plan (core: Core, parts: KindParts, { job, signal }: Stage): Promise<void> {
  // Any later phase means that all tasks are there; a retry of the planning itself is not later.
  if (job.phase !== 'planning' && job.phase !== 'retrying') return
  const { name, attemptsMax = 3 } = parts.kind
  const planned = await parts.kind.plan(job, signal)
  const tasks = planned.map(({ key, input }) =>
    newTask({ job, kind: name, stage: 'work', key, input, attemptsMax }))
  for (let at = 0; at < tasks.length; at += planBatch) {
    signal.throwIfAborted()
    await core.tasks.insertMissing(tasks.slice(at, at + planBatch))
  }
  core.probe?.('planned', job._id)
  // Tasks first: a job that is `working` has all of them. A guard on the phase alone, for a job
  // cancelled meanwhile is worked off as cancelled.
  const working = { $set: { phase: 'working' }, $inc: { version: 1 } }
  await parts.jobs.update(job._id, { phase: 'planning' }, working)
  parts.kick()
  for (const { _id } of tasks.slice(0, wakesMax)) wake(core, name, _id)
}

async function finish (core: Core, parts: KindParts, { task, job, signal }: Stage): Promise<void> {
  const { round } = task
  if (job.phase !== 'finishing' || job.round !== round) return
  await parts.kind.finish?.(job, signal)
  core.probe?.('before-settle', job._id)
  const settled = { $set: { phase: 'settled' }, $inc: { version: 1 } }
  await parts.jobs.update(job._id, { phase: 'finishing', round }, settled)
}

/** A hint to other processes; nothing waits for it and nothing is lost with it. */
export function wake (core: Core, kind: string, taskId: string): void {
  core.bus.publish(`task.${core.service}.${kind}`, { taskId }).catch((error: unknown) => {
    core.log.debug({ err: error, task: taskId }, 'A wake-up was not sent; the sweeper will find the task')
  })
}
