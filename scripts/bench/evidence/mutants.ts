/** Quotes that look like the paper's and say something else, or nothing. */
import { factsIn, numbersIn } from '../../../shared/text/facts.ts'
import { comparatives, directions } from '../../../shared/text/opposites.ts'
import { stopWords, wordsOf, type Token } from '../../../shared/text/tokens.ts'
import type { Chance } from './chance.ts'

export interface Stock { names: string[], words: string[] }
export interface Material { chance: Chance, own: Stock, otherPaper: readonly string[] }

/** Null where the text has nothing of the kind. */
export type Mutation = (text: string, material: Material) => string | null

export function stockOf (sentences: readonly string[]): Stock {
  const names = sentences.flatMap(text => factsIn(text).filter(({ kind }) => kind === 'entity').map(({ text }) => text))
  const words = sentences.flatMap(text => contentWords(text).map(({ text }) => text))
  return { names: [...new Set(names)], words: [...new Set(words)] }
}

function contentWords (text: string): Token[] {
  return wordsOf(text).filter(({ text }) => /^\p{L}{4,}$/u.test(text) && !stopWords.has(text.toLowerCase()))
}

function put (text: string, { start, end }: { start: number, end: number }, instead: string): string {
  return text.slice(0, start) + instead + text.slice(end)
}

const units: Record<string, string> = {
  mm: 'cm',
  cm: 'mm',
  nm: 'µm',
  µm: 'nm',
  m: 'km',
  km: 'm',
  s: 'ms',
  ms: 's',
  h: 'min',
  min: 'h',
  Hz: 'kHz',
  eV: 'meV',
  V: 'mV',
  mg: 'µg',
  g: 'mg',
  kg: 'g',
  K: '°C',
  '°C': 'K',
  '%': '‰',
  M: 'mM',
  mM: 'µM',
  L: 'mL',
  mL: 'L',
  days: 'weeks',
  years: 'months',
  hours: 'minutes',
  weeks: 'days',
  months: 'years',
  minutes: 'hours'
}

const turned: Record<string, string> = {
  증가: '감소', 감소: '증가', 상승: '하락', 하락: '상승', 높: '낮', 낮: '높', 향상: '저하', 저하: '향상'
}

const auxiliary = /\b(?:is|are|was|were|can|could|may|might|will|would|has|have|had|does|do|did)\b(?! not)/u
const negation = /\s\b(?:not|never)\b|(?<=\p{L})n't\b|\b(?:without)\b|(?<=\s)no\s(?=\p{Ll})/u

