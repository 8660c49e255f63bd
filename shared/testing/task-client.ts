/** A client of simulated jobs: it asks until it is answered, whichever process answers. */
import type { JobView } from '../contracts/job.ts'
import type { Jobs } from '../tasks/tasks.ts'
import type { Random } from './random.ts'
import { drawSpec, type JobSpec } from './task-duties.ts'
import type { Order } from './task-ledger.ts'
import type { World } from './virtual-time.ts'

/** After so long without an answer it asks again; processes that die never answer. */
const askAgainMs = 12_000

export interface Client {
  orders: readonly Order[]
  /** Whether everything asked for until now has been answered. */
  isServed: () => boolean
  /** Asks for the views of all jobs that are not deleted; filled in as they are answered. */
  askViews: () => Map<string, JobView>
}

interface ClientOptions {
  world: World
  random: Random
  anyJobs: () => Jobs<JobSpec> | undefined
  untilMs: number
}

export function createClient ({ world, random, anyJobs, untilMs }: ClientOptions): Client {
  const { ask, isServed } = createAsker(world, anyJobs)

  function place (order: Order): void {
    const { id, spec } = order
    const at = random.whole(0, untilMs * 0.8)
    const later = (): number => at + random.whole(0, untilMs - at)
    const openings = random.chance(0.2) ? 2 : 1
    let opened = 0
    for (let opening = 0; opening < openings; opening++) {
      ask(at + random.whole(0, 2_000) * opening, async jobs => {
        await jobs.open(id, spec)
        return () => { opened += 1; order.opened = true }
      })
    }
    if (random.chance(0.2)) {
      ask(later(), async jobs => {
        await jobs.cancel(id)
        return () => { order.cancelled = true }
      })
    }
    if (random.chance(0.3)) {
      ask(later(), async jobs => {
        const count = await jobs.retry(id)
        return () => { order.retried += count }
      })
    }
    if (random.chance(0.1)) {
      ask(later(), async jobs => {
        // Opening a deleted job anew is allowed, and another story.
        if (opened < openings) throw new Error('Not yet')
        await jobs.delete(id)
        return () => { order.deleted = true }
      })
    }
  }

  const nothing = { opened: false, cancelled: false, retried: 0, deleted: false }
  const orders = Array.from({ length: random.whole(1, 4) }, (_, index): Order =>
    ({ id: `job-${index}`, spec: drawSpec(random), ...nothing }))
  for (const order of orders) place(order)

  return {
    orders,
    isServed,
    askViews () {
      const views = new Map<string, JobView>()
      for (const { id, deleted } of orders) {
        if (deleted) continue
        ask(world.now(), async jobs => {
          const view = await jobs.view(id)
          return () => { views.set(id, view) }
        })
      }
      return views
    }
  }
}

/** Asks until it is answered; counts what still waits. */
function createAsker (world: World, anyJobs: ClientOptions['anyJobs']) {
  let waiting = 0

  /** Asks, from `ms` on, until it is answered once. */
  function ask (ms: number, question: (jobs: Jobs<JobSpec>) => Promise<() => void>): void {
    let answered = false
    waiting += 1
    world.at(ms, tryOnce)

    function tryOnce (): void {
      if (answered) return
      const jobs = anyJobs()
      const tryAgain = (): void => { world.at(world.now() + 1_000, tryOnce) }
      if (jobs !== undefined) question(jobs).then(answer, tryAgain)
      world.at(world.now() + askAgainMs, tryOnce)
    }

    function answer (note: () => void): void {
      if (answered) return
      answered = true
      waiting -= 1
      note()
    }
  }

  return { ask, isServed: () => waiting === 0 }
}
