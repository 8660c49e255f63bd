/** The one task of an import: reads its file, and keeps rows, items and images as they come. */
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import type { ImportParts, ImportSpec } from './parts.ts'

/**
 * The summary last: where it is, all rows are. After a crash all is read again, and what is kept already is
 * the same under the same ids.
 */
export async function readImport (
  { banks, items, blobs, thread }: Omit<ImportParts, 'jobs'>, { _id: importId, spec }: JobRecord<ImportSpec>, signal: AbortSignal
): Promise<void> {
  if (await banks.findSummary(importId) !== undefined) return
  const { container, options, contentHash } = spec
  const bytes = await blobs.find(contentHash)
  if (bytes === undefined) throw new Error(`Blob ${contentHash} of import ${importId} is gone`)
  const summary = await thread.read({ bytes, container, importId, options }, {
    async image ({ imageId, mediaType, bytes }) {
      await blobs.put(bytes)
      await banks.saveImage(imageId, mediaType, bytes.byteLength)
    },
    async batch ({ rows, items: made }) {
      await items.insertBankItems(importId, made.map(item => ({ row: 'bankId' in item.source ? item.source.row : 0, item })))
      await banks.insertRows(importId, rows)
    }
  }, signal)
  await banks.saveSummary(importId, summary)
}
