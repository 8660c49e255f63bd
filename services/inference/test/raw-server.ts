/** A model server at the level of bytes: its probes are answered, each POST by what the test writes. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'
import { runningInference } from './running-inference.ts'

export type Write = (socket: Socket, nth: number) => void

const models = JSON.stringify({ object: 'list', data: [{ id: 'fake-model', object: 'model', owned_by: 'vllm', max_model_len: 4096 }] })
const probes: Record<string, string> = { '/health': '', '/version': '{"version":"0.29.0"}', '/v1/models': models }

/** Of a whole answer. */
export function json (status: number, body: string, headers = ''): string {
  const all = `content-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}`
  return `HTTP/1.1 ${status} X\r\n${all}\r\n\r\n${body}`
}

export const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
export const streamEnd = '0\r\n\r\n'
export const event = (content: string, finish: string | null = null, index: unknown = 0): string =>
  `data: ${JSON.stringify({ model: 'fake-model', choices: [{ index, delta: { content }, finish_reason: finish }] })}\n\n`
export const done = 'data: [DONE]\n\n'

interface Given { env?: Record<string, string>, slots?: number }

/** The proxy in front of one. */
export async function besideRaw (t: Test, write: Write, given: Given = {}) {
  const sockets = new Set<Socket>()
  /** One for each POST: when its connection has closed. */
  const closed: Array<Promise<void>> = []
  const server = createServer(socket => {
    let text = ''
    sockets.add(socket.on('error', () => {}).setMaxListeners(0))
    socket.on('data', piece => {
      text += piece.toString('latin1')
      for (let rest = afterRequest(text); rest !== undefined; rest = afterRequest(text)) {
        const [method, path = ''] = text.split(' ', 2)
        text = rest
        if (method === 'POST') write(socket, closed.push(new Promise<void>(resolve => { socket.once('close', () => { resolve() }) })) - 1)
        else socket.write(probes[path] === undefined ? json(404, '') : json(200, probes[path]))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { for (const socket of sockets) socket.destroy(); server.close() })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const UPSTREAMS = JSON.stringify([{ name: 'raw', baseUrl, ...given.slots !== undefined && { slots: given.slots } }])
  const service = await runningInference(t, { fakes: [], env: { UPSTREAMS, ...given.env } })
  return { ...service, closed }
}

/** What follows the first whole request; undefined while it is not whole. */
function afterRequest (text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n') + 4
  if (end < 4) return undefined
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
  return text.length < end + length ? undefined : text.slice(end + length)
}
