/**
 * Work that survives. A job (one paper, generation, reviewing, run) is planned into tasks; a task
 * is claimed by inserting `<taskId>#<attempt>`, which only one worker can; the result is written,
 * under an id that is a hash of what it is, before the claim is closed. So a crash anywhere loses
 * nothing and doubles nothing: who sees the claim's heartbeat stand still takes the next attempt.
 *
 *     job ──plan──▶ task: queued ──claim #1──▶ running ──result, close──▶ done
 *                     ▲                           │ heartbeat stands still, or a retryable Problem
 *                     └────── after a pause ──────┘──▶ dead, after attemptsMax or at once otherwise
 *
 * Planning and finishing a job are tasks too (stages `plan` and `finish`), so they survive crashes,
 * are retried and end as dead letters by the same rules; only stage `work` counts as progress.
 */
import type { JobView } from '../contracts/job.ts'
import type { ProblemBody } from '../errors/problem-body.ts'
import type { Doc, Filter } from '../store/store.ts'
import type { Census } from './census.ts'

export type TaskState = 'queued' | 'running' | 'done' | 'dead' | 'cancelled'
export type Stage = 'plan' | 'work' | 'finish'

/** `state` is a copy of what the newest claim says, repaired by the sweeper. */
export interface Task<I = unknown> extends Doc {
  jobId: string
  kind: string
  stage: Stage
  input: I
  state: TaskState
  /** Number of the newest claim; 0 before the first. Handed-back claims use numbers up too. */
  attempt: number
  /** Attempts that ended with a throw, of `attemptsMax`, since queued anew. */
  failures: number
  attemptsMax: number
  /**
   * Attempts that met something away or full (status 503, 507), up to twenty; counted apart, for an
   * outage is not the task's fault.
   */
  outages: number
  /** Attempts whose process vanished; counted apart, for a crash is seldom the task's fault. */
  losses: number
  /** How long to wait before the next attempt: a duration, from when it is first seen queued. */
  pauseMs: number
  /** The job's when it was last queued, so that a slow retry does not queue it twice. */
  round: number
  problem: ProblemBody | null
  version: number
}

/** A task as a plan names it. `key` is unique within the job and the same at every planning. */
export interface PlannedTask<I> { key: string, input: I }

/** Whatever gives the tasks one after the other; one that makes them as it goes holds few at a time. */
export type Plan<I> = Iterable<PlannedTask<I>> | AsyncIterable<PlannedTask<I>>

/** What a service must say to have work done; `J` is what describes a job, `I` a task's input. */
export interface JobKind<J, I> {
  /** For subjects and metrics, for example "generation": letters, digits and hyphens. */
  name: string
  /** Paths within a job that `list` is asked by, for example "spec.model". */
  listedBy?: readonly string[]
  /** Tasks running at once in this process. */
  concurrency: number
  /** Default 3; outages of what a task needs are not counted in. */
  attemptsMax?: number
  /** Which tasks a job has; called again after a crash, so it must answer the same. */
  plan: (job: JobRecord<J>, signal: AbortSignal) => Promise<Plan<I>>
  /**
   * Does one task. Results go to the store under content ids before it returns. The signal is
   * aborted when the job is cancelled, the process stops, or another worker took the task over.
   */
  perform: (task: Task<I>, job: JobRecord<J>, signal: AbortSignal) => Promise<void>
  /** Once all tasks have ended (cancelled ones too); called again after a crash, and a retry. */
  finish?: (job: JobRecord<J>, signal: AbortSignal) => Promise<void>
  /**
   * Whether `finish` leaves undone what hangs on dead tasks, until they are retried or the job is
   * cancelled: cancelling a failed job then finishes it once more.
   */
  holdsBack?: (job: JobRecord<J>) => boolean
}

export type Phase = 'planning' | 'working' | 'finishing' | 'settled' | 'retrying' | 'deleting'

/** A job as stored; `settled` when its state will not change unless it is retried. */
export interface JobRecord<J> extends Doc {
  spec: J
  phase: Phase
  cancelled: boolean
  /** Why planning or finishing died; problems of tasks are in the tasks. */
  problem: ProblemBody | null
  /** How often it was reopened; each round is finished anew. */
  round: number
  /** In phase `retrying`: the one task to queue again; null for all that are dead or cancelled. */
  retrying: string | null
  version: number
}

export interface JobsAsked { after?: string, limit: number, where?: Filter }

export interface Jobs<J> {
  /**
   * Stores the job, or finds it: the same id is the same work. Acknowledged once this resolves. An
   * id that was deleted is not for another job: a late process may still be deleting it.
   * @throws Problem queue-full, for a job that is new
   */
  open (id: string, spec: J): Promise<{ created: boolean }>
  /**
   * For who must store something before it opens a job: whether it may be opened now.
   * @throws Problem queue-full unless the job exists already
   */
  admit (id: string): Promise<void>
  find (id: string): Promise<JobRecord<J> | undefined>
  /** In ascending id; at most 10,000. `where`: by the phase, or by paths of `listedBy`. */
  list (options: JobsAsked): Promise<Array<JobRecord<J>>>
  /**
   * State, progress and problems, from the store.
   * @throws Problem not-found
   */
  view (id: string): Promise<JobView>
  /**
   * Waits until the job is settled or gone, `timeoutMs` (60,000) at most; woken by changes in this
   * process, polling others.
   */
  wait (id: string, timeoutMs: number): Promise<void>
  /**
   * Ends queued tasks now, running ones at their next heartbeat. Nothing for a settled job, unless it
   * holds back what dead tasks left undone: that is finished as it stands, and the job cancelled.
   */
  cancel (id: string): Promise<void>
  /** Inputs of the tasks nobody will try again unless told to, in no order; at most 10,000. */
  deadInputs (id: string): Promise<unknown[]>
  /**
   * Queues the dead and the cancelled tasks again and reopens the job; answers how many.
   * @throws Problem not-found; not-finished while it is being cancelled
   */
  retry (id: string): Promise<number>
  /** The job, its tasks and their claims; aborts what runs. Results are the service's to delete. */
  delete (id: string): Promise<void>
}

/** An attempt that has ended. */
export interface Attempted {
  kind: string
  stage: Stage
  ending: 'done' | 'failed' | 'released' | 'lost' | 'cancelled'
  /** From claim to close; undefined for one that was lost. */
  durationMs?: number
}

export interface DeadLetter {
  id: string
  kind: string
  jobId: string
  attempts: number
  problem: ProblemBody
}

/** The work of one service in one process. */
export interface Worker {
  /** Before `start`. */
  define<J, I> (kind: JobKind<J, I>): Promise<Jobs<J>>
  /** Consumers and sweeper; call it after the service listens. */
  start (): Promise<void>
  /** Of each kind, as last counted. */
  census (): Census[]
  deadLetters (options: { after?: string, limit: number }): Promise<DeadLetter[]>
  /** @throws Problem dead-letter-not-found */
  retryDeadLetter (id: string): Promise<void>
  /**
   * Takes no new tasks, aborts running ones and hands their claims back; resolves when all have
   * ended, or after 10 s: what ignores its signal is left to the next process.
   */
  stop (): Promise<void>
}
