/** A document as generation reads it: passages, their sentences, and what is asked of all of them. */
import type { Document, Figure } from '../../../shared/contracts/document.ts'
import type { Evidence } from '../../../shared/contracts/item.ts'
import { bm25Of, type Bm25 } from '../../../shared/text/bm25.ts'
import { evidenceAt, passagesOf, type Passage } from '../../../shared/text/passages.ts'
import { splitSentences, type Sentence } from '../../../shared/text/sentences.ts'
import { termsOf } from '../../../shared/text/tokens.ts'
import { namedIn, type Named } from '../../../shared/text/figure-mentions.ts'

/** A sentence and where it stands; offsets are UTF-16 within its passage. */
export interface PlacedSentence extends Sentence { passage: Passage, terms: ReadonlySet<string> }

export interface SourceText {
  document: Document
  passages: Passage[]
  sentences: PlacedSentence[]
  /** Figures and tables each sentence names. */
  named: ReadonlyMap<PlacedSentence, Named>
  /** Rows of tables with their header and caption, as text: searched for support, never quoted. */
  rows: Array<{ text: string, terms: ReadonlySet<string> }>
  ranking: Bm25
  /** ln((N + 1) / (n + 1)) + 1 over sentences. */
  idf: (term: string) => number
}

export function sourceTextOf (document: Document): SourceText {
  const passages = passagesOf(document)
  const sentences = passages.flatMap(passage => splitSentences(passage.text).map(sentence =>
    ({ ...sentence, passage, terms: new Set(termsOf(sentence.text)) })))
  const frequency = new Map<string, number>()
  for (const { terms } of sentences) {
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  return {
    document,
    passages,
    sentences,
    named: new Map(sentences.map(sentence => [sentence, namedIn(sentence.text)])),
    rows: rowsOf(document).map(text => ({ text, terms: new Set(termsOf(text)) })),
    ranking: bm25Of(passages.map(({ text }) => text)),
    idf: term => Math.log((sentences.length + 1) / ((frequency.get(term) ?? 0) + 1)) + 1
  }
}

/** The sentence as evidence: verbatim, at code point offsets of its passage. */
export function evidenceOf ({ passage, start, end }: PlacedSentence): Evidence {
  return evidenceAt(passage, { start, end })
}

/** Which place, from 1, the passage takes when the paper is searched for `query`; 0 beyond `count`. */
export function rankOf (source: SourceText, passage: Passage, query: string): number {
  return source.ranking.rank(query, evidenceRankMax).indexOf(passage.index) + 1
}

/** Evidence must be among this many best passages for its question and answer. */
export const evidenceRankMax = 3

/** "2" of "Fig. 2." or "그림 2"; undefined for a figure without a number. */
export function figureNumberOf ({ label }: Figure): string | undefined {
  return /S?\d{1,3}[A-Za-z]?|\b[IVX]{1,5}\b/u.exec(label)?.[0]
}

function rowsOf ({ tables }: Document): string[] {
  return tables.flatMap(({ caption, rows }) => {
    const header = rows?.[0]?.join(' ') ?? ''
    return (rows ?? []).map(row => `${caption} ${header} ${row.join(' ')}`)
  })
}
