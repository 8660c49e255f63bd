/** Which JSON schemas are taken from outside: those checked in bounded time, all of whose words count. */
import { Problem, type FieldError } from '../../../shared/errors/problem.ts'
import { isObject, type JsonObject } from './json-object.ts'

const schemaCharsMax = 64 * 1024
const schemaDepthMax = 32
/** Schemas inside the schema, each counted as often as it is referred to. */
const schemaPartsMax = 5_000
export const patternCharsMax = 500

/** Keywords whose members are named by the schema's author. */
export const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const singles = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems']
const plain = [
  '$ref', 'type', 'enum', 'const', 'required', 'dependentRequired', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
  'multipleOf', 'minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains',
  'minProperties', 'maxProperties', 'title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly',
  '$comment', '$schema', 'nullable'
]
const known = new Set([...maps, ...lists, ...singles, ...plain])

export interface Surveyed {
  /** Every name of a property, at any depth. */
  keys: ReadonlySet<string>
  patterns: readonly string[]
}

/** @throws Problem invalid-request that names the place and the limit */
export function surveyed (schema: unknown): Surveyed {
  if (!isObject(schema)) throw refused('', 'must be a JSON object')
  const chars = JSON.stringify(schema).length
  if (chars > schemaCharsMax) throw refused('', `has ${chars} characters; at most ${schemaCharsMax} are taken`)
  const survey = { root: schema, keys: new Set<string>(), patterns: [] as string[], left: schemaPartsMax }
  walk(schema, { path: '', depth: 0, within: [] }, survey)
  return survey
}

interface Place { path: string, depth: number, within: readonly string[] }
interface Survey { root: JsonObject, keys: Set<string>, patterns: string[], left: number }

function walk (schema: unknown, place: Place, survey: Survey): void {
  const { path, depth } = place
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) throw refused(path, 'is neither a schema nor true or false')
  if (depth > schemaDepthMax) throw refused(path, `is nested deeper than ${schemaDepthMax} levels`)
  if (--survey.left < 0) throw refused(path, `makes more than ${schemaPartsMax} parts of the schema, references counted as often as they are used`)
  const inner = (part: string) => ({ ...place, path: `${path}/${part}`, depth: depth + 1 })
  for (const key of Object.keys(schema)) {
    // A keyword that nobody checks would pass for one that holds.
    if (!known.has(key) && !key.startsWith('x-')) throw refused(`${path}/${key}`, 'is not a keyword that is checked here')
  }
  for (const key of maps) {
    for (const [name, part] of entriesOf(schema[key])) {
      if (key === 'properties') survey.keys.add(name)
      if (key === 'patternProperties') survey.patterns.push(name)
      // Definitions count where they are used.
      if (key !== '$defs' && key !== 'definitions') walk(part, inner(`${key}/${name}`), survey)
    }
  }
  for (const key of lists) {
    const parts = schema[key]
    if (Array.isArray(parts)) parts.forEach((part, at) => { walk(part, inner(`${key}/${at}`), survey) })
  }
  for (const key of singles) if (schema[key] !== undefined) walk(schema[key], inner(key), survey)
  if (typeof schema.pattern === 'string') survey.patterns.push(schema.pattern)
  if (schema.uniqueItems === true && !comparesFast(schema)) {
    throw refused(`${path}/uniqueItems`, 'is taken only where items.type is string, number, integer or boolean, or maxItems is at most 200')
  }
  if (schema.$ref !== undefined) follow(schema.$ref, inner('$ref'), survey)
}

function follow (ref: unknown, place: Place, survey: Survey): void {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) {
    throw refused(place.path, 'refers outside the schema; only references such as #/$defs/name are followed')
  }
  if (place.within.includes(ref)) throw refused(place.path, 'refers to itself; write the levels you need')
  walk(schemaAt(survey.root, ref), { ...place, within: [...place.within, ref] }, survey)
}

/** What a local reference names; undefined when there is nothing. */
export function schemaAt (root: unknown, ref: string): unknown {
  let part: unknown = root
  for (const step of ref.slice(2).split('/')) {
    let name = step
    try { name = decodeURIComponent(step) } catch { return undefined }
    name = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (part === null || typeof part !== 'object' || !Object.hasOwn(part, name)) return undefined
    part = (part as JsonObject)[name]
  }
  return part
}

/** Whether the elements are compared by a table, or are few. */
function comparesFast ({ items, maxItems }: JsonObject): boolean {
  const type = isObject(items) ? items.type : undefined
  return ['string', 'number', 'integer', 'boolean'].includes(String(type)) || Number(maxItems ?? Infinity) <= 200
}

function entriesOf (value: unknown): Array<[string, unknown]> {
  return isObject(value) ? Object.entries(value) : []
}

export function refused (path: string, detail: string): Problem {
  const error: FieldError = { pointer: `/body/schema${path}`, detail }
  return new Problem('invalid-request', `${error.pointer} ${detail}.`, { errors: [error] })
}
