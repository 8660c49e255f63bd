/** Which passages answer a query best. */
import { termIndexOf, type TermIndex } from './term-index.ts'
import { termsOf } from './tokens.ts'

/** k1 and b as Lucene and most of the literature have them. */
export interface Bm25Options { k1?: number, b?: number }

export interface Bm25 {
  /** One score per passage, in their order; 0 where no term is shared. */
  scores: (query: string) => number[]
  /** Indexes of the passages that share a term, best first; equal scores by index. */
  rank: (query: string, count: number) => number[]
  /** What a text that is no passage would score, were it one. */
  score: (query: string) => (text: string) => number
}

/**
 * BM25 with the idf of Lucene, ln(1 + (N − n + ½) / (n + ½)), which is never negative. A term
 * counts once per query.
 *
 * @see Robertson & Zaragoza 2009, doi:10.1561/1500000019
 */
export function bm25Of (passages: readonly string[], options: Bm25Options = {}): Bm25 {
  return bm25From(termIndexOf(passages), options)
}

/** The same of an index that something else uses too. */
export function bm25From ({ postings, lengths, idfOf }: TermIndex, options: Bm25Options = {}): Bm25 {
  const { k1 = 1.2, b = 0.75 } = options
  const lengthSum = lengths.reduce((sum, length) => sum + length, 0)
  const meanLength = Math.max(1, lengthSum / Math.max(1, lengths.length))

  const scores = (query: string): number[] => {
    const totals = lengths.map(() => 0)
    for (const term of new Set(termsOf(query))) {
      const counts = postings.get(term)
      if (counts === undefined) continue
      const idf = idfOf(term)
      for (const [index, count] of counts) {
        const norm = k1 * (1 - b + b * (lengths[index] ?? 0) / meanLength)
        totals[index] = (totals[index] ?? 0) + idf * count * (k1 + 1) / (count + norm)
      }
    }
    return totals
  }
  const score = (query: string) => {
    const weights = new Map(Array.from(new Set(termsOf(query)), term => [term, idfOf(term)]))
    return (text: string) => {
      const terms = termsOf(text)
      const norm = k1 * (1 - b + b * terms.length / meanLength)
      const counts = new Map<string, number>()
      for (const term of terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
      return [...counts].reduce((sum, [term, count]) =>
        sum + (weights.get(term) ?? 0) * count * (k1 + 1) / (count + norm), 0)
    }
  }
  const rank = (query: string, count: number): number[] => {
    const totals = scores(query)
    return totals.map((_, index) => index)
      .filter(index => (totals[index] ?? 0) > 0)
      .sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || a - b)
      .slice(0, count)
  }
  return { scores, rank, score }
}
