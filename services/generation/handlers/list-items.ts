/** The items of a generation as lines of JSON, a page of the store at a time. */
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Parts } from './parts.ts'

const pageItems = 200

export async function * itemLines ({ store }: Parts, generationId: string): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const from = cursor === undefined ? {} : { cursor }
    const page = await store.listItems({ generationId, limit: pageItems, ...from })
    if (page.items.length > 0) yield page.items.map(item => `${canonicalJson(item)}\n`).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
