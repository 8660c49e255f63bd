/** What can be asked of a series, executed exactly: each operation gives at most one question. */
import { shuffled, fractionOf } from '../seeded.ts'
import {
  absolute, compare, decimalOf, isPositive, minus, printed, quotient, rounded, significantDigits, type Decimal
} from './decimal.ts'
import type { Entry, Series } from './series.ts'

export const operations = [
  'look-up', 'argmax', 'argmin', 'second', 'argmax-where', 'difference', 'spread', 'ratio', 'count', 'trend'
] as const
export type Operation = (typeof operations)[number]

export interface Where { column: string[], equals: string }

export interface Question {
  operation: Operation
  series: Series
  /** The entries the question names, or those that decide it; first the one asked about. */
  named: Entry[]
  /** Cells that the answer is executed from. */
  cells: Entry[]
  answer: string
  /** Wrong answers from near misses, the best first; all differ from the answer. */
  misses: string[]
  /** Of a count: the bound. */
  threshold?: Decimal
  where?: Where
}

export const choicesWanted = 4
/** Entries from which two are looked for that can be asked about. */
const pairsMax = 12

export type Pair = [Entry, Entry]
export type Trend = 'rises' | 'falls' | 'rises-falls' | 'falls-rises'
export const trends: readonly Trend[] = ['rises', 'falls', 'rises-falls', 'falls-rises']

type Ask = (series: Series, seed: number) => Question | undefined

export const askers: Record<Exclude<Operation, 'argmax-where'>, Ask> = {
  'look-up': lookUp,
  argmax: (series, seed) => extreme({ series, seed, operation: 'argmax', rank: 0, highest: true }),
  argmin: (series, seed) => extreme({ series, seed, operation: 'argmin', rank: 0, highest: false }),
  second: (series, seed) => extreme({ series, seed, operation: 'second', rank: 1, highest: true }),
  difference,
  spread,
  ratio,
  count,
  trend
}

const keyOf = ({ fixed, along }: Series): string => `${along} ${fixed.index}`
const entryKey = ({ row, column }: Entry): string => `${row} ${column}`

function lookUp (series: Series, seed: number): Question | undefined {
  const [asked] = shuffled(series.entries, seed, entry => `look-up ${entryKey(entry)}`)
  return asked === undefined || series.scale === 'name' ? undefined : lookUpOf(series, asked)
}

export function lookUpOf (series: Series, asked: Entry): Question {
  const answer = printed(asked.value)
  const alike = series.entries.filter(({ value }) => value.scale === asked.value.scale)
  const misses = without(answer, alike.map(({ value }) => printed(value)))
  return { operation: 'look-up', series, named: [asked], cells: [asked], answer, misses }
}

interface Extreme {
  series: Series
  seed: number
  operation: Operation
  /** 0 for the first. */
  rank: 0 | 1
  highest: boolean
  where?: Where
}

/** The entry of this rank, when it stays so after rounding to the coarsest number of the series. */
export function extreme ({ series, seed, operation, rank, highest, where }: Extreme): Question | undefined {
  const { entries, complete, comparable } = series
  if (!complete || !comparable || entries.length < rank + 3 || followsHeadings(series)) return undefined
  const coarsest = Math.min(...entries.map(({ value }) => value.scale))
  const order = [...entries].sort((a, b) => (highest ? -1 : 1) * compare(a.value, b.value))
  const [before, winner, after] = [order[rank - 1], order[rank], order[rank + 1]]
  const apart = (a?: Entry, b?: Entry) => a === undefined || b === undefined ||
    compare(rounded(a.value, coarsest), rounded(b.value, coarsest)) !== 0
  if (winner === undefined || !apart(before, winner) || !apart(winner, after)) return undefined
  const rest = order.filter(entry => entry !== winner)
  const far = shuffled(rest.slice(2), seed, entry => `${operation} ${entryKey(entry)}`)
  const answer = winner.label
  const misses = without(answer, [...rest.slice(0, 2), ...far].map(({ label }) => label))
  const found = { operation, series, named: [winner], cells: order, answer, misses }
  return where === undefined ? found : { ...found, where }
}

function difference (series: Series, seed: number): Question | undefined {
  if (!series.comparable || series.scale === 'order') return undefined
  return firstOf(pairsOf(series, seed, 'difference'), pair => differenceOf(series, pair))
}

