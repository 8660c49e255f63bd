/** Whether a quote bears on a question and its answer, or is only true. */
import { bm25From, type Bm25 } from './bm25.ts'
import { isUnitSymbol, numbersIn } from './facts.ts'
import { namedIn } from './figure-mentions.ts'
import { nearnessOf } from './nearness.ts'
import type { Passage, RowPassages } from './passages.ts'
import type { Piece } from './quote.ts'
import { splitSentences } from './sentences.ts'
import { termIndexOf } from './term-index.ts'
import { termsOf } from './tokens.ts'

/**
 * `place`: the section, figure or table asked about, or "abstract". `otherLanguage`: than the paper's, so
 * that no word of theirs stands in it and only the place tells what bears on them.
 */
export interface Asked {
  question: string
  answer: string
  place?: string | undefined
  otherLanguage?: boolean | undefined
}

/** Undefined when the pieces bear on what is asked; else why not. */
export type Weigh = (pieces: readonly Piece[]) => string | undefined

export interface Relevance { weighFor: (asked: Asked) => Weigh }

export interface Searched {
  prose: readonly Passage[]
  rows: readonly RowPassages[]
  equations: readonly Passage[]
}

/** A quote is so near to question and answer, or a sentence of it, beside the nearest sentence or row … */
const nearnessMin = 0.5
/** … or among so many best for both; or among more, with a value of theirs that stands in few places. */
const rankMax = { best: 3, sharedValue: 30 }
const valuePlacesMax = 12
/** An answer so near to a caption, beside the nearest sentence, is about its figure or table. */
const captionNearnessMin = 0.8
/** Of the answer no more sentences are looked at. */
const sentencesMax = 8
const sentenceTermsMin = 3
/** More of a question or an answer tells nothing new. */
const askedCharsMax = 4000
/** Of a caption and a header, which every row repeats. */
const contextCharsMax = 400

/** Linear in the length of what is searched. */
export function relevanceOf ({ prose, rows, equations }: Searched): Relevance {
  const whole = rows.map(rowText)
  const rowTexts = new Map(rows.flatMap(({ cells }, i) => cells.map(cell => [cell, whole[i] ?? ''] as const)))
  const searched = [
    ...prose.flatMap(({ text }) => splitSentences(text).map(({ text }) => text)),
    ...whole,
    ...equations.map(({ text }) => text)
  ]
  const places = placesOf(searched.map(valuesIn))
  const terms = termIndexOf(searched)
  const [ranking, nearness] = [bm25From(terms), nearnessOf(terms)]
  const captions = prose.filter(({ label }) => label !== undefined)

  /** The figures and tables asked about: by name or place, else by an answer that tells one's caption. */
  const aboutOf = ({ question, answer, place }: Asked): string[] => {
    const ofPlace = captions.filter(({ target }) => target.id === place)
    const named = [...namesIn(question), ...ofPlace.flatMap(nameOf)]
    if (named.length > 0 || termsOf(answer).length < sentenceTermsMin) return named
    const near = nearness(answer)
    return captions.map(caption => ({ caption, value: near(caption.text) }))
      .filter(({ value }) => value >= captionNearnessMin)
      .sort((a, b) => b.value - a.value).slice(0, 1).flatMap(({ caption }) => nameOf(caption))
  }
  return {
    weighFor: ({ place, otherLanguage = false, ...asked }) => {
      const question = asked.question.slice(0, askedCharsMax)
      const answer = asked.answer.slice(0, askedCharsMax)
      const nearTo = claimsOf(question, answer).map(nearness)
      const rankOf = rankFor(ranking, `${question} ${answer}`)
      const values = valuesIn(`${question} ${answer}`)
      const about = aboutOf({ question, answer, place })
      return pieces => {
        const text = [...new Set(pieces.map(piece => rowTexts.get(piece.passage) ?? sliceOf(piece)))].join(' ')
        const own = pieces.some(({ passage: { target, cell } }) =>
          cell === undefined && target.id !== undefined && target.id === place)
        if (own || bearsOn(about, text, pieces)) return undefined
        if (otherLanguage) return pieces.some(piece => standsIn(piece, place)) ? undefined : elsewhere
        const parts = splitSentences(text).map(({ text }) => text)
        const near = nearTo.some(near => [text, ...parts].some(part => near(part) >= nearnessMin))
        const rank = near ? 0 : rankOf(text)
        const telling = () => [...valuesIn(text)]
          .some(value => values.has(value) && (places.get(value) ?? 0) <= valuePlacesMax)
        if (rank <= rankMax.best || (rank <= rankMax.sharedValue && telling())) return undefined
        return `It is number ${rank} of what the paper says to this question and answer, and far from the nearest: quote what supports the answer itself.`
      }
    }
  }
}

