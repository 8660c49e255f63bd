/** What the parts of one worker share. */
import type { Logger } from 'pino'
import type { Bus } from '../bus/bus.ts'
import type { Collection } from '../store/store.ts'
import type { CensusTaker } from './census.ts'
import type { Clock } from './clock.ts'
import type { Interruption } from './decisions.ts'
import type { Identity } from './identity.ts'
import type { JobDoc, Ledger } from './records.ts'
import type { Attempted, JobKind, Stage } from './tasks.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Moments at which a crash is worth trying; see `probe`. */
export type Moment = 'opened' | 'planned' | 'before-call' | 'after-write' | 'before-ack' | 'before-settle'

/** An attempt of this worker, from before its claim is inserted until after it is closed. */
export interface Running {
  claimId: string
  holder: string
  jobId: string
  kind: string
  stage: Stage
  /** Whether the claim is known to be in the store. */
  claimed: boolean
  interruption: Interruption | undefined
  controller: AbortController
}

export interface KindParts {
  kind: JobKind<unknown, unknown>
  jobs: Collection<JobDoc>
  /** Something may have been queued. */
  kick: () => void
}

export interface Core extends Ledger {
  service: string
  workerId: string
  identity: Identity
  bus: Bus
  clock: Clock
  log: Log
  leaseMs: number
  heartbeatMs: number
  sweepMs: number
  /** For tests: called at each moment, with the id of the job or task. */
  probe: ((moment: Moment, id: string) => void) | undefined
  kinds: Map<string, KindParts>
  census: CensusTaker
  /** Told of each attempt of this process that has ended, and of each it found lost. */
  attempted: (attempt: Attempted) => void
  running: Map<string, Running>
  /** Nothing runs before. */
  started: boolean
  stopping: boolean
  /** Called when a task of the job has ended or its phase has changed. */
  changed: (kind: string, jobId: string) => void
}

export function interrupt (running: Running, interruption: Interruption): void {
  if (running.interruption !== undefined) return
  running.interruption = interruption
  running.controller.abort(new Error(`The attempt was interrupted: ${interruption}.`))
}
