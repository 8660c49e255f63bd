/** How long services of a cluster stand still although they have work. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { serviceNames, type ServiceName } from '../../../shared/app/service.ts'
import type { Collection, Store } from '../../../shared/store/store.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { openLedger, openTaskStates } from '../../../shared/tasks/records.ts'
import type { Task } from '../../../shared/tasks/tasks.ts'

const lookMs = 100

export interface Stalls {
  /** A fault ends now: what stood still during it is forgiven. */
  forgive: () => void
  /** Longest time, in ms, without a task ending while some were open; since the last reading of it. */
  read: () => Partial<Record<ServiceName, number>>
  stop: () => Promise<void>
}

interface Watched {
  service: ServiceName
  store: Store
  tasks: Collection<Task>
  ended: number
  since: number
}

/** @param dir  where the cluster's embedded stores are */
export async function watchStalls (dir: string): Promise<Stalls> {
  const watched: Watched[] = []
  for (const service of serviceNames) {
    const store = await embeddedStore(join(dir, `${service}.db`))
    const { tasks } = await openLedger(store)
    watched.push({ service, store, tasks, ended: 0, since: performance.now() })
  }
  let worst: Partial<Record<ServiceName, number>> = {}
  const stopping = new AbortController()

  async function look (one: Watched): Promise<void> {
    // Ended first: a task that ends in between is then still counted as open.
    const ended = await one.tasks.count({ state: { $in: ['done', 'dead', 'cancelled'] } })
    const open = await one.tasks.count({ state: { $in: openTaskStates } })
    const now = performance.now()
    if (open === 0 || ended !== one.ended) one.since = now
    one.ended = ended
    worst[one.service] = Math.max(worst[one.service] ?? 0, Math.round(now - one.since))
  }

  async function watch (): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const one of watched) await look(one)
      await pause(lookMs)
    }
  }

  const watching = watch()
  return {
    forgive () { for (const one of watched) one.since = performance.now() },
    read () {
      const read = worst
      worst = {}
      return read
    },
    async stop () {
      stopping.abort()
      await watching
      for (const { store } of watched) await store.close()
    }
  }
}
