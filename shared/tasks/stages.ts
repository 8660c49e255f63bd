/** What an attempt does: plans the job, does one of its tasks, or finishes it. */
import type { Core, KindParts } from './core.ts'
import { newTask, type JobDoc } from './records.ts'
import type { Plan, PlannedTask, Task } from './tasks.ts'

/** Planned tasks written in one call. */
const planBatch = 200
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
  const first: string[] = []
  for await (const some of batchesOf(await parts.kind.plan(job, signal))) {
    signal.throwIfAborted()
    // Made as they are written: a plan of 100,000 is never held as so many documents.
    const tasks = some.map(({ key, input }) =>
      newTask({ job, kind: name, stage: 'work', key, input, attemptsMax }))
    core.census.note(name, { tasks: await core.tasks.insertMissing(tasks) })
    for (const { _id } of tasks) if (first.length < wakesMax) first.push(_id)
  }
  core.probe?.('planned', job._id)
  // Tasks first: a job that is `working` has all of them. A guard on the phase alone, for a job
  // cancelled meanwhile is worked off as cancelled.
  const working = { $set: { phase: 'working' }, $inc: { version: 1 } }
  await parts.jobs.update(job._id, { phase: 'planning' }, working)
  parts.kick()
  for (const id of first) wake(core, name, id)
}

async function * batchesOf<I> (planned: Plan<I>): AsyncGenerator<Array<PlannedTask<I>>> {
  let batch: Array<PlannedTask<I>> = []
  for await (const task of planned) {
    batch.push(task)
    if (batch.length < planBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function finish (core: Core, parts: KindParts, { task, job, signal }: Stage): Promise<void> {
  const { round } = task
  if (job.phase !== 'finishing' || job.round !== round) return
  await parts.kind.finish?.(job, signal)
  core.probe?.('before-settle', job._id)
  const settled = { $set: { phase: 'settled' }, $inc: { version: 1 } }
  const ended = await parts.jobs.update(job._id, { phase: 'finishing', round }, settled)
  if (ended) core.census.note(parts.kind.name, { jobs: -1 })
}

/** A hint to other processes; nothing waits for it and nothing is lost with it. */
export function wake (core: Core, kind: string, taskId: string): void {
  core.bus.publish(`task.${core.service}.${kind}`, { taskId }).catch((error: unknown) => {
    core.log.debug({ err: error, task: taskId }, 'A wake-up was not sent; the sweeper will find the task')
  })
}