const elsewhere = 'It stands elsewhere than what is asked about, and in another language than question and answer nothing else tells whether it bears on them.'

/** Whether a piece is of the section, figure or table, or of the abstract. */
function standsIn ({ passage: { target, sectionId } }: Piece, place: string | undefined): boolean {
  return place !== undefined && (target.id === place || sectionId === place || target.type === place)
}

/** Question and answer together; the answer; each of its sentences, alone and with the question. */
function claimsOf (question: string, answer: string): string[] {
  const parts = [answer, ...splitSentences(answer).map(({ text }) => text).slice(0, sentencesMax)]
    .filter(text => termsOf(text).length >= sentenceTermsMin)
  return [...new Set([`${question} ${answer}`, ...parts.flatMap(part => [part, `${question} ${part}`])])]
}

/** Which place a text would take among what is searched, from 1. */
function rankFor (ranking: Bm25, query: string): (text: string) => number {
  const scores = ranking.scores(query)
  const score = ranking.score(query)
  return text => {
    // Of a slice that stands there whole, its own score is no better than itself.
    const own = score(text) + 1e-9
    return own <= 1e-9 ? scores.length + 1 : 1 + scores.filter(other => other > own).length
  }
}

/** Whether it names a figure or table asked about, or follows a sentence that does and names none itself. */
function bearsOn (about: readonly string[], text: string, [first]: readonly Piece[]): boolean {
  const names = namesIn(text)
  const asked = (name: string) => about.includes(name)
  if (names.length > 0 || about.length === 0 || first === undefined) return names.some(asked)
  const before = splitSentences(first.passage.text.slice(0, first.start)).at(-1)
  return before !== undefined && namesIn(before.text).some(asked)
}

function rowText ({ caption, header, cells }: RowPassages): string {
  return `${caption.slice(0, contextCharsMax)} ${header.slice(0, contextCharsMax)} ${cells.map(({ text }) => text).join(' ')}`
}

function sliceOf ({ passage, start, end }: Piece): string {
  return passage.text.slice(start, end)
}

/** Values with decimals or a unit, with that unit: others stand everywhere. */
function valuesIn (text: string): Set<string> {
  return new Set(numbersIn(text).flatMap(({ text, value = NaN, unit = '' }) => {
    const symbol = isUnitSymbol(unit)
    return Number.isNaN(value) || !(symbol || text.includes('.')) ? [] : [`${value} ${symbol ? unit : ''}`]
  }))
}

/** In how many of the sets each value stands. */
function placesOf (sets: ReadonlyArray<ReadonlySet<string>>): Map<string, number> {
  const places = new Map<string, number>()
  for (const value of sets.flatMap(set => [...set])) places.set(value, (places.get(value) ?? 0) + 1)
  return places
}

/** The figures and tables a text names. */
function namesIn (text: string): string[] {
  const { figures, tables } = namedIn(text)
  return [...[...figures].map(number => `figure ${number}`), ...[...tables].map(number => `table ${number}`)]
}

function nameOf ({ target, label = '' }: Passage): string[] {
  return namesIn(`${target.type} ${label}`)
}
