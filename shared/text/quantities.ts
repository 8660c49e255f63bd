/** Amounts as a text tells them: in digits, powers of ten or words, as ranges and as bounds. */
import { isUnitSymbol, numbersIn, type Fact } from './facts.ts'
import { singular } from './tokens.ts'

/** From `low` to `high`, which are the same for an amount. */
export interface Quantity {
  low: number
  high: number
  /** Of the last digit: what rounding hides. */
  half: number
  unit: string
  /** A range or a bound. */
  bound: boolean
}

/** Without one, which is rarely a number. */
const small = `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen`.split(/\s/u)
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const units = ['one', ...small.slice(0, 8)]
const worded = new RegExp(`(?<![\\p{L}-])(?:(${tens.join('|')})(?:[- ](${units.join('|')}))?|(${small.join('|')}))(?![\\p{L}-])( per ?cent)?`, 'giu')
const grouped = /(?<![\d.,])[1-9]\d{0,2}(?:[ \u00A0\u2009\u202F]\d{3}){1,4}(?![\d.,])/gu

/** Unit names by their symbols; plurals folded. */
const symbols: Record<string, string> = {
  second: 's',
  millisecond: 'ms',
  minute: 'min',
  hour: 'h',
  hr: 'h',
  meter: 'm',
  metre: 'm',
  millimeter: 'mm',
  millimetre: 'mm',
  centimeter: 'cm',
  centimetre: 'cm',
  kilometer: 'km',
  kilometre: 'km',
  gram: 'g',
  milligram: 'mg',
  kilogram: 'kg',
  volt: 'V',
  watt: 'W',
  kelvin: 'K',
  hertz: 'Hz',
  percent: '%'
}

/** Every amount, range and bound of the text. */
export function quantitiesIn (text: string): Quantity[] {
  const facts = numbersIn(text)
  const amounts = facts.map(amountOf)
  const bounds = facts.map(({ start }, i) => boundOf(amounts[i]!, text.slice(Math.max(0, start - 14), start)))
  const ranges = facts.slice(1).flatMap((fact, i) => rangeOf([facts[i]!, fact], text))
  const words = Array.from(text.matchAll(worded), ([, ten, unit, one, percent]) => {
    const value = one === undefined
      ? 20 + 10 * tens.indexOf(ten!.toLowerCase()) + 1 + units.indexOf(unit?.toLowerCase() ?? '')
      : 2 + small.indexOf(one.toLowerCase())
    return { low: value, high: value, half: 0.5, unit: percent === undefined ? '' : '%', bound: false }
  })
  // Two numbers beside each other look like thousands: both readings are told.
  const spaced = joined(text) === text ? [] : numbersIn(joined(text)).map(amountOf)
  return [...bounds, ...ranges, ...words, ...spaced]
}

function joined (text: string): string {
  return text.replaceAll(grouped, digits => digits.replaceAll(/\s/gu, ''))
}

export function amountOf ({ text, value = 0, unit = '' }: Fact): Quantity {
  const [, exponent = '0', rest = unit] = /^[×x·]10\^?([−-]?\d{1,3})(.*)$/u.exec(unit) ?? []
  const factor = 10 ** Number(exponent.replace('−', '-'))
  const decimals = /\.(\d+)$/u.exec(text)?.[1]?.length ?? 0
  const amount = Number((value * factor).toPrecision(12))
  const symbol = Object.hasOwn(symbols, rest) ? symbols[rest]! : rest
  return { low: amount, high: amount, half: factor * 10 ** -decimals / 2, unit: symbol, bound: false }
}

const lower = /(?:more than|over|above|at least|greater than|exceed(?:s|ed|ing)?|[>≥])\s?$/iu
const upper = /(?:less than|below|under|up to|at most|fewer than|[<≤])\s?$/iu

function boundOf (amount: Quantity, before: string): Quantity {
  if (lower.test(before)) return { ...amount, high: Infinity, bound: true }
  return upper.test(before) ? { ...amount, low: -Infinity, bound: true } : amount
}

/** "From 80 to 35" is a change, and no range. */
function rangeOf ([from, to]: [Fact, Fact], text: string): Quantity[] {
  const between = text.slice(from.end, to.start)
  const dashed = /^\s?(?:%|\p{L}{1,3})?\s?[-–—]\s?$/u.test(between)
  const named = /^(?: ?(?:%|\p{L}{1,3}))? and $/u.test(between) &&
    /between $/iu.test(text.slice(Math.max(0, from.start - 8), from.start))
  const [low, high] = [amountOf(from), amountOf(to)]
  return (dashed || named) && low.low < high.low ? [{ ...high, low: low.low, bound: true }] : []
}

/** Whether a text tells this amount: as it is, rounded, as a share for a percentage, or inside a range. */
export function tells (text: string, wanted: Quantity): boolean {
  return quantitiesIn(text).some(found => isIn(found, wanted) || isIn(asShare(found), asShare(wanted)))
}

function isIn (found: Quantity, wanted: Quantity): boolean {
  if (!found.bound && found.low === wanted.low) return true
  if (found.unit !== wanted.unit) return false
  const hidden = found.bound ? 0 : Math.max(found.half, wanted.half)
  return found.low - hidden <= wanted.low && wanted.low <= found.high + hidden
}

function asShare (quantity: Quantity): Quantity {
  if (quantity.unit !== '%') return quantity
  const hundredth = (value: number) => Number((value / 100).toPrecision(12))
  return { ...quantity, low: hundredth(quantity.low), high: hundredth(quantity.high), half: quantity.half / 100, unit: '' }
}

/** Whether two texts tell the same amounts, however they print them: 95 m, 95.0 m and ninety-five metres. */
export function sameQuantities (a: string, b: string): boolean {
  // The ends of a range are amounts too.
  const [one, other] = [a, b].map(text =>
    quantitiesIn(joined(text)).filter(({ bound, low, high }) => !bound || !Number.isFinite(high - low)))
  return one!.length > 0 && other!.length > 0 &&
    one!.every(quantity => other!.some(each => isSame(each, quantity))) &&
    other!.every(quantity => one!.some(each => isSame(each, quantity)))
}

function isSame (a: Quantity, b: Quantity): boolean {
  if (a.bound || b.bound) return a.low === b.low && a.high === b.high
  const alike = a.unit === b.unit || !(isUnitSymbol(a.unit) && isUnitSymbol(b.unit))
  return alike && Math.abs(a.low - b.low) <= (a.half === b.half ? 0 : Math.max(a.half, b.half))
}

/** Whether a word or run of words is an amount, or the unit of one. */
export function isOfQuantity (words: string): boolean {
  return isUnitWord(words) || quantitiesIn(words).length > 0
}

export function isUnitWord (word: string): boolean {
  return isUnitSymbol(word) || Object.hasOwn(symbols, singular(word.toLowerCase()))
}
