/** Short questions to a model server about itself. Whatever goes wrong is an answer too. */
import { Agent, errors, request, type Dispatcher } from 'undici'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Said } from '../domain/engine-answers.ts'
import type { Upstream } from '../domain/upstream.ts'
import { keyHeader, upstreamConnector } from './connect-upstream.ts'

export interface EngineQuestion {
  path: string
  /** Sent as JSON by POST; absent: GET. */
  body?: object
  timeoutMs: number
  bytesMax: number
}

export interface EngineRequests {
  /** Never rejects. Ends within `timeoutMs`, with at most `bytesMax` bytes read. */
  ask: (upstream: Upstream, question: EngineQuestion) => Promise<Said>
  close: () => Promise<void>
}

/** @param secret  the value of an environment variable; keys are looked up when needed */
export function engineRequests (
  secret: (name: string) => string | undefined, connectTimeoutMs = 2_000
): EngineRequests {
  const agent = new Agent({
    connect: upstreamConnector(connectTimeoutMs),
    connections: 8,
    pipelining: 1,
    // Below uvicorn's 5 s, which closes without a word.
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16_384
  })

  return {
    async ask (upstream, { path, body, timeoutMs, bytesMax }) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await request(upstream.baseUrl + path, {
          method: body === undefined ? 'GET' : 'POST',
          dispatcher: agent,
          signal,
          headers: {
            accept: '*/*',
            ...body !== undefined && { 'content-type': 'application/json' },
            ...keyHeader(upstream, secret)
          },
          ...body !== undefined && { body: JSON.stringify(body) }
        })
        return { status: answer.statusCode, body: await textOf(answer.body, bytesMax) }
      } catch (cause) {
        return faultOf(cause, { path, timeoutMs, overdue: signal.aborted, baseUrl: upstream.baseUrl })
      }
    },
    async close () { await agent.destroy() }
  }
}

async function textOf (body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      body.destroy()
      throw new Problem('upstream-invalid', `answers more than ${bytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface Asked { path: string, timeoutMs: number, overdue: boolean, baseUrl: string }

function faultOf (cause: unknown, { path, timeoutMs, overdue, baseUrl }: Asked): Said {
  // What undici wraps: of several addresses each has a reason of its own.
  const inner = cause instanceof AggregateError ? cause.errors[0] as unknown : cause
  const { code } = (inner ?? {}) as NodeJS.ErrnoException
  if (cause instanceof Problem) return { fault: `${cause.message} (${path})`, sure: true }
  if (overdue) return { fault: `does not answer within ${timeoutMs} ms (${path})`, sure: false }
  if (code === 'ECONNREFUSED') return { fault: `cannot be reached at ${baseUrl}: nothing listens there`, sure: true }
  if (code === 'ENOTFOUND') return { fault: `cannot be reached at ${baseUrl}: the name is unknown`, sure: true }
  if (cause instanceof errors.ConnectTimeoutError || ['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code ?? '')) {
    return { fault: `cannot be reached at ${baseUrl} (${code ?? 'no connection'})`, sure: false }
  }
  return { fault: `breaks the connection off at ${baseUrl} (${path}${code === undefined ? '' : `, ${code}`})`, sure: false }
}
