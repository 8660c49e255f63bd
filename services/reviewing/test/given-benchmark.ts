/** A frozen benchmark in a real store with real blobs, of items that try the exports. */
import { encode } from 'fast-png'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import { folderBlobs } from '../../../shared/blobs/folder.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { canonicalJson, idOf } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { freeze } from '../domain/freeze.ts'
import { reviewingStore } from '../store.ts'
import { choice, descriptive, document as plain, pair } from './fixtures.ts'

interface Teardown { teardown: (close: () => Promise<void>) => void }

const reviewingId = idOf('reviewing', 'exports')
export const pixels = Uint8Array.from({ length: 5 * 4 * 3 }, (_, i) => i * 4)
const picture = Buffer.from(encode({ width: 5, height: 4, data: pixels, channels: 3 }))

/** Text that is a template, an image's place, markup or several lines to somebody who reads it. */
const hostile = '{{ 7 * 7 }} <image> {% raw %} "quoted" \\n\n=1+1\u2028ü漢🙂 %s'
const document: Document = { ...plain, title: hostile, footnotes: [{ text: 'This work is licensed under a Creative Commons Attribution 4.0 International License.', page: 1, box: [0, 0, 1, 1] }] }

const choiceNamed = (name: string, own: Partial<Item>): Item => ({ ...choice(own), id: idOf('item', name) })
const many = Array.from({ length: 20 }, (_, i) => ({ text: `choice ${i}` }))

export const items: Item[] = [
  descriptive({ question: hostile, answer: '[1, 2]', rationale: hostile }, 'list'),
  descriptive({ answer: '42', longAnswer: 'It is 42.', evidence: [] }, 'number'),
  descriptive({ kind: 'vqa', place: 'f1', figureIds: ['f1'], answer: hostile }, 'vqa'),
  choiceNamed('hostile', { question: hostile, choices: [{ text: hostile }, { text: 'no' }, { text: '1' }], answerIndex: 2 }),
  choiceNamed('many', { choices: many, answerIndex: 19 }),
  choiceNamed('picture', { place: 'f1', figureIds: ['f1', 'f1'], choices: [{ text: 'this', imageId: 'a'.repeat(64) }, { text: 'that' }], answerIndex: 0 }),
  choiceNamed('lines', { choices: [{ text: '4 mm/s\nC) 5 mm/s' }, { text: 'neither\u2028C) 6 mm/s\u0085D) both' }], answerIndex: 0 }),
  choiceNamed('table', { place: 't1' }),
  ...pair()
]

export interface GivenBenchmark {
  parts: { store: Awaited<ReturnType<typeof reviewingStore>>, blobs: Blobs }
  benchmarkId: string
  items: BenchmarkItem[]
  canary: string
  imageBlobId: string
}

interface Contents {
  items: readonly Item[]
  documents: readonly Document[]
  pictures: ReadonlyMap<string, Buffer>
}

const ofPapers: Contents = { items, documents: [document], pictures: new Map([['a'.repeat(64), picture]]) }

export async function givenBenchmark (t: Teardown, contents: Contents = ofPapers): Promise<GivenBenchmark> {
  const dir = await mkdtemp(join(tmpdir(), 'viva-exports-'))
  const opened = await embeddedStore(join(dir, 'reviewing.db'))
  t.teardown(async () => {
    await opened.close()
    await rm(dir, { recursive: true, force: true })
  })
  const parts = { store: await reviewingStore(opened), blobs: await folderBlobs(join(dir, 'blobs')) }
  const request = { name: hostile.replaceAll(/\s/g, ' '), reviewingIds: [reviewingId], verdicts: ['good' as const], seed: 1 }
  const reviewed = contents.items.map(item => (
    { item, reviewingId, verdict: 'good' as const, eligible: true, failedChecks: [], revision: 0, decision: null }))
  const { benchmark, items: frozen, lines } = freeze({ request, reviewed, notReviewed: 0, reviewers: new Map([[reviewingId, 'gemma-3']]) })
  const put = async (content: string | Buffer) => (await parts.blobs.put(Buffer.from(content))).id
  const figures = await Promise.all([...contents.pictures].map(async ([imageId, bytes]) => (
    { imageId, blobId: await put(bytes) })))
  const doc = {
    _id: benchmark.id,
    value: benchmark,
    itemsBlobId: await put(lines),
    documents: await Promise.all(contents.documents.map(async one => (
      { documentHash: one.documentHash, blobId: await put(canonicalJson(one)) }))),
    figures
  }
  await parts.store.saveBenchmark(doc, frozen)
  return { parts, benchmarkId: benchmark.id, items: frozen, canary: benchmark.card.canary!, imageBlobId: figures[0]!.blobId }
}
