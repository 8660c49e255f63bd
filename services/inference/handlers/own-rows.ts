/**
 * Sums that several processes keep in one store. Each process, each time it starts, has rows of its own
 * and writes what they have come to, never what is to be added: a write that is made twice, or late,
 * counts nothing twice. Whoever reads adds the rows of all.
 */
import { randomUUID } from 'node:crypto'
import type { Collection, Doc } from '../../../shared/store/store.ts'

const flushMs = 1_000
/** Written at once; the store commits as many together. */
const writesAtOnce = 200

/** Counts and amounts. */
export type Sums<S> = Record<keyof S, number>

export interface RowDoc<K, S> extends Doc {
  key: K
  sums: S
  writes: number
  /** Wall clock of the last write, in milliseconds; older versions have none. */
  at?: number
  /** Of a folded row: the one whose sums it has taken in last. */
  from?: string
}

/** Instead of the number of writes: the row is being folded, and nobody writes to it any more. */
export const markedWrites = Number.MAX_SAFE_INTEGER

interface Row<K, S> {
  id: string
  key: K
  sums: S
  writes: number
  inserted: boolean
  /** What the row holds for certain, and what former rows of this process hold that were folded. */
  written: S | null
  folded: S | null
}

export interface OwnRows<K, S> {
  /** Of this process, made when there is none. Change its sums in place, and say so. */
  row: (name: string, make: () => { key: K, sums: S }) => S
  has: (name: string) => boolean
  /** Whether a document is a row of this process. */
  isOwn: (id: string) => boolean
  /** Rows this process has. */
  size: () => number
  changed: (name: string) => void
  /** Forgets a row without writing it. */
  drop: (name: string) => void
  /** Writes what has changed; what cannot be written stays changed. @throws Problem of the store */
  flush: () => Promise<void>
  /** The last flush, and no more after it. */
  close: () => Promise<void>
}

/**
 * Written once a second where something has changed: a process that is killed loses what it summed since.
 *
 * @param onFault  told of each flush by the clock that failed; the next one tries again
 */
export function ownRows<K extends object, S extends Sums<S>> (
  collection: Collection<RowDoc<K, S>>, onFault: (cause: unknown) => void, now: () => number = Date.now
): OwnRows<K, S> {
  const incarnation = randomUUID()
  const rows = new Map<string, Row<K, S>>()
  const dirty = new Set<Row<K, S>>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let made = 0
  let closed = false

  function plan (): void {
    if (timer !== undefined || closed) return
    timer = setTimeout(() => {
      timer = undefined
      flush().catch(onFault).finally(() => { if (dirty.size > 0) plan() })
    }, flushMs)
    timer.unref()
  }

  async function write (row: Row<K, S>): Promise<void> {
    dirty.delete(row)
    try {
      while (!await writeRow(collection, row, now())) row.id = `${incarnation}-${made++}`
    } catch (cause) {
      dirty.add(row)
      throw cause
    }
  }

  async function flushOnce (): Promise<void> {
    const waiting = [...dirty]
    for (let at = 0; at < waiting.length; at += writesAtOnce) {
      const ended = await Promise.allSettled(waiting.slice(at, at + writesAtOnce).map(write))
      const fault = ended.find(end => end.status === 'rejected')
      if (fault !== undefined) throw fault.reason
    }
  }

  /** One after the other, so that writes of one row keep their order. */
  async function flush (): Promise<void> {
    flushing = flushing.catch(() => {}).then(flushOnce)
    await flushing
  }

  return {
    row (name, make) {
      let row = rows.get(name)
      if (row === undefined) {
        row = { id: `${incarnation}-${made++}`, ...make(), writes: 0, inserted: false, written: null, folded: null }
        rows.set(name, row)
      }
      return row.sums
    },
    has: name => rows.has(name),
    isOwn: id => id.startsWith(incarnation),
    size: () => rows.size,
    changed (name) {
      const row = rows.get(name)
      if (row === undefined) return
      dirty.add(row)
      plan()
    },
    drop (name) {
      const row = rows.get(name)
      rows.delete(name)
      if (row !== undefined) dirty.delete(row)
    },
    flush,
    async close () {
      closed = true
      clearTimeout(timer)
      await flush()
    }
  }
}

/** @returns false when the row was folded: what it did not hold yet goes to another, under a new id */
async function writeRow<K extends object, S extends Sums<S>> (
  collection: Collection<RowDoc<K, S>>, row: Row<K, S>, at: number
): Promise<boolean> {
  const sums = row.folded === null ? { ...row.sums } : addNumbers(row.sums, row.folded, -1)
  const writes = ++row.writes
  if (!row.inserted) {
    // False: it was inserted by a write whose answer was lost.
    const isNew = await collection.insert({ _id: row.id, key: row.key, sums, writes, at })
    row.inserted = true
    if (isNew) { row.written = sums; return true }
  }
  // A late write of less does not undo a later one of more.
  const done = await collection.update(row.id, { writes: { $lt: writes } }, { $set: { sums, writes, at } })
  const there = done ? undefined : await collection.find(row.id)
  // It was made already, and its answer was lost.
  if (done || (there !== undefined && there.writes !== markedWrites)) { row.written = sums; return true }
  const folded = there?.sums ?? row.written
  if (folded !== null) row.folded = row.folded === null ? folded : addNumbers(row.folded, folded, 1)
  Object.assign(row, { writes: 0, inserted: false, written: null })
  return false
}

/** @param times  1 adds, -1 subtracts; a count that `other` has not is 0 */
export function addNumbers<S extends Sums<S>> (sums: S, other: Partial<S>, times: 1 | -1): S {
  const names = [...new Set([...Object.keys(sums), ...Object.keys(other)])] as Array<keyof S>
  const added = names.map(name => [name, (sums[name] ?? 0) + times * (other[name] ?? 0)])
  return Object.fromEntries(added) as S
}

/** Every row of a collection, a page at a time. */
export async function * allRows<T extends Doc> (
  collection: Collection<T>, filter: Record<string, string>
): AsyncGenerator<T> {
  for (let after = ''; ;) {
    const page = await collection.findMany({ ...filter, _id: { $gt: after } }, { limit: 1_000 })
    yield * page
    const last = page.at(-1)
    if (last === undefined || page.length < 1_000) return
    after = last._id
  }
}
