/** The files of a benchmark. They never change, so whoever has one may keep it for good. */
import { Readable } from 'node:stream'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { imageTypeOf, type ImageType } from '../../../shared/images/image-type.ts'
import { csvHeader, csvRow } from '../domain/csv.ts'
import { openSource, type FileParts } from './exports/source.ts'

export async function readItemsJsonl (parts: FileParts, benchmarkId: string): Promise<Readable> {
  const { itemsBlobId } = await parts.store.getBenchmark(benchmarkId)
  return await blobOf(parts.blobs, itemsBlobId)
}

export async function readItemsCsv (parts: FileParts, benchmarkId: string): Promise<Readable> {
  const { items } = await openSource(parts, benchmarkId)
  return Readable.from(async function * () {
    yield csvHeader
    for await (const item of items()) yield csvRow(item)
  }())
}

/** @throws Problem paper-not-found for a document that is not in this benchmark */
export async function readDocument (
  parts: FileParts, { benchmarkId, documentHash }: { benchmarkId: string, documentHash: string }
): Promise<Readable> {
  const { documents } = await parts.store.getBenchmark(benchmarkId)
  const found = documents.find(document => document.documentHash === documentHash)
  if (found !== undefined) return await blobOf(parts.blobs, found.blobId)
  throw new Problem('paper-not-found', `Benchmark ${benchmarkId} has no document ${documentHash}.`)
}

/** @throws Problem figure-not-found for an image that no item of this benchmark names */
export async function readFigure (
  parts: FileParts, { benchmarkId, imageId }: { benchmarkId: string, imageId: string }
): Promise<{ bytes: Buffer, type: ImageType }> {
  const { figures } = await parts.store.getBenchmark(benchmarkId)
  const found = figures.find(figure => figure.imageId === imageId)
  if (found !== undefined) {
    const bytes = await parts.blobs.find(found.blobId)
    if (bytes === undefined) throw new Error(`Blob ${found.blobId} of a frozen benchmark is gone`)
    return { bytes, type: imageTypeOf(bytes) ?? 'image/png' }
  }
  throw new Problem('figure-not-found', `No item of benchmark ${benchmarkId} names an image ${imageId}.`)
}

async function blobOf (blobs: Blobs, blobId: string): Promise<Readable> {
  const stream = await blobs.stream(blobId)
  if (stream === undefined) throw new Error(`Blob ${blobId} of a frozen benchmark is gone`)
  return stream
}
