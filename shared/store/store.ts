/**
 * Where everything is kept. One narrow port, two adapters (embedded SQLite, MongoDB), one contract
 * suite. Documents are JSON with a string `_id`; there are no transactions, so every change of
 * state is one update of one document, guarded by what the document must still say.
 */
export interface Doc { _id: string }

export type Scalar = string | number | boolean | null

/** Equality, `$in` and comparison over paths that hold scalars; all conditions must hold. */
export type Filter = Record<string, Scalar | { $in: readonly Scalar[] } | {
  $gt?: string | number, $gte?: string | number, $lt?: string | number, $lte?: string | number, $ne?: Scalar
} | { $exists: boolean }>

export interface Update {
  $set?: Record<string, unknown>
  $inc?: Record<string, number>
  $unset?: Record<string, true>
}

export interface FindOptions {
  /** Path → 1 ascending, -1 descending; ascending `_id` where absent, and as the last key always. */
  sort?: Record<string, 1 | -1>
  /** At most 10,000. */
  limit: number
}

export interface Collection<T extends Doc> {
  /** Inserts unless `_id` or a unique index has it already; says whether it did. */
  insert (doc: T): Promise<boolean>
  /** As `insert`, of many; answers how many were new. Not atomic: a crash leaves a prefix. */
  insertMissing (docs: readonly T[]): Promise<number>
  find (id: string): Promise<T | undefined>
  findMany (filter: Filter, options: FindOptions): Promise<T[]>
  count (filter: Filter): Promise<number>
  /** How many documents have each value of `path` (a string path). */
  countBy (path: string, filter: Filter): Promise<Record<string, number>>
  /** Updates the document with this id if `guard` holds for it, atomically; says whether it did. */
  update (id: string, guard: Filter, update: Update): Promise<boolean>
  delete (id: string): Promise<boolean>
}

export interface Index { keys: readonly string[], unique?: true }

export interface Store {
  /**
   * @param name     letters, digits and hyphens
   * @param indexes  paths that queries filter or sort by; they hold scalars. Unique ones are sparse.
   */
  collection<T extends Doc> (name: string, indexes?: readonly Index[]): Promise<Collection<T>>
  /** Rejects with Problem store-unavailable when the store does not answer. */
  ping (): Promise<void>
  close (): Promise<void>
}
