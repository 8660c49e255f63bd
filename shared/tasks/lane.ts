/**
 * Pulls queued tasks of a kind from the store and keeps a bounded number of them going. Bus and
 * sweeper only say "look": a job with 10,000 tasks costs no more memory than one with ten.
 */
import { sha256 } from '../contracts/hash.ts'
import { attempt } from './attempt.ts'
import type { Core, KindParts } from './core.ts'
import { createPauses } from './pauses.ts'
import type { Stage, Task } from './tasks.ts'

/** A page is read before its tasks are begun: in a long one others would have begun many meanwhile. */
const pageMin = 16
const pagesPerLook = 20
/** Between looks through a long queue in which nothing is due. */
const lookMs = 100
/** After a task went to others: their claim may not show in the task yet. */
const elsewhereMs = 20
/** A store that refuses, its disk full perhaps, is not mended by asking; each try is a line of log. */
const troubleMs = 1_000

export interface Lane {
  kick: () => void
  /** Resolves when all that runs has ended; the core is stopping, so nothing new begins. */
  idle: () => Promise<void>
}

export interface LaneOptions {
  /** One: a query for two cannot follow the index, and reads the whole queue. */
  stage: Stage
  concurrency: number
  /** Whether nothing new may begin now; the sweeper looks again. */
  holds?: () => boolean
}

export function createLane (core: Core, parts: KindParts, options: LaneOptions): Lane {
  const { stage, concurrency, holds = () => false } = options
  const running = new Set<Promise<void>>()
  const pauses = createPauses(core.clock)
  const limit = Math.max(pageMin, 2 * concurrency)
  const queue = createRing(core, { kind: parts.kind.name, stage, limit })
  let looking = false
  let again = false
  let cancelTimer = (): void => {}

  function kick (): void {
    again = true
    if (looking || !core.started || core.stopping) return
    looking = true
    void look()
  }

  function kickAfter (ms: number): void {
    cancelTimer()
    if (!core.stopping) cancelTimer = core.clock.after(ms, kick)
  }

  async function look (): Promise<void> {
    while (again && !core.stopping) {
      again = false
      try {
        const waitMs = await fill()
        if (Number.isFinite(waitMs)) kickAfter(waitMs)
      } catch (error) {
        core.log.warn({ err: error, kind: parts.kind.name }, 'The queue cannot be read; the sweeper will look again')
      }
    }
    // Not when the promise settles, which is later: a kick in between would be forgotten.
    looking = false
  }

  /** Starts what is due; answers after how long something else may be, Infinity for nothing. */
  async function fill (): Promise<number> {
    let waitMs = Infinity
    const lap = queue.lap()
    while (running.size < concurrency && !core.stopping && !holds()) {
      const task = await lap.next()
      if (task === undefined) return Math.min(waitMs, lap.isWhole() ? Infinity : lookMs)
      const leftMs = pauses.leftMs(task)
      if (leftMs <= 0) begin(task)
      else waitMs = Math.min(waitMs, leftMs)
    }
    return waitMs
  }

  function begin (task: Task): void {
    const ended = attempt(core, parts, task).then(taken => {
      running.delete(ended)
      if (taken === 'ours') return kick()
      queue.leave()
      kickAfter(taken === 'trouble' ? troubleMs : elsewhereMs)
    })
    running.add(ended)
  }

  return { kick, async idle () { cancelTimer(); await Promise.all(running) } }
}

interface Lap {
  /** Undefined at the end of the lap, or after so many pages that others should have their turn. */
  next: () => Promise<Task | undefined>
  isWhole: () => boolean
}

/**
 * The queue as a ring in order of ids, which are hashes: each worker enters it elsewhere, so they
 * seldom want the same task, and none starves. Two that meet would go on side by side, each wanting
 * what the other has just taken, so who comes second leaves for another place.
 */
function createRing (
  core: Core, { kind, stage, limit }: { kind: string, stage: Stage, limit: number }
): { lap: () => Lap, leave: () => void } {
  let candidates: Task[] = []
  let after = `tsk_${core.identity.incarnation}`
  let left = 0

  async function page (): Promise<boolean> {
    const state = 'queued'
    const filter = { kind, state, stage, _id: { $gt: after } }
    candidates = await core.tasks.findMany(filter, { sort: { _id: 1 }, limit })
    const last = candidates.length < limit
    after = last ? '' : candidates.at(-1)?._id ?? ''
    return last
  }

  return {
    leave () {
      left += 1
      candidates = []
      after = `tsk_${sha256(`${core.identity.incarnation} ${left}`).slice(0, 32)}`
    },
    lap () {
      let pages = 0
      // The end has to be met twice: a lap begins somewhere in the middle.
      let ends = 0
      return {
        async next () {
          while (candidates.length === 0) {
            if (ends === 2 || pages === pagesPerLook) return undefined
            pages += 1
            if (await page()) ends += 1
          }
          return candidates.shift()
        },
        isWhole: () => ends === 2
      }
    }
  }
}
