/** In which passages each term stands: what rankings are made of. */
import { termsOf } from './tokens.ts'

export interface TermIndex {
  /** Term → index of a passage → how often it stands there. */
  postings: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Terms of each passage, repeats counted. */
  lengths: readonly number[]
  /** ln(1 + (N − n + ½) / (n + ½)), as Lucene has it: never negative; 0 for a term that no passage has. */
  idfOf: (term: string) => number
}

/** Linear in the length of the passages. */
export function termIndexOf (passages: readonly string[]): TermIndex {
  const lengths: number[] = []
  const postings = new Map<string, Map<number, number>>()
  for (const [index, passage] of passages.entries()) {
    const terms = termsOf(passage)
    lengths.push(terms.length)
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>()
      counts.set(index, (counts.get(index) ?? 0) + 1)
      postings.set(term, counts)
    }
  }
  const idfOf = (term: string) => {
    const size = postings.get(term)?.size ?? 0
    return size === 0 ? 0 : Math.log(1 + (passages.length - size + 0.5) / (size + 0.5))
  }
  return { postings, lengths, idfOf }
}
