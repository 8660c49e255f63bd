/** One request to an external engine; whatever goes wrong is a Problem that names it. */
import { Blob } from 'node:buffer'
import { Agent, errors, FormData, request } from 'undici'
import { Problem } from '../../../shared/errors/problem.ts'
import type { ExternalEngine } from '../domain/external-engine.ts'

export interface Question {
  path: string
  /** Sent as a form, by POST; else it is a GET. */
  form?: FormData
  headers?: Record<string, string>
  /** Of the answer; a small one when absent. */
  bytesMax?: number
}

export interface Reply { status: number, retryAfterMs: number | undefined, bytes: Buffer }

/** One paper's conversation with one engine. */
export interface Talk {
  engine: ExternalEngine
  /** Any status; redirects are not followed. @throws Problem engine-… */
  ask: (question: Question) => Promise<Reply>
  /** Waits, unless there is no time left for it: then it rejects as `ask` does. */
  pause: (ms: number) => Promise<void>
  /** Value of an environment variable, by a name of the settings. */
  secret: (name: string) => string
}

export interface TalkOptions {
  agent: Agent
  secret: (name: string) => string | undefined
  /** Tests do not wait. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Of one that holds a paper. */
export const paperBytesMax = 64 * 2 ** 20
const answerBytesMax = 2 ** 20

export function talkTo (
  engine: ExternalEngine, { agent, secret, sleep }: TalkOptions, signal?: AbortSignal
): Talk {
  const inTime = AbortSignal.timeout(engine.timeoutMs)
  const ended = signal === undefined ? inTime : AbortSignal.any([inTime, signal])
  const until = performance.now() + engine.timeoutMs
  const late = (cause?: unknown) => new Problem('engine-timeout', `${engine.name} did not finish this paper within ${engine.timeoutMs / 1_000} s; retry when it is less busy, or raise its timeoutMs in PARSER_ENGINES.`, { cause })
  const faultOf = (cause: unknown) => {
    if (cause instanceof Problem || signal?.aborted === true) return cause
    return inTime.aborted ? late(cause) : brokenOff(engine, cause)
  }
  return {
    engine,
    async ask ({ path, form, headers = {}, bytesMax = answerBytesMax }) {
      try {
        const answer = await request(engine.baseUrl + path, {
          method: form === undefined ? 'GET' : 'POST',
          dispatcher: agent,
          signal: ended,
          headersTimeout: engine.timeoutMs,
          bodyTimeout: engine.timeoutMs,
          headers,
          ...form !== undefined && { body: form }
        })
        const after = Number(answer.headers['retry-after'])
        return {
          status: answer.statusCode,
          retryAfterMs: Number.isFinite(after) ? after * 1_000 : undefined,
          bytes: await bytesOf(answer.body as AsyncIterable<Buffer>, bytesMax, engine)
        }
      } catch (cause) { throw faultOf(cause) }
    },
    async pause (ms) {
      if (performance.now() + ms > until) throw late()
      try { await sleep(ms, ended) } catch (cause) { throw faultOf(cause) }
    },
    secret: name => (name === '' ? undefined : secret(name)) ?? ''
  }
}

async function bytesOf (
  body: AsyncIterable<Buffer>, bytesMax: number, { name }: ExternalEngine
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    // Leaving the loop ends the connection.
    if (bytes > bytesMax) throw new Problem('engine-refused', `${name} answered more than ${bytesMax / 2 ** 20} MiB; send this paper without ?engine=.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function brokenOff ({ name, baseUrl }: ExternalEngine, cause: unknown): Problem {
  const { code = '' } = cause as NodeJS.ErrnoException
  const away = cause instanceof errors.ConnectTimeoutError || /^(?:ECONN|EHOST|ENET|ENOTFOUND|EAI_|EPIPE|UND_ERR_SOCKET)/u.test(code)
  return away
    ? new Problem('engine-unavailable', `${name} cannot be reached at ${baseUrl}; is it running? The paper is parsed with it once it is, or at once without ?engine=.`, { cause, retryAfterSeconds: 10 })
    : new Problem('engine-invalid', `The connection to ${name} broke before its answer was complete.`, { cause })
}

/** What a status means that is not the one hoped for. */
export function statusProblem ({ name }: ExternalEngine, { status, bytes }: Reply): Problem {
  const words = bytes.subarray(0, 300).toString().replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  const said = words === '' ? '' : ` It said: ${words}`
  if (status === 401 || status === 403) {
    return new Problem('engine-refused', `${name} does not accept the key it is sent; check apiKeyEnv in PARSER_ENGINES and the variable it names.`)
  }
  if (status === 429 || status === 502 || status === 503 || status === 504) {
    return new Problem('engine-unavailable', `${name} is busy, starting or away (status ${status}).${said}`, { retryAfterSeconds: 10 })
  }
  if (status >= 500) return new Problem('engine-invalid', `${name} failed on this paper (status ${status}).${said}`)
  return new Problem('engine-refused', `${name} refused this paper (status ${status}).${said}`)
}

export function invalidAnswer ({ name }: ExternalEngine, what: string): Problem {
  return new Problem('engine-invalid', `${name} answered something else than ${what}; is its address in PARSER_ENGINES right?`)
}

export function formWith (
  field: string, pdf: Uint8Array, fields: ReadonlyArray<readonly [string, string]>
): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  form.append(field, new Blob([pdf], { type: 'application/pdf' }), 'paper.pdf')
  return form
}

/** @throws Problem engine-invalid unless it is a JSON object */
export function objectIn (engine: ExternalEngine, { bytes }: Reply): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch { /* Said below. */ }
  throw invalidAnswer(engine, 'JSON')
}

/** An id that an engine gave, which becomes part of a path. */
export function idIn (engine: ExternalEngine, value: unknown): string {
  if (typeof value === 'string' && /^[\w-]{1,128}$/u.test(value)) return value
  throw invalidAnswer(engine, 'the id of a task')
}
