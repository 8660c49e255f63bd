/** A benchmark as it is stored: values of slices are text of papers and banks, and no keys of a document. */
import type { Benchmark, DataCard } from '../../shared/contracts/benchmark.ts'
import type { Doc } from '../../shared/store/store.ts'

/** Blob ids are sha256 of the bytes. `figures`: figures of papers and images of banks. */
export interface BenchmarkDoc extends Doc {
  value: Benchmark
  itemsBlobId: string
  documents: Array<{ documentHash: string, blobId: string }>
  figures: Array<{ imageId: string, blobId: string }>
}

interface CountedSlice { dimension: string, counts: Array<{ value: string, items: number }> }

/** Benchmarks that were frozen before have an object here. */
interface StoredCard extends Omit<DataCard, 'bySlice'> { bySlice: DataCard['bySlice'] | CountedSlice[] }
export interface StoredBenchmark extends Omit<Benchmark, 'card'> { card: StoredCard }
export interface StoredBenchmarkDoc extends Omit<BenchmarkDoc, 'value'> { value: StoredBenchmark }

export function toStore ({ value, ...doc }: BenchmarkDoc): StoredBenchmarkDoc {
  const bySlice = Object.entries(value.card.bySlice).map(([dimension, counts]) => (
    { dimension, counts: Object.entries(counts).map(([value, items]) => ({ value, items })) }))
  return { ...doc, _id: doc._id, value: { ...value, card: { ...value.card, bySlice } } }
}

export function fromStore (doc: StoredBenchmarkDoc | undefined): BenchmarkDoc | undefined {
  return doc && { ...doc, value: benchmarkIn(doc.value) }
}

export function benchmarkIn ({ card, ...value }: StoredBenchmark): Benchmark {
  const { bySlice } = card
  const counted = Array.isArray(bySlice)
    ? Object.fromEntries(bySlice.map(({ dimension, counts }) => [dimension, countsIn(counts)]))
    : bySlice
  return { ...value, card: { ...card, bySlice: counted } }
}

function countsIn (counts: CountedSlice['counts']): Record<string, number> {
  return Object.fromEntries(counts.map(({ value, items }) => [value, items]))
}
