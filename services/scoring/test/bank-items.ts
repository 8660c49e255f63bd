/** A benchmark of an item bank: text, images, a choice of images, two sequences, an open question. */
import type { Benchmark, BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { idOf, sha256 } from '../../../shared/contracts/hash.ts'
import { benchmarkOf } from './fixtures.ts'

export const importId = idOf('bankImport', 'weather')
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Each the same pixel with a comment of its own behind it, so that each is another image. */
export const imageBytes = Array.from({ length: 10 }, (_, i) => Buffer.concat([Buffer.from(png, 'base64'), Buffer.from(`#${i}`)]))
export const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex')
export const images = new Map([...imageBytes, jpeg].map(bytes => [sha256(bytes), bytes]))
export const ids = [...images.keys()]
export const urlOf = (id: string) => {
  const bytes = images.get(id)!
  return `data:${bytes === jpeg ? 'image/jpeg' : 'image/png'};base64,${bytes.toString('base64')}`
}

export function bankItem (row: number, own: Partial<BenchmarkItem> = {}): BenchmarkItem {
  return {
    id: idOf('item', `bank row ${row}`),
    kind: 'choice',
    source: { bankId: importId, row },
    place: 'SECRET-PLACE',
    figureIds: [],
    question: `우리나라 여름 계절풍의 방향은? (${row})`,
    choices: [{ text: '북서' }, { text: '남동' }, { text: '북동' }],
    answerIndex: 1,
    evidence: [],
    rationale: 'SECRET-RATIONALE',
    language: 'ko',
    slices: { part: 'Part 1. $x', modality: 'text' },
    checks: [{ name: 'SECRET-CHECK', passed: true, detail: 'SECRET-DETAIL' }],
    provenance: {
      strategy: 'import', strategyVersion: '1', seed: 0, prompt: null, promptHash: null, model: null, upstreamVersion: null, sampling: null, requestHash: null
    },
    verdict: 'unreviewed',
    ...own
  }
}

const slices = { part: 'two', modality: 'image' }
const framesOf = (...places: number[]) =>
  places.map(at => ({ imageId: ids[at]!, time: `2026-07-01T0${at}:00+09:00` }))
export const plain = bankItem(1, {
  explicitWording: { question: 'EXPLICIT 대한민국 여름 계절풍의 방향은?', choices: ['EXPLICIT 북서', 'EXPLICIT 남동', 'EXPLICIT 북동'] }
})
export const pictured = bankItem(2, { slices, images: [{ imageId: ids[0]!, caption: 'A surface chart.' }, { imageId: ids[10]!, caption: 'A photograph.' }] })
export const ofImages = bankItem(3, { slices, choices: [{ text: '', imageId: ids[1]! }, { text: 'second', imageId: ids[2]! }, { text: 'none' }], answerIndex: 1 })
export const sequence = bankItem(4, { slices, images: framesOf(3, 4, 5) })
export const sequenceInEnglish = bankItem(5, { slices, language: 'en', question: 'Where does the front move?', images: framesOf(6, 7, 8).map((frame, at) => ({ ...frame, caption: `Frame ${at}.` })) })
const { choices: _, answerIndex: __, ...bare } = bankItem(6, { kind: 'vqa', slices, language: 'en', question: 'What is seen?', answer: 'SECRET-ANSWER a front', images: [{ imageId: ids[9]! }] })
export const open: BenchmarkItem = bare

export const bankItems = [plain, pictured, ofImages, sequence, sequenceInEnglish, open]

export function bankBenchmark (items: readonly BenchmarkItem[] = bankItems): Benchmark {
  const made = benchmarkOf([], items, 'Weather')
  const bank = { importId, name: 'Weather exam', fileName: 'w.json', contentHash: sha256('w'), licence: 'CC-BY-4.0', release: 'public' as const }
  return { ...made, card: { ...made.card, bySlice: {}, banks: [bank] } }
}
