/** Finds a quote in the passages it is said to come from, however lines were broken. */
import { alignNear } from './alignment.ts'
import { disagreement } from './critical.ts'
import type { Passage } from './passages.ts'
import { squash, type Squashed } from './squash.ts'

/** A slice of one passage; UTF-16, half-open. */
export interface Piece { passage: Passage, start: number, end: number }

/** Where a quote stands: one piece, or several in their order when it runs over passages. */
export interface Place { pieces: Piece[], exact: boolean }

interface Fault { reason: 'not-found' | 'other-facts' | 'cut', detail: string }
export type Found = { places: Place[] } | Fault

/** Passages that follow one another, as paragraphs do, or the cells of a row, are a run. */
export interface QuoteIndex {
  squashed: Pick<Squashed, 'text' | 'cased' | 'offsets' | 'gaps'>
  pieces: Passage[]
  /** Where each piece begins in the squashed text; one more at the end. */
  starts: Int32Array
}

/** No quote has it: it is no character. */
const border = '\uFFFF'
/** Places looked at; a quote with more says little. */
const placesMax = 20

/** Linear in the length of the passages. */
export function quoteIndexOf (runs: ReadonlyArray<readonly Passage[]>): QuoteIndex {
  const pieces: Passage[] = []
  const starts: number[] = []
  const parts: Squashed[] = []
  let length = 0
  for (const run of runs) {
    for (const [i, passage] of run.entries()) {
      const squashed = squash(passage.text)
      const part = i === run.length - 1 ? closed(squashed, passage.text.length) : open(squashed)
      pieces.push(passage)
      starts.push(length)
      parts.push(part)
      length += part.text.length
    }
  }
  const offsets = new Int32Array(length + 1)
  const gaps = new Uint8Array(length + 1)
  for (const [i, part] of parts.entries()) {
    offsets.set(part.offsets, starts[i])
    gaps.set(part.gaps, starts[i])
  }
  const joined = (key: 'text' | 'cased') => parts.map(part => part[key]).join('')
  const squashed = { text: joined('text'), cased: joined('cased'), offsets, gaps }
  return { squashed, pieces, starts: Int32Array.from([...starts, length]) }
}

function open (part: Squashed): Squashed {
  return { ...part, offsets: part.offsets.subarray(0, part.text.length) }
}

function closed (part: Squashed, length: number): Squashed {
  return {
    ...part,
    text: part.text + border,
    cased: part.cased + border,
    offsets: Int32Array.from([...part.offsets.subarray(0, part.text.length), length]),
    gaps: Uint8Array.from([...part.gaps, 1])
  }
}

/**
 * Where the quote stands: the same letters and digits in the same order after `squash`; else one
 * alignment whose only differences are letters lost from ligatures or inside long words. Numbers,
 * units, negations, names and the citation marks that the quote has must agree, and no word, number
 * or negation may be cut off at its ends.
 *
 * Linear in the length of the text (Knuth, Morris & Pratt 1977, doi:10.1137/0206024), whatever it
 * holds.
 */
export function findQuote (index: QuoteIndex, quote: string): Found {
  const small = squash(quote)
  const { text } = index.squashed
  let fault: Fault = { reason: 'not-found', detail: 'The paper does not say this in these words.' }
  const places: Place[] = []
  const consider = (start: number, end: number, map?: Int32Array) => {
    const place = placeAt(index, small, { start, end })
    const aligned = { quote: small, source: index.squashed, start, map }
    const before = small.opensWithMark ? beforeIt(index, place, start) : ''
    const found = disagreement(aligned, before + withMarksAfter(index, place, end))
    if (found !== undefined) fault = { reason: 'other-facts', detail: found }
    else {
      const cut = cutAt(place, small)
      if (cut !== undefined) fault = { reason: 'cut', detail: cut }
      else places.push({ ...place, exact: map === undefined })
    }
  }
  if (small.text.length === 0) return fault
  const hits = occurrences(small.text, text)
  for (const at of hits) consider(at, at + small.text.length)
  if (hits.length === 0) {
    const aligned = alignNear(small, index.squashed)
    if (aligned !== undefined) consider(aligned.start, aligned.end, aligned.map)
  }
  return places.length > 0 ? { places } : fault
}

/** The first offsets at which the pattern stands, at most `placesMax`. */
function occurrences (pattern: string, text: string): number[] {
  const back = new Int32Array(pattern.length)
  for (let i = 1, length = 0; i < pattern.length; i++) {
    while (length > 0 && pattern.charCodeAt(i) !== pattern.charCodeAt(length)) length = back[length - 1] ?? 0
    if (pattern.charCodeAt(i) === pattern.charCodeAt(length)) length++
    back[i] = length
  }
  const found: number[] = []
  for (let i = 0, length = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    while (length > 0 && code !== pattern.charCodeAt(length)) length = back[length - 1] ?? 0
    if (code === pattern.charCodeAt(length)) length++
    if (length < pattern.length) continue
    found.push(i + 1 - length)
    if (found.length === placesMax) break
    length = back[length - 1] ?? 0
  }
  return found
}

interface Span { start: number, end: number }

