/** JSON as it comes from outside: known to be nothing but JSON, and most often wanted as an object. */

export type JsonObject = Record<string, unknown>

/** Whether it is an object with members: no list, not null. */
export function isObject (value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The object that a text is, behind a byte order mark if it has one; undefined for all else. */
export function objectIn (text: string): JsonObject | undefined {
  let value: unknown
  try { value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) } catch { return undefined }
  return isObject(value) ? value : undefined
}
