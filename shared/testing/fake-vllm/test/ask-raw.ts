/** A plain client that hides nothing: each piece of a body as it came, and how the connection ended. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export interface Heard {
  status: number
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  /** HTTP chunks, one by one. */
  parts: Buffer[]
  text: string
  /** Code of the error that ended it; null: a clean end. */
  broke: string | null
  json: () => any
}

export interface Manner {
  path?: string
  method?: string
  headers?: Record<string, string>
  agent?: Agent
  /** Called at each piece; the client leaves when it returns true. */
  leaves?: (text: string) => boolean
}

export const question = { model: 'm', messages: [{ role: 'user', content: 'Is 漢 a letter?' }] }

export async function askRaw (url: string, body: unknown, manner: Manner = {}): Promise<Heard> {
  const { path = '/v1/chat/completions', method = 'POST', headers = {}, agent, leaves } = manner
  const payload = body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return await new Promise(resolve => {
    const heard: Heard = {
      status: 0, headers: {}, rawHeaders: [], parts: [], text: '', broke: null, json: () => JSON.parse(heard.text)
    }
    const end = (broke: string | null) => { heard.broke ??= broke; resolve(heard) }
    const asking = request(url + path, {
      method,
      agent: agent ?? new Agent(),
      headers: { ...payload !== undefined && { 'content-type': 'application/json' }, ...headers }
    }, response => {
      heard.status = response.statusCode ?? 0
      heard.headers = response.headers
      heard.rawHeaders = response.rawHeaders
      response.on('data', (part: Buffer) => {
        heard.parts.push(part)
        heard.text = Buffer.concat(heard.parts).toString()
        if (leaves?.(heard.text) === true) asking.destroy()
      })
      response.on('end', () => { end(null) })
      response.on('error', (error: NodeJS.ErrnoException) => { end(error.code ?? error.message) })
    })
    asking.on('error', (error: NodeJS.ErrnoException) => { end(error.code ?? error.message) })
    asking.end(payload)
  })
}

/** The events of a stream, without their frame; JSON where it is JSON. */
export function eventsIn (text: string): any[] {
  return text.split('\n\n').filter(each => each.startsWith('data: ')).map(each => {
    const inside = each.slice(6)
    try { return JSON.parse(inside) } catch { return inside }
  })
}

/** Text of all content deltas. */
export function contentIn (text: string): string {
  return eventsIn(text).map(each => each?.choices?.[0]?.delta?.content ?? '').join('')
}

/** Everything a server writes to one connection until it closes or `enough`. */
export async function rawBytes (
  url: string, sent: string, { enough = () => false }: { enough?: (text: string) => boolean } = {}
): Promise<{ text: string, error: string | null }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let error: string | null = null
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    if (enough(text)) socket.destroy()
  })
  socket.on('error', (cause: NodeJS.ErrnoException) => { error = cause.code ?? cause.message })
  socket.write(sent)
  await new Promise(resolve => { socket.once('close', resolve) })
  return { text, error }
}
