/** What to do next, given what is known: the rules of work that survives, without time or store. */
import type { JobState, JobProblem, JobView } from '../contracts/job.ts'
import { asProblem, problemBody, type ProblemBody } from '../errors/problem-body.ts'
import { mayRetry, Problem } from '../errors/problem.ts'
import { sha256 } from '../contracts/hash.ts'
import type { Claim, ClaimState, JobDoc } from './records.ts'
import type { Task, TaskState } from './tasks.ts'

const pauseFirstMs = 1_000
const pauseMaxMs = 30_000
const retryAfterMaxMs = 60_000
/** Processes a task may see die before it is held to be what kills them. */
const lossesMax = 5
/** Whoever was away for long is back at work within 10 s of its return. */
const outagePauseMaxMs = 8_000
/**
 * Attempts that met an outage: the pauses between twenty of them are 70 to 141 s together, in which a
 * model server or a neighbour may be started again.
 */
export const outagesMax = 20

export type TaskChange = Pick<Task, 'state' | 'attempt' | 'failures' | 'outages' | 'losses' | 'pauseMs' | 'problem'>

/** How an attempt ended, as its claim will say. */
export interface Ending {
  state: Exclude<ClaimState, 'open'>
  problem: ProblemBody | null
  mayRetry: boolean
  retryAfterMs: number
}

/** Why a running task's signal was aborted. */
export type Interruption = 'cancelled' | 'stopping' | 'lost'

export function plainEnding (state: Ending['state']): Ending {
  return { state, problem: null, mayRetry: true, retryAfterMs: 0 }
}

/** @param thrown what the handler threw; undefined when it returned, its result written */
export function endingOf (
  thrown: { cause: unknown } | undefined, interruption?: Interruption
): Ending {
  if (thrown === undefined) return plainEnding('done')
  if (interruption === 'cancelled') return plainEnding('cancelled')
  if (interruption !== undefined) return plainEnding('released')
  const { cause } = thrown
  const isProblem = cause instanceof Problem
  const retryAfterMs = isProblem ? (cause.retryAfterSeconds ?? 0) * 1_000 : 0
  return {
    state: 'failed',
    problem: problemBody(isProblem ? cause : bug(cause)),
    // A bug may be a race or a full disk: it is worth another attempt.
    mayRetry: !isProblem || mayRetry(cause),
    retryAfterMs: Math.min(retryAfterMs, retryAfterMaxMs)
  }
}

function bug (cause: unknown): Problem {
  const detail = 'The service has a bug; its log says more under the id of this task.'
  return new Problem('internal', detail, { cause: asProblem(cause).cause })
}

/**
 * Pause before the next attempt: four times longer each time, and by up to half shorter, so that
 * what failed together is not tried again together. The jitter comes from the claim's id.
 */
export function pauseAfter (count: number, id: string, maxMs = pauseMaxMs): number {
  const full = Math.min(maxMs, pauseFirstMs * 4 ** (count - 1))
  const share = parseInt(sha256(id).slice(0, 8), 16) / 0xffffffff
  return Math.round(full * (1 - share / 2))
}

/** Of a claim, what its task follows. */
export type Verdict = Pick<Claim, '_id' | 'failures' | 'outages' | 'losses' | 'retryAfterMs' | 'mayRetry' | 'problem' | 'state'>

/** What the task must say, given its newest claim. The same claim always gives the same answer. */
export function taskAfter (task: Task, claim: Verdict): TaskChange {
  const attempt = Number(claim._id.slice(claim._id.lastIndexOf('#') + 1))
  const { failures, outages, losses } = claim
  const same = { attempt, failures, outages, losses, pauseMs: 0, problem: null }
  switch (claim.state) {
    case 'open': return { ...same, state: 'running' }
    case 'done': return { ...same, state: 'done' }
    case 'cancelled': return { ...same, state: 'cancelled' }
    case 'released': return { ...same, state: 'queued' }
    case 'lost': return afterLoss({ ...same, losses: losses + 1 }, claim)
    case 'failed': return isOutage(claim)
      ? afterFailure({ ...same, outages: outages + 1 }, task, claim)
      : afterFailure({ ...same, failures: failures + 1 }, task, claim)
  }
}

