/** Which form the text must have, by the names this version obeys; the others it ignores without a word. */
import { Refusal, type Dialect } from './dialect.ts'

export type Constraint =
  | { kind: 'json', schema: unknown }
  | { kind: 'regex', regex: string }
  | { kind: 'choice', choices: string[] }
  | { kind: 'grammar', grammar: string }

type Body = Record<string, unknown>
const oldKinds = ['json', 'regex', 'choice', 'grammar'] as const

/** @throws Refusal 400 when a request holds several, or one that is no constraint */
export function constraintOf (body: Body, dialect: Dialect): Constraint | null {
  const found: Constraint[] = []
  if (dialect.guided) {
    for (const kind of oldKinds) found.push(...one(kind, body[`guided_${kind}`]))
    if (found.length > 1) {
      throw new Refusal(400, "You can only use one kind of guided decoding ('guided_json', 'guided_regex' or 'guided_choice').")
    }
    if (body.guided_json_object === true) found.push({ kind: 'json', schema: {} })
  }
  const { structured_outputs: structured, response_format: format } = body
  if (dialect.structured && structured !== null && typeof structured === 'object') {
    const given = oldKinds.flatMap(kind => one(kind, (structured as Body)[kind]))
    if (given.length > 1) {
      throw new Refusal(400, "You can only use one kind of constraints for structured outputs ('json', 'regex' or 'choice').")
    }
    if ((structured as Body).json_object === true) given.push({ kind: 'json', schema: { type: 'object' } })
    found.push(...given)
  }
  const constraint = formatAsked(format) ?? found[0] ?? null
  const unknown = constraint?.kind === 'json' ? unknownType(constraint.schema, 0) : null
  if (unknown !== null) throw new Refusal(400, `Grammar error: Invalid type: ${unknown}`)
  return constraint
}

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** The first type in a schema that JSON Schema does not have. */
function unknownType (schema: unknown, depth: number): string | null {
  if (schema === null || typeof schema !== 'object' || depth > 24) return null
  const { type, properties, items } = schema as Body
  if (typeof type === 'string' && !types.includes(type)) return type
  const inside = [items, ...Object.values((properties ?? {}) as Body)]
  return inside.map(each => unknownType(each, depth + 1)).find(each => each !== null) ?? null
}

function one (kind: (typeof oldKinds)[number], value: unknown): Constraint[] {
  if (value === undefined || value === null) return []
  if (kind === 'json') return [{ kind, schema: typeof value === 'string' ? parsed(value) : value }]
  if (kind === 'choice') {
    if (!Array.isArray(value) || value.length === 0) throw new Refusal(400, 'A choice must be a list of at least one text.')
    return [{ kind, choices: value.map(String) }]
  }
  return kind === 'regex' ? [{ kind, regex: String(value) }] : [{ kind, grammar: String(value) }]
}

function parsed (text: string): unknown {
  try { return JSON.parse(text) } catch { throw new Refusal(400, 'Invalid JSON schema: not JSON.') }
}

function formatAsked (format: unknown): Constraint | null {
  if (format === null || typeof format !== 'object') return null
  const { type, json_schema: named } = format as { type?: unknown, json_schema?: { schema?: unknown } | null }
  if (type === 'json_object') return { kind: 'json', schema: { type: 'object' } }
  if (type !== 'json_schema') return null
  if (named === undefined || named === null || named.schema === undefined) {
    throw new Refusal(400, 'When response_format type is json_schema, the json_schema field must be provided.')
  }
  return { kind: 'json', schema: named.schema }
}
