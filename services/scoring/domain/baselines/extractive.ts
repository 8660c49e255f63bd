/**
 * The paper's own sentences as answers. Open questions: the most central ones of the place asked
 * about. Yes/no: yes if the sentence that resembles the question most says nothing else.
 */
import type { Document } from '../../../../shared/contracts/document.ts'
import { centralityOf } from '../../../../shared/text/central.ts'
import { splitSentences } from '../../../../shared/text/sentences.ts'
import { termsOf, wordsOf } from '../../../../shared/text/tokens.ts'
import { isDescriptive, joinSentences, type BaselineReply, type Sight } from './baseline.ts'
import { textOfPaper, textOfPlace } from './place-text.ts'

const sentencesAnswered = 3
/** A 300-page paper has fewer. */
const sentencesSearchedMax = 20_000
/** Share of the question's weight that its best sentence must hold to count as saying it. */
const coverageMin = 0.5

export function extractive ({ question, document }: Sight): BaselineReply {
  if (question.kind === 'choice') return { skipped: 'baseline/extractive does not choose between options.' }
  if (document === null) return { skipped: 'baseline/extractive needs the text of the paper.' }
  if (isDescriptive(question)) return centralSentences(question.place, document)
  const sentences = indexOf(document)
  if (sentences.length === 0) return { skipped: 'The paper has no text.' }
  return { reply: `Answer: ${isSupported(question.text, sentences) ? 'Yes' : 'No'}` }
}

export interface IndexedSentence { text: string, terms: Set<string> }

export function indexSentences (text: string): IndexedSentence[] {
  return splitSentences(text).slice(0, sentencesSearchedMax)
    .map(({ text }) => ({ text, terms: new Set(termsOf(text)) }))
}

/** A paper has many questions; its sentences are read once for as long as somebody holds it. */
const indexed = new WeakMap<Document, IndexedSentence[]>()

function indexOf (document: Document): IndexedSentence[] {
  const index = indexed.get(document) ?? indexSentences(textOfPaper(document))
  indexed.set(document, index)
  return index
}

function centralSentences (place: string, document: Document): BaselineReply {
  const sentences = splitSentences(textOfPlace(place, document)).map(({ text }) => text)
  if (sentences.length === 0) return { skipped: 'The place asked about has no text.' }
  const weights = centralityOf(sentences)
  const best = [...sentences.keys()]
    .sort((a, b) => weights[b]! - weights[a]! || a - b)
    .slice(0, sentencesAnswered)
    .sort((a, b) => a - b)
  return { reply: joinSentences(best.map(index => sentences[index]!)) }
}

/**
 * Whether the best-matching sentence says what the statement says: it shares at least half of the
 * statement's weighted terms, has all its numbers, and is negated if and only if the statement is.
 */
export function isSupported (statement: string, sentences: readonly IndexedSentence[]): boolean {
  const claim = statement.replace(/\b(?:fig(?:ure)?s?|tables?|sections?)\.?\s*\d+[a-z]?/giu, ' ')
  const weights = rarity([...new Set(termsOf(claim))], sentences)
  const total = sum([...weights.values()])
  let best = 0
  let share = -1
  for (const [index, { terms }] of sentences.entries()) {
    const shared = sum([...weights].map(([term, weight]) => terms.has(term) ? weight : 0))
    if (shared > share) {
      best = index
      share = shared
    }
  }
  if (total === 0 || share / total < coverageMin) return false
  const found = sentences[best]!.text
  const numbers = numbersOf(found)
  return isNegated(claim) === isNegated(found) && [...numbersOf(claim)].every(number => numbers.has(number))
}

/** Inverse document frequency: rare terms say more about which sentence is meant. */
function rarity (claimed: readonly string[], sentences: readonly IndexedSentence[]) {
  return new Map(claimed.map(term => {
    const containing = sentences.filter(({ terms }) => terms.has(term)).length
    return [term, Math.log(1 + sentences.length / (1 + containing))]
  }))
}

function numbersOf (text: string): Set<string> {
  return new Set(wordsOf(text).map(({ text }) => text.replace(/,(?=\d{3})/gu, ''))
    .filter(word => /\d/u.test(word)))
}

const negations = new Set(['not', 'no', 'never', 'without', 'neither', 'nor', 'cannot', 'none', 'nothing'])

function isNegated (text: string): boolean {
  const count = wordsOf(text).map(({ text }) => text.toLowerCase())
    .filter(word => negations.has(word) || /n['’]t$/u.test(word)).length
  return count % 2 === 1
}

function sum (values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
