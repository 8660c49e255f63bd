/** How near a text is to what is asked, beside the passage that is nearest. */
import type { TermIndex } from './term-index.ts'
import { termsOf } from './tokens.ts'

/** 0 where no term is shared, 1 for the nearest passage, above 1 for what is nearer than any. */
export type Nearness = (query: string) => (text: string) => number

/**
 * The cosine of two sets of terms weighted by idf, as a share of the query's with its nearest
 * passage: so a query in other words than the paper's has passages near to it all the same. Terms
 * that no passage has count for nothing.
 */
export function nearnessOf ({ postings, lengths, idfOf }: TermIndex): Nearness {
  const squared = (terms: Iterable<string>) => {
    let sum = 0
    for (const term of terms) sum += idfOf(term) ** 2
    return sum
  }
  const add = (sums: Float64Array, term: string) => {
    const square = idfOf(term) ** 2
    for (const index of postings.get(term)?.keys() ?? []) sums[index] = (sums[index] ?? 0) + square
  }
  const own = new Float64Array(lengths.length)
  for (const term of postings.keys()) add(own, term)
  return query => {
    const asked = new Set(termsOf(query))
    const shared = new Float64Array(lengths.length)
    for (const term of asked) add(shared, term)
    // The length of the query is the same in both cosines.
    const nearest = shared.reduce((best, sum, i) =>
      sum === 0 ? best : Math.max(best, sum / Math.sqrt(own[i] ?? 1)), 0)
    return text => {
      const terms = new Set(termsOf(text))
      const common = squared([...terms].filter(term => asked.has(term)))
      return common === 0 ? 0 : common / Math.sqrt(squared(terms)) / nearest
    }
  }
}
