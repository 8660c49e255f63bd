/**
 * Which upstreams there are: those of the environment and those of the store, read again every few
 * seconds, so that processes on one store see each other's changes. Each is watched.
 */
import type { Logger } from 'pino'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Finding } from '../domain/findings.ts'
import { isWorthKeeping, recalled, type Known } from '../domain/known.ts'
import { unprobed, type Replica } from '../domain/replica.ts'
import { checkUpstream, type Source } from '../domain/upstream-rules.ts'
import type { Upstream } from '../domain/upstream.ts'
import type { UpstreamRecord, UpstreamStore } from '../upstream-store.ts'
import type { EngineRequests } from './ask-engine.ts'
import { watchUpstream, type Watch, type WatchSettings } from './watch-upstream.ts'

/** An upstream of the directory, with all that is known of it. */
export interface Member {
  source: Source
  /** A stored upstream of the same name, which does not count. */
  hides: boolean
  watch: Watch
  findings: readonly Finding[]
}

export interface MemberParts {
  environment: readonly Upstream[]
  upstreams: UpstreamStore
  requests: EngineRequests
  settings: WatchSettings & { refreshIntervalMs: number }
  log: Pick<Logger, 'warn' | 'info'>
}

export interface Members {
  all: () => ReadonlyMap<string, Member>
  /** Reads the store again, so that what was just written counts. @throws Problem of the store */
  refresh: () => Promise<void>
  /** As `refresh`, unless that was done a moment ago; those known so far stay when it fails. */
  look: () => Promise<void>
  /** Reads them, and again from time to time; once. */
  begin: () => Promise<void>
  close: () => Promise<void>
}

/** An unknown name makes the store be read again no more often. */
const rereadMs = 1_000

/** @param changed  called when members or what is known of them have changed */
export function keepMembers (parts: MemberParts, changed: () => void): Members {
  const { environment, upstreams, requests, settings, log } = parts
  let members: ReadonlyMap<string, Member> = new Map()
  let begun: Promise<void> | undefined
  let reading: Promise<void> | undefined
  let readMs = -Infinity
  let isStoreAway = false
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const notes = keepKnown(upstreams)

  /** Those that stay keep their watch, and with it their replica. */
  function reconcile (records: ReadonlyMap<string, UpstreamRecord>): void {
    const before = members
    const wanted = wantedOf(environment, records)
    members = new Map([...wanted].map(([name, { upstream, ...rest }]) => {
      const findings = () => members.get(name)?.findings ?? []
      const known = notes.of(name)
      const told = (news: Known) => { if (!closed) notes.keep(name, news) }
      const watch = before.get(name)?.watch ?? watchUpstream(
        replicaOf(upstream, known, rest.findings), { requests, settings, findings, changed, known, told })
      return [name, { ...rest, watch }]
    }))
    for (const [name, { watch }] of before) if (!members.has(name)) watch.close()
    for (const [name, { watch }] of members) {
      if (!before.has(name)) void watch.probe()
      else edit(watch, wanted.get(name)!.upstream)
    }
    changed()
  }

  async function read (): Promise<void> {
    readMs = performance.now()
    try {
      const records = await upstreams.all()
      if (members.size === 0) await notes.read()
      isStoreAway = false
      if (!closed) reconcile(records)
    } catch (err) {
      if (!isStoreAway) log.warn({ err }, 'The upstreams cannot be read from the store; those known so far are used')
      isStoreAway = true
      // Those of the environment need no store.
      if (members.size === 0 && !closed) reconcile(new Map())
      throw err
    }
  }

  async function refresh (): Promise<void> {
    // One under way may have begun before what the caller has written.
    await reading?.catch(() => {})
    reading ??= read().finally(() => { reading = undefined })
    await reading
  }

  return {
    all: () => members,
    refresh,
    async look () { if (performance.now() - readMs > rereadMs) await refresh().catch(() => {}) },
    async begin () {
      begun ??= refresh().catch(() => {}).then(() => {
        const again = () => { void refresh().catch(() => {}) }
        if (!closed) timer = setInterval(again, settings.refreshIntervalMs).unref()
      })
      await begun
    },
    async close () {
      closed = true
      clearInterval(timer)
      for (const { watch } of members.values()) watch.close()
      await reading?.catch(() => {})
      await notes.written()
    }
  }
}

/** What servers told of themselves; what cannot be kept is told again by the next probe. */
function keepKnown (upstreams: Pick<UpstreamStore, 'keep' | 'known'>) {
  const kept = new Map<string, Known>()
  const keeping = new Set<Promise<void>>()
  return {
    of: (name: string) => kept.get(name),
    async read () {
      for (const [name, known] of await upstreams.known()) kept.set(name, known)
    },
    keep (name: string, known: Known) {
      const before = kept.get(name)
      if (!isWorthKeeping(known, before)) return
      kept.set(name, known)
      const writing = upstreams.keep(name, known).catch(() => {
        if (before === undefined) kept.delete(name)
        else kept.set(name, before)
      }).finally(() => { keeping.delete(writing) })
      keeping.add(writing)
    },
    async written () { await Promise.all(keeping) }
  }
}

function replicaOf (
  upstream: Upstream, known: Known | undefined, findings: readonly Finding[]
): Replica {
  return { upstream, probe: recalled(upstream, known, findings), load: null, inFlight: 0 }
}

interface Wanted { upstream: Upstream, source: Source, hides: boolean, findings: readonly Finding[] }

/** The environment wins over what is stored under the same name, but for draining. */
function wantedOf (
  environment: readonly Upstream[], records: ReadonlyMap<string, UpstreamRecord>
): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const upstream of environment) {
    const record = records.get(upstream.name)
    const draining = record?.draining ?? upstream.draining ?? false
    const findings = findingsOf(upstream, record)
    const hides = record !== undefined && record.upstream !== null
    wanted.set(upstream.name, { upstream: { ...upstream, draining }, source: 'environment', hides, findings })
  }
  for (const [name, record] of [...records].sort(([a], [b]) => a < b ? -1 : 1)) {
    if (record.upstream === null || wanted.has(name)) continue
    // What another version of this service wrote may break a rule of this one, the one on keys above all.
    const { upstream, faults } = checkUpstream(record.upstream, 'store')
    if (faults.length > 0) continue
    const findings = findingsOf(upstream, record)
    const { draining } = record
    wanted.set(name, { upstream: { ...upstream, draining }, source: 'store', hides: false, findings })
  }
  return wanted
}

function findingsOf ({ baseUrl }: Upstream, record?: UpstreamRecord): readonly Finding[] {
  return (record?.findings ?? []).filter(finding => finding.baseUrl === baseUrl)
}

/** An edited upstream is what it says now; another address is another server, of which nothing is known. */
function edit ({ replica, probe }: Watch, upstream: Upstream): void {
  const before = replica.upstream
  if (canonicalJson(before) === canonicalJson(upstream)) return
  replica.upstream = upstream
  const moved = before.baseUrl !== upstream.baseUrl
  const found = moved ? [] : replica.probe.found ?? []
  const capabilities = [...new Set([...upstream.capabilities, ...found])].sort()
  replica.probe = { ...moved ? unprobed : replica.probe, capabilities }
  if (moved) replica.load = null
  void probe(true)
}
