/** A document as generation reads it: passages, their sentences, and what is asked of all of them. */
import type { Document, Figure } from '../../../shared/contracts/document.ts'
import type { Evidence } from '../../../shared/contracts/item.ts'
import { bm25Of, type Bm25 } from '../../../shared/text/bm25.ts'
import { namedIn, type Named } from '../../../shared/text/figure-mentions.ts'
import { evidenceAt, type Passage } from '../../../shared/text/passages.ts'
import { saidIn, type PlacedSentence, type Said } from '../../../shared/text/said-sentences.ts'

export interface SourceText extends Said {
  document: Document
  /** Figures and tables each sentence names. */
  named: ReadonlyMap<PlacedSentence, Named>
  ranking: Bm25
}

export function sourceTextOf (document: Document): SourceText {
  const said = saidIn(document)
  return {
    ...said,
    document,
    named: new Map(said.sentences.map(sentence => [sentence, namedIn(sentence.text)])),
    ranking: bm25Of(said.passages.map(({ text }) => text))
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
