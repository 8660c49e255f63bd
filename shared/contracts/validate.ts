/** Values against their schema, outside HTTP: settings and messages of the bus. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TObject } from 'typebox'
import { addressesIn } from './addresses.ts'

const ajv = new Ajv({
  meta: false,
  validateSchema: false,
  useDefaults: true,
  allErrors: true,
  strict: false,
  formats: { url: URL.canParse, addresses: text => addressesIn(text) !== undefined }
})
const compiled = new WeakMap<TObject, ValidateFunction>()

/**
 * Fills in defaults, in place, and answers what is wrong.
 *
 * @returns the first fault of each property, with its path ('' for the whole)
 */
export function faultsOf (schema: TObject, value: object): Array<{ path: string, message: string }> {
  let validate = compiled.get(schema)
  if (validate === undefined) compiled.set(schema, validate = ajv.compile(schema))
  if (validate(value)) return []
  const byPath = new Map<string, string>()
  for (const fault of validate.errors ?? []) {
    const path = pathOf(fault)
    if (!byPath.has(path)) byPath.set(path, wordsOf(fault))
  }
  return [...byPath].map(([path, message]) => ({ path, message }))
}

function pathOf ({ instancePath, keyword, params }: ErrorObject): string {
  return keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
}

function wordsOf ({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  if (keyword === 'format' && params.format === 'addresses') {
    return 'must be 1 to 16 addresses such as http://node-a:4101, separated by commas, without path or password'
  }
  return message ?? 'does not match'
}
