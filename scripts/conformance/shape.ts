/** What is told of an answer without its text: shapes of JSON, and how an event stream is framed. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Words of the protocol, kept as they are: they tell versions apart. Everything else is only a type. */
const keptKeys: ReadonlySet<string> = new Set(['object', 'type', 'role', 'code', 'param', 'finish_reason', 'status'])
const messageLengthMax = 300
const depthMax = 12

/**
 * A value's shape: types instead of values, keys in order, an array by the different shapes in it.
 * Protocol words stay, and the message of an error, for clients read both.
 */
export function shapeOf (value: unknown, key = '', depth = 0): Json {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return keptKeys.has(key) ? value.slice(0, 80) : 'string'
  if (typeof value === 'number') return keptKeys.has(key) ? value : 'number'
  if (isOfTokens(value, key)) return 'of tokens'
  if (typeof value !== 'object' || depth > depthMax) return typeof value
  if (Array.isArray(value)) {
    const shapes = value.map(each => shapeOf(each, key, depth + 1))
    return [...new Map(shapes.map(shape => [JSON.stringify(shape), shape])).values()]
  }
  const entries = Object.entries(value).map(([name, each]) => [name, each] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1).map(([name, each]) => [
    name, name === 'message' && typeof each === 'string' ? each.slice(0, messageLengthMax) : shapeOf(each, name, depth + 1)
  ]))
}

/** What has tokens for keys, or is as long as they are. */
function isOfTokens (value: unknown, key: string): boolean {
  if (key === 'bytes') return true
  return key === 'top_logprobs' && typeof value === 'object' && value !== null && !Array.isArray(value) && !('logprob' in value)
}

export type Framing = {
  /** Every event is one `data: …` line and an empty line, and nothing else is there. */
  plain: boolean
  /** Kinds of events, in the order of their first. */
  kinds: readonly string[]
  /** Characters beyond ASCII are \u escapes instead of themselves. */
  escaped: boolean
  validUtf8: boolean
}

/** @param bytes a whole event stream */
export function framingOf (bytes: Uint8Array): Framing {
  const text = new TextDecoder().decode(bytes)
  return {
    plain: text.endsWith('\n\n') && text.slice(0, -2).split('\n\n').every(part => /^data: .*$/.test(part)),
    kinds: [...new Set(eventsOf(text).map(kindOf))],
    // Not those of control characters, which JSON asks for.
    escaped: /\\u(?!00[01])[0-9a-f]{4}/i.test(text),
    validUtf8: validUtf8(bytes)
  }
}

/** The payload of each event: JSON where it is JSON, else the text, as `[DONE]` is. */
export function eventsOf (text: string): unknown[] {
  return text.split(/\r?\n\r?\n/).filter(part => part !== '').map(part => {
    const data = part.split(/\r?\n/).filter(line => line.startsWith('data:'))
      .map(line => line.slice(5).replace(/^ /, '')).join('\n')
    if (data === '') return part
    try { return JSON.parse(data) as unknown } catch { return data }
  })
}

interface Chunk { error?: unknown, usage?: unknown, choices?: readonly Choice[] }
interface Choice { delta?: { role?: unknown, content?: unknown }, finish_reason?: unknown }

function kindOf (event: unknown): string {
  if (event === '[DONE]') return 'done'
  if (typeof event !== 'object' || event === null) return 'other'
  const { error, choices, usage } = event as Chunk
  if (error !== undefined) return 'error'
  const [choice] = choices ?? []
  if (choice === undefined) return usage === undefined || usage === null ? 'empty' : 'usage'
  const end = typeof choice.finish_reason === 'string' ? 'finish' : ''
  if (end !== '') return end
  return choice.delta?.role !== undefined && (choice.delta.content ?? '') === '' ? 'role' : 'delta'
}

function validUtf8 (bytes: Uint8Array): boolean {
  try { new TextDecoder('utf-8', { fatal: true }).decode(bytes); return true } catch { return false }
}
