/**
 * Two validators. A body is taken at its word: Fastify's default turns null into 0, "7" into 7 and
 * drops unknown keys in silence. Query, path and headers are text by nature and are converted.
 */
import { Ajv, type ErrorObject } from 'ajv'
import { Problem, type FieldError } from '../errors/problem.ts'

// TypeBox writes the schemas, so checking them against the meta-schema only delays the start.
const common = { meta: false, validateSchema: false, useDefaults: true, removeAdditional: false, allErrors: false, strict: true, strictTypes: false, strictTuples: false, keywords: ['example'] }

const verbatim = new Ajv({ ...common, coerceTypes: false })
const converting = new Ajv({ ...common, coerceTypes: 'array' })

interface RouteSchema { schema: unknown, httpPart?: string }

/** For `setValidatorCompiler`. */
export function compileValidator ({ schema, httpPart }: RouteSchema) {
  const ajv = httpPart === 'body' ? verbatim : converting
  // Schemas stand inline wherever they are used; Ajv would take a repeated $id for a clash.
  // A default of the whole stands for a body left out (`defaultBody`): Ajv has no place to put it.
  const { default: _, ...bare } = withoutIds(schema) as ClosedSchema & { default?: unknown }
  const validate = ajv.compile(bare)
  const all = (data: unknown): boolean => {
    const valid = validate(data)
    const endless = valid && httpPart !== 'body' ? notFinite(data) : undefined
    all.errors = valid ? null : withStrays(validate.errors ?? [], data, bare)
    if (endless !== undefined) all.errors = [endless]
    return valid && endless === undefined
  }
  all.errors = null as ErrorObject[] | null
  return all
}

/** "1e999" is converted to Infinity, which is above no maximum in Ajv's eyes. */
function notFinite (data: unknown): ErrorObject | undefined {
  const [name] = Object.entries(data ?? {}).find(([, value]) =>
    typeof value === 'number' && !Number.isFinite(value)) ?? []
  return name === undefined
    ? undefined
    : { instancePath: `/${name}`, keyword: 'type', params: {}, message: 'must be a finite number', schemaPath: '' }
}

interface ClosedSchema { properties?: object, additionalProperties?: unknown }

/** Ajv stops at the first fault. Beside a name that is missing stands most often the one misspelt. */
function withStrays (
  faults: ErrorObject[], data: unknown, { properties = {}, additionalProperties }: ClosedSchema
): ErrorObject[] {
  const [first] = faults
  if (first?.keyword !== 'required' || first.instancePath !== '' || additionalProperties !== false) return faults
  const strays = Object.keys(data as object).filter(name => !Object.hasOwn(properties, name)).slice(0, 5)
  return [...faults, ...strays.map(name => (
    { ...first, keyword: 'additionalProperties', params: { additionalProperty: name.slice(0, 100) } }))]
}

function withoutIds (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(Object.entries(schema)
    .filter(([key, value]) => !(key === '$id' && typeof value === 'string'))
    .map(([key, value]) => [key, withoutIds(value)]))
}

/** The faults Ajv found in one part of a request, as a Problem. */
export function invalidRequest (faults: ErrorObject[], part: string): Problem {
  const errors = faults.slice(0, 20).map(fault => ({
    pointer: pointerOf(fault, part), detail: detailOf(fault)
  }))
  const told = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')
  return new Problem('invalid-request', `${told || `/${part} is not valid`}.`, { errors })
}

function pointerOf ({ instancePath, keyword, params }: ErrorObject, part: string): FieldError['pointer'] {
  const missing = keyword === 'required' ? `/${params.missingProperty}` : ''
  const extra = keyword === 'additionalProperties' ? `/${params.additionalProperty}` : ''
  return `/${part}${instancePath}${missing}${extra}`
}

function detailOf ({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return 'is not a known property'
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
  return message ?? 'is not valid'
}
