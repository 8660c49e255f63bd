/** The files of a benchmark. They never change, so whoever has one may keep it for good. */
import { Readable } from 'node:stream'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { csvHeader, csvRow } from '../domain/csv.ts'
import { publicLine } from '../domain/freeze.ts'
import type { ReviewingStore } from '../store.ts'

export interface FileParts { store: ReviewingStore, blobs: Blobs }

export async function readItemsJsonl (parts: FileParts, benchmarkId: string): Promise<Readable> {
  const { itemsBlobId } = await parts.store.getBenchmark(benchmarkId)
  return await blobOf(parts.blobs, itemsBlobId)
}

export async function readItemsCsv (parts: FileParts, benchmarkId: string): Promise<Readable> {
  const map = (line: string) => csvRow(JSON.parse(line) as BenchmarkItem)
  return await mappedLines(parts, benchmarkId, { map, head: csvHeader })
}

/** Forms in which a benchmark may be published; what each makes of a line of items.jsonl. */
const exportFormats: Record<string, (line: string) => string> = {
  jsonl: line => `${publicLine(line)}\n`
}

/** @throws Problem export-not-found, naming the formats there are */
export async function readExport (
  parts: FileParts, { benchmarkId, format }: { benchmarkId: string, format: string }
): Promise<Readable> {
  const map = Object.hasOwn(exportFormats, format) ? exportFormats[format] : undefined
  if (map === undefined) {
    throw new Problem('export-not-found', `There is no such export format; there is ${Object.keys(exportFormats).join(', ')}.`)
  }
  return await mappedLines(parts, benchmarkId, { map })
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
): Promise<Readable> {
  const { figures } = await parts.store.getBenchmark(benchmarkId)
  const found = figures.find(figure => figure.imageId === imageId)
  if (found !== undefined) return await blobOf(parts.blobs, found.blobId)
  throw new Problem('figure-not-found', `No item of benchmark ${benchmarkId} names an image ${imageId}.`)
}

async function blobOf (blobs: Blobs, blobId: string): Promise<Readable> {
  const stream = await blobs.stream(blobId)
  if (stream === undefined) throw new Error(`Blob ${blobId} of a frozen benchmark is gone`)
  return stream
}

/** Split at \n alone: other line separators are text within JSON strings. */
async function mappedLines (
  parts: FileParts, benchmarkId: string, { map, head = '' }: { map: (line: string) => string, head?: string }
): Promise<Readable> {
  const { itemsBlobId } = await parts.store.getBenchmark(benchmarkId)
  const bytes = await parts.blobs.find(itemsBlobId)
  if (bytes === undefined) throw new Error(`Blob ${itemsBlobId} of a frozen benchmark is gone`)
  const lines = bytes.toString('utf8').split('\n').filter(line => line !== '')
  return Readable.from(function * () {
    if (head !== '') yield head
    for (const line of lines) yield map(line)
  }())
}
