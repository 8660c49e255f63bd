/**
 * A store in memory whose every call may come late, fail before it was carried out or after, or fail
 * and be carried out later, as when a network is cut and the caller's patience ends. Nodes
 * share the documents and have a handle each: a dead node's calls do nothing, except that one on
 * its way when the node died may still arrive.
 */
import { Problem } from '../errors/problem.ts'
import type { Collection, Doc, Filter, FindOptions, Store, Update } from '../store/store.ts'
import type { Random } from './random.ts'
import type { SimulatedNode, World } from './virtual-time.ts'

type Documents = Map<string, Map<string, Doc>>

/** A change as the store carried it out; `before` or `after` is absent for an insert, a delete. */
export interface Change { collection: string, node: SimulatedNode, before?: Doc, after?: Doc }

export interface StoreFaults {
  /** Probabilities for one call. */
  failBefore: number
  failAfter: number
  late: number
  /** At most, for a late call, on the way there and on the way back. */
  lateMs: number
}

export interface SharedStore {
  documents: Documents
  handle: (node: SimulatedNode) => Store
}

export interface SharedStoreOptions {
  world: World
  random: Random
  faults: () => StoreFaults
  /** Told of every change before anything else happens; what it throws is not caught. */
  onChange: (change: Change) => void
}

export function createSharedStore (options: SharedStoreOptions): SharedStore {
  const documents: Documents = new Map()
  return {
    documents,
    handle: node => ({
      async collection<T extends Doc> (name: string) {
        const docs = documents.get(name) ?? new Map<string, Doc>()
        documents.set(name, docs)
        return collectionOf(docs as Map<string, T>, {
          call: async carryOut => await faultyCall(options, node, carryOut),
          changed: change => { options.onChange({ collection: name, node, ...change }) }
        })
      },
      ping: async () => {},
      close: async () => {}
    })
  }
}

async function faultyCall<R> (
  { world, random, faults }: SharedStoreOptions, node: SimulatedNode, carryOut: () => R
): Promise<R> {
  const { failBefore, failAfter, late, lateMs } = faults()
  const isLate = random.chance(late)
  const thereMs = isLate ? random.whole(0, lateMs) : 0
  const backMs = isLate ? random.whole(0, lateMs) : 0
  const luck = random.next()
  return await new Promise<R>((resolve, reject) => {
    if (!node.isAlive()) return
    if (luck < failBefore) {
      world.at(world.now() + backMs, () => { node.deliver(() => { reject(unavailable()) }) })
      return
    }
    const fails = luck < failBefore + failAfter
    if (fails && isLate) {
      const patienceMs = random.whole(0, thereMs)
      world.at(world.now() + patienceMs, () => { node.deliver(() => { reject(unavailable()) }) })
      world.at(world.now() + thereMs, () => { carryOut() })
      return
    }
    const arrive = (): void => {
      const result = carryOut()
      const answer = (): void => { if (fails) reject(unavailable()); else resolve(result) }
      if (backMs === 0) node.deliver(answer)
      else world.at(world.now() + backMs, () => { node.deliver(answer) })
    }
    if (thereMs === 0) arrive()
    else world.at(world.now() + thereMs, arrive)
  })
}

function unavailable (): Problem {
  return new Problem('store-unavailable', 'The simulated store failed.')
}

interface Access {
  call: <R>(carryOut: () => R) => Promise<R>
  changed: (change: { before?: Doc, after?: Doc }) => void
}

function collectionOf<T extends Doc> (
  docs: Map<string, T>, { call, changed }: Access
): Collection<T> {
  function insertOne (doc: T): boolean {
    if (docs.has(doc._id)) return false
    const after = { ...doc }
    docs.set(doc._id, after)
    changed({ after })
    return true
  }

  function having (filter: Filter): T[] {
    return [...docs.values()].filter(doc => matches(doc, filter))
  }

  function select (filter: Filter, { sort = {}, limit }: FindOptions): T[] {
    const paths = Object.entries({ ...sort, _id: sort._id ?? 1 })
    return having(filter)
      .sort((a, b) => paths.map(([path, sign]) => compare(at(a, path), at(b, path)) * sign)
        .find(order => order !== 0) ?? 0)
      .slice(0, limit)
  }

  return {
    insert: async doc => await call(() => insertOne(doc)),
    insertMissing: async many => await call(() => many.filter(insertOne).length),
    find: async id => await call(() => copyOf(docs.get(id))),
    async findMany (filter, options) {
      return await call(() => select(filter, options).map(doc => ({ ...doc })))
    },
    count: async filter => await call(() => having(filter).length),
    countBy: async (path, filter) => await call(() => {
      const counts: Record<string, number> = {}
      for (const doc of having(filter)) {
        const value = String(at(doc, path))
        counts[value] = (counts[value] ?? 0) + 1
      }
      return counts
    }),
    update: async (id, guard, update) => await call(() => {
      const before = docs.get(id)
      if (before === undefined || !matches(before, guard)) return false
      const after = updated(before, update)
      docs.set(id, after)
      changed({ before, after })
      return true
    }),
    delete: async id => await call(() => {
      const before = docs.get(id)
      if (before !== undefined) changed({ before })
      return docs.delete(id)
    })
  }
}

/** Shallow: what is inside is replaced and never changed. */
function copyOf<T extends Doc> (doc: T | undefined): T | undefined {
  return doc === undefined ? undefined : { ...doc }
}

function updated<T extends Doc> (before: T, { $set = {}, $inc = {}, $unset = {} }: Update): T {
  const after: Record<string, unknown> = { ...before, ...$set }
  for (const [path, by] of Object.entries($inc)) after[path] = Number(after[path] ?? 0) + by
  for (const path of Object.keys($unset)) delete after[path]
  return after as unknown as T
}

/** Paths of one segment are all that work that survives needs. */
function at (doc: Doc, path: string): unknown {
  return (doc as unknown as Record<string, unknown>)[path] ?? null
}

function compare (a: unknown, b: unknown): number {
  if (a === b) return 0
  return (a as string) < (b as string) ? -1 : 1
}

function matches (doc: Doc, filter: Filter): boolean {
  return Object.entries(filter).every(([path, wanted]) => {
    const value = at(doc, path)
    if (wanted === null || typeof wanted !== 'object') return value === wanted
    return Object.entries(wanted).every(([operator, bound]) => {
      switch (operator) {
        case '$in': return (bound as unknown[]).includes(value)
        case '$ne': return value !== bound
        case '$lt': return (value as number) < (bound as number)
        case '$gt': return (value as string) > (bound as string)
        default: throw new TypeError(`The simulated store knows no ${operator}`)
      }
    })
  })
}
