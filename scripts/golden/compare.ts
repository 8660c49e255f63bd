/** How a golden case is compared: deep, numbers within a tolerance, first difference named. */

export interface GoldenCase {
  id: string
  group: string
  kind: string
  expected?: unknown
  [field: string]: unknown
}

/** Runs one case; null when it agrees, else what differs. */
export type Adapter = (golden: GoldenCase) => string | null

/** Numbers a reference cannot express in JSON; we answer null, and say why elsewhere. */
const unspeakable = ['NaN', 'Infinity', '-Infinity']

function close (actual: number, expected: number): boolean {
  const gap = Math.abs(actual - expected)
  // Tails far below the tolerance must agree relatively: 1e-12 is not 0.
  if (Math.abs(expected) < 1e-9) return gap <= 1e-6 * Math.abs(expected) || gap <= 1e-15
  return gap <= 1e-9 * Math.max(1, Math.abs(expected))
}

/** Keys the reference has and we do not are differences; keys only we have are not looked at. */
export function difference (actual: unknown, expected: unknown, path = ''): string | null {
  if (typeof expected === 'number') {
    if (typeof actual === 'number' && close(actual, expected)) return null
  } else if (typeof expected === 'string' && unspeakable.includes(expected)) {
    if (actual === null) return null
  } else if (expected !== null && typeof expected === 'object') {
    if (actual !== null && typeof actual === 'object') return differenceOfFields(actual, expected, path)
  } else if (Object.is(actual, expected)) return null
  return `${path === '' ? 'value' : path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`
}

function differenceOfFields (actual: object, expected: object, path: string): string | null {
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) {
    return `${path}: expected ${expected.length} elements, got ${JSON.stringify(actual)}`
  }
  for (const [key, value] of Object.entries(expected)) {
    const found = difference((actual as Record<string, unknown>)[key], value, `${path}/${key}`)
    if (found !== null) return found
  }
  return null
}