export const mutations: Record<string, Mutation> = {
  'digit flipped': (text, { chance }) => {
    const digits = numbersIn(text).flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)).filter(i => /\d/u.test(text[i] ?? ''))
    if (digits.length === 0) return null
    const at = chance.of(digits)
    return put(text, { start: at, end: at + 1 }, String((Number(text[at]) + 1 + chance.below(9)) % 10))
  },
  'decimal point moved': (text, { chance }) => {
    const found = Array.from(text.matchAll(/(?<![\p{L}\d.])\d{1,3}\.\d{1,3}(?![\p{L}\d.])/gu))
    if (found.length === 0) return null
    const one = chance.of(found)
    const digits = one[0].replace('.', '')
    const at = one[0].indexOf('.') === 1 ? 2 : 1
    const moved = digits.length > at ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits
    return put(text, { start: one.index, end: one.index + one[0].length }, moved)
  },
  'sign flipped': (text, { chance }) => {
    const found = numbersIn(text).filter(({ text }) => /^[−-]/u.test(text))
    return found.length === 0 ? null : put(text, { start: chance.of(found).start, end: chance.of(found).start + 1 }, '')
  },
  'numbers swapped': (text, { chance }) => {
    const numbers = numbersIn(text)
    const [a, b] = chance.some(numbers, 2).sort((x, y) => x.start - y.start)
    if (a === undefined || b === undefined || a.value === b.value) return null
    return text.slice(0, a.start) + b.text + text.slice(a.end, b.start) + a.text + text.slice(b.end)
  },
  'unit changed': (text, { chance }) => {
    const found = Array.from(text.matchAll(/(?<=\d\s?)(?:mm|cm|nm|µm|m|km|s|ms|h|min|Hz|eV|V|mg|g|kg|K|°C|%|mM|M|mL|L|days|years|hours|weeks|months|minutes)(?![\p{L}\p{N}])/gu))
    if (found.length === 0) return null
    const one = chance.of(found)
    return put(text, { start: one.index, end: one.index + one[0].length }, units[one[0]] ?? 'kg')
  },
  'negation put in': (text, { chance }) => {
    const found = Array.from(text.matchAll(new RegExp(auxiliary, 'gu')))
    if (found.length === 0) return null
    const one = chance.of(found)
    return put(text, { start: one.index, end: one.index + one[0].length }, `${one[0]} not`)
  },
  'negation taken out': text => {
    const found = negation.exec(text)
    return found === null ? null : put(text, { start: found.index, end: found.index + found[0].length }, '')
  },
  'cut after a negation': text => {
    const found = /\b(?:not|no|never|without|cannot)\s(?=\p{L}.{30})/u.exec(text)
    return found === null ? null : text.slice(found.index + found[0].length)
  },
  'comparative turned': (text, { chance }) => {
    const turns = (word: string) => comparatives.has(word) || directions.has(word)
    const words = wordsOf(text).filter(({ text }) => turns(text.toLowerCase()))
    if (words.length === 0) return null
    const one = chance.of(words)
    const lower = one.text.toLowerCase()
    return put(text, one, (comparatives.get(lower) ?? directions.get(lower))?.word ?? '')
  },
  'name swapped': (text, { chance, own }) => {
    const names = factsIn(text).filter(({ kind }) => kind === 'entity')
    if (names.length === 0) return null
    const one = chance.of(names)
    const other = chance.of(own.names)
    return other.toLowerCase() === one.text.toLowerCase() ? null : put(text, one, other)
  },
  'case of a name': (text, { chance }) => {
    const names = factsIn(text).filter(({ kind, text }) => kind === 'entity' && /^\p{Lu}{2,4}$|^\p{L}{1,4}\d/u.test(text))
    if (names.length === 0) return null
    const one = chance.of(names)
    const lower = one.text.toLowerCase()
    return lower === one.text ? null : put(text, one, lower)
  },
  'word changed': (text, { chance, own }) => {
    const words = contentWords(text)
    if (words.length === 0) return null
    const one = chance.of(words)
    const other = chance.of(own.words)
    return other.toLowerCase() === one.text.toLowerCase() ? null : put(text, one, other)
  },
  'letter changed': (text, { chance }) => {
    const words = contentWords(text).filter(({ text }) => text.length >= 6)
    if (words.length === 0) return null
    const { start, end } = chance.of(words)
    const at = start + 1 + chance.below(end - start - 2)
    const other = String.fromCharCode(97 + (text.charCodeAt(at) - 97 + 1 + chance.below(25)) % 26)
    return put(text, { start: at, end: at + 1 }, other)
  },
  'word left out': (text, { chance }) => {
    const words = contentWords(text).filter(({ start, end }) => start > 0 && end < text.length - 2)
    if (words.length === 0) return null
    const one = chance.of(words)
    return put(text, { start: one.start - 1, end: one.end }, '')
  },
  'word put in': (text, { chance, own }) => {
    const words = contentWords(text).filter(({ start }) => start > 0)
    if (words.length === 0) return null
    const { start } = chance.of(words)
    return put(text, { start, end: start }, `${chance.of(own.words)} `)
  },
  'words exchanged': (text, { chance }) => {
    const [a, b] = chance.some(contentWords(text), 2).sort((x, y) => x.start - y.start)
    if (a === undefined || b === undefined || a.text.toLowerCase() === b.text.toLowerCase()) return null
    return text.slice(0, a.start) + b.text + text.slice(a.end, b.start) + a.text + text.slice(b.end)
  },
  'Korean: direction turned': (text, { chance }) => {
    const found = Array.from(text.matchAll(/증가|감소|상승|하락|높|낮|향상|저하/gu))
    if (found.length === 0) return null
    const { index, 0: word } = chance.of(found)
    return put(text, { start: index, end: index + word.length }, turned[word] ?? '')
  },
  'Korean: negation put in or out': text => {
    const [not] = /지 않(?=[았는은])/u.exec(text) ?? []
    if (not !== undefined) return text.replace(not, '')
    return /[가-힣]다\.$/u.test(text) ? text.replace(/다\.$/u, '지 않다.') : null
  },
  'Korean: particle changed': (text, { chance }) => {
    const found = Array.from(text.matchAll(/(?<=[가-힣]{2})(?:을|를|이|가|은|는)(?=\s)/gu))
    if (found.length === 0) return null
    const { index, 0: particle } = chance.of(found)
    return put(text, { start: index, end: index + 1 }, /[을를]/u.test(particle) ? '에서' : '에게')
  },
  "another paper's sentence": (_, { chance, otherPaper }) => chance.of(otherPaper),
  'half of another sentence': (text, { chance, otherPaper }) => {
    const other = chance.of(otherPaper).split(' ')
    const words = text.split(' ')
    return [...words.slice(0, Math.ceil(words.length / 2)), ...other.slice(Math.ceil(other.length / 2))].join(' ')
  },
  'one word': (text, { chance }) => {
    const words = contentWords(text)
    return words.length === 0 ? null : chance.of(words).text
  },
  'two words': (text, { chance }) => {
    const words = wordsOf(text)
    if (words.length < 6) return null
    const at = 1 + chance.below(words.length - 3)
    return text.slice(words[at]!.start, words[at + 1]!.end)
  }
}
