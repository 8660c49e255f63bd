/** The one task of an import: reads its file, and keeps rows, items and images as they come. */
import { Problem } from '../../../shared/errors/problem.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { pagesWithRoom } from './domain/exam/pictures.ts'
import { limits } from './domain/limits.ts'
import type { ImportParts, ImportSpec } from './parts.ts'

/**
 * The summary last: where it is, all rows are. After a crash all is read again, and what is kept already is
 * the same under the same ids.
 */
export async function readImport (
  parts: Omit<ImportParts, 'jobs'>, { _id: importId, spec }: JobRecord<ImportSpec>, signal: AbortSignal
): Promise<void> {
  const { banks, items, blobs, thread } = parts
  if (await banks.findSummary(importId) !== undefined) return
  const { options } = spec
  const content = spec.paperId === null
    ? await fileOf(parts, spec)
    : await examOf(parts, spec.paperId, spec.contentHash)
  const summary = await thread.read({ ...content, importId, options }, {
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

async function fileOf ({ blobs }: Pick<ImportParts, 'blobs'>, { contentHash, container }: ImportSpec) {
  const bytes = await blobs.find(contentHash)
  if (bytes === undefined) throw new Error(`Blob ${contentHash} of an import is gone`)
  return { bytes, container }
}

/** @throws Problem paper-deleted; limit-exceeded for more bytes of images than a file may have */
async function examOf ({ parsing }: Pick<ImportParts, 'parsing'>, paperId: string, documentHash: string) {
  const document = await parsing.getDocument(paperId, documentHash)
  const images = { figures: new Map<string, Uint8Array>(), pages: new Map<number, Uint8Array>() }
  let bytes = 0
  const counted = (image: Uint8Array) => {
    bytes += image.byteLength
    if (bytes > limits.fileBytes) throw new Problem('limit-exceeded', `The pictures of the exam have more than ${limits.fileBytes / 2 ** 20} MiB; split it and import the parts.`)
    return image
  }
  for (const { id, imageId } of document.figures) {
    if (imageId === null) continue
    images.figures.set(id, counted(await parsing.getFigureImage(paperId, id, documentHash)))
  }
  for (const page of pagesWithRoom(document)) {
    images.pages.set(page, counted(await parsing.getPageImage(paperId, page, limits.pageDpi)))
  }
  return { document, images }
}
