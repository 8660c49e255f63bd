/**
 * Keeps one replica true: probes its server now and then, and reads its load while it is used. Neither
 * is done twice at a time, and nobody who has a call waits for either.
 */
import { readLoad } from '../domain/engine-load.ts'
import { readProbe, versionIn, type Answers, type ProbeReading, type Said } from '../domain/engine-answers.ts'
import { withFindings, type Finding } from '../domain/findings.ts'
import { backoffMs } from '../domain/probe-pace.ts'
import type { Replica } from '../domain/replica.ts'
import type { EngineRequests } from './ask-engine.ts'

export interface WatchSettings {
  /** Between two probes of a server that is well; one that is down is probed by `backoffMs`. */
  probeIntervalMs: number
  /** For all questions of a probe together. */
  probeTimeoutMs: number
  /** Between two readings of the load of a server that is used. */
  scrapeIntervalMs: number
}

export interface Fault { at: string, detail: string }

export interface Watch {
  replica: Replica
  /** What is known beside the replica, for people. */
  facts: () => { probedAt: string | null, lastFault: Fault | null }
  /** Probes now, joining a probe under way; not sooner than 1 s after the last one unless `forced`. */
  probe: (forced?: boolean) => Promise<void>
  /** A call goes there: the load is of interest. */
  use: () => void
  /** A call failed there. */
  fault: (detail: string) => void
  close: () => void
}

const reprobeMs = 1_000
/** After a call the load is followed this long. */
const interestMs = 5_000
/** A load this old is none, once reading it fails. */
const loadStaleMs = 5_000
/** Failures in a row after which silence is believed. */
const failuresMax = 2
const textBytesMax = 64 * 1024
const listBytesMax = 4 * 1024 * 1024
const metricsBytesMax = 4 * 1024 * 1024
const detailCharsMax = 500

export interface WatchParts {
  requests: EngineRequests
  settings: WatchSettings
  /** What asking its models has shown. */
  findings: () => readonly Finding[]
  /** Called when a probe found something other than the one before. */
  changed: () => void
}

export function watchUpstream (
  replica: Replica, parts: WatchParts
): Watch {
  const { requests, settings, findings, changed } = parts
  const { probeIntervalMs, probeTimeoutMs, scrapeIntervalMs } = settings
  let closed = false
  let probing: Promise<void> | undefined
  let probedAt: { iso: string, ms: number } | undefined
  let lastFault: Fault | null = null
  let failures = 0
  let usedMs = -Infinity
  let scraping = false
  let scrapedMs = -Infinity
  let probeTimer: NodeJS.Timeout | undefined
  let scrapeTimer: NodeJS.Timeout | undefined

  /** A question that must be answered with all others until `endMs`. */
  const asking = (endMs: number) => async (path: string, bytesMax: number): Promise<Said> => {
    const timeoutMs = Math.max(1, Math.ceil(endMs - performance.now()))
    return await requests.ask(replica.upstream, { path, timeoutMs, bytesMax })
  }

  function note (detail: string): void {
    lastFault = { at: new Date().toISOString(), detail: detail.slice(0, detailCharsMax) }
  }

  function believe (reading: ProbeReading): void {
    const before = replica.probe
    if (reading.ok) {
      failures = 0
      replica.probe = withFindings(reading.probe, findings())
    } else {
      failures++
      note(reading.detail)
      const isDown = reading.sure || failures >= failuresMax || before.state !== 'up'
      // What it served is remembered: calls for that wait or fail, and are not for an unknown model.
      if (isDown) replica.probe = { ...before, state: 'down', detail: reading.detail.slice(0, detailCharsMax) }
    }
    if (replica.probe.state !== 'up') replica.load = null
    if (JSON.stringify(before) !== JSON.stringify(replica.probe)) changed()
  }

  async function probeOnce (): Promise<void> {
    const { upstream } = replica
    const answers = await questions(asking(performance.now() + probeTimeoutMs))
    if (closed) return
    // Edited in the meantime: the answers are of another server, or to another key.
    if (replica.upstream !== upstream) { await probeOnce(); return }
    probedAt = { iso: new Date().toISOString(), ms: performance.now() }
    believe(readProbe(replica.upstream, answers))
  }

  async function probe (forced = false): Promise<void> {
    if (closed) return
    if (probing !== undefined) { await probing; return }
    if (!forced && probedAt !== undefined && performance.now() - probedAt.ms < reprobeMs) return
    clearTimeout(probeTimer)
    probing = probeOnce().finally(() => {
      probing = undefined
      if (!closed) plan(failures === 0 ? probeIntervalMs : backoffMs(failures, probeIntervalMs))
      void scrape()
    })
    await probing
  }

  function plan (delayMs: number): void {
    clearTimeout(probeTimer)
    probeTimer = setTimeout(() => { void probe(true) }, delayMs).unref()
  }

  async function scrape (): Promise<void> {
    const startMs = performance.now()
    if (closed || scraping || replica.probe.state !== 'up' || startMs < scrapedMs + scrapeIntervalMs) return
    scraping = true
    scrapedMs = startMs
    const said = await asking(startMs + probeTimeoutMs)('/metrics', metricsBytesMax)
    scraping = false
    if (closed) return
    if ('status' in said && said.status === 200) {
      const models = replica.probe.models.map(({ id }) => id)
      replica.load = { ...readLoad(said.body, models), at: performance.now() }
    } else if (replica.load !== null && performance.now() - replica.load.at > loadStaleMs) replica.load = null
    follow()
  }

  /** The next reading, as long as there is traffic; the regular probe brings one otherwise. */
  function follow (): void {
    const busy = replica.inFlight > 0 || performance.now() - usedMs < interestMs
    if (closed || scraping || !busy || scrapeTimer !== undefined) return
    const dueMs = Math.max(0, scrapedMs + scrapeIntervalMs - performance.now())
    scrapeTimer = setTimeout(() => { scrapeTimer = undefined; void scrape() }, dueMs).unref()
  }

  return {
    replica,
    facts: () => ({ probedAt: probedAt?.iso ?? null, lastFault }),
    probe,
    use () { usedMs = performance.now(); follow() },
    fault (detail) { note(detail); void probe() },
    close () {
      closed = true
      clearTimeout(probeTimer)
      clearTimeout(scrapeTimer)
    }
  }
}

async function questions (ask: (path: string, bytesMax: number) => Promise<Said>): Promise<Answers> {
  const [models, version, health] = await Promise.all([
    ask('/v1/models', listBytesMax), ask('/version', textBytesMax), ask('/health', textBytesMax)
  ])
  if ('fault' in models) return { models, version, health, sleeping: null, props: null }
  return versionIn(version) !== null
    ? { models, version, health, sleeping: await ask('/is_sleeping', textBytesMax), props: null }
    : { models, version, health, sleeping: null, props: await ask('/props', listBytesMax) }
}
