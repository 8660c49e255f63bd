/** Finds a quote in the text it is said to come from, however the lines were broken. */
import { editsBetween, type Edit } from './alignment.ts'
import { numbersIn, sameFacts } from './facts.ts'
import { codePointOffset, normalise, type Normalised } from './normalise.ts'
import { wordsOf } from './tokens.ts'

/** Offsets count code points, half-open; `text` is that slice of the source, verbatim. */
export interface QuoteMatch { start: number, end: number, text: string, exact: boolean }

/** Longer quotes are no quotes. */
export const quoteCharsMax = 4000

interface Squashed { text: string, source: string, offsets: number[] }

/**
 * Exact after normalisation; else exact without spaces, hyphens, articles and citation marks
 * (line-break noise); else the best semi-global alignment, if every difference is one letter
 * inside a longer word. Numbers must agree in order always, and after an alignment units,
 * negations, comparatives, directions and names too: a quote with one wrong word is not found.
 *
 * @returns undefined when the text does not hold the quote
 */
export function findQuote (quote: string, text: string): QuoteMatch | undefined {
  if (quote.length > quoteCharsMax) return undefined
  const wanted = normalise(quote).text
  const source = normalise(text)
  if (wanted === '') return undefined
  const at = source.text.indexOf(wanted)
  if (at >= 0 && cutsNothing(source.text, at, at + wanted.length)) {
    return { ...matchAt(text, source, { start: at, end: at + wanted.length }), exact: true }
  }
  const small = squash(quote)
  const large = squash(text)
  if (small.text.length < 4) return undefined
  return squashedMatch(text, small, large) ?? alignedMatch(text, small, large)
}

function squashedMatch (text: string, small: Squashed, large: Squashed): QuoteMatch | undefined {
  let at = large.text.indexOf(small.text)
  for (let tries = 0; at >= 0 && tries < 20; at = large.text.indexOf(small.text, at + 1), tries++) {
    const match = matchAt(text, large, { start: at, end: at + small.text.length })
    const from = large.offsets[at] ?? 0
    const whole = cutsNothing(text, from, from + match.text.length)
    if (whole && sameNumbers(match.text, small.source) && sameMarks(match.text, small.source)) return match
  }
  return undefined
}

function alignedMatch (text: string, small: Squashed, large: Squashed): QuoteMatch | undefined {
  if (small.text.length < 20) return undefined
  const aligned = editsBetween(small.text, large.text)
  if (aligned === undefined) return undefined
  const { edits } = aligned
  if (!edits.every((edit, i) => harmless(edit, edits[i - 1], small))) return undefined
  const match = matchAt(text, large, aligned)
  const same = sameFacts(withoutCitationMarks(match.text), withoutCitationMarks(small.source))
  return same && sameMarks(match.text, small.source) ? match : undefined
}

/** One letter, away from other differences, in a word of six or more, not near the word's ends. */
function harmless (edit: Edit, before: Edit | undefined, quote: Squashed): boolean {
  const { text, source, offsets } = quote
  if (before !== undefined && edit.at - before.at < 6) return false
  if (!/^\p{Ll}*$/u.test(edit.removed + edit.added)) return false
  if (!/\p{L}/u.test(text[edit.at] ?? 'a')) return false
  const offset = offsets[Math.min(edit.at, offsets.length - 2)] ?? 0
  const word = wordsOf(source).find(({ start, end }) => start <= offset && offset < end)
  if (word === undefined || word.text.length < 6) return false
  return offset - word.start >= 2 && word.end - offset > 2
}

/** Case is kept: names matter. Offsets lead to the source, one more at the end. */
function squash (source: string): Squashed {
  const { text, offsets } = normalise(source)
  const dropped = /\[\d{1,4}(?:\s?[,-]\s?\d{1,4}){0,10}\]|[\s-]|\b(?:[Tt]he|[Aa]n?)\b(?=\s)/gu
  let squashed = ''
  const kept: number[] = []
  let from = 0
  const keep = (to: number) => {
    squashed += text.slice(from, to)
    for (let i = from; i < to; i++) kept.push(offsets[i] ?? 0)
  }
  for (const match of text.matchAll(dropped)) {
    keep(match.index)
    from = match.index + match[0].length
  }
  keep(text.length)
  kept.push(source.length)
  return { text: squashed, source, offsets: kept }
}

interface Span { start: number, end: number }

function matchAt (text: string, { offsets }: Normalised, { start, end }: Span): QuoteMatch {
  const from = offsets[start] ?? 0
  const to = endOf(text, offsets, end)
  return {
    start: codePointOffset(text, from),
    end: codePointOffset(text, to),
    text: text.slice(from, to),
    exact: false
  }
}

/** The end of the last character that matched, rather than the start of the next. */
function endOf (text: string, offsets: readonly number[], end: number): number {
  const last = offsets[end - 1] ?? 0
  const next = offsets.slice(end).find(offset => offset > last) ?? text.length
  return last + text.slice(last, next).trimEnd().replace(/\s.*$/su, '').length
}

/** Whether the span cuts no word and no number: "5 %" is no quote of "25 %". */
function cutsNothing (text: string, start: number, end: number): boolean {
  const [before, first] = [text.slice(Math.max(0, start - 1), start), text.slice(start, start + 1)]
  const [last, after] = [text.slice(Math.max(0, end - 1), end), text.slice(end, end + 2)]
  const number = (/[\d.,−-]/u.test(before) && /\d/u.test(first)) ||
    (/\d/u.test(last) && /^(?:\d|[.,]\d)/u.test(after))
  const word = (/[a-z]/iu.test(before) && /[a-z]/iu.test(first)) ||
    (/[a-z]/iu.test(last) && /^[a-z]/iu.test(after))
  return !number && !word
}

function sameNumbers (a: string, b: string): boolean {
  const valuesOf = (text: string) => numbersIn(withoutCitationMarks(text)).map(({ value }) => value).join(' ')
  return valuesOf(a) === valuesOf(b)
}

/**
 * A quote may leave citation marks out, but those it has are the source's: "[0, 1]" looks like one
 * and is an interval.
 */
function sameMarks (source: string, quote: string): boolean {
  const marksOf = (text: string) => Array.from(normalise(text).text.matchAll(mark), found => found[0].replaceAll(' ', ''))
  const marks = marksOf(source)
  let at = 0
  return marksOf(quote).every(found => {
    while (at < marks.length && marks[at] !== found) at++
    return at++ < marks.length
  })
}

const mark = /\[\d{1,4}(?:\s?[,-]\s?\d{1,4}){0,10}\]/gu

/** Normalised, without citation marks. */
export function withoutCitationMarks (text: string): string {
  return normalise(text).text.replaceAll(mark, '')
}
