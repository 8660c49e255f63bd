/**
 * What may be stored: JSON objects that SQLite and MongoDB keep alike. Whatever one of them would
 * alter or refuse is refused here, before anything is written.
 */
import type { Doc } from './store.ts'

/** As MongoDB. */
const depthMax = 100
/** As MongoDB; ours is counted on the JSON, which is about as long as BSON. */
export const bytesMax = 16 * 1024 * 1024

/** A lone surrogate as JSON.stringify writes it, or any other escape, so that `\\ud800` stays. */
const escapes = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g

/**
 * The document as JSON. Undefined members are left out; half a surrogate pair, which is no
 * character and which UTF-8 cannot hold, becomes U+FFFD.
 *
 * @throws TypeError for what is not JSON with a string `_id`, or has a key that MongoDB refuses
 * @throws RangeError over 16 MiB or 100 levels
 */
export function encodeDocument (doc: Doc): string {
  const id: unknown = doc._id
  if (typeof id !== 'string' || id === '') {
    throw new TypeError('A document needs a non-empty string as its _id')
  }
  checkValue(doc, 0)
  return jsonOf(doc)
}

/** A checked document as JSON, see `encodeDocument`. */
export function jsonOf (doc: Doc): string {
  const json = JSON.stringify(doc)
  if (json.length * 3 > bytesMax && Buffer.byteLength(json) > bytesMax) {
    throw new RangeError(`Document ${doc._id} is longer than ${bytesMax} bytes: keep the bulk as a blob`)
  }
  return json.includes('\\ud') ? json.replace(escapes, wholeCharacter) : json
}

function wholeCharacter (escape: string): string {
  return escape.length > 2 ? '\ufffd' : escape
}

/** Half surrogate pairs replaced by U+FFFD, as `encodeDocument` does. */
export function wellFormed (text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** @throws TypeError for what JSON has no word for */
export function checkValue (value: unknown, depth: number): void {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`)
  } else if (typeof value === 'object') {
    if (depth >= depthMax) throw new RangeError(`A document nests at most ${depthMax} levels`)
    if (Array.isArray(value)) {
      for (const element of value) if (element !== undefined) checkValue(element, depth + 1)
    } else checkMembers(value, depth)
  } else {
    throw new TypeError(`A ${typeof value} cannot be stored: documents are JSON`)
  }
}

function checkMembers (value: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`A ${value.constructor?.name ?? 'class instance'} cannot be stored: documents are JSON`)
  }
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    if (key.startsWith('$') || key.includes('.') || key.includes('\0')) {
      throw new TypeError(`The key ${JSON.stringify(key)} cannot be stored: it has a dot, a NUL or a leading $`)
    }
    checkValue(member, depth + 1)
  }
}

const reserved = new Set(['__proto__', '_bsontype'])

/**
 * The segments of a dotted path.
 *
 * @throws TypeError unless each is letters, digits, underscores and hyphens, not digits alone, which
 *   MongoDB would take for a place in a list, and neither `__proto__` nor `_bsontype`, by which its
 *   driver knows values of its own
 * @throws RangeError for more levels than a document may have
 */
export function segmentsOf (path: string): string[] {
  const segments = path.split('.')
  if (segments.length > depthMax) throw new RangeError(`A path has at most ${depthMax} levels`)
  for (const segment of segments) {
    if (!/^[\w-]*[A-Za-z_-][\w-]*$/.test(segment) || reserved.has(segment)) {
      throw new TypeError(`${JSON.stringify(path)} is not a path: letters, digits, _ and - between dots, not digits alone`)
    }
  }
  return segments
}

/** The value at a path through objects; undefined where a member is missing or not an object. */
export function valueAt (doc: object, segments: readonly string[]): unknown {
  let value: unknown = doc
  for (const segment of segments) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined
    value = value[segment]
  }
  return value
}

export function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
