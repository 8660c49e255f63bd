/** Indexes in MongoDB: made at the start where they are missing, compared where they are there. */
import type { Collection, Document, IndexDescription } from 'mongodb'
import { Problem } from '../errors/problem.ts'
import type { MongoConnection, Within } from './mongo-client.ts'
import { codeOf, isDuplicate } from './mongo-errors.ts'
import type { Index } from './store.ts'

/** Over what has been stored already; a new collection's take no time. */
const buildTimeoutMs = 10 * 60_000
const namespaceNotFound = 26
/** Of the same name with another definition, or of the same definition with another name. */
const otherDefinition = new Set([85, 86])

/** Looks for what is missing, and makes it. */
const triesMax = 5

/**
 * The driver does not try a creation again, as it does reads and writes; so a connection lost in the
 * middle of one, or another process that made the same at once, would end our start.
 *
 * @throws Error whose message names what is in the way
 */
export async function ensureIndexes (
  connection: MongoConnection, collection: Collection<any>, indexes: readonly Index[]
): Promise<void> {
  for (let triesLeft = triesMax - 1; ; triesLeft--) {
    const missing = await missingOf(connection, collection, indexes)
    if (missing.length === 0) return
    try {
      await create(connection, collection, missing)
      return
    } catch (cause) {
      const mayPass = cause instanceof Problem && cause.kind === 'store-unavailable'
      if (!mayPass || triesLeft === 0) throw cause
    }
  }
}

async function missingOf (
  { call }: MongoConnection, collection: Collection<any>, indexes: readonly Index[]
): Promise<IndexDescription[]> {
  if (indexes.length === 0) return []
  const found = await call(async within => await existing(collection, within))
  const present = new Map(found.map(index => [index.name as string, index]))
  return descriptionsOf(indexes).filter(wanted => {
    const found = present.get(wanted.name as string)
    if (found !== undefined && !isSame(found, wanted)) throw conflict(collection, wanted, found)
    return found === undefined
  })
}

async function create (
  { call }: MongoConnection, collection: Collection<any>, missing: IndexDescription[]
): Promise<void> {
  try {
    await call(async within => await collection.createIndexes(missing, within), buildTimeoutMs)
  } catch (thrown) {
    const cause = thrown instanceof Problem ? thrown.cause : thrown
    const names = missing.map(({ name }) => name).join(', ')
    if (otherDefinition.has(codeOf(cause))) throw conflict(collection, missing[0] as IndexDescription, cause)
    if (isDuplicate(cause)) {
      throw new Error(`Cannot start: ${collection.namespace} holds documents that its unique index ${names} does not allow: ${(cause as Error).message}`, { cause })
    }
    throw thrown
  }
}

/** Lists of keys are objects here, in their order; none of our paths is a number. */
function descriptionsOf (indexes: readonly Index[]): IndexDescription[] {
  const described = indexes.map(({ keys, unique }): IndexDescription => {
    // With _id last, so that pages in that order come straight from the index.
    const paths = unique === true || keys.includes('_id') ? keys : [...keys, '_id']
    return {
      name: `${unique === true ? 'unique' : 'index'}_${keys.join('_')}`,
      key: Object.fromEntries(paths.map(path => [path, 1])),
      // Sparse, for documents without the paths are not held to it; see `Store.collection`.
      ...unique === true && { unique, sparse: true }
    }
  })
  return [...new Map(described.map(index => [index.name, index])).values()]
}

async function existing (collection: Collection<any>, within: Within): Promise<Document[]> {
  try {
    return await collection.listIndexes(within).toArray()
  } catch (cause) {
    if (codeOf(cause) === namespaceNotFound) return []
    throw cause
  }
}

function isSame (found: Document, wanted: IndexDescription): boolean {
  // MongoDB answers key and order as they were given; FerretDB knows no sparse and leaves it out.
  return JSON.stringify(found.key) === JSON.stringify(wanted.key) &&
    (found.unique ?? false) === (wanted.unique ?? false)
}

function conflict (
  { namespace, dbName, collectionName }: Collection<any>, { name, key }: IndexDescription, found: unknown
): Error {
  return new Error(`Cannot start: ${namespace} has another index in the place of ${name} on ${JSON.stringify(key)}. Nothing of Viva made it: drop it with db.getSiblingDB('${dbName}').getCollection('${collectionName}').dropIndex('${name}') and start again.`, { cause: found })
}
