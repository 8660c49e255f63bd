/** What every adapter asks of names, ids, limits, orders and counts before it asks its store. */
import { segmentsOf, wellFormed } from './document.ts'
import type { FindOptions } from './store.ts'

const limitMax = 10_000
export const countsMax = 10_000

/** @throws TypeError for what cannot name a collection */
export function checkedName (name: string): string {
  if (!/^[A-Za-z0-9-]{1,60}$/.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} is no name for a collection: letters, digits, hyphens, 60 at most`)
  }
  return name
}

/** Nothing but a string is ever an id: an object from a request must not become a condition. */
export function storedId (id: unknown): string {
  if (typeof id !== 'string') throw new TypeError(`An _id is a string, not ${typeof id}`)
  return wellFormed(id)
}

export function checkedLimit ({ limit }: FindOptions): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw new RangeError(`limit is a whole number from 1 to ${limitMax}, not ${limit}`)
  }
  return limit
}

/** The keys of an order, `_id` among them, so that no two documents are equal by it. */
export function checkedSort (sort: Record<string, 1 | -1> = {}): Array<[path: string, way: 1 | -1]> {
  const terms = Object.entries(sort)
  for (const [path, way] of terms) {
    segmentsOf(path)
    if (way !== 1 && way !== -1) throw new TypeError(`Sort by ${path} with 1 or -1`)
  }
  return Object.hasOwn(sort, '_id') ? terms : [...terms, ['_id', 1]]
}

/** What `countBy` answers. */
export function countsOf (
  path: string, counts: Array<[value: string, count: number]>
): Record<string, number> {
  if (counts.length > countsMax) throw new RangeError(`${path} has more than ${countsMax} values`)
  return Object.fromEntries(counts)
}
