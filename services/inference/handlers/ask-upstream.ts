/** One request to one model server; whatever goes wrong is a Problem. */
import { Agent, errors, request, type Dispatcher } from 'undici'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Config } from '../config.ts'
import { upstreamProblem, type Upstream } from '../domain/upstream.ts'

const replyBytesMax = 32 * 1024 * 1024
const errorBytesMax = 64 * 1024

export interface Question {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  signal?: AbortSignal
  /** Instead of INFERENCE_REPLY_TIMEOUT_MS. */
  timeoutMs?: number
}

export interface Upstreams {
  /** The JSON of a 2xx answer. @throws Problem upstream-… */
  json: (upstream: Upstream, question: Question) => Promise<unknown>
  /** The body of a 2xx event stream, byte for byte. @throws Problem upstream-… */
  stream: (upstream: Upstream, question: Question) => Promise<AsyncIterable<Buffer>>
  close: () => Promise<void>
}

type Times = Pick<Config, 'INFERENCE_CONNECT_TIMEOUT_MS' | 'INFERENCE_REPLY_TIMEOUT_MS' | 'INFERENCE_IDLE_TIMEOUT_MS'>

/** @param secret the value of an environment variable; keys are looked up when needed */
export function upstreamRequests (config: Times, secret: (name: string) => string | undefined): Upstreams {
  const agent = new Agent({
    connect: { timeout: config.INFERENCE_CONNECT_TIMEOUT_MS },
    connections: 256,
    // A call that died with its connection may have run: whether to ask again is the caller's to say.
    pipelining: 1
  })

  async function ask (upstream: Upstream, question: Question): Promise<Dispatcher.ResponseData> {
    const { method, path, body, signal, timeoutMs = config.INFERENCE_REPLY_TIMEOUT_MS } = question
    const key = upstream.apiKeyEnv === undefined ? undefined : secret(upstream.apiKeyEnv)
    try {
      const answer = await request(upstream.baseUrl + path, {
        method,
        dispatcher: agent,
        headersTimeout: timeoutMs,
        bodyTimeout: config.INFERENCE_IDLE_TIMEOUT_MS,
        ...signal !== undefined && { signal },
        headers: {
          ...body !== undefined && { 'content-type': 'application/json' },
          ...key !== undefined && { authorization: `Bearer ${key}` }
        },
        ...body !== undefined && { body: JSON.stringify(body) }
      }).catch((cause: unknown) => { throw unanswered(cause, upstream) })
      if (answer.statusCode >= 200 && answer.statusCode < 300) return answer
      const said = await textOf(answer.body, errorBytesMax, upstream)
      throw upstreamProblem(upstream.name, answer.statusCode, said)
    } catch (cause) { throw faultOf(cause, upstream, signal) }
  }

  return {
    async json (upstream, question) {
      const { headers, body } = await ask(upstream, question)
      let text: string
      try { text = await textOf(body, replyBytesMax, upstream) } catch (cause) {
        throw faultOf(cause, upstream, question.signal)
      }
      try { return JSON.parse(text) } catch (cause) {
        throw new Problem('upstream-invalid', `The model server ${upstream.name} answered ${String(headers['content-type'] ?? 'something')} that is not JSON; is ${upstream.baseUrl} really a model server?`, { cause })
      }
    },
    async stream (upstream, question) {
      const { headers, body } = await ask(upstream, question)
      if (!String(headers['content-type']).startsWith('text/event-stream')) {
        body.destroy()
        throw new Problem('upstream-invalid', `The model server ${upstream.name} was asked for a stream and sent ${String(headers['content-type'])}.`)
      }
      return body as AsyncIterable<Buffer>
    },
    async close () { await agent.destroy() }
  }
}

async function textOf (body: Dispatcher.ResponseData['body'], bytesMax: number, { name }: Upstream) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      body.destroy()
      throw new Problem('upstream-invalid', `The model server ${name} answered more than ${bytesMax} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Socket and time faults by what they mean; a cancelled request stays an abort. */
export function faultOf (cause: unknown, upstream: Upstream, signal?: AbortSignal): unknown {
  if (cause instanceof Problem || signal?.aborted === true) return cause
  const { name, baseUrl } = upstream
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError) {
    return new Problem('upstream-timeout', `The model server ${name} did not answer in time.`, { cause })
  }
  if (cause instanceof errors.ConnectTimeoutError || isRefusal(cause)) {
    return new Problem('upstream-unavailable', `The model server ${name} cannot be reached at ${baseUrl}; is it running?`, { cause })
  }
  return new Problem('upstream-invalid', `The connection to the model server ${name} broke before its answer was complete.`, { cause })
}

/**
 * A server that hangs up without a word is away: it was killed, or a tunnel to it has lost its
 * other end. One that began to answer is another matter.
 */
function unanswered (cause: unknown, { name, baseUrl }: Upstream): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (!(cause instanceof errors.SocketError) && code !== 'ECONNRESET' && code !== 'EPIPE') return cause
  return new Problem('upstream-unavailable', `The model server ${name} at ${baseUrl} closed the connection without an answer; is it running?`, { cause })
}

function isRefusal (cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException
  return ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code ?? '')
}
