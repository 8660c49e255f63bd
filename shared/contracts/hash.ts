/**
 * Content hashes and the ids made of them, without the schemas of ids.ts: a process that only hashes
 * (a parser) starts in a third of the time without a schema library.
 */
import { createHash, hash } from 'node:crypto'

/** One prefix for each kind of thing that has an id. */
export const prefixes = {
  paper: 'pap',
  document: 'doc',
  generation: 'gen',
  bankImport: 'imp',
  curation: 'cur',
  item: 'itm',
  reviewing: 'rvg',
  review: 'rev',
  partialInputBaseline: 'pib',
  benchmark: 'bmk',
  run: 'run',
  prediction: 'prd',
  report: 'rep',
  judgement: 'jdg',
  runImport: 'rim',
  comparison: 'cpr',
  scoreTable: 'stb',
  sitting: 'sit'
} as const

export type IdKind = keyof typeof prefixes

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
  return hash('sha256', content, 'hex')
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

/**
 * `sha256(canonicalJson([...elements]))`, an element a step: the text of a long list would be tens of
 * megabytes, and making it at once would hold the event loop.
 */
export function * hashingList (elements: Iterable<unknown>): Generator<void, string> {
  const hashed = createHash('sha256')
  let before = '['
  for (const element of elements) {
    hashed.update(`${before}${canonicalJson(element ?? null)}`)
    before = ','
    yield
  }
  return hashed.update(before === '[' ? '[]' : ']').digest('hex')
}

/** Whether `text` has the form of an id of this kind. */
export function isId (kind: IdKind, text: string): boolean {
  return text.startsWith(`${prefixes[kind]}_`) && /^[a-z]{3}_[0-9a-f]{32}$/.test(text)
}

/** In the order of the hashes of their keys: it looks random, and is the same every time. */
export function inHashOrder<T> (elements: readonly T[], keyOf: (element: T) => string): T[] {
  return elements.map(element => ({ element, rank: sha256(keyOf(element)) }))
    .sort((a, b) => a.rank < b.rank ? -1 : 1)
    .map(({ element }) => element)
}
