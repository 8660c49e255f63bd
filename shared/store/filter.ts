/**
 * The filter language: a short list of conditions over scalars, with MongoDB's meaning. `null`
 * means null or missing; comparisons hold only between two numbers or two strings, booleans are
 * neither; strings compare by code point.
 */
import { isObject, segmentsOf, valueAt, wellFormed } from './document.ts'
import type { Filter, Scalar } from './store.ts'

type Comparison = 'gt' | 'gte' | 'lt' | 'lte'
export type Condition = { path: string, segments: readonly string[] } & (
  | { operator: 'eq' | 'ne', value: Scalar }
  | { operator: 'in', values: readonly Scalar[] }
  | { operator: Comparison, value: string | number }
  | { operator: 'exists', value: boolean }
)

const inMax = 10_000
const comparisons: Record<string, Comparison> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' }

/**
 * A filter as conditions that must all hold.
 *
 * @throws TypeError for a bad path, an unknown operator or a value that is not of the kind it takes:
 *   `undefined` above all, which would otherwise match everything
 */
export function conditionsOf (filter: Filter): Condition[] {
  if (!isObject(filter)) throw new TypeError('A filter is an object')
  return Object.entries(filter).flatMap(([path, wanted]): Condition[] => {
    const at = { path, segments: segmentsOf(path) }
    if (!isObject(wanted)) return [{ ...at, operator: 'eq', value: scalar(wanted, path) }]
    const operators = Object.entries(wanted)
    if (operators.length === 0) throw new TypeError(`The filter on ${path} is an empty object`)
    return operators.map(([operator, value]) => ({ ...at, ...conditionOf(operator, value, path) }))
  })
}

function conditionOf (operator: string, value: unknown, path: string) {
  if (operator === '$ne') return { operator: 'ne' as const, value: scalar(value, path) }
  if (operator === '$in') {
    if (!Array.isArray(value)) throw new TypeError(`$in on ${path} takes an array`)
    if (value.length > inMax) throw new RangeError(`$in on ${path} takes at most ${inMax} values`)
    return { operator: 'in' as const, values: value.map(one => scalar(one, path)) }
  }
  if (operator === '$exists') {
    if (typeof value !== 'boolean') throw new TypeError(`$exists on ${path} takes a boolean`)
    return { operator: 'exists' as const, value }
  }
  if (!Object.hasOwn(comparisons, operator)) {
    throw new TypeError(`The filter on ${path} has no operator ${JSON.stringify(operator)}`)
  }
  const bound = scalar(value, path)
  if (typeof bound !== 'string' && typeof bound !== 'number') {
    throw new TypeError(`${operator} on ${path} takes a string or a number`)
  }
  return { operator: comparisons[operator] as Comparison, value: bound }
}

function scalar (value: unknown, path: string): Scalar {
  if (typeof value === 'string') return wellFormed(value)
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value as Scalar
  throw new TypeError(`The filter on ${path} takes a string, a finite number, a boolean or null, not ${typeof value}`)
}

/** Whether all conditions hold for the document. */
export function matches (doc: object, conditions: readonly Condition[]): boolean {
  return conditions.every(condition => holds(valueAt(doc, condition.segments), condition))
}

function holds (value: unknown, condition: Condition): boolean {
  switch (condition.operator) {
    case 'eq': return (value ?? null) === condition.value
    case 'ne': return (value ?? null) !== condition.value
    case 'in': return condition.values.includes((value ?? null) as Scalar)
    case 'exists': return (value !== undefined) === condition.value
    default: return comparesAs(value, condition)
  }
}

function comparesAs (
  value: unknown, { operator, value: bound }: { operator: Comparison, value: string | number }
): boolean {
  if (typeof value !== typeof bound) return false
  const order = typeof bound === 'string'
    ? compareText(value as string, bound)
    : (value as number) - bound
  switch (operator) {
    case 'gt': return order > 0
    case 'gte': return order >= 0
    case 'lt': return order < 0
    case 'lte': return order <= 0
  }
}

/** Order of two strings by code point, which is that of their UTF-8 bytes; `<` goes by UTF-16 unit. */
export function compareText (a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i)
    const unitB = b.charCodeAt(i)
    if (unitA !== unitB) return codePointRank(unitA) - codePointRank(unitB)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others, yet have lower units than U+E000 to U+FFFF. */
function codePointRank (unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
