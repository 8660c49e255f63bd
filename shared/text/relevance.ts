/** Whether a quote bears on a question and its answer, or is only true. */
import { bm25Of } from './bm25.ts'
import type { Passage, RowPassages } from './passages.ts'
import type { Piece } from './quote.ts'

export interface Asked { question: string, answer: string, place: string | undefined }

/** Undefined when the pieces are relevant; else why not. */
export type Weigh = (pieces: readonly Piece[]) => string | undefined

export interface Relevance { of: (asked: Asked) => Weigh }

export interface Searched { prose: readonly Passage[], rows: readonly RowPassages[], equations: readonly Passage[] }

const rankMax = 3

export function relevanceOf ({ prose }: Searched): Relevance {
  const ranking = bm25Of(prose.map(({ text }) => text))
  const of = ({ question, answer }: Asked): Weigh => {
    const best = new Set(ranking.rank(`${question} ${answer}`, rankMax))
    return pieces => pieces.some(({ passage }) => passage.target.type === 'table' || best.has(passage.index)) ? undefined : 'Other passages answer the question better.'
  }
  return { of }
}
