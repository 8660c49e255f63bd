/** Reads how busy a server is, as long as calls go there; never twice at a time, and no call waits for it. */
import { readLoad } from '../domain/engine-load.ts'
import type { Replica } from '../domain/replica.ts'
import type { EngineRequests } from './ask-engine.ts'

export interface LoadParts {
  requests: EngineRequests
  settings: {
    /** Between two readings while calls go there. */
    scrapeIntervalMs: number
    probeTimeoutMs: number
  }
}

export interface LoadFollower {
  /** Reads now, unless it has just done so or is doing so. */
  read: () => Promise<void>
  /** A call goes there: followed for some time. */
  use: () => void
  close: () => void
}

/** After a call the load is followed this long, and while one is under way. */
const interestMs = 5_000
/** A load this old is none, once reading it fails. */
const staleMs = 5_000
const bytesMax = 4 * 1024 * 1024

export function loadFollower (replica: Replica, { requests, settings }: LoadParts): LoadFollower {
  const { scrapeIntervalMs, probeTimeoutMs: timeoutMs } = settings
  let closed = false
  let reading = false
  let usedMs = -Infinity
  let readMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  async function read (): Promise<void> {
    const { upstream } = replica
    const nowMs = performance.now()
    if (closed || reading || replica.probe.state !== 'up') return
    // Timers fire a little early now and then.
    if (nowMs < readMs + scrapeIntervalMs) { follow(); return }
    reading = true
    readMs = nowMs
    const said = await requests.ask(upstream, { path: '/metrics', timeoutMs, bytesMax })
    reading = false
    if (closed || replica.upstream.baseUrl !== upstream.baseUrl) return
    if ('status' in said && said.status === 200) {
      const models = replica.probe.models.map(({ id }) => id)
      replica.load = { ...readLoad(said.body, models), at: performance.now() }
    } else if (replica.load !== null && performance.now() - replica.load.at > staleMs) replica.load = null
    follow()
  }

  function follow (): void {
    const isBusy = replica.inFlight > 0 || performance.now() - usedMs < interestMs
    if (closed || reading || !isBusy || timer !== undefined) return
    const dueMs = Math.max(1, Math.ceil(readMs + scrapeIntervalMs - performance.now()))
    timer = setTimeout(() => { timer = undefined; void read() }, dueMs).unref()
  }

  return {
    read,
    use () { usedMs = performance.now(); follow() },
    close () {
      closed = true
      clearTimeout(timer)
    }
  }
}
