/**
 * The store in one SQLite file: no server to install, and several processes of one host may share
 * it. A collection is a table `(_id, doc)`; see sql.ts for how documents are filtered and
 * connection.ts for what is durable when.
 */
import { Problem } from '../errors/problem.ts'
import { isConstraint, openConnection, type Connection, type FileOptions } from './connection.ts'
import { checkedLimit, checkedName, countsOf, countsMax, storedId } from './checks.ts'
import { encodeDocument, jsonOf } from './document.ts'
import { conditionsOf, matches } from './filter.ts'
import { checkedIndexes, checkIndexed, type CheckedIndex } from './indexes.ts'
import { keyOf, orderSql, whereSql } from './sql.ts'
import type { Collection, Doc, Filter, Index, Store } from './store.ts'
import { applyUpdate, checkUpdate } from './update.ts'

/**
 * Opens the file, or makes it and its folder.
 *
 * @throws Problem store-unavailable when it cannot be opened or is no store of ours
 */
export async function embeddedStore (file: string, options: FileOptions = {}): Promise<Store> {
  const connection = await openConnection(file, options)
  // Shared by all who opened a collection, so that each is held to everyone's indexes.
  const indexesOf = new Map<string, CheckedIndex[]>()

  return {
    async collection<T extends Doc> (name: string, indexes: readonly Index[] = []) {
      const table = tableOf(name)
      await connection.define(definitions(table, indexes))
      const known = indexesOf.get(name) ?? []
      indexesOf.set(name, known)
      known.push(...checkedIndexes(indexes))
      return collectionOf<T>(connection, table, known)
    },
    async ping () {
      await connection.read(() => connection.statement('SELECT 1').get())
    },
    close: connection.close
  }
}

/** Table names ignore case, names of collections do not: a capital gets an underscore before it. */
function tableOf (name: string): string {
  return `c_${checkedName(name).replace(/[A-Z]/g, capital => `_${capital}`)}`
}

function definitions (table: string, indexes: readonly Index[]): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS "${table}" (_id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`,
    ...indexes.map(({ keys, unique }) => {
      const columns = keys.map(keyOf)
      const name = `${unique ? 'unique' : 'index'}:${table}:${keys.join(',')}`
      return unique
        ? `CREATE UNIQUE INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns.join(', ')}) ` +
          `WHERE ${columns.map(column => `${column} IS NOT NULL`).join(' AND ')}`
        // With _id last, so that pages in that order come straight from the index.
        : `CREATE INDEX IF NOT EXISTS "${name}" ON "${table}" (${[...columns, '_id'].join(', ')})`
    })
  ]
}

function collectionOf<T extends Doc> (
  { statement, read, write }: Connection, table: string, indexes: readonly CheckedIndex[]
): Collection<T> {
  const from = `FROM "${table}"`
  const insertSql = `INSERT INTO "${table}" VALUES (?, ?) ON CONFLICT DO NOTHING`
  const findSql = `SELECT doc ${from} WHERE _id = ?`
  const updateSql = `UPDATE "${table}" SET doc = ? WHERE _id = ?`
  const deleteSql = `DELETE ${from} WHERE _id = ?`
  const check = (doc: Doc): void => checkIndexed(doc, indexes)

  return {
    async insert (doc) {
      const json = encodeDocument(doc)
      check(doc)
      const id = storedId(doc._id)
      return await write(() => statement(insertSql).run(id, json) === 1)
    },
    async insertMissing (docs) {
      const rows = docs.map(doc => {
        check(doc)
        return [storedId(doc._id), encodeDocument(doc)] as const
      })
      const inserted = await Promise.all(rows.map(async ([id, json]) =>
        await write(() => statement(insertSql).run(id, json))))
      return inserted.reduce((sum, changes) => sum + changes, 0)
    },
    async find (id) {
      const row = await read(() => statement(findSql).get(storedId(id)))
      return row === undefined ? undefined : JSON.parse(row[0] as string) as T
    },
    async findMany (filter, options) {
      const where = whereSql(conditionsOf(filter))
      const sql = `SELECT doc ${from}${where.text}${orderSql(options.sort ?? {})} LIMIT ${checkedLimit(options)}`
      const rows = await read(() => statement(sql).all(...where.values))
      return rows.map(([doc]) => JSON.parse(doc as string) as T)
    },
    async count (filter) {
      const where = whereSql(conditionsOf(filter))
      return await read(() => statement(`SELECT count(*) ${from}${where.text}`).get(...where.values)?.[0] as number)
    },
    countBy: async (path, filter) => await countBy({ statement, read }, from, { path, filter }),
    async update (id, guard, update) {
      const conditions = conditionsOf(guard)
      checkUpdate(update)
      return await write(() => {
        const row = statement(findSql).get(storedId(id))
        if (row === undefined) return false
        const doc = JSON.parse(row[0] as string) as T
        if (!matches(doc, conditions)) return false
        applyUpdate(doc, update)
        check(doc)
        try {
          statement(updateSql).run(jsonOf(doc), storedId(id))
        } catch (cause) {
          if (!isConstraint(cause)) throw cause
          throw new Problem('conflict', `The update of ${id} would give it what another document has alone.`, { cause })
        }
        return true
      })
    },
    async delete (id) {
      return await write(() => statement(deleteSql).run(storedId(id)) === 1)
    }
  }
}

async function countBy (
  { statement, read }: Pick<Connection, 'statement' | 'read'>,
  from: string,
  { path, filter }: { path: string, filter: Filter }
): Promise<Record<string, number>> {
  const key = keyOf(path)
  const where = whereSql([...conditionsOf(filter), ...conditionsOf({ [path]: { $gte: '' } })])
  // As JSON, because the driver ends a string at its first NUL.
  const sql = `SELECT json_quote(${key}), count(*) ${from}${where.text} GROUP BY ${key} LIMIT ${countsMax + 1}`
  const rows = await read(() => statement(sql).all(...where.values))
  return countsOf(path, rows.map(([value, count]) => [JSON.parse(value as string), count as number]))
}
