/** The smallest text of a wanted form: a JSON value of a schema, a match of a regular expression. */
import type { Constraint } from './constraint.ts'
import { shortestMatch } from './shortest-match.ts'

type Schema = Record<string, unknown>
const depthMax = 24

/** @param key chooses among choices */
export function instanceText (constraint: Constraint, key: number): string {
  switch (constraint.kind) {
    case 'json': return JSON.stringify(instanceOf(constraint.schema, { root: constraint.schema, depth: 0 }))
    case 'choice': return constraint.choices[key % constraint.choices.length] ?? ''
    case 'regex': return shortestMatch(constraint.regex)
    // The first word a grammar has.
    case 'grammar': return /"((?:[^"\\]|\\.)*)"/.exec(constraint.grammar)?.[1] ?? ''
  }
}

/** A value that no schema but the empty one takes: what a server that ignores the schema might say. */
export function violationText (constraint: Constraint): string {
  return constraint.kind === 'json' ? '{"violates": tru' : '~ not what was asked for ~'
}

interface Place { root: unknown, depth: number }

/**
 * A small valid value. Knows type, const, enum, properties, required, items, prefixItems, bounds of
 * numbers, texts and lists, pattern, format, allOf, anyOf, oneOf, and $ref into the same schema.
 */
export function instanceOf (schema: unknown, place: Place): unknown {
  if (schema === null || typeof schema !== 'object' || place.depth > depthMax) return {}
  const rules = schema as Schema
  const deeper = { ...place, depth: place.depth + 1 }
  if ('const' in rules) return rules.const
  if (Array.isArray(rules.enum)) return rules.enum[0]
  if (typeof rules.$ref === 'string') return instanceOf(target(rules.$ref, place.root), deeper)
  if (Array.isArray(rules.allOf)) {
    const { allOf, ...rest } = rules
    const parts = (allOf as Schema[]).map(each => resolved(each, place.root))
    return instanceOf(parts.reduce(merged, rest), deeper)
  }
  for (const name of ['anyOf', 'oneOf'] as const) {
    const options = rules[name]
    if (!Array.isArray(options)) continue
    const { [name]: _, ...rest } = rules
    return instanceOf(merged(rest, simplest(options, place.root)), deeper)
  }
  return byType(rules, deeper)
}

/** Null where it may be null: also the way out of a schema that holds itself. */
function simplest (options: unknown[], root: unknown): Schema {
  const all = options.map(each => resolved(each, root))
  return all.find(({ type }) => type === 'null') ?? all[0] ?? {}
}

function byType (rules: Schema, place: Place): unknown {
  const { type } = rules
  const kind = Array.isArray(type) ? type.includes('null') ? 'null' : type[0] as unknown : type
  if (kind === 'null') return null
  if (kind === 'boolean') return false
  if (kind === 'integer' || kind === 'number') return smallestNumber(rules, kind === 'integer')
  if (kind === 'string') return smallestText(rules)
  if (kind === 'array' || (kind === undefined && ('items' in rules || 'prefixItems' in rules))) return smallestList(rules, place)
  return smallestObject(rules, place)
}

function smallestObject ({ properties, required }: Schema, place: Place): Schema {
  const names = Array.isArray(required) ? required.map(String) : []
  const known = (properties ?? {}) as Schema
  // defineProperty: a property may be called __proto__.
  const made: Schema = {}
  for (const name of names) {
    const value = instanceOf(Object.hasOwn(known, name) ? known[name] : {}, place)
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return made
}

function smallestList ({ items, prefixItems, minItems, uniqueItems }: Schema, place: Place): unknown[] {
  const first = Array.isArray(prefixItems) ? prefixItems : []
  const least = Math.min(Math.max(typeof minItems === 'number' ? minItems : 0, first.length), 1000)
  const choices = ((items ?? {}) as Schema).enum
  return Array.from({ length: least }, (_, at) => {
    if (at < first.length) return instanceOf(first[at], place)
    if (uniqueItems === true && Array.isArray(choices)) return choices[at % choices.length] as unknown
    const value = instanceOf(items ?? {}, place)
    if (uniqueItems !== true) return value
    return typeof value === 'number' ? value + at : typeof value === 'string' ? `${value}${at}` : value
  })
}

function smallestNumber (rules: Schema, isWhole: boolean): number {
  const bound = (name: string) => typeof rules[name] === 'number' ? rules[name] : undefined
  const step = bound('multipleOf') ?? 1
  const above = bound('exclusiveMinimum')
  const low = above === undefined ? bound('minimum') : isWhole ? Math.floor(above) + 1 : above + between(above, rules)
  const high = bound('maximum') ?? (bound('exclusiveMaximum') ?? Infinity) - (isWhole ? 1 : 0.5)
  if (low === undefined) return high >= 0 ? 0 : isWhole || 'multipleOf' in rules ? Math.floor(high / step) * step : high
  if (low <= 0 && high >= 0) return 0
  return isWhole || 'multipleOf' in rules ? Math.ceil(low / step) * step : low
}

/** A step up from `above` that stays below the maximum. */
function between (above: number, { maximum, exclusiveMaximum }: Schema): number {
  const high = [maximum, exclusiveMaximum].filter(each => typeof each === 'number').sort((one, other) => one - other)[0]
  return high === undefined ? 1 : (high - above) / 2
}

const formats: Record<string, string> = {
  date: '2000-01-01',
  'date-time': '2000-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'a@example.com',
  uri: 'http://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  hostname: 'example.com'
}

function smallestText ({ pattern, format, minLength, maxLength }: Schema): string {
  if (typeof pattern === 'string') return shortestMatch(pattern)
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? ''
  const least = typeof minLength === 'number' ? minLength : Math.min(1, typeof maxLength === 'number' ? maxLength : 1)
  return 'a'.repeat(Math.min(least, 100_000))
}

function resolved (schema: unknown, root: unknown): Schema {
  let found = (schema ?? {}) as Schema
  for (let step = 0; step < depthMax && typeof found.$ref === 'string'; step++) {
    const { $ref, ...rest } = found
    found = merged(target($ref as string, root), rest)
  }
  return found
}

function merged (one: Schema, other: Schema): Schema {
  const names = (schema: Schema) => Array.isArray(schema.required) ? schema.required as unknown[] : []
  const required = [...names(one), ...names(other)]
  return {
    ...one,
    ...other,
    ...(one.properties !== undefined || other.properties !== undefined) && {
      properties: { ...one.properties as Schema, ...other.properties as Schema }
    },
    ...required.length > 0 && { required: [...new Set(required)] }
  }
}

/** What `#/a/b` names; `{}` when it names nothing. */
function target (reference: string, root: unknown): Schema {
  let found = root
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(each => each !== '')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return {}
    found = (found as Schema)[name]
  }
  return found !== null && typeof found === 'object' ? found as Schema : {}
}
