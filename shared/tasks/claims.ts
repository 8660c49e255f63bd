/** Taking a task, giving it up, and making it say what its newest claim says. */
import { pause } from './clock.ts'
import type { Core, Running } from './core.ts'
import { nextStep, plainEnding, taskAfter, type Ending } from './decisions.ts'
import { claimId, type Claim } from './records.ts'
import type { Task } from './tasks.ts'

const closeRetryMs = 250
const closeRetryMaxMs = 4_000

/** Claims of this worker so far; makes each holder unique. */
let claimsMade = 0

export function newRunning (core: Core, task: Task): Running {
  claimsMade += 1
  return {
    claimId: claimId(task._id, task.attempt + 1),
    holder: `${core.identity.incarnation}.${claimsMade}`,
    jobId: task.jobId,
    kind: task.kind,
    stage: task.stage,
    claimed: false,
    interruption: undefined,
    controller: new AbortController()
  }
}

/**
 * Takes the next attempt of a queued task, for a `running` that is registered already.
 *
 * @returns the task as it now is, or undefined when it is not ours
 */
export async function claimTask (
  core: Core, task: Task, running: Running
): Promise<Task | undefined> {
  const claim = newClaim(core, task, running)
  if (!await core.claims.insert(claim)) {
    await repair(core, task)
    return undefined
  }
  running.claimed = true
  if (task.stage === 'work') core.census.note(task.kind, { tasks: -1 })
  if (await changeTask(core, task, taskAfter(task, claim))) return await core.tasks.find(task._id)
  // Either somebody saw our claim and wrote this for us, or the task changed and is not to run.
  const now = await core.tasks.find(task._id)
  const attempt = task.attempt + 1
  if (now?.state === 'running' && now.attempt === attempt) return now
  await closeClaim(core, running, plainEnding('released'))
  return undefined
}

function newClaim (core: Core, task: Task, { claimId, holder }: Running): Claim {
  return {
    _id: claimId,
    worker: core.workerId,
    process: core.identity.process,
    holder,
    beat: 0,
    state: 'open',
    failures: task.failures,
    outages: task.outages,
    losses: task.losses,
    problem: null,
    mayRetry: true,
    retryAfterMs: 0
  }
}

/** Closes our claim; says whether it now says what we wanted, false when it was taken from us. */
async function closeClaim (
  core: Core, { claimId, holder }: Running, ending: Ending
): Promise<boolean> {
  const mine = { holder, state: 'open' }
  if (await core.claims.update(claimId, mine, { $set: { ...ending } })) return true
  // An earlier try may have been written although it was answered with an error.
  const claim = await core.claims.find(claimId)
  return claim?.holder === holder && claim.state === ending.state
}

/**
 * As `closeClaim`, for as long as it takes: the work is done and the store will come back. Our
 * heartbeats go on meanwhile. A worker that stops tries three times and leaves the rest to others.
 */
export async function insistOnClosing (
  core: Core, running: Running, ending: Ending
): Promise<boolean> {
  let tries = 0
  for (let waitMs = closeRetryMs; ; waitMs = Math.min(2 * waitMs, closeRetryMaxMs)) {
    try {
      return await closeClaim(core, running, ending)
    } catch (error) {
      tries += 1
      core.log.warn({ err: error, claim: running.claimId, tries }, 'A claim could not be closed yet')
      if (running.interruption === 'lost' || (core.stopping && tries >= 3)) return false
      await pause(core.clock, waitMs)
    }
  }
}

/** Only if nothing has changed the task since it was read. */
export async function changeTask (
  core: Core, { _id, version }: Task, change: Partial<Task>
): Promise<boolean> {
  return await core.tasks.update(_id, { version }, { $set: { ...change }, $inc: { version: 1 } })
}

/** Whether the owner of an open claim has certainly ended, or it is we and have let go of it. */
export function isAbandoned (core: Core, claim: Claim): boolean {
  const own = claim.holder.startsWith(`${core.identity.incarnation}.`)
  if (own) return core.running.get(claim._id)?.holder !== claim.holder
  return core.identity.isGone(claim.process)
}

/** For a queued task whose next claim exists already: a crash came between claim and task. */
async function repair (core: Core, task: Task): Promise<void> {
  const claim = await core.claims.find(claimId(task._id, task.attempt + 1))
  if (claim !== undefined) await follow(core, { task, claim, silentMs: 0 })
}

interface Claimed { task: Task, claim: Claim, silentMs: number }

/** Does the next step of a claimed task: waits, copies, or takes over. */
export async function follow (core: Core, { task, claim, silentMs }: Claimed): Promise<void> {
  const gone = isAbandoned(core, claim)
  const step = nextStep(task, claim, { silentMs, leaseMs: core.leaseMs, gone })
  if (step === 'wait') return
  if (step === 'copy') {
    await copy(core, task, claim)
    return
  }
  // What we let go of ourselves is no loss: the process lives.
  const own = claim.holder.startsWith(`${core.identity.incarnation}.`)
  const ending = plainEnding(own ? 'released' : 'lost')
  const { holder, beat, state } = claim
  const asSeen = { holder, beat, state }
  const closed = await core.claims.update(claim._id, asSeen, { $set: { ...ending } })
  if (!closed) return
  core.attempted({ kind: task.kind, stage: task.stage, ending: ending.state })
  const about = { claim: claim._id, worker: claim.worker, silentMs }
  core.log.info(about, 'An attempt was given up by its worker')
  await copy(core, task, { ...claim, ...ending })
}

async function copy (core: Core, task: Task, claim: Claim): Promise<void> {
  const change = taskAfter(task, claim)
  if (!await changeTask(core, task, change) || change.state === 'running') return
  core.changed(task.kind, task.jobId)
  if (change.state === 'queued') core.kinds.get(task.kind)?.kick()
}
