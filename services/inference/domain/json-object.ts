/** JSON as it comes from outside: known to be nothing but JSON, and most often wanted as an object. */

export type JsonObject = Record<string, unknown>

/** Whether it is an object with members: no list, not null. */
export function isObject (value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The object that a text is; undefined for what is no JSON, or another value. */
export function objectIn (text: string): JsonObject | undefined {
  let value: unknown
  try { value = JSON.parse(text) } catch { return undefined }
  return isObject(value) ? value : undefined
}
