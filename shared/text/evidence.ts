/** Evidence from what somebody says that a paper says: each quote looked for, placed and weighed. */
import type { Document } from '../contracts/document.ts'
import type { Evidence } from '../contracts/item.ts'
import { withoutMarkup } from './markup.ts'
import { evidenceAt, passagesOf, rowsAndEquations, type Passage } from './passages.ts'
import { findQuote, quoteIndexOf, type Place, type QuoteIndex } from './quote.ts'
import { fragmentsOf, hiddenBetween, type Fragments } from './quote-fragments.ts'
import { relevanceOf, type Relevance, type Weigh } from './relevance.ts'
import { termsOf, wordsOf } from './tokens.ts'

/** A document made ready once; then every quote costs little. */
export interface EvidenceSource {
  index: QuoteIndex
  relevance: Relevance
}

export interface Grounds {
  question: string
  /** The reference answer, the right choice, or Yes and No. */
  answer: string
  quotes: readonly string[]
  /** The section or figure asked about, or "abstract": of several places the quote stands there. */
  place?: string
  /** Question and answer are in another language than the paper. */
  otherLanguage?: boolean
}

export const faultReasons = ['too-many', 'too-long', 'too-short', 'not-found', 'other-facts', 'cut', 'hidden-words', 'irrelevant'] as const
export type FaultReason = typeof faultReasons[number]
export interface Fault { reason: FaultReason, detail: string, quote: string }

/** Longer quotes are no quotes, and more of them no evidence. */
export const quoteCharsMax = 4000
export const quotesMax = 20
export const piecesMax = 40

/** Of each document once, as long as the document itself is held. */
const sources = new WeakMap<Document, EvidenceSource>()

/** Linear in the length of the document the first time; nothing after that. */
export function evidenceSourceOf (document: Document): EvidenceSource {
  const source = sources.get(document) ?? preparedFrom(document)
  sources.set(document, source)
  return source
}

function preparedFrom (document: Document): EvidenceSource {
  const prose = passagesOf(document)
  const { rows, equations } = rowsAndEquations(document, prose.length)
  const runs = [...runsOf(prose), ...rows.map(({ cells }) => cells), ...equations.map(equation => [equation])]
  return { index: quoteIndexOf(runs), relevance: relevanceOf({ prose, rows, equations }) }
}

/** Paragraphs run on into one another, whatever stands between them; all else stands alone. */
function runsOf (prose: readonly Passage[]): Passage[][] {
  const runs: Passage[][] = []
  for (const passage of prose) {
    const last = runs.at(-1)
    const goesOn = passage.target.type === 'paragraph' && last?.[0]?.target.type === 'paragraph'
    if (goesOn && last !== undefined) last.push(passage)
    else runs.push([passage])
  }
  return runs
}

/**
 * The evidence of an item: for each quote the slices of the paper where it stands, one for each
 * passage it runs over, in the order of the quotes and without repeats. A quote that is not the
 * paper's, or that does not bear on question and answer, gives a fault instead.
 */
export function groundEvidence (
  source: EvidenceSource, { question, answer, quotes, place, otherLanguage }: Grounds
): { evidence: Evidence[], faults: Fault[] } {
  const evidence: Evidence[] = []
  const faults: Fault[] = []
  let weigh: Weigh | undefined
  for (const [i, quote] of quotes.entries()) {
    const fault = (reason: FaultReason, detail: string) => { faults.push({ reason, detail, quote }) }
    if (i >= quotesMax) {
      fault('too-many', `An answer takes at most ${quotesMax} quotes.`)
      continue
    }
    const found = locateQuote(source, quote, place)
    if ('reason' in found) {
      fault(found.reason, found.detail)
      continue
    }
    const { pieces } = found.place
    if (pieces.length > piecesMax) {
      fault('too-long', `It runs over ${pieces.length} paragraphs or cells, at most ${piecesMax}.`)
      continue
    }
    weigh ??= source.relevance.weighFor({ question, answer, place, otherLanguage })
    const detail = weigh(pieces)
    if (detail !== undefined) {
      fault('irrelevant', detail)
      continue
    }
    for (const piece of pieces) {
      const one = evidenceAt(piece.passage, piece)
      if (!evidence.some(other => sameSlice(one, other))) evidence.push(one)
    }
  }
  return { evidence, faults }
}

function sameSlice (a: Evidence, b: Evidence): boolean {
  return a.charStart === b.charStart && a.charEnd === b.charEnd && a.target.type === b.target.type &&
    a.target.id === b.target.id && a.cell?.row === b.cell?.row && a.cell?.column === b.cell?.column
}

type Placed = { place: Place } | { reason: FaultReason, detail: string }

