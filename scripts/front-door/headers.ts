/** Which headers pass the door. Those of one connection never do (RFC 9110 §7.6.1). */
import type { IncomingHttpHeaders } from 'node:http'

type Headers = Record<string, string | string[] | undefined>

const ofConnection = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te',
  'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'
])
/** What a caller says about who it is would be believed by whoever trusts the door. */
const claimed = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/
/** Of the way to the service: its limit counts the door, its date is older than ours. */
const ofTheWay = /^(?:x-ratelimit-.*|date)$/

export interface Caller { address: string, via: string, reads: boolean }

/** Of a caller's request, as a service gets it; the body of a GET means nothing and stays outside. */
export function requestHeaders (given: IncomingHttpHeaders, { address, via, reads }: Caller): Headers {
  const { host, expect: _answeredHere, ...rest } = endToEnd(given)
  const kept = Object.entries(rest).filter(([name]) =>
    !claimed.test(name) && !(reads && name.startsWith('content-')))
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-for': address,
    'x-forwarded-proto': 'http',
    ...host !== undefined && { 'x-forwarded-host': host },
    via: given.via === undefined ? via : `${given.via}, ${via}`
  }
}

/** Of a service's answer, as the caller gets it. */
export function answerHeaders (given: Headers): Headers {
  return Object.fromEntries(Object.entries(endToEnd(given)).filter(([name]) => !ofTheWay.test(name)))
}

function endToEnd (given: Headers): Headers {
  const named = String(given.connection ?? '').toLowerCase().split(',').map(name => name.trim())
  return Object.fromEntries(Object.entries(given)
    .filter(([name]) => !ofConnection.has(name) && !named.includes(name)))
}
