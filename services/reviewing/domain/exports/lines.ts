/** Exports that are a line for each item. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'

/** What may be published of an item: pair ids stay out, or they would tell which two answers are opposite. */
export type PublicItem = Omit<BenchmarkItem, 'pairId'>

export function publicItem ({ pairId, ...item }: BenchmarkItem): PublicItem {
  return item
}

/** One line of the export jsonl: the item as it may be published, and the benchmark's canary. */
export function publicLine (item: BenchmarkItem, canary: string): string {
  return `${canonicalJson({ ...publicItem(item), canary })}\n`
}
