/**
 * Where everything is kept. One narrow port, two adapters (embedded SQLite, MongoDB), one contract
 * suite. Documents are JSON with a string `_id`; there are no transactions, so every change of
 * state is one update of one document, guarded by what the document must still say.
 *
 * Wrong documents, filters, updates and ids throw TypeError, wrong sizes RangeError: they are bugs
 * of ours, and nothing has happened. What the disk or the server does is a Problem, disk-full or
 * store-unavailable. A write that ends so may have happened, or happen shortly, where a server is
 * asked over a network: its answer was lost, not necessarily the question. So every write must bear
 * being made twice and late: an insert under an id that says what is in it or who inserts, an update
 * guarded by what it changes; who needs to know asks again and looks.
 */

/**
 * Plain objects, lists, strings, finite numbers, booleans and null; at most 100 levels and 16 MiB.
 * Keys have no dot, NUL or leading `$`. Undefined members are left out, half a surrogate pair
 * becomes U+FFFD, and nothing else is altered.
 */
export interface Doc { _id: string }

export type Scalar = string | number | boolean | null

/**
 * Equality, `$in` and comparison over paths that hold scalars; all conditions must hold, `{}` is
 * everything. As in MongoDB: null means null or missing, in `$ne` and `$in` too; comparisons hold
 * only between two numbers or two strings; strings go by code point; a boolean is no number.
 * Segments of a path are letters, digits, `_` and `-`, not digits alone, and lead through objects,
 * never lists. A value from outside must have been checked to be a scalar: `{ $ne: null }` is a
 * good condition.
 */
export type Filter = Record<string, Scalar | { $in: readonly Scalar[] } | {
  $gt?: string | number, $gte?: string | number, $lt?: string | number, $lte?: string | number, $ne?: Scalar
} | { $exists: boolean }>

export interface Update {
  $set?: Record<string, unknown>
  $inc?: Record<string, number>
  $unset?: Record<string, true>
}

export interface FindOptions {
  /**
   * Path → 1 ascending, -1 descending; ascending `_id` where absent, and as the last key always.
   * Null and missing come before numbers, then strings, then booleans.
   */
  sort?: Record<string, 1 | -1>
  /** 1 to 10,000. */
  limit: number
}

export interface Collection<T extends Doc> {
  /** Inserts unless `_id` or a unique index has it already; says whether it did. */
  insert (doc: T): Promise<boolean>
  /** As `insert`, of many; answers how many were new. Not atomic: a crash leaves any part of them. */
  insertMissing (docs: readonly T[]): Promise<number>
  find (id: string): Promise<T | undefined>
  findMany (filter: Filter, options: FindOptions): Promise<T[]>
  count (filter: Filter): Promise<number>
  /**
   * How many documents have each string at `path`; others are not counted.
   *
   * @throws RangeError for more than 10,000 strings
   */
  countBy (path: string, filter: Filter): Promise<Record<string, number>>
  /**
   * Updates the document with this id if `guard` holds for it, atomically; says whether it did, also
   * when nothing is different after it. Objects missing on a path of `$set` or `$inc` are made. New
   * members may come in another order than they are named.
   *
   * @throws TypeError for `$inc` of what is no number, and for a path through what is no object
   * @throws Problem conflict when a unique index has the new value already
   */
  update (id: string, guard: Filter, update: Update): Promise<boolean>
  delete (id: string): Promise<boolean>
}

export interface Index { keys: readonly string[], unique?: true }

export interface Store {
  /**
   * @param name     letters, digits and hyphens, 60 at most
   * @param indexes  paths that queries filter or sort by; they hold scalars. A document has all
   *   paths of a unique index or none, and no null there; without them it is not held to it.
   */
  collection<T extends Doc> (name: string, indexes?: readonly Index[]): Promise<Collection<T>>
  /** Rejects with Problem store-unavailable when the store does not answer. */
  ping (): Promise<void>
  close (): Promise<void>
}
