/** Quotes that leave something out, or put together what stands apart. */
import { factsIn } from './facts.ts'
import type { Piece } from './quote.ts'
import { splitSentences } from './sentences.ts'
import { squash } from './squash.ts'

/** `elided`: an ellipsis says that something is left out. */
export interface Fragments { texts: string[], elided: boolean }

const ellipsis = /\s?[[(]?\s?(?:…|\.\s?\.\s?\.(?:\s?\.)?)\s?[\])]?\s?/gu
/** More are no quote but a collage. */
const fragmentsMax = 12

/** At ellipses; where there are none, at line ends (rows of a table), else at the ends of sentences. */
export function fragmentsOf (quote: string): Fragments {
  const parts = quote.split(ellipsis)
  const texts = parts.filter(part => part.trim() !== '')
  if (parts.length > 1) return { texts: texts.slice(0, fragmentsMax), elided: true }
  const lines = quote.split('\n').filter(line => /[\p{L}\p{N}]/u.test(line))
  if (lines.length > 1 && quote.includes('|')) return { texts: lines.slice(0, fragmentsMax), elided: false }
  return { texts: splitSentences(quote).map(({ text }) => text).slice(0, fragmentsMax), elided: false }
}

/**
 * What stands between two parts of a quote and may not be left out. An ellipsis may leave out
 * words of a sentence, but none that negates, turns or limits it; without one, only whole
 * sentences may be left out.
 */
export function hiddenBetween (before: Piece, after: Piece, elided: boolean): string | undefined {
  const rest = splitSentences(before.passage.text)
  const inSentence = ({ end, passage: { text } }: Piece) => rest.some(sentence =>
    sentence.start < end && end < sentence.end && squash(text.slice(end, sentence.end)).text !== '')
  const whole = !inSentence(before)
  if (!elided) {
    const begins = before.passage === after.passage
      ? rest.some(({ start }) => start === after.start)
      : splitSentences(after.passage.text).some(({ start }) => start === after.start)
    const isRow = before.passage.cell !== undefined
    return isRow || (whole && begins) ? undefined : 'It joins parts of sentences: give each as a quote of its own.'
  }
  if (before.passage !== after.passage) return undefined
  const gap = before.passage.text.slice(before.end, after.start)
  if (splitSentences(gap).length > 1 && whole) return undefined
  const hidden = factsIn(gap).find(({ kind }) => kind === 'negation' || kind === 'direction' || kind === 'comparative')
  return hidden === undefined ? undefined : `The words left out hold "${hidden.text}", which may change what is said.`
}
