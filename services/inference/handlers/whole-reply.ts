/** One request to one upstream whose reply comes in one piece. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Leaving } from '../domain/call.ts'
import { objectIn, type JsonObject } from '../domain/json-object.ts'
import { replyBytesMax } from '../domain/reply.ts'
import type { Upstream } from '../domain/upstream.ts'
import { closeWith, type Exchanges, type Question } from './exchange.ts'
import { encodingFault, errorBytesMax, notJson, refusal, saidFault, tooLong } from './reply-faults.ts'

export interface UpstreamQuestion { upstream: Upstream, question: Question, signal: Leaving }

export interface WholeReply {
  bytes: Buffer
  json: JsonObject
  /** Monotonic. */
  firstByteAt: number
}

interface Received { status: number, headers: IncomingHttpHeaders, bytes: Buffer, firstByteAt: number }

/** @throws UpstreamFault for whatever is no reply; the reason of the signal */
export async function askWhole (exchanges: Exchanges, asked: UpstreamQuestion): Promise<WholeReply> {
  const { upstream, signal } = asked
  signal.throwIfAborted()
  const { status, headers, bytes, firstByteAt } = await receive(exchanges, asked)
  if (status !== 200) throw refusal(upstream, { status, headers, bytes })
  const json = objectIn(bytes.toString('utf8'))
  if (json === undefined) throw notJson(upstream, String(headers['content-type'] ?? ''))
  const said = saidFault(upstream, json)
  if (said !== undefined) throw said
  return { bytes, json, firstByteAt }
}

async function receive (
  exchanges: Exchanges, { upstream, question, signal }: UpstreamQuestion
): Promise<Received> {
  let status = 0
  let headers: IncomingHttpHeaders = {}
  let firstByteAt = 0
  let size = 0
  const parts: Buffer[] = []
  return await new Promise((resolve, reject) => {
    const end = (): void => {
      unbind()
      resolve({ status, headers, firstByteAt, bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts) })
    }
    const exchange = exchanges.ask(upstream, question, {
      head (code, head) {
        status = code
        headers = head
        firstByteAt = performance.now()
        const fault = encodingFault(upstream, head)
        if (fault !== undefined) exchange.close(fault)
      },
      data (chunk) {
        size += chunk.length
        if (size <= (status === 200 ? replyBytesMax : errorBytesMax)) { parts.push(chunk); return }
        if (status !== 200) end()
        exchange.close(tooLong(upstream, replyBytesMax))
      },
      end,
      fail (cause) { unbind(); reject(cause) }
    })
    const unbind = closeWith(exchange, signal)
  })
}
