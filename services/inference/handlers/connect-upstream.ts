/**
 * Sockets to model servers. An administrator names them, private addresses included; but a name that
 * leads to where a cloud hands out secrets is not connected to, whenever it came to lead there.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { Problem } from '../../../shared/errors/problem.ts'
import { isMetadataAddress } from '../../../shared/net/metadata.ts'
import type { Upstream } from '../domain/upstream.ts'

/**
 * For undici's `connect` option.
 *
 * @param timeout  milliseconds until a connection stands, looking up the name included
 * @param resolve  as the system's look-up of names
 */
export function upstreamConnector (
  timeout: number, resolve: LookupFunction = lookup as LookupFunction
): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup: checked(resolve) } as buildConnector.BuildOptions)
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && isMetadataAddress(host)) { callback(closedAddress(), null); return }
    connect(options, callback)
  }
}

/** The key it is asked with, looked up each time; nothing where none is named, or the variable is not set. */
export function keyHeader (
  { apiKeyEnv }: Upstream, secret: (name: string) => string | undefined
): { authorization?: string } {
  const key = apiKeyEnv === undefined ? undefined : secret(apiKeyEnv)
  return key === undefined ? {} : { authorization: `Bearer ${key}` }
}

function checked (resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, address, family) => {
      const found = Array.isArray(address) ? address.map(each => each.address) : [String(address)]
      if (error === null && found.some(isMetadataAddress)) callback(closedAddress(), '', 0)
      else callback(error, address, family)
    })
  }
}

function closedAddress (): Problem {
  return new Problem('url-forbidden', 'leads to a link-local address, where clouds hand out secrets')
}
