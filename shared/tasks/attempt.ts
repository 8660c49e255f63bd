/** One attempt: claim, perform, close, copy. The order is what makes crashes harmless. */
import { Problem } from '../errors/problem.ts'
import { changeTask, claimTask, insistOnClosing, newRunning } from './claims.ts'
import type { Core, KindParts, Running } from './core.ts'
import { endingOf, plainEnding, taskAfter, type Ending } from './decisions.ts'
import { eraseTask } from './erase.ts'
import type { JobDoc } from './records.ts'
import { performStage } from './stages.ts'
import type { Task } from './tasks.ts'

/** Whose the task was; trouble: the store did not say. */
export type Taken = 'ours' | 'elsewhere' | 'trouble'

/** Resolves once the attempt has ended, and never rejects. */
export async function attempt (core: Core, parts: KindParts, queued: Task): Promise<Taken> {
  const running = newRunning(core, queued)
  // Somebody here is at it already: the queue was read before that attempt began.
  if (core.running.has(running.claimId)) return 'elsewhere'
  // Registered first, so that nobody here takes the claim for one that was abandoned.
  core.running.set(running.claimId, running)
  try {
    const task = await claimTask(core, queued, running)
    if (task === undefined) return 'elsewhere'
    await carryOut(core, parts, { task, running })
    return 'ours'
  } catch (error) {
    core.log.warn({ err: error, task: queued._id }, 'An attempt could not begin; it will be tried again')
    return 'trouble'
  } finally {
    core.running.delete(running.claimId)
  }
}

interface Owned { task: Task, running: Running }

async function carryOut (core: Core, parts: KindParts, { task, running }: Owned): Promise<void> {
  const job = await parts.jobs.find(task.jobId)
  if (job === undefined || job.phase === 'deleting') {
    // Planned while the job was being deleted.
    await eraseTask(core, task)
    return
  }
  const { failures, outages, losses } = task
  const began = core.clock.now()
  const ending = await perform(core, parts, { task, running, job })
  core.probe?.('after-write', task._id)
  if (!await insistOnClosing(core, running, ending)) return
  const durationMs = core.clock.now() - began
  core.attempted({ kind: task.kind, stage: task.stage, ending: ending.state, durationMs })
  core.probe?.('before-ack', task._id)
  const change = taskAfter(task, { _id: running.claimId, failures, outages, losses, ...ending })
  await changeTask(core, task, change)
  if (change.state === 'dead') {
    const { _id, jobId: job, kind } = task
    core.log.warn({ task: _id, job, kind, problem: change.problem }, 'A task is dead')
  }
  core.changed(task.kind, task.jobId)
}

async function perform (
  core: Core, parts: KindParts, { task, running, job }: Owned & { job: JobDoc }
): Promise<Ending> {
  if (core.stopping || running.interruption === 'stopping') return plainEnding('released')
  if (job.cancelled && task.stage !== 'finish') return plainEnding('cancelled')
  try {
    core.probe?.('before-call', task._id)
    await performStage(core, parts, { task, job, signal: running.controller.signal })
    return endingOf(undefined)
  } catch (cause) {
    const ending = endingOf({ cause }, running.interruption)
    logThrow(core, task, { cause, ending })
    return ending
  }
}

/** A Problem says what it is; of a bug, the log is the only place that tells more. */
function logThrow (
  core: Core, task: Task, { cause, ending }: { cause: unknown, ending: Ending }
): void {
  const { _id, jobId: job, kind, attempt } = task
  const about = { task: _id, job, kind, attempt, ending: ending.state }
  if (ending.state !== 'failed') core.log.info(about, 'An attempt was interrupted')
  else if (cause instanceof Problem) core.log.info({ ...about, problem: ending.problem }, 'An attempt failed')
  else core.log.error({ ...about, err: cause }, 'An attempt threw: a bug')
}
