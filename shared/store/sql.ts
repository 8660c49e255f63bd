/**
 * Filters and sort orders as SQL over one table `(_id, doc)`. Everything is pushed down: what SQL
 * answers needs no second look in JavaScript.
 */
import { checkedSort } from './checks.ts'
import { segmentsOf } from './document.ts'
import type { Condition } from './filter.ts'
import type { Scalar } from './store.ts'

export interface Sql { text: string, values: string[] }

/**
 * The value at a path, so recoded that SQLite's order is MongoDB's and equality never crosses
 * types: missing and null < numbers < strings < objects < arrays < booleans. Blobs, which SQLite
 * sorts last, stand for the last four; json_extract alone gives booleans as 0 and 1, and objects
 * as text. Indexes are on this expression, to the letter.
 */
export function keyOf (path: string): string {
  if (path === '_id') return '_id'
  const at = jsonPath(path)
  return `CASE json_type(doc, ${at}) WHEN 'true' THEN x'03' WHEN 'false' THEN x'02' ` +
    `WHEN 'array' THEN x'01' WHEN 'object' THEN x'00' ELSE json_extract(doc, ${at}) END`
}

/** Safe to stand in SQL: the segments of a path are letters, digits, underscores and hyphens. */
function jsonPath (path: string): string {
  return `'$${segmentsOf(path).map(segment => `."${segment}"`).join('')}'`
}

/** ` WHERE …` for conditions that must all hold, or nothing for none. */
export function whereSql (conditions: readonly Condition[]): Sql {
  const parts = conditions.map(conditionSql)
  return {
    text: parts.length === 0 ? '' : ` WHERE ${parts.map(part => part.text).join(' AND ')}`,
    values: parts.flatMap(part => part.values)
  }
}

/** ` ORDER BY …`, ties in ascending `_id`. */
export function orderSql (sort: Record<string, 1 | -1>): string {
  return ` ORDER BY ${checkedSort(sort).map(([path, way]) => keyOf(path) + (way === -1 ? ' DESC' : '')).join(', ')}`
}

function conditionSql (condition: Condition): Sql {
  const { path, operator } = condition
  const key = keyOf(path)
  switch (operator) {
    case 'eq': return equals(path, [condition.value])
    case 'ne': {
      const { text, values } = equals(path, [condition.value])
      return { text: `(${text}) IS NOT 1`, values }
    }
    case 'in': return equals(path, condition.values)
    case 'exists': {
      const type = path === '_id' ? '_id' : `json_type(doc, ${jsonPath(path)})`
      return { text: `${type} IS ${condition.value ? 'NOT NULL' : 'NULL'}`, values: [] }
    }
    default: return compares(key, operator, condition.value)
  }
}

/**
 * The path holds one of `wanted`. Lists go in as one JSON parameter, so that every length is the
 * same statement.
 */
function equals (path: string, wanted: readonly Scalar[]): Sql {
  const key = keyOf(path)
  const texts: string[] = []
  const values: string[] = []
  if (wanted.includes(null)) texts.push(`${key} IS NULL`)
  // The column _id has text affinity, by which 5 would equal '5'.
  const literals = wanted.filter(value => path === '_id' ? typeof value === 'string' : value !== null)
  for (const boolean of [true, false]) {
    if (literals.includes(boolean)) texts.push(`${key} = ${boolean ? 'x\'03\'' : 'x\'02\''}`)
  }
  const others = literals.filter(value => typeof value !== 'boolean')
  if (others.length === 1) {
    texts.push(`${key} = ${parameter(others[0])}`)
    values.push(bound(others[0]))
  } else if (others.length > 1) {
    texts.push(`${key} IN (SELECT value FROM json_each(?))`)
    values.push(JSON.stringify(others))
  }
  return { text: texts.length === 0 ? '0' : `(${texts.join(' OR ')})`, values }
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** Within the type of the bound: '' is the least string and x'' the least blob. */
function compares (key: string, operator: keyof typeof signs, value: string | number): Sql {
  if (key === '_id' && typeof value === 'number') return { text: '0', values: [] }
  const text = `${key} ${signs[operator]} ${parameter(value)}`
  const upward = operator === 'gt' || operator === 'gte'
  const bracket = typeof value === 'number'
    ? (upward ? ` AND ${key} < ''` : '')
    : (upward ? ` AND ${key} < x''` : ` AND ${key} >= ''`)
  return { text: text + bracket, values: [bound(value)] }
}

/**
 * Numbers are bound as JSON and read by the same code that reads the document: SQLite's reading of
 * decimals is not exact in the last digit, so that 9.5e17 bound as a double does not equal itself.
 */
function parameter (value: unknown): string {
  return typeof value === 'number' ? 'json_extract(?, \'$\')' : '?'
}

function bound (value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
