/** What indexes ask of documents, on every adapter. */
import { segmentsOf, valueAt } from './document.ts'
import type { Doc, Index, Update } from './store.ts'

interface IndexedPath { path: string, segments: readonly string[] }
export interface CheckedIndex { paths: readonly IndexedPath[], unique: boolean }

/** @throws TypeError for a path that is none */
export function checkedIndexes (indexes: readonly Index[]): CheckedIndex[] {
  return indexes.map(({ keys, unique = false }) =>
    ({ paths: keys.map(path => ({ path, segments: segmentsOf(path) })), unique }))
}

/**
 * Holds a document to what its indexes need on every adapter: scalars, and for a unique index all
 * of its paths or none, since adapters differ in how they take half of them.
 *
 * @throws TypeError where it does not
 */
export function checkIndexed (doc: Doc, indexes: readonly CheckedIndex[]): void {
  for (const { paths, unique } of indexes) {
    let present = 0
    for (const path of paths) present += Number(holdsScalar(doc, path, unique))
    if (unique && present > 0 && present < paths.length) {
      throw new TypeError(`${doc._id} has ${present} of the unique ${paths.map(({ path }) => path).join(', ')}: all or none`)
    }
  }
}

function holdsScalar (doc: Doc, { path, segments }: IndexedPath, unique: boolean): boolean {
  const value = valueAt(doc, segments)
  if (value === undefined) return false
  if (value === null && unique) {
    throw new TypeError(`${path} of ${doc._id} is unique: leave it out where there is none, null is a value`)
  }
  if (typeof value === 'object' && value !== null) {
    throw new TypeError(`${path} of ${doc._id} has an index: it holds a string, number, boolean or null`)
  }
  return true
}

/**
 * What can be told of an update without its document: nothing but a scalar comes to an indexed
 * path, and no null to a unique one.
 *
 * @throws TypeError where it would
 */
export function checkIndexedUpdate ({ $set = {} }: Update, indexes: readonly CheckedIndex[]): void {
  for (const { paths, unique } of indexes) {
    for (const { path, segments } of paths) {
      for (const [changed, value] of Object.entries($set)) {
        if (changed.startsWith(`${path}.`)) {
          throw new TypeError(`${path} has an index and holds no object, which ${changed} would make of it`)
        }
        if (path !== changed && !path.startsWith(`${changed}.`)) continue
        const rest = segments.slice(changed.split('.').length)
        const doc = { _id: 'The update', value } as Doc
        holdsScalar(doc, { path, segments: ['value', ...rest] }, unique)
      }
    }
  }
}
