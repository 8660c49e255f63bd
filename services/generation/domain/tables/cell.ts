/** What stands in one cell: a number, a bound, nothing, words, or what we do not claim to understand. */
import { startOf } from '../../../../shared/text/start-of.ts'
import { decimalOf, type Decimal } from './decimal.ts'

/**
 * `unclear`: has digits, and is no single number that all readers would read alike: 12 (34%), 3-5,
 * 1.2 x 10^3, 5 h.
 */
export type Cell =
  | { kind: 'number', value: Decimal, percent: boolean, spread: boolean }
  | { kind: 'bound' | 'missing' | 'empty' | 'words' | 'unclear' }

export interface CellRules {
  /** The comma is the decimal sign of this table. */
  decimalComma: boolean
  /** Set in print, not marked up: a space inside a number may be a gap between glyphs. */
  drawn: boolean
}

const missing = /^(?:[-–—−‐‑]{1,3}|\.{2,3}|…|n\.?\s?[ad]\.?|n\/[ad]|n\.?\s?[ts]\.?|none|nil|해당\s?없음)$/iu
const number = String.raw`(?:\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,10})?|\d{1,3}(?:[\u2009\u202F\u00A0 ]\d{3}){1,4}(?:\.\d{1,10})?|\d{1,12}(?:[.,]\d{1,10})?|\.\d{1,10})`
const spread = String.raw`(?:\s?±\s?${number}|\s?\(\s?±\s?${number}\s?\))`
/** Letters of significance and footnotes: after a spread as printed, else only raised or as symbols. */
const raised = String.raw`(?:\s?[*†‡§¶#]{1,3}|\s?[ᵃ-ᵛᵝ-ᶿʰ-ʸˢⁿⁱ]{1,4})`
const shape = new RegExp(`^([-−–+]?)(${number})(\\s?%)?(${spread})?(\\s?%)?(?:${raised}|(?<=[\\d)]\\s?)\\s?[a-z]{1,4})?$`, 'u')
const letterMark = /[\d)%]\s?[a-z]{1,4}$/u

export function readCell (text: string, { decimalComma, drawn }: CellRules): Cell {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'empty' }
  if (missing.test(trimmed)) return { kind: 'missing' }
  if (!/\d/u.test(trimmed)) return { kind: 'words' }
  if (/^[<>≤≥≈~∼]/u.test(trimmed)) return { kind: 'bound' }
  const match = shape.exec(trimmed)
  if (match === null) return { kind: /^\p{L}{2}|^\p{L}.*\p{L}/u.test(trimmed) ? 'words' : 'unclear' }
  const [, sign = '', digits = '', percent, around, after] = match
  // "5 h" is a time, "12.1 ± 0.2 f" a letter of significance.
  if (around === undefined && letterMark.test(trimmed)) return { kind: 'unclear' }
  const plain = plainOf(digits, { decimalComma, drawn })
  if (plain === undefined) return { kind: 'unclear' }
  const value = decimalOf(plain)
  return {
    kind: 'number',
    value: /[-−–]/u.test(sign) ? { ...value, units: -value.units } : value,
    percent: percent !== undefined || after !== undefined,
    spread: around !== undefined
  }
}

/** Digits with a point at most; undefined when the separators do not go with the table's. */
function plainOf (digits: string, { decimalComma, drawn }: CellRules): string | undefined {
  if (/\s/u.test(digits)) {
    if (drawn) return undefined
    return plainOf(digits.replaceAll(/\s/gu, ''), { decimalComma, drawn })
  }
  const full = digits.startsWith('.') ? `0${digits}` : digits
  if (decimalComma) return full.includes('.') ? undefined : full.replace(',', '.')
  if (!full.includes(',')) return full
  return /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(full) ? full.replaceAll(',', '') : undefined
}

/** Where 1.234 is a fraction and 1,234 is not, whoever reads it. */
const pointLanguages = new Set(['en', 'ko', 'ja', 'zh', 'und'])
/** To readers of other languages three digits behind one sign may be thousands or a fraction. */
const either = /(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?![\d.,])/u
const pointed = /(?<![\d.,])(?:\d+\.(?:\d{1,2}|\d{4,})|0?\.\d+)(?![\d.,])/u

/**
 * Which sign parts whole from fraction in these cells.
 *
 * @param language  of the paper, BCP 47
 * @returns undefined when both do, or may: then neither is certain
 */
export function decimalCommaIn (cells: readonly string[], language = 'en'): boolean | undefined {
  const told = pointLanguages.has(language.split('-')[0] ?? '')
  const comma = cells.some(cell => /(?:^|[^\d.,])(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+)(?![\d.,])/u.test(cell.slice(0, 200)) && !/\p{L}{3}/u.test(cell))
  const point = cells.some(cell => /\d\.\d/u.test(cell))
  if (comma && point) return undefined
  const certain = told || comma || cells.some(cell => pointed.test(cell.slice(0, 200)))
  return !certain && cells.some(cell => either.test(cell.slice(0, 200))) ? undefined : comma
}

const twoPoints = /(?<![\d.])\d{1,20}\.\d{1,20}\.\d{1,20}(?![\d.])/u
const date = /(?<!\d)(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)?\d\d(?!\d)/u

/**
 * Why digits of a printed table are not to be trusted; undefined when nothing speaks against them.
 * Gaps inside numbers may join two cells or split one; two points are a minus or a range whose sign
 * the font does not tell.
 */
export function digitFault (text: string): string | undefined {
  const plain = text.slice(0, 400)
  if (/\d\s\d|\d\s[.,:]\s?\d|\d[.,]\s\d/u.test(plain)) return `spaces inside numbers ("${startOf(plain, 40)}")`
  if (twoPoints.test(plain) && !date.test(plain)) return `a number with two points ("${startOf(plain, 40)}")`
  if (/[\uFFFD\p{Co}]/u.test(plain)) return `signs the font does not tell ("${startOf(plain, 40)}")`
  return undefined
}
