/**
 * Rows that nobody has written for long become one for each key, so that starts of processes leave nothing
 * behind. Each step is one guarded change of one document, and whoever finds it half done goes on from
 * there: a row is marked, so that its owner writes no more to it; its sums are added to those of its key,
 * which note whose they took in last; only then it is deleted, and before that nothing else is taken in.
 */
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Collection } from '../../../shared/store/store.ts'
import { addNumbers, allRows, markedWrites, type RowDoc, type Sums } from './own-rows.ts'

/** Sorts before the ids of processes, which begin with a hexadecimal digit. */
const foldedPrefix = '-folded-'
const attemptsMax = 20

export interface FoldOptions<K> {
  nameOf: (key: K) => string
  /** Wall clock, in milliseconds. */
  now: number
  /** Rows written since are left alone. */
  quietMs: number
}

export function isFolded (id: string): boolean {
  return id.startsWith(foldedPrefix)
}

/** Safe at any time, in several processes at once. @throws Problem of the store; what is done stays done */
export async function foldRows<K extends object, S extends Sums<S>> (
  collection: Collection<RowDoc<K, S>>, { nameOf, now, quietMs }: FoldOptions<K>
): Promise<void> {
  for await (const row of allRows(collection, {})) {
    const { _id, writes, at } = row
    if (isFolded(_id)) continue
    if (writes !== markedWrites) {
      // Of a version that wrote no times: it may have been written just now.
      const mark = at === undefined ? { at: now } : { writes: markedWrites }
      if (at !== undefined && now - at < quietMs) continue
      const isMarked = await collection.update(_id, { writes }, { $set: mark })
      if (!isMarked || at === undefined) continue
    }
    await takeIn(collection, row, `${foldedPrefix}${sha256(nameOf(row.key))}`)
  }
}

/** @param row  one that is marked: it never changes again */
async function takeIn<K extends object, S extends Sums<S>> (
  collection: Collection<RowDoc<K, S>>, { _id, key, sums }: RowDoc<K, S>, id: string
): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const folded = await collection.find(id)
    if (folded?.from !== undefined && folded.from !== _id) await collection.delete(folded.from)
    // Looked at after the other, which is unchanged when it is written: what is there is not in it yet.
    if (await collection.find(_id) === undefined) return
    const isTaken = folded === undefined
      ? await collection.insert({ _id: id, key, sums, writes: 1, from: _id })
      : folded.from === _id || await collection.update(id, { writes: folded.writes }, {
        $set: { sums: addNumbers(folded.sums, sums, 1), writes: folded.writes + 1, from: _id }
      })
    if (isTaken) {
      await collection.delete(_id)
      return
    }
  }
}

/**
 * All rows, each call counted once, whatever is folded meanwhile: folded ones are read first, and again at
 * the end; where one has changed by then, all is read anew.
 *
 * @returns false when it was not to be had at once
 */
export async function readRows<K extends object, S extends Sums<S>> (
  collection: Collection<RowDoc<K, S>>, filter: Record<string, string>, each: (row: RowDoc<K, S>) => void
): Promise<boolean> {
  const takenIn = new Set<string>()
  const versions = new Map<string, number>()
  for await (const row of allRows(collection, filter)) {
    if (isFolded(row._id)) {
      versions.set(row._id, row.writes)
      if (row.from !== undefined) takenIn.add(row.from)
    } else if (takenIn.has(row._id)) continue
    each(row)
  }
  let seen = 0
  for await (const { _id, writes } of allRows(collection, filter)) {
    if (!isFolded(_id)) break
    if (versions.get(_id) !== writes) return false
    seen++
  }
  return seen === versions.size
}
