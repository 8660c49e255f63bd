/** Whether a quote bears on a question and its answer, or is only true. */
import { bm25Of, type Bm25 } from './bm25.ts'
import { isUnitSymbol, numbersIn } from './facts.ts'
import { namedIn } from './figure-mentions.ts'
import type { Passage, RowPassages } from './passages.ts'
import type { Piece } from './quote.ts'
import { splitSentences } from './sentences.ts'
import { termsOf } from './tokens.ts'

/** `place`: the section, figure or table asked about, or "abstract". */
export interface Asked { question: string, answer: string, place?: string | undefined }

/** Undefined when the pieces bear on what is asked; else why not. */
export type Weigh = (pieces: readonly Piece[]) => string | undefined

export interface Relevance { weighFor: (asked: Asked) => Weigh }

export interface Searched {
  prose: readonly Passage[]
  rows: readonly RowPassages[]
  equations: readonly Passage[]
}

/** A quote must be among so many best of all the sentences, rows and equations of the paper … */
const rankMax = { whole: 8, oneSentence: 3, sharedNumber: 30 }
/** … for the question with the whole answer, or with one sentence of it; no more are looked at. */
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
  const labels = new Map(prose.flatMap(({ target: { type, id = '' }, label }) =>
    label === undefined ? [] : [[id, { type, label }] as const]))
  const ranking = bm25Of([
    ...prose.flatMap(({ text }) => splitSentences(text).map(({ text }) => text)),
    ...whole,
    ...equations.map(({ text }) => text)
  ])
  return {
    weighFor: ({ place, ...asked }) => {
      const question = asked.question.slice(0, askedCharsMax)
      const answer = asked.answer.slice(0, askedCharsMax)
      const wholeRank = rankFor(ranking, `${question} ${answer}`)
      const parts = splitSentences(answer).map(({ text }) => text)
        .filter(text => termsOf(text).length >= sentenceTermsMin).slice(0, sentencesMax)
        .map(text => rankFor(ranking, `${question} ${text}`))
      const numbers = new Set(tellingNumbers(`${question} ${answer}`))
      const float = labels.get(place ?? '')
      const asks = namesIn(float === undefined ? question : `${question} ${float.type} ${float.label}`)
      return pieces => {
        const text = [...new Set(pieces.map(piece => rowTexts.get(piece.passage) ?? sliceOf(piece)))].join(' ')
        const own = pieces.some(({ passage: { target, cell } }) =>
          cell === undefined && target.id !== undefined && target.id === place)
        if (own || namesIn(text).some(name => asks.includes(name))) return undefined
        const rank = wholeRank(text)
        const best = rank <= rankMax.whole || parts.some(rankOf => rankOf(text) <= rankMax.oneSentence)
        const measured = () => tellingNumbers(text).some(number => numbers.has(number))
        if (best || (rank <= rankMax.sharedNumber && measured())) return undefined
        return `It is number ${rank} of what the paper says to this question and answer; quote what supports the answer itself.`
      }
    }
  }
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

function rowText ({ caption, header, cells }: RowPassages): string {
  return `${caption.slice(0, contextCharsMax)} ${header.slice(0, contextCharsMax)} ${cells.map(({ text }) => text).join(' ')}`
}

function sliceOf ({ passage, start, end }: Piece): string {
  return passage.text.slice(start, end)
}

/** Values with decimals or a unit: others stand everywhere. */
function tellingNumbers (text: string): number[] {
  return numbersIn(text)
    .filter(({ text, unit }) => text.includes('.') || isUnitSymbol(unit ?? ''))
    .flatMap(({ value = NaN }) => Number.isNaN(value) ? [] : [value])
}

/** The figures and tables a text names. */
function namesIn (text: string): string[] {
  const { figures, tables } = namedIn(text)
  return [...[...figures].map(number => `figure ${number}`), ...[...tables].map(number => `table ${number}`)]
}
