/** Adds, edits and removes upstreams. What is under way at one is never cut. */
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { checkUpstream, upstreamsMax } from '../domain/upstream-rules.ts'
import type { Upstream } from '../domain/upstream.ts'
import type { UpstreamRecord, UpstreamStore } from '../upstream-store.ts'
import type { Directory } from './directory.ts'
import type { Member } from './keep-members.ts'

/** As sent; null takes a member away (RFC 7396). */
export type UpstreamPatch = { [K in keyof Omit<Upstream, 'name'>]?: Upstream[K] | null }

export interface ChangeParts { directory: Directory, upstreams: UpstreamStore }

/** @throws Problem upstream-not-found */
export async function getUpstream (directory: Directory, name: string): Promise<Member> {
  let found = await directory.find(name)
  if (found === undefined) {
    // Another process may have just added it.
    await directory.refresh()
    found = await directory.find(name)
  }
  if (found !== undefined) return found
  throw new Problem('upstream-not-found', `There is no upstream ${name}; GET /v1/upstreams lists those there are.`)
}

/**
 * The same upstream again is the one that is there. Its server is probed before this answers.
 *
 * @throws Problem invalid-request; conflict with another upstream of that name
 */
export async function addUpstream (
  { directory, upstreams }: ChangeParts, asked: Upstream
): Promise<{ created: boolean, member: Member }> {
  const { upstream, draining } = checkedForStore(asked)
  const known = (await directory.list()).find(({ watch }) => watch.replica.upstream.name === upstream.name)
  if (known?.source === 'environment') {
    if (isSame(known.watch.replica.upstream, upstream)) return { created: false, member: known }
    throw new Problem('conflict', `UPSTREAMS names another ${upstream.name}; choose another name, or change it there.`)
  }
  const records = await upstreams.all()
  const stored = [...records.values()].filter(record => record.upstream !== null)
  if (stored.length >= upstreamsMax && !records.has(upstream.name)) {
    throw new Problem('conflict', `There are ${upstreamsMax} upstreams, which is the most; remove one first.`)
  }
  const record: UpstreamRecord = { upstream, draining, findings: [] }
  let created = await upstreams.insert(upstream.name, record)
  if (!created) {
    await upstreams.change(upstream.name, there => {
      created = there.upstream === null
      if (created) return record
      if (isSame(there.upstream, upstream)) return null
      throw new Problem('conflict', `There is another upstream ${upstream.name}; PATCH /v1/upstreams/${upstream.name} changes it.`)
    })
  }
  await directory.refresh()
  const member = await getUpstream(directory, upstream.name)
  await member.watch.probe(true)
  return { created, member }
}

/**
 * Of an upstream of the environment only `draining` changes, which the store remembers.
 *
 * @throws Problem upstream-not-found, invalid-request, conflict
 */
export async function changeUpstream (
  { directory, upstreams }: ChangeParts, name: string, patch: UpstreamPatch
): Promise<Member> {
  const { source } = await getUpstream(directory, name)
  if (source === 'environment') {
    if (Object.keys(patch).some(member => member !== 'draining')) {
      throw new Problem('conflict', `The upstream ${name} comes from UPSTREAMS, which only a new start changes; here only draining can be set.`)
    }
    const draining = patch.draining ?? false
    const isNew = await upstreams.insert(name, { upstream: null, draining, findings: [] })
    if (!isNew) await upstreams.change(name, record => ({ ...record, draining }))
  } else {
    const changed = await upstreams.change(name, record =>
      record.upstream === null ? null : patched(record, patch))
    if (changed === undefined) await gone(directory, name)
  }
  await directory.refresh()
  const member = await getUpstream(directory, name)
  if (Object.keys(patch).some(key => key !== 'draining')) await member.watch.probe(true)
  return member
}

/**
 * @throws Problem conflict while calls of this process are under way there, and for one of the
 *         environment; upstream-not-found
 */
export async function removeUpstream ({ directory, upstreams }: ChangeParts, name: string): Promise<void> {
  const { source, watch: { replica } } = await getUpstream(directory, name)
  if (source === 'environment') {
    throw new Problem('conflict', `The upstream ${name} comes from UPSTREAMS; take it out there and start anew, or PATCH {"draining": true} to keep calls away from it.`)
  }
  if (replica.inFlight > 0) {
    throw new Problem('conflict', `${replica.inFlight} calls are under way at ${name}. PATCH {"draining": true}, wait until inFlight is 0, and delete it then.`)
  }
  const deleted = await upstreams.delete(name)
  await directory.refresh()
  if (!deleted) await gone(directory, name)
}

async function gone (directory: Directory, name: string): Promise<never> {
  await directory.refresh()
  throw new Problem('upstream-not-found', `The upstream ${name} has been removed by another process.`)
}

function patched (record: UpstreamRecord, patch: UpstreamPatch): UpstreamRecord {
  const merged = Object.entries({ ...record.upstream, draining: record.draining, ...patch })
    .filter(([, value]) => value !== null)
  const { upstream, draining } = checkedForStore(Object.fromEntries(merged) as unknown as Upstream)
  return { ...record, upstream, draining }
}

/** @throws Problem invalid-request that points at every fault */
function checkedForStore (asked: Upstream): { upstream: Upstream, draining: boolean } {
  const { upstream, faults } = checkUpstream({ ...asked, capabilities: asked.capabilities ?? [] }, 'store')
  const errors = faults.map(({ pointer, detail }) => ({ pointer: `/body${pointer}`, detail }))
  if (errors[0] !== undefined) throw new Problem('invalid-request', `${errors[0].pointer} ${errors[0].detail}.`, { errors })
  const { draining = false, ...rest } = upstream
  return { upstream: rest, draining }
}

/** Draining is what becomes of an upstream, not what it is. */
function isSame (a: Upstream | null, b: Upstream): boolean {
  const { draining: _, ...one } = a ?? {}
  const { draining: __, ...other } = b
  return canonicalJson(one) === canonicalJson(other)
}
