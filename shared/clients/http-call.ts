/** `Call` over undici: by URL between processes, through the private socket inside one. */
import { Agent, request } from 'undici'
import { serviceNames, type ServiceName } from '../app/service.ts'
import { problemFromBody } from '../errors/problem-body.ts'
import { Problem } from '../errors/problem.ts'
import type { Call, CallOptions } from './call.ts'
import {
  askInTurn, connectTimeoutMs, isSlow, Misdirected, probeTimeoutMs, replicasOf, watchReplicas,
  type Answer, type Replicas
} from './peers.ts'

/**
 * To one address: more than a process has calls in hand at once. Calls of models last for minutes, and
 * those that only read must not wait for one of them to end.
 */
const connectionsMax = 1_024
const answerBytesMax = 64 * 1024 * 1024
const timeoutMsDefault = 30_000
/** The share of the time that one silent replica may use up while there are others to ask. */
const shareOfSilence = 1 / 3

export interface Peers {
  /** Services reached through the private socket. */
  here: readonly ServiceName[]
  socketPath: () => string
  /** Of each service one address, or several separated by commas. */
  urls: Record<ServiceName, string>
  /** Shown to peers in other processes. */
  serviceKey?: string
}

export interface HttpCall {
  call: Call
  /** Of each service, with what is known of their health. */
  replicas: Record<ServiceName, Replicas>
  close: () => Promise<void>
}

export function httpCall (peers: Peers): HttpCall {
  const outside = new Agent({ connections: connectionsMax, connect: { timeout: connectTimeoutMs } })
  const replicas = Object.fromEntries(serviceNames.map(name =>
    [name, replicasOf(peers.here.includes(name) ? 'http://peer' : peers.urls[name])])) as Record<ServiceName, Replicas>
  const stopWatching = watchReplicas(Object.values(replicas), async address =>
    await answers(outside, address))
  let inside: Agent | undefined

  async function ask (service: ServiceName, path: string, options: CallOptions) {
    const local = peers.here.includes(service)
    if (local) {
      inside ??= new Agent({ connections: connectionsMax, connect: { socketPath: peers.socketPath() } })
    }
    const dispatcher = local && inside !== undefined ? inside : outside
    const { timeoutMs = timeoutMsDefault, body } = options
    const method = options.method ?? (body === undefined ? 'GET' : 'POST')
    const inTime = AbortSignal.timeout(timeoutMs)
    const signal = options.signal === undefined ? inTime : AbortSignal.any([inTime, options.signal])
    const sent = {
      method,
      dispatcher,
      signal,
      bodyTimeout: timeoutMs,
      headers: {
        ...body !== undefined && { 'content-type': 'application/json' },
        ...!local && peers.serviceKey !== undefined && { authorization: `Bearer ${peers.serviceKey}` },
        ...options.headers
      },
      ...body !== undefined && { body: JSON.stringify(body) }
    }
    try {
      const answer = await askInTurn(replicas[service], {
        send: async (address, last) => await request(urlOf(address, path, options), {
          ...sent,
          headersTimeout: method === 'GET' && !last ? timeoutMs * shareOfSilence : timeoutMs
        }),
        idempotent: method === 'GET',
        repeatable: () => true,
        signal
      })
      const bytes = await bytesOf(answer, service)
      options.onHeaders?.(answer.headers)
      return bytes
    } catch (cause) {
      if (options.signal?.aborted === true) throw options.signal.reason
      const asOurselves = !local && !('authorization' in (options.headers ?? {}))
      throw asOurselves && isRefusal(cause) ? refusedKey(service, cause) : peerProblem(cause, service)
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
    replicas,
    async close () {
      stopWatching()
      await Promise.all([outside.destroy(), inside?.destroy()])
    }
  }
}

/** Whatever it says: that it says something is enough. */
async function answers (dispatcher: Agent, address: string): Promise<boolean> {
  try {
    const { body } = await request(new URL('/health/live', address), { dispatcher, signal: AbortSignal.timeout(probeTimeoutMs) })
    await body.dump()
    return true
  } catch {
    return false
  }
}

function urlOf (address: string, path: string, { query = {} }: CallOptions): URL {
  const url = new URL(path, address)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

async function bytesOf (answer: Answer, service: ServiceName): Promise<Buffer> {
  const { statusCode, body } = answer
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of Buffer.isBuffer(body) ? [body] : body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > answerBytesMax) {
      if (!Buffer.isBuffer(body)) body.destroy()
      throw new Problem('service-invalid', `The ${service} service answered more than ${answerBytesMax} bytes.`)
    }
    chunks.push(chunk)
  }
  const whole = Buffer.concat(chunks)
  if (statusCode >= 200 && statusCode < 300) return whole
  throw problemIn(whole) ??
    new Problem('service-invalid', `The ${service} service answered with status ${statusCode} and no problem description.`)
}

function isRefusal (cause: unknown): boolean {
  return cause instanceof Problem && (cause.kind === 'unauthorized' || cause.kind === 'forbidden')
}

/** The caller's own key, which may be right, has nothing to do with it. */
function refusedKey (service: ServiceName, cause: unknown): Problem {
  return new Problem('service-invalid', `The ${service} service does not accept the SERVICE_KEY of this one; set the same for all services.`, { cause })
}

function problemIn (body: Buffer): Problem | undefined {
  try { return problemFromBody(JSON.parse(body.toString('utf8'))) } catch { return undefined }
}

/** Why a service gave no answer, as its caller is told. */
export function peerProblem (cause: unknown, service: ServiceName): Problem {
  if (cause instanceof Problem) return cause
  if (cause instanceof Misdirected) {
    return new Problem('service-invalid', `${service.toUpperCase()}_URL leads to a process that is not the ${service} service, or is one of another version; correct it.`, { cause })
  }
  return isSlow(cause)
    ? new Problem('service-timeout', `The ${service} service did not answer in time.`, { cause })
    : new Problem('service-unavailable', `The ${service} service cannot be reached; is it running, and is ${service.toUpperCase()}_URL right?`, { cause })
}