function afterLoss (base: Omit<TaskChange, 'state'>, claim: Verdict): TaskChange {
  const { losses } = base
  if (losses >= lossesMax) {
    const detail = `The process working on this vanished ${losses} times. Look for the cause in the service's log, then retry.`
    return { ...base, state: 'dead', problem: problemBody(new Problem('internal', detail)) }
  }
  // At once the first time: that is a restart. Then apart, to tell a poison from its neighbours.
  return { ...base, state: 'queued', pauseMs: losses === 1 ? 0 : pauseAfter(losses - 1, claim._id) }
}

function afterFailure (base: Omit<TaskChange, 'state'>, task: Task, claim: Verdict): TaskChange {
  if (!claim.mayRetry || base.failures >= task.attemptsMax || base.outages >= outagesMax) {
    return { ...base, state: 'dead', problem: claim.problem }
  }
  const pauseMs = isOutage(claim)
    ? pauseAfter(base.outages, claim._id, outagePauseMaxMs)
    : pauseAfter(base.failures, claim._id)
  // Kept while it waits: who asks is told what it waits for.
  return { ...base, state: 'queued', pauseMs: Math.max(pauseMs, claim.retryAfterMs), problem: claim.problem }
}

/** What the task needs was away (503) or full (507), which says nothing about the task. */
function isOutage ({ problem }: Pick<Claim, 'problem'>): boolean {
  return problem?.status === 503 || problem?.status === 507
}

/** Whether a task whose attempt throws this will not be tried again. */
export function isLastAttempt (task: Task, cause: unknown): boolean {
  const { failures, outages, losses, attempt } = task
  const claim = { _id: `${task._id}#${attempt}`, failures, outages, losses, ...endingOf({ cause }) }
  return taskAfter(task, claim).state === 'dead'
}

/** What an observer knows of an owner: how long it saw the beat stand still, by its own clock. */
export interface Observation { silentMs: number, leaseMs: number, gone: boolean }

/**
 * What to do about a task that has been claimed.
 * - `wait`: its owner lives, or may
 * - `copy`: the task does not say yet what its claim says
 * - `take-over`: close the claim as lost, then copy
 */
export type Step = 'wait' | 'copy' | 'take-over'

export function nextStep (task: Task, claim: Claim, seen: Observation): Step {
  const { silentMs, leaseMs, gone } = seen
  if (claim.state !== 'open') return 'copy'
  if (gone || silentMs >= leaseMs) return 'take-over'
  const { state, attempt } = taskAfter(task, claim)
  return task.state === state && task.attempt === attempt ? 'wait' : 'copy'
}

interface Told { dead: readonly ProblemBody[], waiting?: readonly ProblemBody[] }

/**
 * State and progress of a job from what the store counts.
 *
 * @param counts    of its tasks by state, planning and finishing left out
 * @param dead      problems of all its dead tasks, planning and finishing too
 * @param waiting   of those that failed and will be tried again
 */
export function viewOf (
  job: JobDoc, counts: Record<string, number>, { dead, waiting = [] }: Told
): JobView {
  const of = (state: TaskState): number => counts[state] ?? 0
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const progress = { done: of('done'), total, failed: of('dead') }
  const problems = [...grouped(dead), ...grouped(waiting).map(each => ({ ...each, waiting: true as const }))]
  return { state: jobState(job, total > of('queued'), dead.length > 0), progress, problems }
}

/** In the order of the first of each. */
function grouped (problems: readonly ProblemBody[]): JobProblem[] {
  const groups = new Map<string, JobProblem>()
  for (const problem of problems) {
    const key = `${problem.type} ${problem.detail}`
    const { count = 1 } = groups.get(key) ?? {}
    groups.set(key, groups.has(key) ? { ...groups.get(key)!, count: count + 1 } : problem)
  }
  return [...groups.values()]
}

function jobState ({ phase, cancelled, problem }: JobDoc, begun: boolean, dead: boolean): JobState {
  if (phase === 'planning' || phase === 'retrying') return 'queued'
  if (phase === 'finishing') return 'running'
  if (phase === 'working') return begun ? 'running' : 'queued'
  if (cancelled) return 'cancelled'
  return problem !== null || dead ? 'failed' : 'succeeded'
}
