/** Puts a worker together: heartbeat, sweeper and, for each kind, its jobs and three lanes. */
import type { Bus } from '../bus/bus.ts'
import type { Store } from '../store/store.ts'
import { createCensus } from './census.ts'
import { systemClock, type Clock } from './clock.ts'
import { interrupt, type Core, type KindParts, type Log, type Moment } from './core.ts'
import { listDeadLetters, retryDeadLetter } from './dead-letters.ts'
import { beat } from './heartbeat.ts'
import { exclusiveIdentity, hostIdentity, type Identity } from './identity.ts'
import { createJobs } from './jobs.ts'
import { createLane, type Lane } from './lane.ts'
import { openJobs, openLedger } from './records.ts'
import { createStepper, type Stepper } from './stepper.ts'
import { createSweeper } from './sweeper.ts'
import type { Attempted, JobKind, Jobs, Worker } from './tasks.ts'

export interface WorkerOptions {
  /** The service's own; other processes may share it. */
  store: Store
  bus: Bus
  service: string
  /** Named in claims, for people. */
  workerId: string
  log: Log
  clock?: Clock
  /** A claim whose heartbeat stands still for so long is taken over. */
  leaseMs?: number
  heartbeatMs?: number
  sweepMs?: number
  /**
   * The caller holds a lock by which no other process can use the store: claims of others are
   * taken over at once. Without it, those of processes of this host that ended (Linux only).
   */
  exclusive?: boolean
  identity?: Identity
  /** Beyond so many waiting tasks and open jobs no new job is opened; default 100,000. */
  queueMax?: number
  /** Told of each attempt that has ended. */
  onAttempt?: (attempt: Attempted) => void
  /** For tests: called at each moment worth crashing at. */
  probe?: (moment: Moment, id: string) => void
}

/** Places each for planning and for finishing, beside those for tasks, which must not hold them up. */
const stepPlaces = 2
/** Idle sweeps are rarer, up to this many times the interval. */
const idleMax = 4
const stopGraceMs = 10_000

/** @throws Problem store-unavailable */
export async function createWorker (options: WorkerOptions): Promise<Worker> {
  const core = await createCore(options)
  const stepper = createStepper(core)
  core.changed = stepper.changed
  const lanes: Lane[] = []
  const stopTimers: Array<() => void> = []

  return {
    async define<J, I> (kind: JobKind<J, I>) {
      const jobs = await openJobs(options.store, kind.name, kind.listedBy)
      // The store holds whatever the service put there; only the service knows its type.
      const untyped = kind as unknown as JobKind<unknown, unknown>
      const parts: KindParts = { kind: untyped, jobs, kick: () => {} }
      const own = [
        // What is planned while the queue is full only makes it longer.
        createLane(core, parts, { stage: 'plan', concurrency: stepPlaces, holds: core.census.isFull }),
        createLane(core, parts, { stage: 'finish', concurrency: stepPlaces }),
        createLane(core, parts, { stage: 'work', concurrency: kind.concurrency })
      ]
      parts.kick = () => { for (const lane of own) lane.kick() }
      lanes.push(...own)
      core.kinds.set(kind.name, parts)
      return createJobs(core, parts, stepper) as Jobs<J>
    },

    async start () {
      core.started = true
      // What was opened before is planned by the first sweep.
      const beats = { firstMs: core.heartbeatMs, ms: core.heartbeatMs }
      stopTimers.push(every(core, beats, async () => { await beat(core) }))
      stopTimers.push(sweepAlways(core))
      for (const { kind, kick } of core.kinds.values()) void listen(core, kind.name, kick)
    },

    census: () => core.census.taken(),
    deadLetters: async options => await listDeadLetters(core, options),
    retryDeadLetter: async id => { await retryDeadLetter(core, id) },
    stop: async () => { await stop(core, { lanes, stepper, stopTimers }) }
  }
}

async function createCore (options: WorkerOptions): Promise<Core> {
  const { store, bus, service, workerId, log, exclusive = false } = options
  const identity = options.identity ?? hostIdentity()
  const ledger = await openLedger(store)
  const clock = options.clock ?? systemClock
  const { queueMax = 100_000, onAttempt = () => {} } = options
  return {
    ...ledger,
    service,
    workerId,
    identity: exclusive ? exclusiveIdentity(identity) : identity,
    bus,
    clock,
    log,
    leaseMs: options.leaseMs ?? 6_000,
    heartbeatMs: options.heartbeatMs ?? 2_000,
    sweepMs: options.sweepMs ?? 2_000,
    probe: options.probe,
    kinds: new Map(),
    census: createCensus({ service, clock, tasks: ledger.tasks, queueMax }),
    attempted: onAttempt,
    running: new Map(),
    started: false,
    stopping: false,
    changed: () => {}
  }
}

/** Calls after `firstMs`, and again what it answered, or `ms`, after it has ended or failed. */
function every (
  core: Core, { firstMs, ms }: { firstMs: number, ms: number }, call: () => Promise<number | void>
): () => void {
  let cancel = core.clock.after(firstMs, tick)
  let stopped = false

  function tick (): void {
    call().catch((error: unknown) => {
      core.log.warn({ err: error }, 'The store did not answer; trying again shortly')
    }).then(nextMs => {
      if (!stopped) cancel = core.clock.after(nextMs ?? ms, tick)
    }, () => {})
  }

  return () => { stopped = true; cancel() }
}

function sweepAlways (core: Core): () => void {
  const sweeper = createSweeper(core)
  let waitMs = core.sweepMs
  return every(core, { firstMs: 0, ms: core.sweepMs }, async () => {
    let busy = false
    for (const parts of core.kinds.values()) busy = await sweeper.sweep(parts) || busy
    waitMs = busy ? core.sweepMs : Math.min(2 * waitMs, idleMax * core.sweepMs)
    return waitMs
  })
}

async function listen (core: Core, kind: string, kick: () => void): Promise<void> {
  const options = { durable: `${core.service}-${kind}`, concurrency: 1, deliveriesMax: 3 }
  try {
    await core.bus.consume(`task.${core.service}.${kind}`, options, async () => { kick() })
  } catch (error) {
    core.log.warn({ err: error, kind }, 'No wake-ups from the bus; the sweeper finds work more slowly')
  }
}

interface Parts { lanes: readonly Lane[], stepper: Stepper, stopTimers: ReadonlyArray<() => void> }

async function stop (core: Core, { lanes, stepper, stopTimers }: Parts): Promise<void> {
  core.stopping = true
  for (const running of core.running.values()) interrupt(running, 'stopping')
  stepper.wakeAll()
  const grace = new Promise<void>(resolve => {
    const cancel = core.clock.after(stopGraceMs, resolve)
    const idle = Promise.all(lanes.map(async lane => { await lane.idle() }))
    void idle.then(() => { cancel(); resolve() })
  })
  await grace
  for (const stopTimer of stopTimers) stopTimer()
}
