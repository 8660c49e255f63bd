/**
 * What went wrong between us and an upstream, and what follows from it: whether another try may
 * help, whether the server is to blame, and what the caller is told.
 */
import { Problem, type FieldError, type ProblemKind } from '../../../shared/errors/problem.ts'

/** Whether the request may be sent again; `paced`: after a pause, or elsewhere. */
export type Retry = 'never' | 'paced'

/** What the upstream's breaker hears: a fault counts against it, being busy does not. */
export type Blame = 'fault' | 'busy' | 'none'

interface FaultOptions extends ErrorOptions {
  retry: Retry
  blame: Blame
  retryAfterMs?: number | null
  errors?: FieldError[]
}

export class UpstreamFault extends Problem {
  readonly retry: Retry
  readonly blame: Blame
  /** As the upstream asked; null when it did not. */
  readonly retryAfterMs: number | null

  constructor (kind: ProblemKind, detail: string, options: FaultOptions) {
    const { retry, blame, retryAfterMs = null, ...rest } = options
    super(kind, detail, {
      ...rest, ...retryAfterMs !== null && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }
    })
    this.retry = retry
    this.blame = blame
    this.retryAfterMs = retryAfterMs
  }
}

/** What a server says of an error, whatever its version's shape; `param` is the field it blames. */
export interface Said { message: string, param: string | null }

export interface Status {
  status: number
  said: Said
  /** Of the Retry-After header; null without. */
  retryAfterMs: number | null
}

/**
 * A status that is no success. What the request is to blame for goes back to the caller as it was
 * said; our key and the server's troubles are not the caller's to mend.
 */
export function statusFault (name: string, { status, said, retryAfterMs }: Status): UpstreamFault {
  const words = said.message === '' ? '' : ` It said: ${said.message}`
  const errors = said.param === null ? [] : [{ pointer: `/body/${said.param}`, detail: said.message }]
  if (status === 401 || status === 403) {
    return new UpstreamFault('upstream-unauthorized', `The model server ${name} does not accept the key it is sent; check apiKeyEnv of the upstream.`, { retry: 'never', blame: 'none' })
  }
  if (status === 429 || status === 503) {
    const kind = status === 429 ? 'too-many-requests' : 'upstream-unavailable'
    return new UpstreamFault(kind, `The model server ${name} is overloaded, starting or asleep (status ${status}).${words}`, { retry: 'paced', blame: 'busy', retryAfterMs })
  }
  // 502 comes from a gateway whose server is away.
  if (status === 502) {
    return new UpstreamFault('upstream-unavailable', `The model server ${name} is away (status 502).${words}`, { retry: 'paced', blame: 'fault', retryAfterMs })
  }
  if (status === 408 || status === 504) {
    return new UpstreamFault('upstream-timeout', `The model server ${name} gave up waiting (status ${status}).${words}`, { retry: 'paced', blame: 'fault', retryAfterMs })
  }
  if (status >= 400 && status < 500) {
    return new UpstreamFault(refusalKind(status, said), `The model server ${name} refused the request (status ${status}).${words}`, { retry: 'never', blame: 'none', errors })
  }
  if (status === 501) {
    return new UpstreamFault('upstream-refused', `The model server ${name} cannot do that (status 501).${words}`, { retry: 'never', blame: 'none', errors })
  }
  if (status >= 500) {
    return new UpstreamFault('upstream-invalid', `The model server ${name} failed (status ${status}).${words}`, { retry: 'paced', blame: 'fault' })
  }
  return new UpstreamFault('upstream-invalid', `The model server ${name} answered with status ${status}, which is none of a model server.${words}`, { retry: 'never', blame: 'fault' })
}

/** 404 is the model's, or the path's: an engine that generates knows no embeddings. */
function refusalKind (status: number, { message }: Said): ProblemKind {
  if (status === 404) return /\bmodel\b/i.test(message) ? 'model-not-found' : 'unsupported-by-upstream'
  return status === 413 ? 'body-too-large' : 'upstream-refused'
}

/** Codes of sockets that never got through. */
const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

/** @param hasBegun  whether a byte of the answer had come */
export function socketFault (
  { name, baseUrl }: { name: string, baseUrl: string }, cause: Error, hasBegun: boolean
): UpstreamFault {
  const { code = '' } = cause as NodeJS.ErrnoException
  if (unreachableCodes.has(code)) {
    return new UpstreamFault('upstream-unavailable', `The model server ${name} cannot be reached at ${baseUrl}; is it running?`, { cause, retry: 'paced', blame: 'fault' })
  }
  // Killed, or a tunnel that lost its other end, or a kept connection that was closed meanwhile.
  if (brokenCodes.has(code) && !hasBegun) {
    return new UpstreamFault('upstream-unavailable', `The model server ${name} at ${baseUrl} closed the connection without an answer; is it running?`, { cause, retry: 'paced', blame: 'fault' })
  }
  if (hasBegun) {
    return new UpstreamFault('upstream-truncated', `The connection to the model server ${name} broke before its answer was whole.`, { cause, retry: 'paced', blame: 'fault' })
  }
  return new UpstreamFault('upstream-invalid', `The model server ${name} sent what is no HTTP answer (${code || cause.name}); is ${baseUrl} really a model server?`, { cause, retry: 'paced', blame: 'fault' })
}

/** Less is no word of when: who is sent away for no time at all, and comes at once, is a storm. */
const retryAfterMinMs = 100

/** @returns milliseconds of a Retry-After header, seconds or a date; null for anything else, and for now */
export function retryAfterMs (header: unknown, nowEpochMs: number): number | null {
  if (typeof header !== 'string' || header.length > 40) return null
  const isSeconds = /^\d{1,7}(\.\d{1,6})?$/.test(header)
  const ms = isSeconds ? Math.ceil(Number(header) * 1000) : Date.parse(header) - nowEpochMs
  return ms >= retryAfterMinMs ? ms : null
}
