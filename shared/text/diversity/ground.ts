/** What of a paper there is to ask about: sentences, sections, figures, tables, claims of the abstract. */
import type { Document } from '../../contracts/document.ts'
import type { Evidence } from '../../contracts/item.ts'
import { isAsked } from '../asked-sections.ts'
import { codePointOffset } from '../normalise.ts'
import { passagesOf, type Passage } from '../passages.ts'
import { splitSentences } from '../sentences.ts'
import { termsOf } from '../tokens.ts'

/** Offsets count code points, half-open, in the text of the target. */
interface Placed { index: number, start: number, end: number, terms: readonly string[] }

export interface Ground {
  document: Document
  /** Of abstract, asked sections and captions; fragments are none. */
  sentenceCount: number
  /** Sentences of the abstract; each is a claim of the paper. */
  claims: ReadonlyArray<{ index: number, terms: ReadonlySet<string>, weight: number }>
  /** Ids. Sections that can be asked about; figures with a picture; tables. */
  sections: ReadonlySet<string>
  figures: ReadonlySet<string>
  tables: ReadonlySet<string>
  /** Id of a paragraph, figure, table or section → the section it stands in. */
  sectionOf: ReadonlyMap<string, string>
  /** ln((N + 1) / (n + 1)) + 1 over sentences. */
  idf: (term: string) => number
  /** Indexes of the sentences that a quote touches. */
  sentencesUnder: (evidence: Evidence) => number[]
}

/** Fewer terms are a heading, a label or a fragment. */
const termsMin = 4

export function groundOf (document: Document): Ground {
  const sections = new Set(document.sections.filter(isAsked).map(({ id }) => id))
  const placed = new Map<string, Placed[]>()
  const all: Placed[] = []
  for (const passage of passagesOf(document)) {
    if (passage.target.type === 'paragraph' && !sections.has(passage.sectionId ?? '')) continue
    const own = sentencesIn(passage, all.length)
    placed.set(keyOf(passage.target), own)
    all.push(...own)
  }
  const frequency = new Map<string, number>()
  for (const term of all.flatMap(({ terms }) => [...new Set(terms)])) {
    frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  const idf = (term: string) => Math.log((all.length + 1) / ((frequency.get(term) ?? 0) + 1)) + 1
  const claims = (placed.get('abstract') ?? []).map(({ index, terms }) => {
    const own = new Set(terms)
    return { index, terms: own, weight: sumOf(own, idf) }
  })
  return {
    document,
    sentenceCount: all.length,
    claims,
    sections,
    figures: new Set(document.figures.filter(({ imageId }) => imageId !== null).map(({ id }) => id)),
    tables: new Set(document.tables.map(({ id }) => id)),
    sectionOf: sectionsOfParts(document),
    idf,
    sentencesUnder: ({ target, charStart, charEnd }) => (placed.get(keyOf(target)) ?? [])
      .filter(({ start, end }) => start < charEnd && charStart < end).map(({ index }) => index)
  }
}

export function sumOf (terms: Iterable<string>, idf: (term: string) => number): number {
  let sum = 0
  for (const term of terms) sum += idf(term)
  return sum
}

function sentencesIn ({ text }: Passage, from: number): Placed[] {
  return splitSentences(text).map(({ text: own, start, end }) => ({
    terms: termsOf(own), start: codePointOffset(text, start), end: codePointOffset(text, end)
  })).filter(({ terms }) => terms.length >= termsMin).map((sentence, i) => ({ ...sentence, index: from + i }))
}

function keyOf ({ type, id }: Evidence['target']): string {
  return id === undefined ? type : `${type} ${id}`
}

function sectionsOfParts ({ sections, figures, tables }: Document): Map<string, string> {
  const found = new Map<string, string>()
  for (const { id: section, paragraphs } of sections) {
    for (const { id } of [{ id: section }, ...paragraphs]) found.set(id, section)
  }
  for (const { id, sectionId } of [...figures, ...tables]) if (sectionId !== null) found.set(id, sectionId)
  return found
}
