/** What a check is, and what comes of one: how the engine answers by itself, and through the proxy. */
import type { Ask, Facts } from './ask.ts'
import type { Json } from './shape.ts'

export const engineNames = ['vllm', 'llamacpp', 'fake'] as const
export type EngineName = (typeof engineNames)[number]

/** Where a check asks: the engine itself, or the proxy in front of it. */
export interface Target {
  engine: EngineName
  via: 'direct' | 'proxy'
  url: string
  model: string
  /** Tokens that prompt and answer may have together. */
  contextLength: number
  ask: Ask
  /** Requests that the engine works on, by its own metrics; null where it does not tell. */
  running: () => Promise<number | null>
  /** The bytes of event streams that the engine sent to the proxy since it was last asked. */
  streamed: () => readonly Buffer[]
}

export interface Check {
  name: string
  run: (target: Target) => Promise<Facts>
  /** Asked of the engine only: the proxy has its own. */
  directOnly?: true
  /** Why the proxy's answer is another on purpose. */
  byDesign?: string
  /** What may differ by that design; anything may when left out. */
  allowing?: RegExp
  /** What must hold through the proxy whatever the engine does; a sentence where it does not. */
  must?: (proxied: Facts, direct: Facts) => string | undefined
  /** A request that deserves a refusal: where the engine gives none, or fails, the proxy may. */
  deserved?: true
}

export type Verdict = 'same' | 'differs' | 'unsupported' | 'failed'

export interface Row {
  name: string
  verdict: Verdict
  /** Paths of what differs, or why the check failed. */
  differences: readonly string[]
  byDesign?: string
  direct: Facts
  proxy?: Facts
}

/** A row is a fault when it failed, or differs where it should not. */
export function isFault ({ verdict, byDesign }: Row): boolean {
  return verdict === 'failed' || (verdict === 'differs' && byDesign === undefined)
}

/**
 * Compares both answers. Errors are the same when the status is, the shape is OpenAI's and the
 * engine's words are in ours: `error.type` is the proxy's own kind of problem.
 */
export function rowOf (check: Check, direct: Facts, proxy?: Facts): Row {
  const { name, must } = check
  const row = { name, direct, ...proxy !== undefined && { proxy } }
  if (proxy === undefined) return { ...row, verdict: isUnsupported(direct) ? 'unsupported' : 'same', differences: [] }
  const fault = must?.(proxy, direct)
  if (fault !== undefined) return { ...row, verdict: 'failed', differences: [fault] }
  if (isUnsupported(direct)) return { ...row, verdict: 'unsupported', differences: [] }
  const differences = differencesBetween(direct, proxy)
  if (differences.length === 0) return { ...row, verdict: 'same', differences }
  const byDesign = designOf(check, direct, { proxy, differences })
  return { ...row, verdict: 'differs', differences, ...byDesign !== undefined && { byDesign } }
}

function designOf (
  { byDesign, allowing, deserved }: Check, direct: Facts, { proxy, differences }: Compared
): string | undefined {
  if (byDesign !== undefined && differences.every(each => allowing?.test(each) ?? true)) return byDesign
  return deserved === true && isLenient(direct) && isRefusal(proxy) ? 'refused before it is sent' : undefined
}

interface Compared { proxy: Facts, differences: readonly string[] }

const isRefusal = ({ status }: Facts): boolean => Number(status) >= 400 && Number(status) < 500
const isLenient = ({ status }: Facts): boolean => Number(status) < 400 || Number(status) >= 500

function differencesBetween (direct: Facts, proxy: Facts): string[] {
  const refusal = errorIn(proxy)
  if (refusal === undefined) return differencesOf(withoutTwin(direct), withoutTwin(proxy))
  if (errorIn(direct) !== undefined) return errorDifferences(direct, proxy)
  return [`status ${String(direct.status)} → ${String(proxy.status)}: ${String(refusal.message)}`]
}

/** The proxy gives a chain of thought under both names it has had, the engine under one. */
function withoutTwin (value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutTwin)
  const { reasoning_content: old, ...rest } = value as { [key: string]: Json }
  const given = old === undefined || 'reasoning' in rest ? rest : { ...rest, reasoning: old }
  return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, withoutTwin(each)]))
}

function isUnsupported ({ unsupported, status, body }: Facts): boolean {
  if (unsupported === true || status === 405 || status === 501) return true
  // The web framework's own word for a route that is not there.
  return status === 404 && JSON.stringify(body) === '{"detail":"string"}'
}

interface ErrorBody { message?: Json, type?: Json, code?: Json }

/** The error in a body, in any of the shapes that engines have had. */
function errorIn ({ body }: Facts): ErrorBody | undefined {
  const { error, message, object } = (body ?? {}) as { error?: Json, message?: Json, object?: Json }
  if (typeof error === 'object' && error !== null) return error as ErrorBody
  return object === 'error' ? { message: message ?? null } : undefined
}

function errorDifferences (direct: Facts, proxy: Facts): string[] {
  const [theirs, ours] = [errorIn(direct) as ErrorBody, errorIn(proxy) as ErrorBody]
  const differences: string[] = []
  if (direct.status !== proxy.status) differences.push(`status ${direct.status} → ${proxy.status}`)
  if (ours.code !== proxy.status) differences.push(`error.code ${String(ours.code)} is not the status`)
  const words = String(theirs.message)
  // A request that the proxy refuses by itself never got the engine's words.
  if (!String(ours.message).includes(words.slice(0, 100)) && direct.status !== proxy.status) {
    differences.push('the engine\'s words are not in the message')
  }
  return differences
}

/** Paths at which two values differ, with both values; at most 12. */
export function differencesOf (a: Json | undefined, b: Json | undefined, path = ''): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  const isRecord = (value: unknown): value is Record<string, Json> => typeof value === 'object' && value !== null
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) {
    return [`${path === '' ? 'all' : path}: ${brief(a)} → ${brief(b)}`]
  }
  if (isTexts(a) && isTexts(b)) {
    return [...a.filter(text => !b.includes(text)).map(text => `${path}: without ${text}`),
      ...b.filter(text => !a.includes(text)).map(text => `${path}: with ${text}`)]
  }
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.flatMap(key => differencesOf(a[key], b[key], path === '' ? key : `${path}.${key}`)).slice(0, 12)
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string')

function brief (value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 90 ? `${text.slice(0, 90)}…` : text
}
