/** Words of a text, and the terms that searching and comparing use. */

/** Offsets are UTF-16, half-open. */
export interface Token { text: string, start: number, end: number }

const word = /[\p{L}\p{N}\p{M}]+(?:[.,'’\-‐–][\p{L}\p{N}\p{M}]+)*/gu
const hangul = /^[\uAC00-\uD7A3]+/u
const cjk = /^[\u3040-\u30FF\u3400-\u9FFF]+$/u

export const stopWords: ReadonlySet<string> = new Set(`a about above after again all also although am an and any are as at
be because been before being between both but by can could did do does doing done due during each either et al etc few for
from further had has have having he hence her here his how however i if in into is it its itself may might more most much
must nor of on once only or other our out over own per same shall she should since so some such than that the their them
then there therefore these they this those through thus to too under until up upon us very via was we were what when where
whereas which while who whom whose why will with within would you your`.split(/\s+/u))

/** Words in their order: letters and digits, inner points, hyphens and apostrophes kept. */
export function wordsOf (text: string): Token[] {
  return Array.from(text.matchAll(word), match => ({
    text: match[0], start: match.index, end: match.index + match[0].length
  }))
}

/**
 * What a passage is about: lower-case words without stop words, plurals folded. A Hangul word
 * gives its syllable bigrams, because particles stick to it; so do Han and kana.
 */
export function termsOf (text: string): string[] {
  return wordsOf(text).flatMap(({ text }) => {
    const lower = text.normalize('NFKC').toLowerCase()
    if (stopWords.has(lower)) return []
    const syllables = hangul.exec(lower)?.[0] ?? (cjk.test(lower) ? lower : undefined)
    return syllables === undefined ? partsOf(lower) : bigramsOf(syllables)
  })
}

/** Plural endings only: the "S" stemmer of Harman 1991, How effective is suffixing? */
export function singular (word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/u.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:xes|ches|shes|sses)$/u.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** A hyphenated word counts as its parts, so that "time-dependent" meets "time dependent". */
function partsOf (word: string): string[] {
  const parts = /\d/u.test(word) ? [word] : word.split(/[-‐–]/u)
  return parts.filter(part => part !== '' && !stopWords.has(part)).map(singular)
}

function bigramsOf (syllables: string): string[] {
  if (syllables.length < 2) return [syllables]
  return Array.from({ length: syllables.length - 1 }, (_, i) => syllables.slice(i, i + 2))
}
