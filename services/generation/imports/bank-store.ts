/**
 * Rows of imports with what became of them, what an import comes to, and which images there are.
 * Inserting twice is a no-op, so an import that is read again after a crash does no harm.
 */
import type { ImportRow, RowState } from '../../../shared/contracts/bank.ts'
import type { Page, PageRequest } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Doc, Filter, Store } from '../../../shared/store/store.ts'
import { rowKeyOf } from '../slot.ts'
import { isImageDefect } from './domain/notes.ts'
import type { Summary } from './read-bank.ts'

interface RowDoc extends Doc { importId: string, state: RowState, row: ImportRow }
/** One for each code of a row, for a list cannot be searched. */
interface NoteDoc extends Doc { importId: string, code: string, state: RowState, row: ImportRow }
interface RecordDoc extends Doc { summary: Summary }
interface ImageDoc extends Doc { mediaType: string, bytes: number }

export interface RowsAsked extends PageRequest { state?: RowState, note?: string }

/** Any note of an image. */
export const imageDefect = 'image-defect'

export async function bankStore (store: Store) {
  const rows = await store.collection<RowDoc>('bankRows', [
    { keys: ['importId', '_id'] }, { keys: ['importId', 'state', '_id'] }
  ])
  const notes = await store.collection<NoteDoc>('bankNotes', [{ keys: ['importId', 'code', '_id'] }])
  const records = await store.collection<RecordDoc>('bankRecords')
  const images = await store.collection<ImageDoc>('bankImages')

  return {
    findSummary: async (importId: string) => (await records.find(importId))?.summary,
    saveSummary: async (importId: string, summary: Summary) => {
      await records.insert({ _id: importId, summary })
    },
    findImage: async (imageId: string) => await images.find(imageId),
    saveImage: async (imageId: string, mediaType: string, bytes: number) => {
      await images.insert({ _id: imageId, mediaType, bytes })
    },

    async insertRows (importId: string, found: readonly ImportRow[]): Promise<void> {
      await notes.insertMissing(found.flatMap(row => codesOf(row).map(code =>
        ({ _id: `${rowKeyOf(importId, row.row)}-${code}`, importId, code, state: row.state, row }))))
      await rows.insertMissing(found.map(row =>
        ({ _id: rowKeyOf(importId, row.row), importId, state: row.state, row })))
    },

    /** In the order of the file; the cursor is the last row's number. */
    async listRows (importId: string, { state, note, cursor, limit }: RowsAsked): Promise<Page<ImportRow>> {
      if (cursor !== undefined && !/^\d{1,8}$/.test(cursor)) {
        throw new Problem('invalid-cursor', 'Pass nextCursor of the page before, unchanged, or leave the cursor out.')
      }
      // After the row of the cursor with all its notes, whose ids go on with a hyphen.
      const after: Filter = cursor === undefined ? {} : { _id: { $gt: `${rowKeyOf(importId, Number(cursor))}~` } }
      const wanted: Filter = { importId, ...after, ...state !== undefined && { state } }
      const options = { sort: { _id: 1 as const }, limit: limit + 1 }
      const found = note === undefined
        ? await rows.findMany(wanted, options)
        : await notes.findMany({ ...wanted, code: note }, options)
      const items = found.slice(0, limit).map(({ row }) => row)
      return { items, nextCursor: found.length > limit ? String(items.at(-1)!.row) : null }
    }
  }
}

export type BankStore = Awaited<ReturnType<typeof bankStore>>

function codesOf (row: ImportRow): string[] {
  const codes = row.notes.map(({ code }) => code)
  return [...new Set([...codes, ...row.notes.some(isImageDefect) ? [imageDefect] : []])]
}
