/**
 * A JSON schema from outside, made ready to check replies: JSON Schema 2020-12 (and the words of draft
 * 7 that mean the same) by Ajv, patterns in RE2's syntax and time, formats by the table below. A check
 * changes nothing: no conversion, no defaults, nothing removed.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import type { FieldError } from '../../../shared/errors/problem.ts'
import { isObject } from './json-object.ts'
import { maps, patternCharsMax, refused, schemaAt, surveyed } from './schema-limits.ts'
import { formats } from './text-formats.ts'

export type RootType = 'object' | 'list' | 'text' | 'number' | 'truth' | 'null'

export interface ReplySchema {
  schema: object
  /** Every name of a property, at any depth. */
  keys: ReadonlySet<string>
  /** What a value may be at the top. */
  root: ReadonlySet<RootType>
  /** Whether it asks for a list of anything but objects and lists. */
  scalars: boolean
  /** Where a value does not match, at most `errorsMax`; empty when it does. */
  check: (value: unknown) => FieldError[]
}

const errorsMax = 20
const ofJson: Record<string, RootType> = { object: 'object', array: 'list', string: 'text', number: 'number', integer: 'number', boolean: 'truth', null: 'null' }

/** Linear in the text: a pattern comes from outside, and so does what it is tried on. */
function linear (pattern: string): { test: (text: string) => boolean } {
  return RE2JS.compile(RE2JS.translateRegExp(pattern))
}
linear.code = 'linear'

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  allErrors: true,
  addUsedSchema: false,
  logger: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  formats,
  keywords: ['example'],
  code: { regExp: linear as never }
})

/** @throws Problem invalid-request when the schema is none, or one that is not taken */
export function replySchema (schema: unknown): ReplySchema {
  const { keys, patterns } = surveyed(schema)
  for (const pattern of patterns) checkPattern(pattern)
  const own = withoutNotes(schema as object)
  let validate
  try { validate = ajv.compile(own) } catch (cause) {
    throw refused('', `is not a JSON schema: ${cause instanceof Error ? cause.message.slice(0, 300) : ''}`)
  } finally {
    // Ajv would keep each schema for ever.
    ajv.removeSchema(own)
  }
  return {
    schema: schema as object,
    keys,
    root: rootTypes(schema, schema),
    scalars: hasScalars(schema as Record<string, unknown>),
    check: value => validate(value) === true ? [] : (validate.errors ?? []).slice(0, errorsMax).map(errorOf)
  }
}

function checkPattern (pattern: string): void {
  if (pattern.length > patternCharsMax) throw refused('', `has a pattern of ${pattern.length} characters; at most ${patternCharsMax} are taken`)
  try { linear(pattern) } catch (cause) {
    throw refused('', `has the pattern ${JSON.stringify(pattern.slice(0, 80))}, which is not of RE2's syntax (no look-around, no back references): ${cause instanceof Error ? cause.message.slice(0, 100) : ''}`)
  }
}

/** Ajv would look for the dialect's own schema, which may be one it does not carry; x- words are notes. */
function withoutNotes (schema: object): object {
  const walk = (part: unknown, named: boolean): unknown => {
    if (Array.isArray(part)) return part.map(each => walk(each, false))
    if (!isObject(part)) return part
    return Object.fromEntries(Object.entries(part)
      .filter(([key]) => named || (key !== '$schema' && !key.startsWith('x-')))
      .map(([key, value]) =>
        [key, !named && values.has(key) ? value : walk(value, !named && maps.includes(key))]))
  }
  return walk(schema, false) as object
}

const values = new Set(['enum', 'const', 'default', 'examples', 'example'])

function hasScalars (schema: Record<string, unknown>): boolean {
  if (!rootTypes(schema, schema).has('list')) return false
  const elements = rootTypes(schema.items, schema)
  return [...elements].some(type => type !== 'object' && type !== 'list')
}

function rootTypes (schema: unknown, root: unknown, depth = 0): Set<RootType> {
  const all = new Set(Object.values(ofJson))
  if (!isObject(schema) || depth > 8) return all
  const { type, $ref, anyOf, oneOf, enum: values, nullable } = schema
  const or = (parts: unknown[]) => new Set(parts.flatMap(part => [...rootTypes(part, root, depth + 1)]))
  if (type !== undefined) {
    const types = [type].flat().map(name => ofJson[String(name)]!)
    return new Set(nullable === true ? [...types, 'null'] : types)
  }
  if (typeof $ref === 'string') return rootTypes(schemaAt(root, $ref), root, depth + 1)
  if (Array.isArray(anyOf)) return or(anyOf)
  if (Array.isArray(oneOf)) return or(oneOf)
  if (Array.isArray(values)) return new Set(values.map(typeOf))
  if ('const' in schema) return new Set([typeOf(schema.const)])
  return 'properties' in schema ? new Set(['object']) : all
}

function typeOf (value: unknown): RootType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const types: Record<string, RootType> = { string: 'text', number: 'number', boolean: 'truth' }
  return types[typeof value] ?? 'object'
}

function errorOf ({ instancePath, keyword, params, message }: ErrorObject): FieldError {
  if (keyword === 'required') return { pointer: `${instancePath}/${params.missingProperty}`, detail: 'is missing' }
  if (keyword === 'additionalProperties') return { pointer: `${instancePath}/${params.additionalProperty}`, detail: 'is not a known property' }
  if (keyword === 'enum') return { pointer: instancePath, detail: `must be one of ${JSON.stringify(params.allowedValues).slice(0, 300)}` }
  return { pointer: instancePath, detail: message ?? 'is not valid' }
}
