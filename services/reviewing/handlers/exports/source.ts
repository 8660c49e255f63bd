/**
 * A frozen benchmark as exports read it. In memory at any time: items.jsonl as bytes, one entry for
 * each figure of its papers, `documentsKept` documents, and the pictures of what is being written.
 */
import { setImmediate } from 'node:timers/promises'
import type { Blobs } from '../../../../shared/blobs/blobs.ts'
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import { imageTypeOf, type ImageType } from '../../../../shared/images/image-type.ts'
import type { Pictured } from '../../domain/exports/prompts.ts'
import { canaryGuid, canaryOf } from '../../domain/canary.ts'
import type { ReviewingStore } from '../../store.ts'

export interface FileParts { store: ReviewingStore, blobs: Blobs }

export interface ExportSource {
  benchmark: Benchmark
  canary: string
  canaryGuid: string
  /** In the benchmark's order; read anew at each call. */
  items: () => AsyncIterable<BenchmarkItem>
  /** Null for an item of a bank. */
  documentOf: (item: BenchmarkItem) => Promise<Document | null>
  documents: () => AsyncIterable<Document>
  /** Figures an item is about, or its images, then the pictures of its choices. */
  picturesOf: (item: BenchmarkItem) => Pictured[]
  bytesOf: (blobId: string) => Promise<Buffer>
  /** What a picture is, by its bytes. */
  typeOf: (blobId: string) => Promise<ImageType>
}

const documentsKept = 16

export async function openSource ({ store, blobs }: FileParts, benchmarkId: string): Promise<ExportSource> {
  const { value: benchmark, itemsBlobId, documents, figures } = await store.getBenchmark(benchmarkId)
  const blobOfImage = new Map(figures.map(({ imageId, blobId }) => [imageId, blobId]))
  const blobOfDocument = new Map(documents.map(({ documentHash, blobId }) => [documentHash, blobId]))
  const bytesOf = async (blobId: string) => {
    const bytes = await blobs.find(blobId)
    if (bytes === undefined) throw new Error(`Blob ${blobId} of a frozen benchmark is gone`)
    return bytes
  }
  const read = async (documentHash: string) =>
    JSON.parse((await bytesOf(blobOfDocument.get(documentHash)!)).toString('utf8')) as Document

  const documentsRead = new Map<string, Document>()
  async function documentOf ({ source }: BenchmarkItem): Promise<Document | null> {
    if (!('documentHash' in source)) return null
    const document = documentsRead.get(source.documentHash) ?? await read(source.documentHash)
    documentsRead.delete(source.documentHash)
    documentsRead.set(source.documentHash, document)
    for (const [oldest] of documentsRead) {
      if (documentsRead.size > documentsKept) documentsRead.delete(oldest)
    }
    return document
  }

  const ofFigure = new Map<string, Pictured>()
  for (const { documentHash } of documents) {
    for (const { id, label, caption, imageId } of (await read(documentHash)).figures) {
      ofFigure.set(`${documentHash} ${id}`, { label, caption, blobId: blobOfImage.get(imageId ?? '') ?? null, choice: null })
    }
  }
  const lines = await bytesOf(itemsBlobId)
  return {
    benchmark,
    canary: canaryOf(benchmark.version),
    canaryGuid: canaryGuid(benchmark.version),
    items: () => itemsIn(lines),
    documentOf,
    async * documents () {
      for (const { documentHash } of documents) yield await read(documentHash)
    },
    picturesOf: ({ source, figureIds, images = [], choices = [] }) => [
      ...figureIds.flatMap(id => ofFigure.get(`${'documentHash' in source ? source.documentHash : ''} ${id}`) ?? []),
      ...images.map(({ imageId, time, caption = '' }, at) => ({
        label: [`Image ${at + 1}`, time].filter(Boolean).join(', '),
        caption,
        blobId: blobOfImage.get(imageId) ?? null,
        choice: null
      })),
      ...choices.flatMap(({ imageId }, choice) => imageId === undefined
        ? []
        : { label: '', caption: '', blobId: blobOfImage.get(imageId) ?? null, choice })
    ],
    bytesOf,
    typeOf: async blobId => imageTypeOf(await bytesOf(blobId)) ?? 'image/png'
  }
}

/** Few enough that others in this process do not feel what is made of them. */
const itemsAtOnce = 20

/** Split at \n alone: other line separators are text within JSON strings. */
async function * itemsIn (lines: Buffer): AsyncGenerator<BenchmarkItem> {
  for (let start = 0, count = 1; start < lines.length; count++) {
    if (count % itemsAtOnce === 0) await setImmediate()
    const newline = lines.indexOf(10, start)
    const end = newline < 0 ? lines.length : newline
    if (end > start) yield JSON.parse(lines.toString('utf8', start, end)) as BenchmarkItem
    start = end + 1
  }
}
