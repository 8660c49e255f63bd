/**
 * Passes a request on to the service that owns its route, and the answer back, both as streams.
 *
 * Ours, over the HTTP client that the services use among themselves, and no proxy from elsewhere:
 * nginx, Caddy or Traefik would need a table of paths written by hand that ages with every route,
 * cannot join documents and dead letters, answer in shapes of their own, and are one more program to
 * install; `@fastify/reply-from` goes on asking when the caller of a long poll has left, has one
 * time limit for all phases, and destroys a body whose first replica was away, so that it could not
 * be sent to the next.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify'
import { Agent } from 'undici'
import { bodyBytesMax } from '../../shared/app/app.ts'
import { isCutShort } from '../../shared/app/http-problems.ts'
import type { ServiceName } from '../../shared/app/service.ts'
import { peerProblem } from '../../shared/clients/http-call.ts'
import { askInTurn, connectTimeoutMs, type Answer, type Replicas } from '../../shared/clients/peers.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { answerHeaders, requestHeaders } from './headers.ts'

/** A GET may take so long, beside what it asks to wait: at most a minute. */
const readTimeoutMs = 90_000
/** While there is another replica to ask. */
const readAttemptMs = 10_000
/** Bodies up to here are kept until they are answered, so that they can be sent to another replica. */
const keptBytesMax = 64 * 1024

export interface Forwarder {
  forward: (service: ServiceName, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  close: () => Promise<void>
}

export function createForwarder (replicas: Record<ServiceName, Replicas>, timeoutMs: number): Forwarder {
  // Without a limit of connections: every long poll holds one, and callers are limited already.
  const agent = new Agent({ connect: { timeout: connectTimeoutMs } })
  const via = `1.1 viva-${randomBytes(6).toString('hex')}`

  async function ask (service: ServiceName, request: FastifyRequest, signal: AbortSignal): Promise<Answer> {
    const { raw, ip, method } = request
    if (raw.headers.via?.includes(via) === true) {
      throw new Problem('service-invalid', `${service.toUpperCase()}_URL leads back to this front door; name the address of the service itself.`)
    }
    const reads = ['GET', 'HEAD'].includes(method)
    const body = reads ? undefined : await bodyOf(raw, bodyLimitOf(request))
    const waitMs = reads ? 1_000 * waitOf(request) : 0
    const patienceMs = (last: boolean) =>
      reads ? Math.min(timeoutMs, waitMs + (last ? readTimeoutMs : readAttemptMs)) : timeoutMs
    const headers = requestHeaders(raw.headers, { address: ip, via, reads })
    return await askInTurn(replicas[service], {
      idempotent: reads,
      repeatable: () => body?.begun() !== true,
      signal,
      send: async (address, last) => await agent.request({
        origin: address,
        path: request.url,
        method: method as 'GET',
        headers,
        headersTimeout: patienceMs(last),
        bodyTimeout: patienceMs(true),
        signal,
        ...body !== undefined && { body: body.send() }
      })
    })
  }

  return {
    async forward (service, request, reply) {
      const left = whenCallerLeaves(reply)
      try {
        const { statusCode, headers, body } = await ask(service, request, left)
        return await reply.code(statusCode).headers(answerHeaders(headers)).send(body)
      } catch (cause) {
        // There is nobody to answer.
        if (left.aborted) return reply.hijack()
        throw isOfCaller(cause) ? cause : peerProblem(cause, service)
      }
    },
    async close () { await agent.destroy() }
  }
}

function waitOf ({ query }: FastifyRequest): number {
  const wait = Number((query as { wait?: string }).wait ?? 0)
  return wait >= 0 && wait <= 60 ? wait : 0
}

/** Aborted when the connection closes before the answer is complete. */
function whenCallerLeaves ({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => { if (!raw.writableFinished) controller.abort(new Error('the caller left')) })
  return controller.signal
}

/** Its body was too large, or its connection broke while it was read: no fault of a service. */
function isOfCaller (cause: unknown): boolean {
  return cause instanceof errorCodes.FST_ERR_CTP_BODY_TOO_LARGE || isCutShort(cause)
}

interface Body {
  send: () => Buffer | Readable
  /** Whether a part of it is gone, and it can be sent no more. */
  begun: () => boolean
}

/**
 * The service's own limit: refusing a body it closes the connection, and while more is being sent its
 * answer may get lost on the way. Of files it judges itself.
 */
function bodyLimitOf ({ headers, routeOptions }: FastifyRequest): number {
  const isForm = headers['content-type']?.startsWith('multipart/') === true
  return isForm ? Infinity : routeOptions.bodyLimit ?? bodyBytesMax
}

async function bodyOf (raw: IncomingMessage, bytesMax: number): Promise<Body | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && Number(length ?? 0) === 0) return undefined
  if (Number(length ?? 0) > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  let begun = false
  async function * read (): AsyncGenerator<Buffer> {
    begun = true
    let bytes = 0
    try {
      for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
        yield chunk
      }
    } finally {
      // Answered before all was read: the rest is let in, or the caller would never see the answer.
      raw.resume()
    }
  }
  if (encoding !== undefined || Number(length) > keptBytesMax) {
    // Undici takes any iterable, whatever its types say, and leaves one alone that it did not begin.
    return { send: () => read() as unknown as Readable, begun: () => begun }
  }
  const chunks: Buffer[] = []
  for await (const chunk of read()) chunks.push(chunk)
  const whole = Buffer.concat(chunks)
  return { send: () => whole, begun: () => false }
}
