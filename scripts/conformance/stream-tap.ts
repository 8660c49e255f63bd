/**
 * A wire between the proxy and an engine that keeps a copy of what the engine sends: the bytes of
 * its event streams, to be compared with what the proxy's caller got. Everything else of the wire,
 * resets and idle closes too, passes as it is.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { resetSocket } from '../../shared/testing/reset-socket.ts'

const copyBytesMax = 16 * 1024 * 1024

export interface StreamTap {
  url: string
  /** Bodies of the event streams since it was last called. */
  streamed: () => Buffer[]
  close: () => Promise<void>
}

export async function streamTap (url: string): Promise<StreamTap> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let copies = new Map<Socket, Buffer[]>()
  let copied = 0

  const server = createServer({ allowHalfOpen: true }, inner => {
    const outer = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    for (const [from, to] of [[inner, outer], [outer, inner]] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => { resetSocket(to) })
      from.on('close', () => { sockets.delete(from); to.destroy() })
    }
    outer.on('data', (bytes: Buffer) => {
      copied += bytes.length
      if (copied > copyBytesMax) return
      const copy = copies.get(outer) ?? []
      copy.push(bytes)
      copies.set(outer, copy)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streamed () {
      const taken = copies
      copies = new Map()
      copied = 0
      return [...taken.values()].flatMap(parts => streamsIn(Buffer.concat(parts)))
    },
    async close () {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    }
  }
}

/** Bodies of the chunked event streams among the answers of one connection. */
export function streamsIn (bytes: Buffer): Buffer[] {
  const streams: Buffer[] = []
  let at = 0
  for (;;) {
    const start = bytes.indexOf('HTTP/1.1 ', at)
    const end = bytes.indexOf('\r\n\r\n', start)
    if (start === -1 || end === -1) return streams
    const head = bytes.toString('latin1', start, end).toLowerCase()
    at = end + 4
    if (!head.includes('text/event-stream')) continue
    const body = unchunked(bytes.subarray(at))
    streams.push(body)
    at += body.length
  }
}

function unchunked (bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = lineEnd === -1 ? NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(length > 0)) return Buffer.concat(parts)
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 4 + length
  }
}
