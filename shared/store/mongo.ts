/**
 * The store on MongoDB: one database a service, documents as they are. Filters, updates and
 * documents are checked by the code that the embedded store uses and built anew from what it
 * found, so that no value from outside is ever an operator or one of BSON's own types.
 */
import { BSON, Double, MongoBulkWriteError, type Collection as MongoCollection, type Document } from 'mongodb'
import { checkedLimit, checkedName, checkedSort, countsMax, countsOf, storedId } from './checks.ts'
import { bytesMax, encodeDocument, isObject, jsonOf } from './document.ts'
import { conditionsOf, type Condition } from './filter.ts'
import { checkedIndexes, checkIndexed, checkIndexedUpdate, type CheckedIndex } from './indexes.ts'
import { openMongo, type MongoConnection, type MongoOptions, type Within } from './mongo-client.ts'
import { hasOnlyDuplicates, isDuplicate } from './mongo-errors.ts'
import { ensureIndexes } from './mongo-indexes.ts'
import type { Collection, Doc, Index, Store, Update } from './store.ts'
import { checkUpdate } from './update.ts'

/** Of one insert of many, so that each is a command of its own with its own time. */
const batchDocs = 1_000
const batchChars = 8 * 1024 * 1024

/**
 * @param url  of MongoDB; its read preference, concerns and timeouts do not count, see openMongo
 * @throws Error at the start, whose message says what to change
 */
export async function mongoStore (url: string, options: MongoOptions): Promise<Store> {
  const connection = await openMongo(url, options)
  const indexesOf = new Map<string, CheckedIndex[]>()

  return {
    async collection<T extends Doc> (name: string, indexes: readonly Index[] = []) {
      const checked = checkedIndexes(indexes)
      const collection = connection.db.collection<Doc>(checkedName(name))
      await ensureIndexes(connection, collection, indexes)
      const known = indexesOf.get(name) ?? []
      indexesOf.set(name, known)
      known.push(...checked)
      return collectionOf<T>(connection, collection, known)
    },
    ping: connection.ping,
    close: connection.close
  }
}

function collectionOf<T extends Doc> (
  { call }: MongoConnection, collection: MongoCollection<Doc>, indexes: readonly CheckedIndex[]
): Collection<T> {
  const encode = (doc: Doc): Encoded => {
    const json = encodeDocument(doc)
    checkIndexed(doc, indexes)
    return { doc: documentOf(json), chars: json.length }
  }

  return {
    async insert (doc) {
      const { doc: encoded } = encode(doc)
      return await call(async within => await insertOne(collection, encoded, within))
    },
    async insertMissing (docs) {
      let inserted = 0
      for (const batch of batchesOf(docs.map(encode))) {
        inserted += await call(async within => await insertAll(collection, batch, within))
      }
      return inserted
    },
    async find (id) {
      const _id = storedId(id)
      return await call(async within => await collection.findOne({ _id }, within)) as T | null ?? undefined
    },
    async findMany (filter, options) {
      const wanted = filterOf(conditionsOf(filter))
      const sort = checkedSort(options.sort)
      const limit = checkedLimit(options)
      const how = { sort: new Map(sort), limit, allowDiskUse: true }
      return await call(async within =>
        await collection.find(wanted, { ...how, ...within }).toArray()) as unknown as T[]
    },
    async count (filter) {
      const wanted = filterOf(conditionsOf(filter))
      return await call(async within => await collection.countDocuments(wanted, within))
    },
    async countBy (path, filter) {
      const conditions = [...conditionsOf(filter), ...conditionsOf({ [path]: { $gte: '' } })]
      const stages = [
        { $match: filterOf(conditions) },
        { $group: { _id: `$${path}`, count: { $sum: 1 } } },
        { $limit: countsMax + 1 }
      ]
      const rows = await call(async within =>
        await collection.aggregate<{ _id: string, count: number }>(stages, within).toArray())
      return countsOf(path, rows.map(({ _id, count }) => [_id, count]))
    },
    async update (id, guard, update) {
      const conditions = conditionsOf(guard)
      checkUpdate(update)
      checkIndexedUpdate(update, indexes)
      const _id = storedId(id)
      const filter = conditions.length === 0 ? { _id } : { $and: [{ _id }, filterOf(conditions)] }
      const change = changeOf(_id, update)
      const { matchedCount } = await call(async within => await collection.updateOne(filter, change, within))
      return matchedCount === 1
    },
    async delete (id) {
      const _id = storedId(id)
      const { deletedCount } = await call(async within => await collection.deleteOne({ _id }, within))
      return deletedCount === 1
    }
  }
}

