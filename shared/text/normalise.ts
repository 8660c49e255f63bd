/** Text with the accidents of typesetting taken out, and the way back to the original. */

/** `offsets[i]` is where character i of `text` began in the original; one more at the end. */
export interface Normalised { text: string, offsets: number[] }

const dashes = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/u
const singleQuotes = /[\u2018-\u201B\u2032\u00B4\u0060]/u
const doubleQuotes = /[\u201C-\u201F\u2033\u00AB\u00BB]/u
/** Rings that stand for the degree sign. */
const degrees = /[\u00BA\u02DA\u2218\u25E6]/u
const invisible = /[\u00AD\u200B-\u200D\u2060\uFEFF]/u
const space = /\s/u
const joins = /[\p{M}\u1160-\u11FF]/u
const superscripts: Record<string, string> = {
  '⁰': '^0', '¹': '^1', '²': '^2', '³': '^3', '⁴': '^4', '⁵': '^5', '⁶': '^6', '⁷': '^7', '⁸': '^8', '⁹': '^9', '⁻': '^-', '⁺': '^+'
}

/**
 * NFKC, ligatures expanded, dashes and quotes folded to ASCII, rings to °, runs of white space to one space,
 * soft hyphens and zero-width characters dropped. Superscript digits keep a caret, since NFKC
 * would make 10² into 102. Case is kept. Idempotent; white space at both ends is dropped.
 *
 * @see Unicode Standard Annex 15
 */
export function normalise (original: string): Normalised {
  // Asking a string that grows for its end would copy it each time.
  const pieces: string[] = []
  const offsets: number[] = []
  for (const { cluster, start } of clustersOf(original)) {
    if (isInvisible(cluster)) continue
    const piece = isPlain(cluster) ? cluster : fold(cluster)
    if (piece === '' || (piece === ' ' && (pieces.length === 0 || pieces.at(-1) === ' '))) continue
    pieces.push(piece)
    for (let i = 0; i < piece.length; i++) offsets.push(start)
  }
  offsets.push(original.length)
  if (pieces.at(-1) === ' ') {
    pieces.pop()
    offsets.splice(offsets.length - 2, 1)
  }
  return { text: pieces.join(''), offsets }
}

/** The normalised text alone. */
export function normalised (original: string): string {
  return isPrintableAscii.test(original) ? foldedAscii(original) : normalise(original).text
}

const isPrintableAscii = /^[\t\n\r -~]*$/

/** What folding leaves to do of such text; several times as fast, and most answers are such. */
function foldedAscii (text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()
}

/** How many code points precede the UTF-16 offset. */
export function codePointOffset (text: string, offset: number): number {
  let surrogates = 0
  for (let i = 1; i < offset; i++) {
    const low = (text.charCodeAt(i) & 0xFC00) === 0xDC00
    if (low && (text.charCodeAt(i - 1) & 0xFC00) === 0xD800) surrogates++
  }
  return offset - surrogates
}

/** The slice between two code point offsets, half-open. */
export function codePointSlice (text: string, start: number, end: number): string {
  return Array.from(text).slice(start, end).join('')
}

/** Letters, digits, space and comma of ASCII: most of a paper, and nothing to fold. */
function isPlain (cluster: string): boolean {
  const code = cluster.charCodeAt(0)
  return cluster.length === 1 &&
    ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) ||
    code === 32 || code === 44)
}

function isInvisible (cluster: string): boolean {
  return cluster.charCodeAt(0) > 0x7F && invisible.test(cluster)
}

function fold (cluster: string): string {
  const superscript = superscripts[cluster]
  if (superscript !== undefined) return superscript
  if (dashes.test(cluster)) return '-'
  if (singleQuotes.test(cluster)) return "'"
  if (doubleQuotes.test(cluster)) return '"'
  if (degrees.test(cluster)) return '°'
  if (space.test(cluster)) return ' '
  const composed = cluster.normalize('NFKC').replaceAll('\u2044', '/')
  return space.test(composed) ? composed.replace(/\s+/gu, ' ').trim() || ' ' : composed
}

/** Code points, each with the combining marks (and conjoining jamo) that belong to it. */
function * clustersOf (text: string): Generator<{ cluster: string, start: number }> {
  let cluster = ''
  let start = 0
  let at = 0
  for (const character of text) {
    if (cluster !== '' && !(character.charCodeAt(0) > 0x7F && joins.test(character))) {
      yield { cluster, start }
      cluster = ''
    }
    if (cluster === '') start = at
    cluster += character
    at += character.length
  }
  if (cluster !== '') yield { cluster, start }
}
