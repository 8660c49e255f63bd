/** The relevance suite: supporting quotes kept, planted true ones refused. */
import { groundEvidence, type EvidenceSource } from '../../../shared/text/evidence.ts'
import { wordsOf } from '../../../shared/text/tokens.ts'
import { chanceOf } from './chance.ts'
import type { Paper } from './papers.ts'
import {
  captionTriples, cellTriples, extractiveTriples, irrelevantFor, numberTriples, rewordedTriples, sentencesOf,
  valueTriples, type Triple
} from './triples.ts'

/** One item with its supporting quotes and as many planted ones of each kind. */
export interface Attributed {
  slug: string
  set: string
  supporting: Array<{ quote: string, kept: boolean, reason: string }>
  planted: Array<{ kind: string, quote: string, kept: boolean }>
  question: string
  answer: string
  place: string
}

export function attributionsOf (paper: Paper, foreign: Paper, source: EvidenceSource): Attributed[] {
  const { slug, document } = paper
  const chance = chanceOf(document.paperId.length + slug.length * 31)
  const wordsIn = (document: Paper['document']) => sentencesOf(document)
    .flatMap(({ text }) => wordsOf(text).map(({ text }) => text))
    .filter(({ length }) => length >= 4)
  const extractive = extractiveTriples(document)
  const words = { "reworded in another paper's words": wordsIn(foreign.document), "reworded in the paper's words": wordsIn(document) }
  const triples = [
    ...extractive,
    ...rewordedTriples(extractive, words, chance),
    ...captionTriples(document),
    ...numberTriples(document),
    ...valueTriples(document, chance),
    ...cellTriples(document, chance)
  ]
  const surroundings = { sentences: sentencesOf(document), others: triples, document, chance }
  return [...itemsOf(triples)].map(of => {
    const [{ set, question, answer, place }] = of as [Triple, ...Triple[]]
    const kept = (quote: string) => groundEvidence(source, { question, answer, quotes: [quote], place })
    return {
      slug,
      set,
      question,
      answer,
      place,
      supporting: of.map(({ quote }) => {
        const { faults: [fault] } = kept(quote)
        return { quote, kept: fault === undefined, reason: fault?.reason ?? '' }
      }),
      planted: of.flatMap(triple => irrelevantFor(triple, of, surroundings))
        .map(({ kind, quote }) => ({ kind, quote, kept: kept(quote).evidence.length > 0 }))
    }
  })
}

function itemsOf (triples: readonly Triple[]): Iterable<Triple[]> {
  const items = new Map<string, Triple[]>()
  for (const triple of triples) {
    const key = JSON.stringify([triple.set, triple.question, triple.answer, triple.place])
    items.set(key, [...items.get(key) ?? [], triple])
  }
  return items.values()
}
