/** Upstreams that were added while running, and what is to be remembered of those of the environment. */
import type { Collection, Doc, Store } from '../../shared/store/store.ts'
import type { Finding } from './domain/findings.ts'
import type { Known } from './domain/known.ts'
import { upstreamsMax } from './domain/upstream-rules.ts'
import type { Upstream } from './domain/upstream.ts'

/** Null `upstream`: of the environment, which says everything else. */
export interface UpstreamRecord { upstream: Upstream | null, draining: boolean, findings: readonly Finding[] }

interface UpstreamDoc extends Doc {
  version: number
  /** Aliases as pairs: a key of a document may have no dot. */
  value: (Omit<Upstream, 'aliases' | 'draining'> & { aliases: Array<{ name: string, served: string }> }) | null
  draining: boolean
  findings: Finding[]
}

interface KnownDoc extends Doc { known: Known }

/** Beside those there may be a record for each upstream of the environment. */
const recordsMax = 2 * upstreamsMax
const attemptsMax = 5

type Decide = (record: UpstreamRecord) => UpstreamRecord | null

export interface UpstreamStore {
  all: () => Promise<ReadonlyMap<string, UpstreamRecord>>
  /** Says whether it is new; one that is there stays as it is. */
  insert: (name: string, record: UpstreamRecord) => Promise<boolean>
  /**
   * Writes what `decide` makes of the record as it is then; null leaves it. Two who change different
   * members at the same time both succeed.
   * @returns the record as it is now, undefined where there is none
   */
  change: (name: string, decide: Decide) => Promise<UpstreamRecord | undefined>
  /** With what is known of its server. */
  delete: (name: string) => Promise<boolean>
  /** What servers last told of themselves. */
  known: () => Promise<ReadonlyMap<string, Known>>
  keep: (name: string, known: Known) => Promise<void>
}

export async function upstreamStore (store: Store): Promise<UpstreamStore> {
  const upstreams: Collection<UpstreamDoc> = await store.collection<UpstreamDoc>('upstreams')
  const servers: Collection<KnownDoc> = await store.collection<KnownDoc>('upstream-servers')

  return {
    async all () {
      const docs = await upstreams.findMany({}, { limit: recordsMax })
      return new Map(docs.map(doc => [doc._id, recordOf(doc)]))
    },
    insert: async (name, record) => await upstreams.insert({ _id: name, version: 1, ...docOf(record) }),
    async change (name, decide) {
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        const doc = await upstreams.find(name)
        if (doc === undefined) return undefined
        const changed = decide(recordOf(doc))
        if (changed === null) return recordOf(doc)
        const update = { $set: { ...docOf(changed), version: doc.version + 1 } }
        if (await upstreams.update(name, { version: doc.version }, update)) return changed
      }
      throw new Error(`The upstream ${name} is changed by others without end`)
    },
    async delete (name) {
      await servers.delete(name)
      return await upstreams.delete(name)
    },
    async known () {
      const docs = await servers.findMany({}, { limit: recordsMax })
      return new Map(docs.map(({ _id, known }) => [_id, known]))
    },
    async keep (name, known) {
      if (!await servers.insert({ _id: name, known })) await servers.update(name, {}, { $set: { known } })
    }
  }
}

function docOf ({ upstream, draining, findings }: UpstreamRecord): Omit<UpstreamDoc, '_id' | 'version'> {
  if (upstream === null) return { value: null, draining, findings: [...findings] }
  const { aliases = {}, draining: _, ...value } = upstream
  const pairs = Object.entries(aliases).map(([name, served]) => ({ name, served }))
  return { value: { ...value, aliases: pairs }, draining, findings: [...findings] }
}

function recordOf ({ value, draining, findings }: UpstreamDoc): UpstreamRecord {
  if (value === null) return { upstream: null, draining, findings }
  const { aliases, ...rest } = value
  const named = Object.fromEntries(aliases.map(({ name, served }) => [name, served]))
  const upstream = { ...rest, ...aliases.length > 0 && { aliases: named } }
  return { upstream, draining, findings }
}