export function differenceOf (series: Series, [a, b]: Pair): Question | undefined {
  if (a.value.scale !== b.value.scale || compare(a.value, b.value) === 0) return undefined
  const [high, low] = compare(a.value, b.value) > 0 ? [a, b] : [b, a]
  const answer = printed(minus(high.value, low.value))
  const misses = differencesBeside(series, [high, low], answer)
  return { operation: 'difference', series, named: [high, low], cells: [high, low], answer, misses }
}

function spread (series: Series, seed: number): Question | undefined {
  const { entries, complete, comparable, scale } = series
  if (!complete || !comparable || scale === 'order' || entries.length < 4) return undefined
  if (new Set(entries.map(({ value }) => value.scale)).size > 1) return undefined
  const order = [...entries].sort((a, b) => compare(b.value, a.value))
  const [high, low] = [order[0], order.at(-1)]
  if (high === undefined || low === undefined || compare(high.value, low.value) === 0) return undefined
  const answer = printed(minus(high.value, low.value))
  const beside = differencesBeside(series, [high, low], answer)
  const misses = shuffled(beside, seed, text => `spread ${keyOf(series)} ${text}`)
  return { operation: 'spread', series, named: [high, low], cells: order, answer, misses }
}

/** What comes out when one of the two is another entry, or nothing is taken away. */
function differencesBeside ({ entries }: Series, [high, low]: [Entry, Entry], answer: string): string[] {
  const near = entries.filter(entry => entry !== high && entry !== low)
    .filter(({ value }) => value.scale === high.value.scale)
    .flatMap(({ value }) => [absolute(minus(high.value, value)), absolute(minus(value, low.value))])
  const found = minus(high.value, low.value)
  // Slips in borrowing, where the series has too few others.
  const slips = [10n, -10n, 1n, -1n].map(by => ({ ...found, units: found.units + by }))
  return without(answer, [...near, high.value, low.value, ...slips].filter(isPositive).map(printed))
}

function ratio (series: Series, seed: number): Question | undefined {
  const { comparable, scale, entries } = series
  if (!comparable || scale !== 'ratio' || entries.some(({ value }) => value.units < 0n)) return undefined
  return firstOf(pairsOf(series, seed, 'ratio'), pair => ratioOf(series, pair))
}

export function ratioOf (series: Series, [a, b]: Pair): Question | undefined {
  const [high, low] = compare(a.value, b.value) > 0 ? [a, b] : [b, a]
  if (significantDigits(low.value) < 2 || significantDigits(high.value) < 2) return undefined
  if (!isPositive(low.value)) return undefined
  const found = quotient(high.value, low.value, 2)
  if (found === undefined || found.units < 120n || found.units > 5_000n) return undefined
  const places = found.units >= 1_000n ? 1 : 2
  const exact = quotient(high.value, low.value, places)
  if (exact === undefined) return undefined
  const answer = printed(exact)
  const rest = series.entries.filter(entry => entry !== high && entry !== low && isPositive(entry.value))
  const misses = rest
    .flatMap(({ value }) => [quotient(high.value, value, places), quotient(value, low.value, places)])
    .filter(miss => miss !== undefined)
    .filter(miss => !unlikely(miss, places) && !tooNear(miss, exact)).map(printed)
  return { operation: 'ratio', series, named: [high, low], cells: [high, low], answer, misses: without(answer, misses) }
}

/** "How many times as large" is more than once and, of numbers worth comparing, less than a hundred times. */
function unlikely ({ units }: Decimal, places: number): boolean {
  const one = 10n ** BigInt(places)
  return units <= one || units > one * 100n
}

/** Within a fiftieth: the rounding of the printed numbers could decide. */
function tooNear (a: Decimal, b: Decimal): boolean {
  const apart = absolute(minus(a, b))
  return compare({ ...apart, units: apart.units * 50n }, b) <= 0
}

function count (series: Series, seed: number): Question | undefined {
  const { entries, complete, comparable } = series
  if (!complete || !comparable || entries.length < 5) return undefined
  const order = [...entries].sort((a, b) => compare(b.value, a.value))
  const at = 1 + Math.floor(fractionOf(seed, 'count', keyOf(series)) * (order.length - 1))
  const [above, below] = [order[at - 1], order[at]]
  const threshold = above === undefined || below === undefined ? undefined : between(below.value, above.value)
  if (threshold === undefined) return undefined
  const near = [at + 1, at - 1, order.length - at, at + 2, at - 2]
  const misses = near.filter(n => n >= 0 && n <= order.length).map(String)
  return { operation: 'count', series, named: [], cells: order, answer: String(at), misses: without(String(at), misses), threshold }
}

