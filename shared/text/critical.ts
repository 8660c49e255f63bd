/** What must agree when a quote has the letters of its source: numbers, units, negations, names. */
import { isUnitSymbol, numbersIn } from './facts.ts'
import { deniedByJoining } from './opposites.ts'
import { squash, type Squashed } from './squash.ts'
import { stopWords } from './tokens.ts'

/** `map[i]`: where character i of the quote stands in the source, -1 for nowhere; else at `start` + i. */
export interface Aligned {
  quote: Squashed
  source: Pick<Squashed, 'text' | 'cased' | 'gaps'>
  start: number
  map?: Int32Array | undefined
}

/** What the quote says otherwise, as a sentence; undefined when nothing. */
export function disagreement (aligned: Aligned, source: string): string | undefined {
  const own = squash(source)
  const { plain, marks } = aligned.quote
  return otherNumber(own.plain, plain) ?? otherMark(own.marks, marks) ?? otherWord(aligned)
}

function otherNumber (source: string, quote: string): string | undefined {
  const [theirs, ours] = [numbersIn(source), numbersIn(quote)]
  for (let i = 0; i < Math.max(theirs.length, ours.length); i++) {
    const [a, b] = [theirs[i], ours[i]]
    // Digits of versions (2.9.2) have no value.
    const same = Object.is(a?.value, b?.value) && (!Number.isNaN(a?.value) || a?.text === b?.text)
    if (!same) return `Where it says ${b?.text ?? 'no number'}, the paper says ${a?.text ?? 'no number'}.`
    // Exponents are letters of the text too; printed as cm2 they are no part of the unit.
    const [unit = '', other = ''] = [a?.unit, b?.unit].map(unit => unit?.replace(/(?<=\p{L})(?:\^[23]|[²³])$/u, ''))
    if (unit !== other && isUnitSymbol(unit) && isUnitSymbol(other)) return `Where it says ${b?.text} ${other}, the paper says ${a?.text} ${unit}.`
  }
  return undefined
}

/** Citation marks may be left out, but those the quote has are the source's, in order. */
function otherMark (source: readonly string[], quote: readonly string[]): string | undefined {
  let at = 0
  return quote.find(mark => {
    while (at < source.length && source[at] !== mark) at++
    return at++ >= source.length
  })?.replace(/^.*$/u, mark => `The paper does not have ${mark} there.`)
}

interface Word { start: number, end: number }

/** Words of the squashed text between two offsets, split where white space stood or no letter stands. */
function wordsBetween ({ cased, gaps }: Pick<Squashed, 'cased' | 'gaps'>, { start, end }: Word): Word[] {
  const words: Word[] = []
  let from = -1
  for (let i = start; i <= end; i++) {
    const isLetter = i < end && /[\p{L}\p{N}]/u.test(cased[i] ?? '')
    if (from >= 0 && (!isLetter || gaps[i] === 1)) {
      words.push({ start: from, end: i })
      from = -1
    }
    if (isLetter && from < 0) from = i
  }
  return words
}

/** Negations that make another word, or lose themselves, when joined to a neighbour: no table, notable. */
const joining: ReadonlySet<string> = new Set(['no', 'not', 'nor', 'none'])

/** Whether a word must stand alone in both or in neither. */
function mustStandAlone ({ text }: Pick<Squashed, 'text'>, { start, end }: Word): boolean {
  const word = text.slice(start, end)
  return joining.has(word) || deniedByJoining.get(word)?.some(begin => text.startsWith(begin, end)) === true
}

function otherWord ({ quote, source, start, map }: Aligned): string | undefined {
  const { length } = quote.text
  const mapped = (i: number) => i >= length ? (map?.[length - 1] ?? 0) + 1 : map?.[i] ?? -1
  const to = (i: number) => map === undefined ? start + i : mapped(i)
  const [first, last] = [to(0), to(length)]
  const theirs = wordsBetween(source, { start: first, end: last })
  const ours = wordsBetween(quote, { start: 0, end: length })
  const theirWords = new Set(theirs.map(word => `${word.start} ${word.end}`))
  const ourWords = new Set(ours.map(word => `${to(word.start)} ${to(word.end)}`))
  for (const word of theirs) {
    const text = source.text.slice(word.start, word.end)
    if (mustStandAlone(source, word) && !ourWords.has(`${word.start} ${word.end}`) && !partOfCannot(source, word)) return `It does not have the paper's "${text}".`
  }
  for (const word of ours) {
    const text = quote.text.slice(word.start, word.end)
    if (mustStandAlone(quote, word) && !theirWords.has(`${to(word.start)} ${to(word.end)}`) && !partOfCannot(quote, word)) return `The paper has no "${text}" there.`
  }
  if (map !== undefined) return undefined
  for (const word of theirs) {
    const one = source.cased.slice(word.start, word.end)
    const other = quote.cased.slice(word.start - start, word.end - start)
    if (one !== other && !sameButForCase(one, other, word.start === start)) return `Where it says ${other}, the paper says ${one}.`
  }
  return undefined
}

function partOfCannot ({ text }: Pick<Squashed, 'text'>, { start }: Word): boolean {
  return text.slice(start - 3, start + 3) === 'cannot'
}

/** Capitals at the start of a word, and whole words in capitals, say nothing; CO and Co, mM and MM do. */
function sameButForCase (one: string, other: string, opens: boolean): boolean {
  const lower = one.toLowerCase()
  if (lower !== other.toLowerCase()) return false
  if (lower === 'a') return opens
  const known = opens || lower.length >= 3 || stopWords.has(lower) || joining.has(lower)
  const common = known && /^\p{L}+$/u.test(lower)
  const plain = (word: string) => /^\p{L}\p{Ll}*$/u.test(word) ||
    (word.length >= 5 && word === word.toUpperCase())
  return common && plain(one) && plain(other)
}
