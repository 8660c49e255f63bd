/** Values of JSON that nobody vouches for. */

export function recordIn (value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Record<string, unknown> : {}
}

export function listIn (value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function numberIn (value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function textIn (value: unknown): string {
  return typeof value === 'string' ? value : ''
}