/** The roundest number strictly between; undefined when there is none with as many places. */
function between (low: Decimal, high: Decimal): Decimal | undefined {
  const scale = Math.max(low.scale, high.scale)
  const up = ({ units, scale: from }: Decimal) => units * 10n ** BigInt(scale - from)
  const [from, to] = [up(low), up(high)]
  for (let places = to.toString().length; places >= 0; places--) {
    for (const step of [5n * 10n ** BigInt(places), 10n ** BigInt(places)]) {
      const first = (from / step + (from < 0n && from % step !== 0n ? 0n : 1n)) * step
      if (first > from && first < to) return shortest({ units: first, scale })
    }
  }
  return undefined
}

/** Without zeros after the last digit of the fraction. */
function shortest ({ units, scale }: Decimal): Decimal {
  if (scale === 0 || units % 10n !== 0n) return { units, scale }
  return shortest({ units: units / 10n, scale: scale - 1 })
}

/** Only where the headings are numbers in order, and every step goes the same way, or turns once. */
function trend (series: Series): Question | undefined {
  const { entries, complete, comparable } = series
  if (!complete || !comparable || entries.length < 4 || !isOrdered(series)) return undefined
  const found = trendOf(entries.map(({ value }) => value))
  if (found === undefined) return undefined
  return { operation: 'trend', series, named: [], cells: entries, answer: found, misses: trends.filter(other => other !== found) }
}

export function trendOf (values: readonly Decimal[]): Trend | undefined {
  const steps = values.slice(1).map((value, i) => compare(value, values[i] as Decimal))
  if (steps.includes(0)) return undefined
  const turns = steps.filter((step, i) => i > 0 && step !== steps[i - 1]).length
  const rises = steps[0] === 1
  if (turns === 0) return rises ? 'rises' : 'falls'
  return turns === 1 ? (rises ? 'rises-falls' : 'falls-rises') : undefined
}

/** The more of what the heading says, the more, or less: one can tell the highest without the table. */
export function followsHeadings (series: Series): boolean {
  const found = isOrdered(series) ? trendOf(series.entries.map(({ value }) => value)) : undefined
  return found === 'rises' || found === 'falls'
}

/** "Sample 1, Sample 2" are names, not amounts; so are rows numbered one by one. */
const notAmounts = /sample|group|model|set|no\b|type|case|site|patient|표본|집단|모형/iu
const amount = /^(?:\p{L}{1,12}\s?)?(\d{1,9}(?:\.\d{1,6})?)(?:\s?(?:°C|%|\p{L}{1,6}))?$/u

export function isOrdered ({ entries, along }: Series): boolean {
  const found = entries.map(({ label }) => amount.exec(label)?.[1])
  const words = new Set(entries.map(({ label }, i) => label.replace(found[i] ?? '', '#')))
  if (words.size > 1 || found.includes(undefined) || notAmounts.test(entries[0]?.label ?? '')) return false
  const numbers = found.map(digits => decimalOf(digits ?? '0'))
  if (along === 'rows' && numbers.every(({ units, scale }, i) => scale === 0 && units === BigInt(i + 1))) return false
  const steps = numbers.slice(1).map((number, i) => compare(number, numbers[i] as Decimal))
  return steps.every(step => step > 0) || steps.every(step => step < 0)
}

function pairsOf (series: Series, seed: number, what: string): Pair[] {
  const order = shuffled(series.entries, seed, entry => `${what} ${keyOf(series)} ${entryKey(entry)}`).slice(0, pairsMax)
  return order.slice(1).map((entry, i) => [order[i] as Entry, entry])
}

function firstOf<T> (pairs: readonly Pair[], made: (pair: Pair) => T | undefined): T | undefined {
  for (const pair of pairs) {
    const found = made(pair)
    if (found !== undefined) return found
  }
  return undefined
}

function without (answer: string, misses: readonly string[]): string[] {
  return [...new Set(misses)].filter(miss => miss !== answer)
}