function placeAt (
  { squashed: { offsets }, pieces, starts }: QuoteIndex, quote: Squashed, { start, end }: Span
): Place {
  const found: Piece[] = []
  for (let i = pieceAt(starts, start); i < pieces.length && (starts[i] ?? 0) < end; i++) {
    const passage = pieces[i]!
    const [first, next] = [starts[i] ?? 0, starts[i + 1] ?? 0]
    if (first === next) continue
    const from = offsets[Math.max(first, start)] ?? 0
    const last = offsets[Math.min(next, end) - 1] ?? 0
    const tail = end < next ? offsets[end] ?? last : passage.text.length
    found.push({
      passage,
      start: start < first ? 0 : quote.opensWithArticle ? withArticle(passage.text, from) : from,
      end: end > next
        ? passage.text.length
        : quote.endsWithMark ? withMark(passage.text, last, tail) : withStop(passage.text, last)
    })
  }
  return { pieces: found.map(trimmed), exact: true }
}

function trimmed ({ passage, start, end }: Piece): Piece {
  const slice = passage.text.slice(start, end)
  const { length } = slice
  return {
    passage,
    start: start + length - slice.trimStart().length,
    end: end - length + slice.trimEnd().length
  }
}

function pieceAt (starts: Int32Array, at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

/** What stands between the last character that counts and what was found: citation marks, for one. */
function beforeIt (
  { squashed: { offsets }, starts }: QuoteIndex, { pieces: [first] }: Place, start: number
): string {
  if (first === undefined) return ''
  const from = starts.includes(start) ? 0 : (offsets[start - 1] ?? 0) + 1
  return first.passage.text.slice(Math.min(from, first.start), first.start)
}

/** Squashing dropped it; a quote that has it gets it back. */
function withArticle (text: string, from: number): number {
  const article = /(?<![\p{L}\p{N}])the[\s"'“”‘’.]{1,6}$/iu.exec(text.slice(Math.max(0, from - 10), from))
  return article === null ? from : from - article[0].length
}

/** What stands between the last character and the next that counts: citation marks and stops. */
function withMark (text: string, last: number, next: number): number {
  const whole = withStop(text, last)
  return whole + text.slice(whole, next).trimEnd().replace(/\s[Tt]he$/u, '').length
}

/** The end of the cluster that begins at `last`, with the stop that closes the sentence. */
function withStop (text: string, last: number): number {
  const rest = /^[\s\S](?:\p{M}|[\uDC00-\uDFFF]|[\u1160-\u11FF])*(?:[.!?]["'”’]?(?=\s|$))?/u
  const cluster = rest.exec(text.slice(last, last + 40))?.[0] ?? ''
  const whole = String.fromCodePoint(text.codePointAt(last) ?? 32)
  return last + Math.max(cluster.length, whole.length)
}

/** What was found, up to the next character that counts, with the marks before it. */
function withMarksAfter (
  { squashed: { offsets }, starts }: QuoteIndex, { pieces }: Place, end: number
): string {
  return pieces.map(({ passage: { text }, start, end: to }, i) => {
    const open = i === pieces.length - 1 && !starts.includes(end)
    return text.slice(start, i < pieces.length - 1 || !open ? undefined : Math.max(to, offsets[end] ?? to))
  }).join(' ')
}

const nextNegation = /^[\s,]{0,3}(?:않|없|못|아니|(?:not|never)(?!\p{L}))/u
const lastNegation = /(?:^|[^\p{L}])(not|no|never|without|cannot|hardly|barely|neither|nor|[\p{L}]{2,6}n['’]t|안|못)\s{1,3}(?:the\s{1,3})?$/iu

/** What is wrong at its ends: "5 %" is no quote of "25 %", "effective" none of "not effective". */
function cutAt ({ pieces }: Place, quote: Squashed): string | undefined {
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (first === undefined || last === undefined) return 'It is empty.'
  const before = first.passage.text.slice(Math.max(0, first.start - 20), first.start)
  const opening = first.passage.text.slice(first.start, first.start + 1)
  const closing = last.passage.text.slice(Math.max(0, last.end - 1), last.end)
  const after = last.passage.text.slice(last.end, last.end + 20)
  const insideWord = (left: string, right: string) => /\p{L}$/u.test(left) && /^\p{L}/u.test(right)
  if (insideWord(before, opening) || insideWord(closing, after)) {
    return 'It begins or ends inside a word.'
  }
  const ending = last.passage.text.slice(Math.max(0, last.end - 20), last.end)
  const name = /[\p{L}\p{N}]{1,20}$/u.exec(ending)?.[0] ?? ''
  if (/\p{L}$/u.test(name) && /^\d/u.test(after) && squash(`${name}${/^\d+/u.exec(after)?.[0]}`).marks.length === 0) {
    return 'It leaves out the digit of a name.'
  }
  const opensInside = /[\d.,−-]$/u.test(before) && /^\d/u.test(opening) && !/(?:\p{L}{2}|\s)[.,]$/u.test(before)
  if (opensInside || (/\d$/u.test(closing) && /^(?:\d|[.,]\d)/u.test(after))) {
    return 'It begins or ends inside a number.'
  }
  if (quote.opensWithArticle && !/^the\s/iu.test(first.passage.text.slice(first.start, first.start + 4))) {
    return 'Another word stands after its first "the".'
  }
  const negation = lastNegation.exec(before)?.[1] ?? nextNegation.exec(after)?.[0].trim()
  return negation === undefined ? undefined : `It leaves out the "${negation}" beside it.`
}
