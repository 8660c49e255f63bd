/** What can go wrong between us and an object store: what is tried again, and what people are told. */
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../errors/problem.ts'

export interface Timeouts {
  connectMs: number
  /** For all attempts of one call together, until the head of the answer. */
  callMs: number
  /** Added to `callMs` for each MiB sent: a link slower than that counts as cut. */
  perMebibyteMs: number
  /** Without a byte of an answer's body. */
  idleMs: number
}

export const timeouts: Timeouts = { connectMs: 3_000, callMs: 15_000, perMebibyteMs: 1_000, idleMs: 15_000 }

/** An idle connection that the store closed, a node of it that restarts: mended by asking again. */
const pausesMs = [100, 400]

interface Fault { name?: string, code?: string, message?: string, $metadata?: { httpStatusCode?: number } }

export async function sending<T> (
  call: (abortSignal: AbortSignal) => Promise<T>, bytes: number, { callMs, perMebibyteMs }: Timeouts
): Promise<T> {
  const signal = AbortSignal.timeout(callMs + Math.ceil(bytes / 2 ** 20) * perMebibyteMs)
  for (const pauseMs of pausesMs) {
    try {
      return await call(signal)
    } catch (cause) {
      if (!isTransient(cause as Fault) || signal.aborted) throw cause
    }
    await delay(pauseMs)
  }
  return await call(signal)
}

const notAStore = 'NotAnObjectStore'

/**
 * What an answer without errors is held to: a login page, a proxy or a console on the next port says
 * 200 to everything, and what is stored there is lost.
 *
 * @param isGenuine  whether it has what every store answers
 */
export function genuine<T> (answer: T, isGenuine: (answer: T) => boolean): T {
  if (isGenuine(answer)) return answer
  throw Object.assign(new Error('The answer is not that of an object store'), { name: notAStore })
}

/** A clock that is off is corrected by the client from the first refusal. */
function isTransient (fault: Fault): boolean {
  const status = fault.$metadata?.httpStatusCode
  if (status === undefined) return fault.name !== 'CredentialsProviderError' && fault.name !== notAStore
  return status >= 500 || status === 429 || fault.name === 'RequestTimeTooSkewed'
}

/** Whether the object is not there; a missing bucket is another matter, and HEAD cannot tell them apart. */
export function isMissing (cause: unknown): boolean {
  const { name } = cause as Fault
  return name === 'NoSuchKey' || name === 'NotFound'
}

/** The client's errors may carry signed headers, tokens among them: only their names are passed on. */
export function unavailable (host: string, cause: unknown): Problem {
  if (cause instanceof Problem) return cause
  const fault = cause as Fault
  if (fault.$metadata?.httpStatusCode === 507) {
    return new Problem('disk-full', `The object store at ${host} has no space left; nothing was stored. Free some and try again.`)
  }
  return new Problem('store-unavailable', `The object store at ${host} ${said(fault)}. Try again later.`, { retryAfterSeconds: 5 })
}

/** Why the process does not start, and what to do. */
export function refusal (place: { endpoint: string, host: string, bucket: string }, cause: unknown): Error {
  const fault = cause as Fault
  const status = fault.$metadata?.httpStatusCode
  const what = `Cannot start: the object store at ${place.host} ${said(fault)}.`
  if (fault.name === 'CredentialsProviderError') {
    return new Error('Cannot start: S3_URL is set, and there are no keys for it. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this process a role.')
  }
  if (fault.name === 'NoSuchBucket') {
    return new Error(`${what} Make the bucket first (Viva makes none): aws --endpoint-url ${place.endpoint} s3 mb s3://${place.bucket}`)
  }
  if (status === 301 || fault.name === 'AuthorizationHeaderMalformed' || fault.name === 'PermanentRedirect') {
    return new Error(`${what} The bucket is in another region: set AWS_REGION to it, and the host of S3_URL.`)
  }
  if (fault.name === notAStore || (status !== undefined && status < 400)) {
    return new Error(`${what} Check the host and port of S3_URL: something else is there, such as a proxy, a login page or the console of the store.`)
  }
  // Stores have names and statuses of their own for a key they do not know.
  if (status !== undefined && status < 500) {
    return new Error(`${what} Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may s3:ListBucket on ${place.bucket} and s3:GetObject, s3:PutObject, s3:DeleteObject in it.`)
  }
  return new Error(`${what} Check S3_URL, and that the store runs.`)
}

function said ({ name, code, $metadata }: Fault): string {
  const status = $metadata?.httpStatusCode
  if (name === notAStore) return 'answers, but not as an object store does'
  if (status !== undefined) return `answered ${name ?? 'an error'} (HTTP ${status})`
  if (name === 'AbortError' || name === 'TimeoutError') return 'did not answer in time'
  return `cannot be reached (${code ?? name ?? 'no reason given'})`
}
