/**
 * Work that survives. A job (one paper, generation, reviewing, run) is planned into tasks; a task
 * is claimed by inserting `<taskId>#<attempt>`, which only one worker can; the result is written,
 * under an id that is a hash of what it is, before the claim is closed. So a crash anywhere loses
 * nothing and doubles nothing: whoever sees the claim's heartbeat stand still takes the next attempt.
 *
 *     job ──plan──▶ task: queued ──claim #1──▶ running ──result, close──▶ done
 *                     ▲                           │ heartbeat stands still, or a retryable Problem
 *                     └────── after a pause ──────┘──▶ dead, after attemptsMax or at once otherwise
 */
import type { JobView } from '../contracts/job.ts'
import type { ProblemBody } from '../errors/problem-body.ts'
import type { Doc } from '../store/store.ts'

export type TaskState = 'queued' | 'running' | 'done' | 'dead' | 'cancelled'

/** `state` is a copy of what the newest claim says, repaired by the sweeper. */
export interface Task<I = unknown> extends Doc {
  jobId: string
  kind: string
  input: I
  state: TaskState
  attempt: number
  attemptsMax: number
  problem: ProblemBody | null
  version: number
}

/** A task as a plan names it. `key` is unique within the job and the same at every planning. */
export interface PlannedTask<I> { key: string, input: I }

/** What a service must say to have work done; `J` is what describes a job, `I` a task's input. */
export interface JobKind<J, I> {
  /** For subjects and metrics, for example "generation". */
  name: string
  /** Tasks running at once in this process. */
  concurrency: number
  /** Default 3. */
  attemptsMax?: number
  /** Which tasks a job has; called again after a crash, so it must answer the same. */
  plan: (job: JobRecord<J>) => Promise<Array<PlannedTask<I>>>
  /** Does one task. Results go to the store under content ids before it returns. */
  perform: (task: Task<I>, job: JobRecord<J>, signal: AbortSignal) => Promise<void>
  /** Once all tasks have ended (cancelled ones too); may be called again after a crash. */
  finish?: (job: JobRecord<J>) => Promise<void>
}

/** A job as stored; `settled` when its state will not change unless it is retried. */
export interface JobRecord<J> extends Doc {
  spec: J
  phase: 'planning' | 'working' | 'settled'
  cancelled: boolean
  problem: ProblemBody | null
  version: number
}

export interface Jobs<J> {
  /** Stores the job, or finds it: the same id is the same work. Acknowledged once this resolves. */
  open (id: string, spec: J): Promise<{ created: boolean }>
  find (id: string): Promise<JobRecord<J> | undefined>
  /** In ascending id. */
  list (options: { after?: string, limit: number }): Promise<Array<JobRecord<J>>>
  /** State, progress and problems, from the store. */
  view (id: string): Promise<JobView>
  /** Until the job is settled, `timeoutMs` at most; woken by changes here, polling for others'. */
  wait (id: string, timeoutMs: number): Promise<void>
  cancel (id: string): Promise<void>
  /** Queues the dead tasks of the job again. */
  retry (id: string): Promise<number>
  delete (id: string): Promise<void>
}

export interface DeadLetter { id: string, kind: string, jobId: string, attempts: number, problem: ProblemBody }

/** The work of one service in one process. */
export interface Worker {
  define<J, I> (kind: JobKind<J, I>): Promise<Jobs<J>>
  /** Consumers and sweeper; call it after the service listens. */
  start (): Promise<void>
  deadLetters (options: { after?: string, limit: number }): Promise<DeadLetter[]>
  /** @throws Problem dead-letter-not-found */
  retryDeadLetter (id: string): Promise<void>
  /** Takes no new tasks, aborts running ones and hands their claims back; resolves when all have ended. */
  stop (): Promise<void>
}