const label = /^[\s"“]{0,5}(?:figure|fig\.?|table|tab\.?|scheme|그림|표)\s?(S?\d{1,3}[A-Za-z]?|[IVX]{1,5})(?![\p{L}\p{N}])\s?[.:|–—-]?\s{0,3}/iu

/** Where the quote stands, whatever is asked: as given; else without the markup of whoever wrote it down. */
export function locateQuote (source: Pick<EvidenceSource, 'index'>, given: string, place?: string): Placed {
  const quote = given.trim()
  const asGiven = placeOf(source, quote, place)
  const plain = 'reason' in asGiven && quote.length <= quoteCharsMax ? withoutMarkup(quote) : quote
  if (plain === quote) return asGiven
  const found = placeOf(source, plain, place)
  return 'place' in found ? found : asGiven
}

/** Whole; else without its caption's label; else part by part. */
function placeOf ({ index }: Pick<EvidenceSource, 'index'>, given: string, place?: string): Placed {
  const quote = given
    .replace(/^["'“‘«„]{1,3}/u, '').replace(/["'”’»“]{1,3}$/u, '')
  if (quote.length > quoteCharsMax) return { reason: 'too-long', detail: `A quote has at most ${quoteCharsMax} characters.` }
  const fragments = fragmentsOf(quote)
  const whole = findQuote(index, fragments.elided && fragments.texts.length === 1 ? fragments.texts[0] ?? '' : quote)
  if ('places' in whole) return longEnough(nearest(whole.places, place), quote)
  const caption = captionPlace(index, quote)
  if (caption !== undefined) return longEnough(caption, quote)
  return fragments.texts.length < 2 ? whole : joinedPlace(index, fragments, place)
}

/** A caption with its label before it, as content shows it. */
function captionPlace (index: QuoteIndex, quote: string): Place | undefined {
  const [found, number = ''] = label.exec(quote) ?? []
  if (found === undefined) return undefined
  const bare = findQuote(index, quote.slice(found.length))
  const numbered = new RegExp(`(?<![\\p{L}\\p{N}])${number}(?![\\p{L}\\p{N}])`, 'iu')
  return 'reason' in bare
    ? undefined
    : bare.places.find(({ pieces: [first] }) => first?.start === 0 && numbered.test(first.passage.label ?? ''))
}

function joinedPlace (index: QuoteIndex, { texts, elided }: Fragments, place: string | undefined): Placed {
  const pieces: Place['pieces'] = []
  for (const text of texts) {
    const found = findQuote(index, text)
    if ('reason' in found) return found
    const after = pieces.at(-1)
    const fitting = found.places.filter(({ pieces: [first] }) =>
      first !== undefined && (after === undefined || follows(after, first)))
    const one = nearest(fitting, place)
    if (one === undefined) return { reason: 'hidden-words', detail: 'Its parts do not follow one another in the paper: give each as a quote of its own.' }
    const fit = longEnough(one, text)
    if ('reason' in fit) return fit
    const hidden = after === undefined ? undefined : hiddenBetween(after, one.pieces[0]!, elided)
    if (hidden !== undefined) return { reason: 'hidden-words', detail: hidden }
    pieces.push(...one.pieces)
  }
  return { place: { pieces, exact: false } }
}

type Piece = Place['pieces'][number]

/** Later in the same passage, or in a later one of the same section or table. */
function follows (before: Piece, after: Piece): boolean {
  if (before.passage === after.passage) return after.start >= before.end
  const [one, other] = [before.passage, after.passage]
  const table = one.target.type === 'table' && other.target.type === 'table' && one.target.id === other.target.id
  const paragraphs = one.target.type === 'paragraph' && other.target.type === 'paragraph'
  const section = paragraphs && one.sectionId === other.sectionId
  return (table || section) && other.index > one.index
}

/** The place asked about, else the first. */
function nearest (places: readonly Place[], wanted: string | undefined): Place | undefined {
  const stands = ({ pieces }: Place) => pieces.some(({ passage: { target, sectionId } }) =>
    wanted !== undefined && (target.id === wanted || sectionId === wanted || target.type === wanted))
  return places.find(stands) ?? places[0]
}

const wordsMin = 4
const termsMin = 2
/** Korean words hold what English says in two. */
const hangulWordsMin = 3

/** A word or two stand in every paper; the cells of a row, or an equation, are told by less. */
function longEnough (place: Place | undefined, quote: string): Placed {
  if (place === undefined) return { reason: 'not-found', detail: 'It is empty.' }
  const { pieces } = place
  const text = pieces.map(({ passage, start, end }) => passage.text.slice(start, end)).join(' ')
  const words = wordsOf(text).length
  const [first] = pieces
  const whole = first !== undefined && pieces.length === 1 &&
    first.end - first.start >= first.passage.text.trim().length
  const cells = pieces.filter(({ passage }) => passage.cell !== undefined).length
  const least = /[\uAC00-\uD7A3]/u.test(text) ? hangulWordsMin : wordsMin
  const enough = (words >= least && termsOf(text).length >= termsMin) ||
    (cells >= 2 && (cells >= 3 || /\p{L}{2}/u.test(text))) ||
    (whole && first.passage.target.type === 'equation' && quote.length >= 5)
  return enough ? { place } : { reason: 'too-short', detail: `It has ${words} words; evidence needs ${least}, or the cells of a row.` }
}
