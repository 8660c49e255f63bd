/**
 * Ids are content hashes, so doing the same work twice changes nothing: prefix + 32 hex digits of
 * sha256 over canonical JSON (a paper's: over its bytes).
 */
import { createHash } from 'node:crypto'
import { Type, type TString } from 'typebox'

/** One prefix for each kind of thing that has an id. */
export const prefixes = {
  paper: 'pap',
  document: 'doc',
  generation: 'gen',
  item: 'itm',
  reviewing: 'rvg',
  review: 'rev',
  benchmark: 'bmk',
  run: 'run',
  prediction: 'prd',
  report: 'rep'
} as const

export type IdKind = keyof typeof prefixes

function idSchema (kind: IdKind): TString {
  const prefix = prefixes[kind]
  return Type.String({
    pattern: `^${prefix}_[0-9a-f]{32}$`,
    description: `Id of a ${kind}: ${prefix}_ and 32 hex digits.`,
    examples: [`${prefix}_0123456789abcdef0123456789abcdef`]
  })
}

export const PaperId = idSchema('paper')
export const DocumentHash = idSchema('document')
export const GenerationId = idSchema('generation')
export const ItemId = idSchema('item')
export const ReviewingId = idSchema('reviewing')
export const ReviewId = idSchema('review')
export const BenchmarkId = idSchema('benchmark')
export const RunId = idSchema('run')
export const PredictionId = idSchema('prediction')
export const ReportId = idSchema('report')

/** The id of a thing defined by `content`: equal content, equal id. */
export function idOf (kind: IdKind, content: unknown): string {
  return `${prefixes[kind]}_${sha256(canonicalJson(content)).slice(0, 32)}`
}

/** The id of a paper: of its bytes, whatever its name. */
export function paperIdOf (bytes: Uint8Array): string {
  return `${prefixes.paper}_${sha256(bytes).slice(0, 32)}`
}

/** Lower-case hex sha256; text is hashed as UTF-8. */
export function sha256 (content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * JSON with keys sorted by UTF-16 code unit and no white space (RFC 8785 for the values we use).
 * Undefined members are left out, as JSON.stringify does.
 *
 * @throws TypeError on NaN and Infinity, which JSON would silently turn into null
 */
export function canonicalJson (value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`Expected a finite number in canonical JSON, got ${value}`)
  }
  if (Array.isArray(value)) {
    return `[${value.map(element => canonicalJson(element ?? null)).join(',')}]`
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
