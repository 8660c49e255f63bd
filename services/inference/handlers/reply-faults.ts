/** Replies that are none, by what they mean. */
import type { IncomingHttpHeaders } from 'node:http'
import { errorIn, parseUpstreamError } from '../domain/dialect/upstream-error.ts'
import { retryAfterMs, statusFault, UpstreamFault } from '../domain/fault.ts'
import type { StreamFault } from '../domain/relay.ts'
import type { Upstream } from '../domain/upstream.ts'

/** Of an error's body the beginning is enough. */
export const errorBytesMax = 64 * 1024

export interface Refusal { status: number, headers: IncomingHttpHeaders, bytes: Buffer }

export function refusal ({ name }: Upstream, { status, headers, bytes }: Refusal): UpstreamFault {
  const said = parseUpstreamError(bytes.toString('utf8'), status)
  return statusFault(name, { status, said, retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) })
}

/** An error object that came with 200; undefined where the value is none. */
export function saidFault ({ name }: Upstream, value: unknown): UpstreamFault | undefined {
  const said = errorIn(value)
  if (said === undefined) return undefined
  const { code } = said
  // What a server says after 200 without a status it says of itself.
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500
  return statusFault(name, { status, said, retryAfterMs: null })
}

export function streamFault (upstream: Upstream, fault: StreamFault): UpstreamFault {
  const { name } = upstream
  if (fault.kind === 'error') return saidFault(upstream, fault.error) ?? saidFault(upstream, { error: '' })!
  const [kind, what] = fault.kind === 'truncated'
    ? ['upstream-truncated', 'ended before its answer was whole: not every choice has a finish_reason'] as const
    : ['upstream-invalid', `holds ${fault.detail}`] as const
  return new UpstreamFault(kind, `The stream of the model server ${name} ${what}.`, { retry: 'paced', blame: 'fault' })
}

/** We ask for no compression; a gateway in between may add it. */
export function encodingFault ({ name }: Upstream, headers: IncomingHttpHeaders): UpstreamFault | undefined {
  const { 'content-encoding': encoding } = headers
  if (encoding === undefined || encoding === 'identity') return undefined
  return new UpstreamFault('upstream-invalid', `The model server ${name} answered in ${encoding.slice(0, 40)}, which it was not asked for; turn compression off between it and here.`, { retry: 'never', blame: 'none' })
}

export function notStream (upstream: Upstream, headers: IncomingHttpHeaders): UpstreamFault | undefined {
  const type = String(headers['content-type'])
  if (type.startsWith('text/event-stream')) return encodingFault(upstream, headers)
  return new UpstreamFault('upstream-invalid', `The model server ${upstream.name} was asked for a stream and sent ${type.slice(0, 80)}; is ${upstream.baseUrl} really a model server?`, { retry: 'paced', blame: 'fault' })
}

export function notJson ({ name, baseUrl }: Upstream, contentType: string): UpstreamFault {
  return new UpstreamFault('upstream-invalid', `The model server ${name} answered ${contentType.slice(0, 80) || 'something'} that is no reply in JSON; is ${baseUrl} really a model server?`, { retry: 'paced', blame: 'fault' })
}

/** JSON, but of something else: a health check, a page of another service. */
export function noReply ({ name, baseUrl }: Upstream): UpstreamFault {
  return new UpstreamFault('upstream-invalid', `The model server ${name} answered JSON that holds no answer; is ${baseUrl} really a model server?`, { retry: 'paced', blame: 'fault' })
}

export function cutReply ({ name }: Upstream): UpstreamFault {
  return new UpstreamFault('upstream-truncated', `The reply of the model server ${name} is not whole: it holds fewer answers than were asked for, or one without a finish_reason, or the server gave the request up.`, { retry: 'paced', blame: 'fault' })
}

export function tooLong ({ name }: Upstream, bytesMax: number): UpstreamFault {
  return new UpstreamFault('upstream-invalid', `The model server ${name} answered more than ${bytesMax} bytes.`, { retry: 'never', blame: 'none' })
}
