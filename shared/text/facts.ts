/** What in a sentence can be checked: numbers, directions, comparisons, negations, names. */
import { comparatives, directions, koreanDirections, koreanNegations, negations } from './opposites.ts'
import { singular, stopWords, wordsOf, type Token } from './tokens.ts'

export type FactKind =
  'number' | 'percentage' | 'comparative' | 'direction' | 'negation' | 'entity'

/** A fact and its span (UTF-16, half-open). A number's span leaves its unit out. */
export interface Fact {
  kind: FactKind
  text: string
  start: number
  end: number
  /** Of a number or percentage; its sign included. */
  value?: number
  /** Of a number: a symbol, or the noun it counts, singular and lower case; '' when it has none. */
  unit?: string
}

const number = /(?<![\p{L}\p{N}_^.,/])[−-]?\d{1,15}(?:[.,]\d{1,15}){0,5}(?![\p{N}])/gu
const scale = /^\s?[×x·]\s?10\s?\^?[−-]?\d{1,3}/u
/** Letters that are written right after a number or its unit without belonging to it: 450에서, 3 V의, 12個. */
const joined = String.raw`[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const partOfName = new RegExp(`^(?!${joined})\\p{L}|^-\\p{Lu}`, 'u')
/** Symbols that may follow a number, with or without a space; the noun it counts otherwise. */
const symbol = new RegExp(String.raw`^(?:\s{0,3}(?:%|‰|°C|°F|°|℃|Å|Ω|µ\p{L}{1,3}|μ\p{L}{1,3}|per ?cent\b)|(?:\s{0,3}|-)(?:[nmckMGT]?(?:m|g|s|Hz|eV|V|W|Pa|M|L|l|J|K|N|A|T|B|bp|pc)|k?cal|min|h|hrs?|dB|Da|kDa|px|ppm|ppb|rpm|mol|mmol|fold|yr|Gyr|Myr|mas|arcsec|arcmin|mag|ms)(?:[²³]|\^[23])?(?!(?!${joined})[\p{L}\p{N}]))`, 'u')
const noun = /^(?:\s{1,3}|-)(\p{Ll}[\p{Ll}-]{1,30})/u

/** Every fact in the text, in order of position. */
export function factsIn (text: string): Fact[] {
  return [...numbersIn(text), ...wordFacts(text)].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Numbers and percentages; digits inside names (IL-6, 3D) are not numbers. */
export function numbersIn (text: string): Fact[] {
  const facts: Fact[] = []
  let past = 0
  for (const match of text.matchAll(number)) {
    // The ten of a power of ten belongs to the number before.
    if (match.index < past) continue
    const before = text.slice(Math.max(0, match.index - 2), match.index)
    // The dash of a range (5-10, 5 - 10) is no sign.
    const start = match.index + (/^[−-]/u.test(match[0]) && /[\d)%]\s?$/u.test(before) ? 1 : 0)
    const end = match.index + match[0].length
    if (/\p{L}[-‐–]$/u.test(text.slice(Math.max(0, start - 2), start))) continue
    const rest = text.slice(end, end + 40)
    past = end + (scale.exec(rest)?.[0].length ?? 0)
    const unit = unitOf(rest)
    if (unit === undefined) continue
    const digits = text.slice(start, end)
    const kind = unit === '%' ? 'percentage' : 'number'
    facts.push({ kind, text: digits, start, end, value: valueOf(digits), unit })
  }
  return facts
}

/** Thousands commas dropped (1,024), a decimal comma kept (0,5). */
export function valueOf (digits: string): number {
  const plain = digits.replace('−', '-')
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(plain)) return Number(plain.replaceAll(',', ''))
  return Number(/^-?\d+,\d+$/u.test(plain) ? plain.replace(',', '.') : plain)
}

/** The unit that follows, '' for none, undefined when the digits turn out to belong to a name. */
function unitOf (rest: string): string | undefined {
  const power = scale.exec(rest)?.[0] ?? ''
  const after = rest.slice(power.length)
  const mark = symbol.exec(after)?.[0].trim().replace(/^-/u, '')
  const prefix = power.replaceAll(/\s/gu, '').replace('x', '×')
  if (mark !== undefined) return prefix + (/^per ?cent$/u.test(mark) ? '%' : mark.replace('μ', 'µ'))
  if (partOfName.test(after)) return undefined
  const counted = noun.exec(after)?.[1]
  return prefix + (counted === undefined || stopWords.has(counted) ? '' : singular(counted))
}

/** Whether a number's `unit` is a symbol (mm, %, ×10^5 m) rather than a noun it counts, or none. */
export function isUnitSymbol (unit: string): boolean {
  const bare = unit.replace(scale, '')
  return bare !== '' && symbol.exec(` ${bare}`)?.[0] === ` ${bare}`
}

function wordFacts (text: string): Fact[] {
  const facts: Fact[] = []
  for (const [index, token] of wordsOf(text).entries()) {
    const before = text.slice(Math.max(0, token.start - 3), token.start)
    const kind = kindOf(token, index === 0 || /[.!?:]\s$/u.test(before))
    const isUnit = token.text.length <= 3 && /\d\s?°?$/u.test(before)
    if (kind !== undefined && !isUnit) facts.push({ kind, ...token })
  }
  return facts
}

function kindOf ({ text }: Token, opensSentence: boolean): FactKind | undefined {
  const lower = text.toLowerCase()
  if (negations.has(lower) || /n['’]t$/u.test(lower)) return 'negation'
  if (directions.has(lower)) return 'direction'
  if (comparatives.has(lower)) return 'comparative'
  if (/^[\uAC00-\uD7A3]/u.test(text)) {
    if (koreanNegations.some(stem => text.includes(stem))) return 'negation'
    return koreanDirections.flat().some(stem => text.includes(stem)) ? 'direction' : undefined
  }
  const name = /\p{Lu}.*\p{Lu}/u.test(text) || (/\p{L}/u.test(text) && /\p{N}/u.test(text))
  const capital = /^\p{Lu}/u.test(text) && !opensSentence && !stopWords.has(lower)
  return name || capital ? 'entity' : undefined
}

/** Numbers in their order, all else sorted: texts that claim the same have the same. */
export interface CriticalTokens { numbers: string[], others: string[] }

export function criticalTokens (text: string): CriticalTokens {
  const facts = factsIn(text)
  const claims = facts.filter(fact => fact.value === undefined).map(fact =>
    `${fact.kind} ${fact.kind === 'entity' ? fact.text : fact.text.toLowerCase()}`)
  return {
    numbers: facts.filter(fact => fact.value !== undefined).map(fact => `${fact.value} ${fact.unit}`),
    others: claims.sort((a, b) => a < b ? -1 : a > b ? 1 : 0)
  }
}

/** Whether both claim the same: numbers and units in order, negations, comparisons, names. */
export function sameFacts (a: string, b: string): boolean {
  const [one, other] = [criticalTokens(a), criticalTokens(b)]
  const equal = (x: string[], y: string[]) =>
    x.length === y.length && x.every((value, i) => value === y[i])
  return equal(one.numbers, other.numbers) && equal(one.others, other.others)
}
