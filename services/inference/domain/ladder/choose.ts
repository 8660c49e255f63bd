/** Which of the values in a reply is the one that was asked for. */
import type { FieldError } from '../../../../shared/errors/problem.ts'
import { isObject } from '../json-object.ts'
import type { ReplySchema } from '../reply-schema.ts'
import type { Candidate } from './candidates.ts'
import { equal } from './equal.ts'
import type { FaultName, Note } from './notes.ts'
import { framing, isBareBetween } from './surroundings.ts'

export type Choice =
  | { value: unknown, notes: Note[] }
  | { fault: FaultName, at: number | null, errors: FieldError[] }

/**
 * Only what tries to answer counts: a citation, an example of something else or the schema itself is
 * passed over. Two tries that differ are none, for a later one may correct the first or be its draft.
 *
 * Where nothing but brackets in prose was found, there is no JSON.
 */
export function chosen (text: string, values: readonly Candidate[], schema: ReplySchema): Choice {
  const tries = values.filter(({ value }) => isTry(value, schema))
  const [first] = tries
  if (first === undefined) {
    const last = values.findLast(({ value }) => !Array.isArray(value) || schema.root.has('list'))
    if (last === undefined) return { fault: 'no-json', at: null, errors: [] }
    return values.some(({ value }) => isEcho(value))
      ? { fault: 'schema-echo', at: values[0]!.from, errors: [] }
      : { fault: 'schema', at: last.from, errors: schema.check(last.value) }
  }
  if (tries.every(({ value }) => equal(value, first.value))) return only(text, tries, schema)
  return joined(text, tries, schema) ?? { fault: 'several-values', at: tries[1]!.from, errors: [] }
}

function only (text: string, tries: readonly Candidate[], schema: ReplySchema): Choice {
  const [first] = tries
  const { from, to, value, notes } = first!
  const errors = schema.check(value)
  if (errors.length > 0) return { fault: 'schema', at: from, errors }
  const around = tries.length === 1 ? framing(text, from, to) : framing(text, from, tries.at(-1)!.to)
  const repeated: Note[] = tries.length > 1 ? [{ step: 'repeated-value', at: tries[1]!.from }] : []
  return { value, notes: [...around, ...notes, ...repeated] }
}

/** Objects one after another, with nothing between them, where a list of such objects was asked for. */
function joined (text: string, tries: readonly Candidate[], schema: ReplySchema): Choice | null {
  if (!schema.root.has('list') || tries.some(({ value }) => Array.isArray(value))) return null
  const bare = tries.every(({ from }, at) => at === 0 || isBareBetween(text.slice(tries[at - 1]!.to, from)))
  const value = tries.map(each => each.value)
  if (!bare || schema.check(value).length > 0) return null
  const around = framing(text, tries[0]!.from, tries.at(-1)!.to)
  const notes = tries.flatMap(each => each.notes)
  return { value, notes: [...around, ...notes, { step: 'concatenated', at: tries[1]!.from }] }
}

function isTry (value: unknown, schema: ReplySchema): boolean {
  if (isEcho(value) && schema.check(value).length > 0) return false
  if (Array.isArray(value)) {
    if (!schema.root.has('list')) return false
    return value.some(each => isTry(each, schema)) || schema.check(value).length === 0
  }
  if (value === null || typeof value !== 'object') return false
  const names = Object.keys(value)
  const known = schema.keys.size === 0 || names.some(name => schema.keys.has(name))
  return known || schema.check(value).length === 0
}

/** A schema where its instance was asked for. */
function isEcho (value: unknown): boolean {
  if (!isObject(value)) return false
  const { properties, type, $schema, items } = value
  return $schema !== undefined || (properties !== null && typeof properties === 'object') ||
    (type === 'array' && items !== null && typeof items === 'object')
}
