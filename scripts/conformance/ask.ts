/** One request to an engine or to the proxy, told by its facts; nothing is judged here. */
import { Agent, request } from 'undici'
import { eventsOf, framingOf, shapeOf, type Json } from './shape.ts'

/** Slower than any engine of dummy weights; a model on a busy laptop takes a while. */
const timeoutMs = 180_000

export interface Answer {
  status: number
  contentType: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  text: string
  /** undefined where the body is no JSON. */
  json: any
  /** Payloads of an event stream; empty for anything else. */
  events: readonly any[]
}

export interface Asking {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent as it is when it is text. */
  body?: unknown
  signal?: AbortSignal
}

export type Ask = (path: string, asking?: Asking) => Promise<Answer>

/** @param url of an engine or of the proxy */
export function asking (url: string): { ask: Ask, close: () => Promise<void> } {
  const agent = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connections: 32 })
  const ask: Ask = async (path, { method, headers, body, signal } = {}) => {
    const answer = await request(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      dispatcher: agent,
      headers: { ...body !== undefined && { 'content-type': 'application/json' }, ...headers },
      ...body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) },
      ...signal !== undefined && { signal }
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const text = bytes.toString()
    const contentType = String(answer.headers['content-type'] ?? '').split(';')[0] as string
    return {
      status: answer.statusCode,
      contentType,
      headers: answer.headers,
      bytes,
      text,
      json: parsed(text),
      events: contentType === 'text/event-stream' ? eventsOf(text) : []
    }
  }
  return { ask, close: async () => { await agent.destroy() } }
}

function parsed (text: string): any {
  try { return JSON.parse(text) } catch { return undefined }
}

export type Facts = { readonly [key: string]: Json }

/** Status, type and shape; of an event stream the framing and the shape of each kind of event. */
export function factsOf (answer: Answer): Facts {
  const { status, contentType, bytes, text, json, events } = answer
  if (contentType === 'text/event-stream') {
    const shapes = new Map(events.map(event => shapeOf(event)).map(shape => [JSON.stringify(shape), shape]))
    const sorted = [...shapes].sort(([a], [b]) => a < b ? -1 : 1).map(([, shape]) => shape)
    return { status, contentType, framing: framingOf(bytes), events: sorted }
  }
  const body = json === undefined ? (text === '' ? 'empty' : text.slice(0, 120)) : shapeOf(json)
  return { status, contentType, body }
}

/** The text of a chat or completion, whole or streamed, by choice. */
export function textsOf ({ json, events }: Answer): string[] {
  const texts: string[] = []
  for (const part of [json, ...events]) {
    for (const { index = 0, text, message, delta } of part?.choices ?? []) {
      texts[index] = (texts[index] ?? '') + String(text ?? message?.content ?? delta?.content ?? '')
    }
  }
  return texts
}
