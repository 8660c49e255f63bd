/** What an update does to a document, and when MongoDB would refuse it. */
import { checkValue, isObject, segmentsOf } from './document.ts'
import type { Doc, Update } from './store.ts'

/** By which no finite number becomes an infinite one, which no adapter could take back. */
const incMax = 2 ** 53

/**
 * Checks an update before it waits for its turn.
 *
 * @throws TypeError for an unknown operator, a bad path, `_id`, a value that is not JSON, or two
 *   paths of which one leads through the other
 */
export function checkUpdate (update: Update): void {
  for (const [operator, members] of Object.entries(update)) {
    if (operator !== '$set' && operator !== '$inc' && operator !== '$unset') {
      throw new TypeError(`An update has no operator ${JSON.stringify(operator)}`)
    }
    if (!isObject(members)) throw new TypeError(`${operator} takes an object of paths`)
    for (const [path, value] of Object.entries(members)) checkMember(operator, path, value)
  }
  const paths = Object.values(update).flatMap(members => Object.keys(members)).sort()
  if (paths.length === 0) throw new TypeError('The update is empty')
  if (paths.length === 1) return
  const seen = new Set<string>()
  for (const path of paths) {
    for (let dot = path.length; dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      if (seen.has(path.slice(0, dot))) throw new TypeError(`The update touches ${path.slice(0, dot)} twice`)
    }
    seen.add(path)
  }
}

function checkMember (operator: string, path: string, value: unknown): void {
  const segments = segmentsOf(path)
  if (segments[0] === '_id') throw new TypeError('The _id of a document never changes')
  if (operator === '$set') checkValue(value, segments.length)
  if (operator === '$inc' && !(Math.abs(value as number) <= incMax && typeof value === 'number')) {
    throw new TypeError(`$inc of ${path} takes a number of at most 2^53`)
  }
  if (operator === '$unset' && value !== true) throw new TypeError(`$unset of ${path} takes true`)
}

/**
 * Carries a checked update out on `doc`, in place.
 *
 * @throws TypeError where a path leads through something that is not an object, and for `$inc` of
 *   what is not a number or would leave the finite ones
 */
export function applyUpdate (doc: Doc, update: Update): void {
  for (const [path, value] of Object.entries(update.$set ?? {})) {
    const [parent, key] = parentOf(doc, path)
    parent[key] = value
  }
  for (const [path, by] of Object.entries(update.$inc ?? {})) {
    const [parent, key] = parentOf(doc, path)
    const before = Object.hasOwn(parent, key) ? parent[key] : 0
    const after = typeof before === 'number' ? before + by : NaN
    if (!Number.isFinite(after)) {
      throw new TypeError(`$inc of ${path} in ${doc._id}: ${JSON.stringify(before)} plus ${by} is no number`)
    }
    parent[key] = after
  }
  for (const path of Object.keys(update.$unset ?? {})) {
    const segments = segmentsOf(path)
    const key = segments.pop() as string
    let parent: unknown = doc
    for (const segment of segments) {
      parent = isObject(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined
    }
    if (isObject(parent)) Reflect.deleteProperty(parent, key)
  }
}

/** The object a path ends in, made where it is missing, and the last key. */
function parentOf (doc: Doc, path: string): [Record<string, unknown>, string] {
  const segments = segmentsOf(path)
  const key = segments.pop() as string
  let parent = doc as unknown as Record<string, unknown>
  for (const segment of segments) {
    if (!Object.hasOwn(parent, segment)) parent[segment] = {}
    const next = parent[segment]
    if (!isObject(next)) {
      throw new TypeError(`${path} in ${doc._id} leads through ${segment}, which is not an object`)
    }
    parent = next
  }
  return [parent, key]
}
