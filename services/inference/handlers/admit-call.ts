/** A request as a call: checked, labelled, and weighed for the queue. */
import type { FastifyRequest } from 'fastify'
import { admit } from '../domain/admission.ts'
import type { AdmissionLimits } from '../domain/admission-limits.ts'
import type { Call, ForwardedPath, Leaving, RequestBody } from '../domain/call.ts'
import { headerFault } from '../domain/field-fault.ts'
import { labelsOf } from '../domain/labels.ts'
import { prefixOf } from '../domain/prefix.ts'
import { replayModeOf, sampleIndexOf } from '../domain/replay.ts'
import { bandOf, estimateTokens } from '../domain/request-cost.ts'

export interface AdmitParts {
  limits: AdmissionLimits
  /** For all of a call, when the caller names no time, and at most. */
  totalTimeoutMs: number
  /** Headers of the caller that go on to the upstream: none, but in tests of faults. */
  passHeaders?: readonly string[]
}

type Admitted = Pick<FastifyRequest, 'id' | 'body' | 'headers'> & { bodyBytes?: Uint8Array | null }

/** @throws Problem with the pointer of the first fault */
export function admitCall (
  { limits, totalTimeoutMs, passHeaders = [] }: AdmitParts,
  path: ForwardedPath,
  { request, signal }: { request: Admitted, signal: Leaving }
): Call {
  const { id, headers } = request
  const { needs } = admit(path, request.body, limits)
  const body = request.body as RequestBody
  return {
    id,
    path,
    body,
    json: asItCame(request.bodyBytes),
    labels: labelsOf(headers),
    replay: replayModeOf(headers),
    sampleIndex: sampleIndexOf(headers),
    band: bandOf(body.priority),
    tokens: estimateTokens(body),
    bytes: bytesOf(headers['content-length'], body),
    prefix: prefixOf(body),
    needs,
    timeoutMs: timeoutOf(headers['viva-timeout-ms'], totalTimeoutMs),
    signal,
    ...passHeaders.length > 0 && { passed: passedOf(headers, passHeaders) }
  }
}

/** Not with a byte order mark, which servers need not take. */
function asItCame (bytes: Uint8Array | null | undefined): Uint8Array | undefined {
  return bytes?.[0] === 0x7b ? bytes : undefined
}

/** For the queue's bound; a body that came in chunks says nothing of its length. */
function bytesOf (contentLength: string | undefined, body: RequestBody): number {
  return contentLength === undefined ? Buffer.byteLength(JSON.stringify(body)) : Number(contentLength)
}

function timeoutOf (header: unknown, most: number): number {
  if (header === undefined) return most
  const ms = typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : 0
  if (ms > 0) return Math.min(ms, most)
  throw headerFault('viva-timeout-ms', 'is a whole number of milliseconds from 1')
}

function passedOf (headers: FastifyRequest['headers'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap(name => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  }))
}
