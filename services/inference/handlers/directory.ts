/**
 * The model servers there are, those of the environment and those of the store, each watched. Processes
 * that share a store see each other's changes when they read it again.
 */
import type { Logger } from 'pino'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Finding } from '../domain/findings.ts'
import { unprobed, type Replica, type Target } from '../domain/replica.ts'
import { absence, modelEntry, readyFor, servingTable, whyNot, type ModelEntry, type ServingTable } from '../domain/serving.ts'
import { checkUpstream, upstreamsMax, type Source } from '../domain/upstream-rules.ts'
import type { Upstream } from '../domain/upstream.ts'
import type { UpstreamRecord, UpstreamStore } from '../upstream-store.ts'
import type { EngineRequests } from './ask-engine.ts'
import { watchUpstream, type Watch, type WatchSettings } from './watch-upstream.ts'

export interface Directory {
  /** Those of the environment first, then by name. Objects stay the same while the upstream is there. */
  replicas: () => readonly Replica[]
  /**
   * Those that can serve the model now, with the name each knows it by. Where there is none, servers
   * that might be back are asked once more, within the time of a probe.
   *
   * @param needs  capabilities without which an upstream cannot answer
   * @throws Problem model-not-found naming the known; upstream-unavailable while one that might serve
   *         it is away; capability-missing
   */
  targets: (model: string, needs: readonly string[]) => Promise<readonly Target[]>
  /** In the order of their names; waits for first probes. */
  models: () => Promise<ModelEntry[]>
  /** A call failed there: it is probed soon, and the detail shown. */
  faulted: (name: string, detail: string) => void
  list: () => Promise<readonly Member[]>
  find: (name: string) => Promise<Member | undefined>
  /** Reads the store again, so that a change just written counts here. */
  refresh: () => Promise<void>
  /** Begins to watch; otherwise the first question does. */
  begin: () => Promise<void>
  close: () => Promise<void>
}

/** An upstream of the directory, with all that is known of it. */
export interface Member {
  source: Source
  /** A stored upstream of the same name, which does not count. */
  hides: boolean
  watch: Watch
  findings: readonly Finding[]
}

export interface DirectoryParts {
  environment: readonly Upstream[]
  upstreams: UpstreamStore
  requests: EngineRequests
  settings: WatchSettings & { refreshIntervalMs: number }
  log: Pick<Logger, 'warn' | 'info'>
}

const rereadMs = 1_000

export function openDirectory (parts: DirectoryParts): Directory {
  const { environment, upstreams, requests, settings, log } = parts
  let members = new Map<string, Member>()
  let replicas: readonly Replica[] = []
  let table: ServingTable | undefined
  let begun: Promise<void> | undefined
  let reading: Promise<void> | undefined
  let readMs = -Infinity
  let storeAway = false
  let timer: NodeJS.Timeout | undefined
  let closed = false

  /** Rebuilt when something has changed, so that a call costs one look-up. */
  const tableNow = (): ServingTable => table ??= servingTable(replicas)
  const changed = () => { table = undefined }

  function watchNew (upstream: Upstream): Watch {
    const replica: Replica = { upstream, probe: { ...unprobed, capabilities: upstream.capabilities }, load: null, inFlight: 0 }
    const findings = () => members.get(upstream.name)?.findings ?? []
    const watch = watchUpstream(replica, { requests, settings, findings, changed })
    void watch.probe()
    return watch
  }

  /** Brings the members to what is wanted; replicas that stay are kept as they are. */
  function reconcile (wanted: ReadonlyMap<string, Wanted>): void {
    const before = members
    members = new Map([...wanted].map(([name, { upstream, source, hides, findings }]) => {
      const known = before.get(name)
      const watch = known?.watch ?? watchNew(upstream)
      return [name, { source, hides, findings, watch }]
    }))
    for (const [name, { watch }] of before) if (!members.has(name)) watch.close()
    for (const [name, { watch }] of members) edit(watch, wanted.get(name)!.upstream)
    replicas = [...members.values()].map(({ watch }) => watch.replica)
    changed()
  }

  async function read (): Promise<void> {
    readMs = performance.now()
    let records: ReadonlyMap<string, UpstreamRecord>
    try { records = await upstreams.all() } catch (err) {
      if (!storeAway) log.warn({ err }, 'The upstreams cannot be read from the store; those known so far are used')
      storeAway = true
      // Those of the environment need no store.
      if (members.size === 0) reconcile(wantedOf(environment, new Map()))
      throw err
    }
    storeAway = false
    if (!closed) reconcile(wantedOf(environment, records))
  }

  /** Joins a reading under way, which may have begun before what the caller has just written. */
  async function refresh (): Promise<void> {
    if (reading !== undefined) await reading.catch(() => {})
    reading ??= read().finally(() => { reading = undefined })
    await reading
  }

  function begin (): Promise<void> {
    begun ??= (async () => {
      await refresh().catch(() => {})
      if (closed) return
      timer = setInterval(() => { void refresh().catch(() => {}) }, settings.refreshIntervalMs).unref()
    })()
    return begun
  }

  /** Asks again whoever may have come back or taken on another model. */
  async function search (model: string): Promise<void> {
    if (performance.now() - readMs > rereadMs) await refresh().catch(() => {})
    const candidates = tableNow().get(model) ?? []
    const away = candidates.length > 0
      ? candidates.filter(candidate => whyNot(candidate) !== null).map(({ replica }) => replica.upstream.name)
      : [...members.keys()]
    await Promise.all(away.map(async name => {
      const watch = members.get(name)?.watch
      if (watch !== undefined && watch.replica.upstream.draining !== true) await watch.probe()
    }))
  }

  return {
    replicas: () => replicas,
    async targets (model, needs) {
      if (replicas.length === 0) await begin()
      let ready = readyFor(tableNow().get(model) ?? [], needs)
      if (ready.length === 0) {
        await begin()
        await search(model)
        ready = readyFor(tableNow().get(model) ?? [], needs)
        if (ready.length === 0) throw absence({ model, needs }, replicas, tableNow())
      }
      for (const { replica } of ready) members.get(replica.upstream.name)?.watch.use()
      return ready
    },
    async models () {
      await begin()
      const fresh = [...members.values()].filter(({ watch }) => watch.replica.probe.state === 'unknown')
      await Promise.all(fresh.map(async ({ watch }) => { await watch.probe() }))
      return [...tableNow()].map(([id, candidates]) => modelEntry(id, candidates))
        .sort((a, b) => a.id < b.id ? -1 : 1)
    },
    faulted (name, detail) { members.get(name)?.watch.fault(detail) },
    async list () {
      await begin()
      return [...members.values()]
    },
    async find (name) {
      await begin()
      return members.get(name)
    },
    refresh,
    begin,
    async close () {
      closed = true
      clearInterval(timer)
      for (const { watch } of members.values()) watch.close()
      await reading?.catch(() => {})
    }
  }
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
  for (const [name, record] of [...records].sort(([a], [b]) => a < b ? -1 : 1).slice(0, 2 * upstreamsMax)) {
    if (record.upstream === null || wanted.has(name)) continue
    // What another version of this service wrote may break a rule of this one, the one on keys above all.
    const { upstream, faults } = checkUpstream(record.upstream, 'store')
    if (faults.length > 0) continue
    const findings = findingsOf(upstream, record)
    wanted.set(name, { upstream: { ...upstream, draining: record.draining }, source: 'store', hides: false, findings })
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
