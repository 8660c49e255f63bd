/** Where sentences begin and end in running scientific prose. */

/** Offsets are UTF-16, half-open; `text` is that slice, without white space at its ends. */
export interface Sentence { text: string, start: number, end: number }

/** Never end a sentence, whatever follows. */
const abbreviations = new Set(`fig figs eq eqs eqn eqns ref refs sec secs sect sects tab tabs ch chap vol vols pp ed eds no nos
nr vs viz cf ca approx resp incl excl i.e e.g ie eg dr prof mr mrs ms st mt jr sr rev gen suppl supp ext sp spp ssp subsp
var cv min max avg dept univ jan feb mar apr jun jul aug sep sept oct nov dec thm prop lem cor def ex app p l w.r.t s.t n.b
a.k.a u.k u.s`.split(/\s+/u))

/** End a sentence only when one plainly begins after them. */
const doubtful = new Set(['al', 'etc', 'inc', 'ltd', 'co', 'corp', 'no', 'nos', 'min', 'max', 'a.m', 'p.m', 'u.s', 'u.k', 'ex', 'app', 'def', 'prop', 'ed', 'sp', 'spp', 'var', 'p', 'l', 'n'])

const starters = new Set(`The A An We In It This These Those That There They However Moreover Furthermore Therefore Thus Hence
Our For As To On At By With From When While Although Since If Here Such Both Each All Some Most One Two Then Finally First
Second Third Next Although Because After Before During Given Let Note Instead Nevertheless Additionally Also Their Its`.split(/\s+/u))

const terminator = /[.!?。！？]/u
const closer = /["'”’»)\]]/u
const opener = /[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“‘«([*\p{Sm}\p{So}]/u
const hangulSyllable = /[\uAC00-\uD7A3]/u

/**
 * Splits at full stops, exclamation and question marks and their CJK forms, and at blank lines;
 * not after abbreviations (Fig., et al., e.g., vs., No. 5), initials, enumerators or inside
 * numbers. A superscript citation that lost its raising ("growth.12 The") stays with its sentence.
 * Linear in the length of the text.
 */
export function splitSentences (text: string): Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  const cut = (end: number) => {
    const slice = text.slice(start, end)
    const from = start + slice.length - slice.trimStart().length
    if (slice.trim() !== '') sentences.push({ text: slice.trim(), start: from, end: from + slice.trim().length })
    start = end
  }
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character === '\n' && text[i + 1] === '\n') cut(i)
    else if (terminator.test(character)) {
      const end = endAfter(text, i, start)
      if (end === undefined) continue
      cut(end)
      i = end - 1
    }
  }
  cut(text.length)
  return sentences
}

/** Where the sentence that the terminator at `i` may close ends, or undefined if it goes on. */
function endAfter (text: string, i: number, start: number): number | undefined {
  let end = i + 1
  while (end < text.length && (terminator.test(text[end] ?? '') || closer.test(text[end] ?? ''))) end++
  if (end === text.length) return end
  const mark = text[i] ?? ''
  if (/[。！？]/u.test(mark)) return end
  if (mark === '.' && hangulSyllable.test(text[i - 1] ?? '')) {
    return /[\s\uAC00-\uD7A3]/u.test(text[end] ?? '') ? end : undefined
  }
  end = pastCitation(text, end)
  if (!/\s/u.test(text[end] ?? ' ')) return undefined
  const next = nextWord(text, end)
  if (next === '') return end
  if (!opener.test(next[0] ?? '')) return undefined
  return mark === '.' && isAbbreviation(text, i, { start, next }) ? undefined : end
}

/** After "growth.12,13" when a new sentence follows; the offset given otherwise. */
function pastCitation (text: string, end: number): number {
  if (!/[\p{Ll})]/u.test(text[end - 2] ?? '') || !/\d/u.test(text[end] ?? '')) return end
  let at = end
  while (at < text.length && at - end < 12 && /[\d,–-]/u.test(text[at] ?? '')) at++
  return /\s/u.test(text[at] ?? '') && /\p{Lu}/u.test(nextWord(text, at)[0] ?? '') ? at : end
}

function nextWord (text: string, from: number): string {
  let at = from
  while (at < text.length && /\s/u.test(text[at] ?? '')) at++
  let end = at
  while (end < text.length && end - at < 40 && !/\s/u.test(text[end] ?? '')) end++
  return text.slice(at, end)
}

interface Around { start: number, next: string }

function isAbbreviation (text: string, dot: number, { start, next }: Around): boolean {
  let from = dot
  while (from > start && dot - from < 20 && /[\p{L}\p{N}.&-]/u.test(text[from - 1] ?? '')) from--
  const word = text.slice(from, dot)
  const lower = word.toLowerCase()
  const plainStart = starters.has(next.replace(/[,;:]+$/u, ''))
  if (/^\d{1,3}$/u.test(word) && text.slice(start, from).trim() === '') return true
  if (/^\p{Lu}$/u.test(word) || /^(?:\p{Lu}\.)+\p{Lu}$/u.test(word)) return !plainStart
  if (doubtful.has(lower)) return !plainStart && (!/^nos?$/u.test(lower) || /^\d/u.test(next))
  return abbreviations.has(lower)
}
