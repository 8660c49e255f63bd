/**
 * Asks a server again and again who it is, what it serves and whether it is well. Never twice at a time,
 * and nobody who has a call waits for it.
 */
import { readProbe, versionIn, type Answers, type ProbeReading, type Said } from '../domain/engine-answers.ts'
import { withFindings, type Finding } from '../domain/findings.ts'
import { knownBy, type Known } from '../domain/known.ts'
import { probeDelayMs } from '../domain/probe-pace.ts'
import type { Replica } from '../domain/replica.ts'
import type { EngineRequests } from './ask-engine.ts'

export interface ProbeParts {
  requests: EngineRequests
  settings: {
    /** Between two probes of a server that is well; one that is down is probed by `probeDelayMs`. */
    probeIntervalMs: number
    /** For all questions of a probe together. */
    probeTimeoutMs: number
  }
  /** What asking its models has shown. */
  findings: () => readonly Finding[]
  /** What the server told before this start. */
  known: Known | undefined
  /** Called with what an answer told. */
  told: (known: Known) => void
  /** Called after each probe; `isNew` when it found something other than the one before. */
  probed: (isNew: boolean) => void
}

/** Who told what is known of a server, and when. */
export interface KnownFrom { from: 'probe' | 'store', at: string }
export interface Fault { at: string, detail: string }

export interface Prober {
  facts: () => { probedAt: string | null, known: KnownFrom | null, lastFault: Fault | null }
  /** Probes now, joining a probe under way; not within 1 s of the last one unless `forced`. */
  probe: (forced?: boolean) => Promise<void>
  /** A call failed there: it is probed now, or when 1 s has passed since the last time. */
  fault: (detail: string) => void
  close: () => void
}

const reprobeMs = 1_000
/** Failures in a row after which silence is believed. */
const failuresMax = 2
const textBytesMax = 64 * 1024
const listBytesMax = 4 * 1024 * 1024
const detailCharsMax = 500

export function prober (replica: Replica, parts: ProbeParts): Prober {
  const { requests, settings, findings, probed } = parts
  let heard: Heard = { known: parts.known, from: 'store' }
  let closed = false
  let probing: Promise<void> | undefined
  let probedAt: { iso: string, ms: number } | undefined
  let lastFault: Fault | null = null
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  function believe (reading: ProbeReading): void {
    const before = replica.probe
    failures = reading.ok ? 0 : failures + 1
    if (reading.ok) {
      replica.probe = withFindings(reading.probe, findings())
      const known = knownBy(reading.probe, replica.upstream, new Date().toISOString())
      heard = { known, from: 'probe' }
      parts.told(known)
    } else {
      lastFault = faultNow(reading.detail)
      const isDown = reading.sure || failures >= failuresMax || before.state !== 'up'
      // What it served is remembered: a call for that is for a server that is away, not for an unknown model.
      if (isDown) replica.probe = { ...before, state: 'down', detail: reading.detail.slice(0, detailCharsMax) }
    }
    probed(JSON.stringify(before) !== JSON.stringify(replica.probe))
  }

  async function probeOnce (): Promise<void> {
    const { upstream } = replica
    const endMs = performance.now() + settings.probeTimeoutMs
    const answers = await questions(async (path, bytesMax) => await requests.ask(upstream, {
      path, bytesMax, timeoutMs: Math.max(1, Math.ceil(endMs - performance.now()))
    }))
    if (closed) return
    // Edited in the meantime: the answers are of another server, or to another key.
    if (replica.upstream !== upstream) { await probeOnce(); return }
    probedAt = { iso: new Date().toISOString(), ms: performance.now() }
    believe(readProbe(upstream, answers))
  }

  function plan (delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => { void probe(true) }, delayMs).unref()
  }

  const sinceMs = () => probedAt === undefined ? Infinity : performance.now() - probedAt.ms
  async function probe (forced = false): Promise<void> {
    if (closed) return
    if (probing === undefined && !forced && sinceMs() < reprobeMs) return
    clearTimeout(timer)
    probing ??= probeOnce().finally(() => {
      probing = undefined
      const { probeIntervalMs } = settings
      if (!closed) plan(failures === 0 ? probeIntervalMs : probeDelayMs(failures, probeIntervalMs))
    })
    await probing
  }

  return {
    facts: () => ({
      probedAt: probedAt?.iso ?? null,
      known: knownFrom(heard, replica),
      lastFault
    }),
    probe,
    fault (detail) {
      lastFault = faultNow(detail)
      const waitMs = Math.min(settings.probeIntervalMs, reprobeMs) - sinceMs()
      if (!closed && probing === undefined) plan(Math.max(0, waitMs))
    },
    close () {
      closed = true
      clearTimeout(timer)
    }
  }
}

function faultNow (detail: string): Fault {
  return { at: new Date().toISOString(), detail: detail.slice(0, detailCharsMax) }
}

interface Heard { known: Known | undefined, from: KnownFrom['from'] }

/** Another address is another server, of which nothing is known. */
function knownFrom ({ known, from }: Heard, { upstream }: Replica): KnownFrom | null {
  return known?.baseUrl === upstream.baseUrl ? { from, at: known.at } : null
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
