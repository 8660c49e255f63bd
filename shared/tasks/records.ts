/** What the worker keeps in the store, and what everything there is called. */
import { canonicalJson, sha256 } from '../contracts/hash.ts'
import type { ProblemBody } from '../errors/problem-body.ts'
import type { Collection, Doc, Store } from '../store/store.ts'
import type { JobRecord, Phase, Stage, Task, TaskState } from './tasks.ts'

/**
 * How an attempt ended: `done`, `failed` with a problem, `released` by a worker that stops, `lost`
 * by one that vanished, `cancelled` with its job.
 */
export type ClaimState = 'open' | 'done' | 'failed' | 'released' | 'lost' | 'cancelled'

/** One attempt at a task, `_id` = `<taskId>#<attempt>`. Whoever inserted it owns the attempt. */
export interface Claim extends Doc {
  worker: string
  /** The operating system's process, as far as others can tell whether it still lives. */
  process: string
  /** This claim alone, so that no other claim of the same id can be taken for it. */
  holder: string
  /** Rises while the owner lives. */
  beat: number
  state: ClaimState
  /** Counts of the task when claimed; with `state` they say what the task's must be now. */
  failures: number
  outages: number
  losses: number
  problem: ProblemBody | null
  mayRetry: boolean
  retryAfterMs: number
}

export const stages: readonly Stage[] = ['plan', 'work', 'finish']
export const openTaskStates: readonly TaskState[] = ['queued', 'running']
export const openPhases: readonly Phase[] =
  ['planning', 'working', 'finishing', 'retrying', 'deleting']

export type JobDoc = JobRecord<unknown>

export interface Ledger {
  tasks: Collection<Task>
  claims: Collection<Claim>
}

export async function openLedger (store: Store): Promise<Ledger> {
  // Two, for each makes every change of a task dearer: what is asked names a stage, or all of them.
  // The status of its problem tells a task that failed and waits from the many that were never tried.
  const tasks = await store.collection<Task>('tasks', [
    { keys: ['kind', 'state', 'stage', '_id'] }, { keys: ['jobId', 'stage', 'state', 'problem.status'] }
  ])
  return { tasks, claims: await store.collection<Claim>('claims') }
}

/** @param listedBy  paths that jobs of the kind are listed by, each with an index */
export async function openJobs (
  store: Store, kind: string, listedBy: readonly string[] = []
): Promise<Collection<JobDoc>> {
  const own = listedBy.map(path => ({ keys: [path, '_id'] }))
  return await store.collection<JobDoc>(`jobs-${kind}`, [{ keys: ['phase', '_id'] }, ...own])
}

export function claimId (taskId: string, attempt: number): string {
  return `${taskId}#${attempt}`
}

/** The same for the same work of the same job: planning twice queues it once. */
export function taskId (jobId: string, stage: Stage, key: string): string {
  return `tsk_${sha256(canonicalJson([jobId, stage, key])).slice(0, 32)}`
}

type NewTask = Pick<Task, 'kind' | 'stage' | 'input' | 'attemptsMax'> & { job: JobDoc, key: string }

export function newTask ({ job, key, ...rest }: NewTask): Task {
  return {
    _id: taskId(job._id, rest.stage, key),
    jobId: job._id,
    ...rest,
    round: job.round,
    state: 'queued',
    attempt: 0,
    failures: 0,
    outages: 0,
    losses: 0,
    pauseMs: 0,
    problem: null,
    version: 0
  }
}

export function newJob (id: string, spec: unknown): JobDoc {
  return {
    _id: id,
    spec,
    phase: 'planning',
    cancelled: false,
    problem: null,
    round: 0,
    retrying: null,
    version: 0
  }
}

/** Only if nothing has changed the job since it was read. @returns the job as it now is */
export async function changeJob (
  jobs: Collection<JobDoc>, job: JobDoc, change: Partial<JobDoc>
): Promise<JobDoc | undefined> {
  const { _id, version } = job
  const changed = await jobs.update(_id, { version }, { $set: change, $inc: { version: 1 } })
  return changed ? { ...job, ...change, version: version + 1 } : undefined
}
