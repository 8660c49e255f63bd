/**
 * What a request binds the answer's form to, whatever it calls it: `response_format`, the new
 * `structured_outputs` or the old `guided_*`. One meaning in one form, from which every dialect is written.
 */
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { isObject } from '../json-object.ts'

export type ConstraintKind = 'json' | 'json-object' | 'regex' | 'choice' | 'grammar' | 'structural-tag'

export interface Constraint {
  kind: ConstraintKind
  /** Schema, expression, choices, grammar or tag; true for `json-object`. */
  value: unknown
  /** Where the caller wrote it. */
  form: 'response_format' | 'structured_outputs' | 'guided'
  /** Keys of `structured_outputs` that narrow it further, for example `whitespace_pattern`. */
  options: Record<string, unknown>
}

/** Old name → key of `structured_outputs`. */
export const guidedNames: ReadonlyArray<readonly [string, ConstraintKind, string]> = [
  ['guided_json', 'json', 'json'],
  ['guided_json_object', 'json-object', 'json_object'],
  ['guided_regex', 'regex', 'regex'],
  ['guided_choice', 'choice', 'choice'],
  ['guided_grammar', 'grammar', 'grammar'],
  ['structural_tag', 'structural-tag', 'structural_tag']
]

/** All the old top-level names, those that only tune included. */
export const guidedFields: readonly string[] = [
  ...guidedNames.map(([name]) => name), 'guided_decoding_backend', 'guided_whitespace_pattern'
]

const textDepthMax = 64

/** They choose how, not what: dropped wherever a version has no such choice. */
const tuning = new Set(['_backend', '_backend_was_auto', 'disable_fallback'])

/** Whether there may be one at all: the cheap question, asked of every request. */
export function mayConstrain (body: Readonly<Record<string, unknown>>): boolean {
  if (body.response_format != null || body.structured_outputs != null) return true
  for (const name of guidedFields) if (body[name] != null) return true
  return false
}

/**
 * The one constraint of a request; undefined where there is none (`response_format: {type: "text"}`
 * is none). The same one written in two forms, as careful clients do, is one.
 *
 * @throws Problem invalid-request for what is none of the known kinds, and for two that differ
 */
export function constraintOf (body: Readonly<Record<string, unknown>>): Constraint | undefined {
  if (!mayConstrain(body)) return undefined
  const { response_format: format, structured_outputs: structured } = body
  const found = [...fromResponseFormat(format), ...fromStructured(structured), ...fromGuided(body)]
  const [first, ...others] = found
  if (first === undefined) return undefined
  for (const other of others) {
    if (canonicalJson([other.kind, other.value]) !== canonicalJson([first.kind, first.value])) {
      throw refusal(pointerOf(other), `binds the answer to something else than ${pointerOf(first)} does; send one constraint.`)
    }
    Object.assign(first.options, other.options)
  }
  return first
}

function * fromResponseFormat (format: unknown): Generator<Constraint> {
  if (format === undefined || format === null) return
  const form = 'response_format'
  const { type, json_schema: named } = objectAt('/response_format', format)
  if (type === 'text') return
  if (type === 'json_object') yield { kind: 'json-object', value: true, form, options: {} }
  else if (type === 'json_schema') {
    const { schema } = objectAt('/response_format/json_schema', named)
    yield { kind: 'json', value: schemaAt('/response_format/json_schema/schema', schema), form, options: {} }
  } else if (type === 'structural_tag') yield { kind: 'structural-tag', value: format, form, options: {} }
  else throw refusal('/response_format/type', 'is none of text, json_object, json_schema, structural_tag.')
}

function * fromStructured (given: unknown): Generator<Constraint> {
  if (given === undefined || given === null) return
  const options: Record<string, unknown> = {}
  const found: Constraint[] = []
  for (const [key, value] of Object.entries(objectAt('/structured_outputs', given))) {
    const known = guidedNames.find(([, , name]) => name === key)
    if (known === undefined) {
      if (value !== null && value !== false && !tuning.has(key)) options[key] = value
    } else if (value !== null && !(key === 'json_object' && value === false)) {
      found.push({ kind: known[1], value: checked(known[1], value, `/structured_outputs/${key}`), form: 'structured_outputs', options })
    }
  }
  if (found.length === 0) {
    throw refusal('/structured_outputs', `names no constraint; give one of ${guidedNames.map(([, , name]) => name).join(', ')}.`)
  }
  yield * found
}

function * fromGuided (body: Readonly<Record<string, unknown>>): Generator<Constraint> {
  const pattern = body.guided_whitespace_pattern
  const options = pattern === undefined || pattern === null ? {} : { whitespace_pattern: pattern }
  for (const [name, kind] of guidedNames) {
    const value = body[name]
    if (value === undefined || value === null || (kind === 'json-object' && value === false)) continue
    yield { kind, value: checked(kind, value, `/${name}`), form: 'guided', options }
  }
}

function checked (kind: ConstraintKind, value: unknown, pointer: string): unknown {
  if (kind === 'json') return schemaAt(pointer, value)
  if (kind === 'json-object') {
    if (value !== true) throw refusal(pointer, 'is true or left out.')
    return true
  }
  if (kind === 'choice') {
    if (!Array.isArray(value) || value.length === 0 || !value.every(each => typeof each === 'string')) {
      throw refusal(pointer, 'is a list of at least one text.')
    }
    return value
  }
  if (kind === 'structural-tag') return typeof value === 'string' ? parsed(value, pointer) : objectAt(pointer, value)
  if (typeof value !== 'string' || value === '') throw refusal(pointer, 'is text, and not empty.')
  return value
}

/** A schema may be text: vLLM takes both, and both mean the same. */
function schemaAt (pointer: string, value: unknown): unknown {
  const schema = typeof value === 'string' ? parsed(value, pointer) : value
  if (!isObject(schema)) throw refusal(pointer, 'is a JSON Schema: an object.')
  return schema
}

function parsed (text: string, pointer: string): unknown {
  let value: unknown
  try { value = JSON.parse(text) } catch (cause) { throw refusal(pointer, 'is text that is not JSON.', cause) }
  // The body's own nesting is bounded where it is parsed; inside a text it is not.
  if (isDeeper(value, textDepthMax)) throw refusal(pointer, `is nested deeper than ${textDepthMax} levels.`)
  return value
}

function isDeeper (value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some(each => isDeeper(each, levels - 1))
}

function objectAt (pointer: string, value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw refusal(pointer, 'is an object.')
  return value
}

/** JSON pointer to where the caller wrote it. */
export function pointerOf ({ form, kind }: Constraint): string {
  return form === 'guided' ? `/${guidedNames.find(each => each[1] === kind)?.[0] ?? ''}` : `/${form}`
}

function refusal (pointer: string, detail: string, cause?: unknown): Problem {
  return new Problem('invalid-request', `${pointer} ${detail}`, { errors: [{ pointer, detail }], cause })
}
