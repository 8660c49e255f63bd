/** Removes a job with its tasks and claims. The job goes last: interrupted, it is resumed. */
import { interrupt, type Core, type KindParts } from './core.ts'
import { claimId } from './records.ts'
import type { Task } from './tasks.ts'

const page = 200

export async function eraseJob (core: Core, { jobs }: KindParts, jobId: string): Promise<void> {
  const deleting = { $set: { phase: 'deleting' }, $inc: { version: 1 } }
  await jobs.update(jobId, { phase: { $ne: 'deleting' } }, deleting)
  for (const running of core.running.values()) {
    if (running.jobId === jobId) interrupt(running, 'cancelled')
  }
  for (;;) {
    const tasks = await core.tasks.findMany({ jobId }, { sort: { stage: 1, state: 1 }, limit: page })
    for (const task of tasks) await eraseTask(core, task)
    if (tasks.length < page) break
  }
  await jobs.delete(jobId)
}

export async function eraseTask (core: Core, task: Task): Promise<void> {
  // One claim more than the task knows of may exist.
  for (let attempt = task.attempt + 1; attempt >= 1; attempt--) {
    await core.claims.delete(claimId(task._id, attempt))
  }
  await core.tasks.delete(task._id)
}
