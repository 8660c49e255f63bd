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
  let waiting = 0

  /** Asks, from `ms` on, until it is answered once. */
  function ask (ms: number, question: (jobs: Jobs<JobSpec>) => Promise<() => void>): void {
    let answered = false
    waiting += 1
    world.at(ms, tryOnce)

    function tryOnce (): void {
      if (answered) return
      const jobs = anyJobs()
      if (jobs !== undefined) question(jobs).then(answer, () => { world.at(world.now() + 1_000, tryOnce) })
      world.at(world.now() + askAgainMs, tryOnce)
    }

    function answer (note: () => void): void {
      if (answered) return
      answered = true
      waiting -= 1
      note()
    }
  }

  function place (order: Order): void {
    const { id, spec } = order
    const at = random.whole(0, untilMs * 0.8)
    const later = (): number => at + random.whole(0, untilMs - at)
    const open = async (jobs: Jobs<JobSpec>): Promise<() => void> => {
      await jobs.open(id, spec)
      return () => { order.opened = true }
    }
    ask(at, open)
    if (random.chance(0.2)) ask(at + random.whole(0, 2_000), open)
    if (random.chance(0.2)) {
      ask(later(), async jobs => { await jobs.cancel(id); return () => { order.cancelled = true } })
    }
    if (random.chance(0.3)) {
      ask(later(), async jobs => { const count = await jobs.retry(id); return () => { order.retried += count } })
    }
    if (random.chance(0.1)) {
      // Last of all, for opening a deleted job anew is another story.
      ask(untilMs + random.whole(0, 20_000), async jobs => { await jobs.delete(id); return () => { order.deleted = true } })
    }
  }

  const orders = Array.from({ length: random.whole(1, 4) }, (_, index): Order =>
    ({ id: `job-${index}`, spec: drawSpec(random), opened: false, cancelled: false, retried: 0, deleted: false }))
  for (const order of orders) place(order)

  return {
    orders,
    isServed: () => waiting === 0,
    askViews () {
      const views = new Map<string, JobView>()
      for (const { id, deleted } of orders) {
        if (deleted) continue
        ask(world.now(), async jobs => { const view = await jobs.view(id); return () => { views.set(id, view) } })
      }
      return views
    }
  }
}
