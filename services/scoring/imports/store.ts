/** Imports as they are kept: the record as a document, its rows as blobs. Nothing changes afterwards. */
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import type { ImportedItem, RejectedRow, RunImport } from '../../../shared/contracts/run-import.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Doc, Store } from '../../../shared/store/store.ts'
import { views, type Kept, type View } from './kept.ts'

interface ImportDoc extends Doc { value: RunImport, blobIds: Record<View, string> }

export async function importStore (store: Store, blobs: Blobs) {
  const imports = await store.collection<ImportDoc>('runImports')

  async function getDoc (importId: string): Promise<ImportDoc> {
    const doc = await imports.find(importId)
    if (doc !== undefined) return doc
    throw new Problem('run-import-not-found', `There is no import ${importId}; POST /v1/run-imports with a log makes one.`)
  }

  async function bytesOf (importId: string, view: View): Promise<Buffer> {
    const { blobIds } = await getDoc(importId)
    const bytes = await blobs.find(blobIds[view])
    if (bytes === undefined) throw new Error(`Blob ${blobIds[view]} of import ${importId} is gone`)
    return bytes
  }

  return {
    find: async (importId: string) => (await imports.find(importId))?.value,
    get: async (importId: string) => (await getDoc(importId)).value,
    bytesOf,

    async save ({ record, files }: Kept): Promise<{ created: boolean }> {
      const ids = []
      for (const view of views) ids.push([view, (await blobs.put(files[view])).id])
      const blobIds = Object.fromEntries(ids) as Record<View, string>
      return { created: await imports.insert({ _id: record.id, value: record, blobIds }) }
    },

    /** By id; the cursor is the last one's. */
    async list ({ cursor, limit }: PageRequest): Promise<Page<RunImport>> {
      const docs = await imports.findMany({ _id: { $gt: cursor ?? '' } }, { sort: { _id: 1 }, limit: limit + 1 })
      const items = docs.slice(0, limit).map(({ value }) => value)
      return { items, nextCursor: docs.length > limit ? items.at(-1)!.id : null }
    },

    /** The cursor is the place in the file where the page begins. */
    async listRows (importId: string, view: View, { cursor = '0', limit }: PageRequest): Promise<Page<ImportedItem | RejectedRow>> {
      const bytes = await bytesOf(importId, view)
      const start = /^\d{1,12}$/.test(cursor) ? Number(cursor) : -1
      if (start < 0 || start > bytes.length || (start > 0 && bytes[start - 1] !== newLine)) {
        throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
      }
      const items: Array<ImportedItem | RejectedRow> = []
      let from = start
      while (items.length < limit && from < bytes.length) {
        const end = bytes.indexOf(newLine, from)
        items.push(JSON.parse(bytes.toString('utf8', from, end)))
        from = end + 1
      }
      return { items, nextCursor: from < bytes.length ? String(from) : null }
    }
  }
}

const newLine = 0x0a

export type ImportStore = Awaited<ReturnType<typeof importStore>>
