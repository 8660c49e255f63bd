/** Text without what line breaks, typesetting and house style change: only for comparing. */
import { normalise } from './normalise.ts'

/**
 * `cased[i]` came from `original[offsets[i]]`; `text` is `cased` in lower case, of the same length.
 * `gaps[i]` is 1 where white space stood before character i, other than after a hyphen that ended
 * a line. `marks` are the citation marks, which `text` leaves out. `plain` is the original,
 * normalised, without them.
 */
export interface Squashed {
  text: string
  cased: string
  offsets: Int32Array
  gaps: Uint8Array
  marks: string[]
  plain: string
  opensWithArticle: boolean
  opensWithMark: boolean
  endsWithMark: boolean
}

const bracket = /\[\d{1,4}(?:\s?[,-]\s?\d{1,4}){0,10}\]/gu

/** Normalised, without citation marks in brackets. */
export function withoutCitationMarks (text: string): string {
  return normalise(text).text.replaceAll(bracket, '')
}

const brackets = String.raw`\[\d{1,4}(?:\s?[,;-]\s?\d{1,4}){0,20}\]|\(\d{1,3}(?:\s?[,;-]\s?\d{1,3}){0,20}\)`
/** Directly after a word only when it is no name that ends in a digit (Chst1, CO2). */
const raised = String.raw`(?<=(?<![\p{L}\p{N}])\p{Lu}?\p{Ll}{4,40}|-\p{Ll}{3,40}|\p{Ll}{3}[.,;:)])\d{1,3}(?:[,-]\d{1,3}){0,12}(?=\s|$|[.,;])`
const citation = new RegExp(String.raw`${brackets}|${raised}|\([^()]{4,300}\)`, 'gu')
const year = /(?:^|[\s,])(?:19|20)\d\d[a-z]?(?=[\s,;:)]|$)/u
const authors = /\bet al\b|\p{Lu}[\p{L}'-]{1,30},? (?:and|&) \p{Lu}|^(?:(?:see|e\.g\.,?|cf\.|reviewed in) )?\p{Lu}[\p{L}'-]{1,30},? \(?(?:19|20)\d\d/u

/**
 * Left out: white space; hyphens inside and between words of two letters or more; quotation marks,
 * commas and stops that are in no number; the article "the"; citation marks ([3, 5], (Lee, 2010),
 * raised numbers); commas of thousands; the mark of a letter's exponent (cm²). Accents of small
 * letters, British and American -ise, and × and x are the same.
 */
export function squash (original: string): Squashed {
  const { text: full, offsets: origin } = normalise(original)
  const marks: string[] = []
  const gone = new Uint8Array(full.length)
  citation.lastIndex = 0
  for (let match = citation.exec(full); match !== null; match = citation.exec(full)) {
    const { index, 0: mark } = match
    if (isCitation(mark)) {
      marks.push(mark.replaceAll(/[\s()[\]]|(?<=\p{L})-\s?(?=\p{L})/gu, '').toLowerCase())
      gone.fill(1, index, index + mark.length)
      // What stands in brackets may hold a mark of its own.
    } else citation.lastIndex = index + 1
  }
  const plain = plainOf(full, gone)
  const opensWithMark = gone[full.length - full.replace(/^[\s.,;:!?"']{1,5}/u, '').length] === 1
  const endsWithMark = gone[full.replace(/[\s.,;:!?"']{1,5}$/u, '').length - 1] === 1
  for (const { index, 0: { length } } of full
    .matchAll(/(?<![\p{L}\p{N}-])[Tt]he(?=\s|$)/gu)) gone.fill(1, index, index + length)
  return {
    ...lettersOf({ full, origin, gone }),
    marks,
    plain,
    opensWithArticle: /^[\s"'.,;:]{0,3}the\s/iu.test(full),
    opensWithMark,
    endsWithMark
  }
}

function isCitation (mark: string): boolean {
  const words = mark.length > 5 && mark.startsWith('(') && !/^\([\d\s,;-]+\)$/u.test(mark)
  return !words || (year.test(mark.slice(1)) && authors.test(mark.slice(1)))
}

interface Parts { full: string, origin: number[], gone: Uint8Array }

function lettersOf ({ full, origin, gone }: Parts): Pick<Squashed, 'text' | 'cased' | 'offsets' | 'gaps'> {
  const cased: string[] = []
  const offsets: number[] = []
  const gaps: number[] = []
  let gap = 1
  for (let i = 0; i < full.length; i++) {
    const character = full[i] ?? ''
    if (gone[i] === 1 || character === ' ' || isNoise(full, i)) {
      if (character === '-') gap = gap === 1 ? 1 : 2
      else if (gap === 0 && (gone[i] === 1 || character === ' ')) gap = 1
      continue
    }
    const folded = foldAt(full, i)
    cased.push(folded)
    offsets.push(origin[i] ?? 0)
    gaps.push(gap === 1 ? 1 : 0)
    gap = 0
  }
  oneSpelling(cased)
  const joined = cased.join('')
  offsets.push(origin[full.length] ?? 0)
  return {
    text: lowerCase(joined), cased: joined, offsets: Int32Array.from(offsets), gaps: Uint8Array.from(gaps)
  }
}

/** British and American: -ise, -yse; wherever lines or spaces broke the word. */
function oneSpelling (cased: string[]): void {
  for (let i = 2; i + 1 < cased.length; i++) {
    if (cased[i] !== 'z' && cased[i] !== 'Z') continue
    const around = /^\p{L}[iy]$/iu.test(`${cased[i - 2]}${cased[i - 1]}`) && /^[aeio]$/iu.test(cased[i + 1] ?? '')
    if (around) cased[i] = cased[i] === 'z' ? 's' : 'S'
  }
}

const letter = /\p{L}/u
const digit = /\d/u

/** Punctuation and hyphens that may come and go. */
function isNoise (text: string, at: number): boolean {
  const character = text[at] ?? ''
  if (!/[-.,;:!"'|^\uFFFF]/u.test(character)) return false
  const [before, after] = [text[at - 1] ?? ' ', text[at + 1] ?? ' ']
  switch (character) {
    case '-': return betweenWords(text, at)
    case '.': return !(digit.test(after) && !letter.test(before))
    case ':': return !(digit.test(after) && digit.test(before))
    case ',': return !(digit.test(after) && digit.test(before)) || separatesThousands(text, at)
    case '^': return letter.test(before)
    case '!': case '"': return !digit.test(before)
    case "'": return !digit.test(before) &&
      (letter.test(after) || !letter.test(before) || letter.test(text[at - 2] ?? ' '))
    case '|': return before === ' ' || after === ' '
    default: return true
  }
}

/** 1,200 is 1200; 0,200 and 1,20 are other numbers. */
function separatesThousands (text: string, at: number): boolean {
  return /^,\d{3}(?!\d)/u.test(text.slice(at, at + 5)) &&
    /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3}){0,3}$/u.test(text.slice(Math.max(0, at - 17), at))
}

/** Whether two letters or more stand on either side, white space apart. */
function betweenWords (text: string, at: number): boolean {
  const left = text[at - 1] === ' ' ? at - 2 : at - 1
  const right = text[at + 1] === ' ' ? at + 2 : at + 1
  return [left, left - 1, right, right + 1].every(i => letter.test(text[i] ?? ' '))
}

/** One character. */
function foldAt (text: string, at: number): string {
  const character = text[at] ?? ''
  if (character === '×') return 'x'
  if (character === '\u223C') return '~'
  if (character < '\u00C0' || character === 'å' || !/[\u00DF-\u024F]/u.test(character)) return character
  const [base = character] = character.normalize('NFD')
  return base
}

/** Only letters whose lower case has the same length. */
function lowerCase (text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from({ length: text.length }, (_, i) => {
    const one = (text[i] ?? '').toLowerCase()
    return one.length === 1 ? one : text[i]
  }).join('')
}

function plainOf (full: string, gone: Uint8Array): string {
  let plain = ''
  let from = 0
  for (let i = 0; i <= full.length; i++) {
    if (i < full.length && gone[i] !== 1) continue
    plain += full.slice(from, i)
    from = i + 1
  }
  return plain
}
