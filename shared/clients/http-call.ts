/** `Call` over undici: by URL between processes, through the private socket inside one. */
import { Agent, errors, request, type Dispatcher } from 'undici'
import type { ServiceName } from '../app/service.ts'
import { problemFromBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import type { Call, CallOptions } from './call.ts'

const answerBytesMax = 64 * 1024 * 1024
const timeoutMsDefault = 30_000

export interface Peers {
  /** Services reached through the private socket. */
  here: readonly ServiceName[]
  socketPath: () => string
  urls: Record<ServiceName, string>
  /** Shown to peers in other processes. */
  serviceKey?: string
}

export function httpCall (peers: Peers): { call: Call, close: () => Promise<void> } {
  const outside = new Agent({ connections: 64, connect: { timeout: 5_000 } })
  let inside: Agent | undefined

  async function ask (service: ServiceName, path: string, options: CallOptions) {
    const local = peers.here.includes(service)
    if (local) inside ??= new Agent({ connections: 64, connect: { socketPath: peers.socketPath() } })
    const url = new URL(path, local ? 'http://peer' : peers.urls[service])
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const { timeoutMs = timeoutMsDefault, body } = options
    const signals = [AbortSignal.timeout(timeoutMs), ...options.signal ? [options.signal] : []]
    try {
      const answer = await request(url, {
        method: options.method ?? (body === undefined ? 'GET' : 'POST'),
        dispatcher: local && inside !== undefined ? inside : outside,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.any(signals),
        headers: {
          ...body !== undefined && { 'content-type': 'application/json' },
          ...!local && peers.serviceKey !== undefined && { authorization: `Bearer ${peers.serviceKey}` },
          ...options.headers
        },
        ...body !== undefined && { body: JSON.stringify(body) }
      })
      return await bytesOf(answer, service)
    } catch (cause) {
      if (options.signal?.aborted === true) throw options.signal.reason
      throw peerProblem(cause, service)
    }
  }

  return {
    call: {
      async json<T> (service: ServiceName, path: string, options: CallOptions = {}) {
        const bytes = await ask(service, path, options)
        try { return JSON.parse(bytes.toString('utf8')) as T } catch (cause) {
          throw new Problem('service-invalid', `The ${service} service answered something that is not JSON.`, { cause })
        }
      },
      bytes: async (service, path, options = {}) => await ask(service, path, options)
    },
    async close () { await Promise.all([outside.destroy(), inside?.destroy()]) }
  }
}

async function bytesOf (answer: Dispatcher.ResponseData, service: ServiceName): Promise<Buffer> {
  const { statusCode, body } = answer
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > answerBytesMax) {
      body.destroy()
      throw new Problem('service-invalid', `The ${service} service answered more than ${answerBytesMax} bytes.`)
    }
    chunks.push(chunk)
  }
  const whole = Buffer.concat(chunks)
  if (statusCode >= 200 && statusCode < 300) return whole
  throw problemIn(whole) ??
    new Problem('service-invalid', `The ${service} service answered with status ${statusCode} and no problem description.`)
}

function problemIn (body: Buffer): Problem | undefined {
  try { return problemFromBody(JSON.parse(body.toString('utf8'))) } catch { return undefined }
}

function peerProblem (cause: unknown, service: ServiceName): Problem {
  if (cause instanceof Problem) return cause
  const slow = cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError ||
    (cause instanceof Error && cause.name === 'TimeoutError')
  return slow
    ? new Problem('service-timeout', `The ${service} service did not answer in time.`, { cause })
    : new Problem('service-unavailable', `The ${service} service cannot be reached; is it running, and is ${service.toUpperCase()}_URL right?`, { cause })
}