async function insertOne (collection: MongoCollection<Doc>, doc: Doc, within: Within): Promise<boolean> {
  try {
    await collection.insertOne(doc, within)
    return true
  } catch (cause) {
    if (isDuplicate(cause)) return false
    throw cause
  }
}

/** Unordered: each is inserted or a duplicate, whatever the others are. @returns how many were new */
async function insertAll (
  collection: MongoCollection<Doc>, batch: readonly Encoded[], within: Within
): Promise<number> {
  try {
    const docs = batch.map(({ doc }) => doc)
    return (await collection.insertMany(docs, { ordered: false, ...within })).insertedCount
  } catch (cause) {
    if (cause instanceof MongoBulkWriteError && hasOnlyDuplicates(cause)) return cause.insertedCount
    throw cause
  }
}

interface Encoded { doc: Doc, chars: number }

function batchesOf (docs: readonly Encoded[]): Encoded[][] {
  const batches: Encoded[][] = []
  let chars = Infinity
  for (const doc of docs) {
    const last = batches.at(-1)
    if (last === undefined || last.length >= batchDocs || chars + doc.chars > batchChars) {
      batches.push([doc])
      chars = doc.chars
    } else {
      last.push(doc)
      chars += doc.chars
    }
  }
  return batches
}

/**
 * A copy that holds what the JSON says and nothing else: as the embedded store would give it back,
 * and no longer the caller's.
 *
 * @throws RangeError where BSON, which numbers the elements of lists, is longer than its JSON
 */
function documentOf (json: string): Doc {
  const doc = plainOf(json) as Doc
  if (json.length * 5 > bytesMax && BSON.calculateObjectSize(doc) > bytesMax) {
    throw new RangeError(`Document ${doc._id} is longer than ${bytesMax} bytes: keep the bulk as a blob`)
  }
  return doc
}

/** The driver takes an object with the key `_bsontype` for a value of its own; a Map is only a Map. */
function plainOf (json: string): unknown {
  if (!json.includes('"_bsontype"')) return JSON.parse(json)
  return JSON.parse(json, (_, value: unknown) =>
    isObject(value) && Object.hasOwn(value, '_bsontype') ? new Map(Object.entries(value)) : value)
}

const operators = { eq: '$eq', ne: '$ne', gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte', exists: '$exists' } as const

/** Each value under an operator of ours, where it is a value whatever it looks like. */
function filterOf (conditions: readonly Condition[]): Document {
  const parts = conditions.map(condition => ({
    [condition.path]: condition.operator === 'in'
      ? { $in: [...condition.values] }
      : { [operators[condition.operator]]: condition.value }
  }))
  return parts.length > 1 ? { $and: parts } : parts[0] ?? {}
}

/** A checked update, without operators that have nothing to do. */
function changeOf (_id: string, { $set = {}, $inc = {}, $unset = {} }: Update): Document {
  const set = (plainOf(jsonOf({ _id, set: $set } as Doc)) as { set: Record<string, unknown> }).set
  // As doubles: whole numbers of MongoDB count beyond 2^53, and ours do not.
  const inc = Object.fromEntries(Object.entries($inc).map(([path, by]) => [path, new Double(by)]))
  const unset = Object.fromEntries(Object.keys($unset).map(path => [path, true]))
  const all = Object.entries({ $set: set, $inc: inc, $unset: unset })
  return Object.fromEntries(all.filter(([, members]) => Object.keys(members).length > 0))
}
