/** One page of a list whose cursor is the last id seen. */
import type { Page, PageRequest } from '../../shared/contracts/page.ts'
import { Problem } from '../../shared/errors/problem.ts'
import type { Collection, Doc, Filter } from '../../shared/store/store.ts'

/** @param page  `form`: what a cursor of this list looks like */
export async function pageOf<T> (
  collection: Collection<Doc & { value: T }>, filter: Filter, page: PageRequest & { form: RegExp }
): Promise<Page<T>> {
  const { cursor, limit, form } = page
  if (cursor !== undefined && !form.test(cursor)) throw invalidCursor()
  const docs = await collection.findMany(
    { ...filter, ...cursor !== undefined && { _id: { $gt: cursor } } }, { limit: limit + 1 })
  const items = docs.slice(0, limit)
  return {
    items: items.map(({ value }) => value),
    nextCursor: docs.length > limit ? items.at(-1)!._id : null
  }
}

export function invalidCursor (): Problem {
  return new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
}
