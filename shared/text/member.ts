/** Ways into values that others wrote. */

/** A member by its own name; what others wrote is never a way into a prototype. */
export function member (value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** What stands at a path of names and list places, `resps.0.0`; undefined where it leads nowhere. */
export function valueAt (value: unknown, path: string): unknown {
  return path.split('.').reduce(member, value)
}
