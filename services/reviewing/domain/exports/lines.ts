/** Exports that are a line for each item. */
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'

/** What may be published of an item: pair ids stay out, or they would tell which two answers are opposite. */
export type PublicItem = Omit<BenchmarkItem, 'pairId'>

export function publicItem ({ pairId, ...item }: BenchmarkItem): PublicItem {
  return item
}

/** Beside the item in every table and line: the benchmark's canary, and its place in the paper's words. */
export interface Beside { canary: string, placeTitle: string | null }

/** One line of the export jsonl: the item as it may be published. */
export function publicLine (item: BenchmarkItem, beside: Beside): string {
  return `${canonicalJson({ ...publicItem(item), ...beside })}\n`
}
