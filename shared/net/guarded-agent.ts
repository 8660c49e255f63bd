/**
 * Connections to hosts that others name. A name is resolved here, once a connection; all its addresses
 * are checked, and only to those the socket is opened: there is no second look-up for an attacker to
 * answer differently (DNS rebinding). What the socket then says it is connected to is checked again.
 */
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import { allowsName } from './addresses.ts'
import { mayConnect, notPublic, type UrlRules } from './check-url.ts'

export interface Address { address: string, family: number }
/** All addresses of a name. */
export type Resolve = (name: string) => Promise<Address[]>

export interface Connecting extends UrlRules { resolve?: Resolve }

const connectTimeoutMs = 10_000
const addressesMax = 64
const headerBytesMax = 16_384

const resolveBySystem: Resolve = async name => await lookup(name, { all: true })

/** No proxy of the environment is used; nothing is kept from one connection to the next. */
export function guardedAgent (rules: Connecting): Agent {
  return new Agent({
    maxHeaderSize: headerBytesMax,
    // Every hop gets a connection, and a look-up, of its own.
    pipelining: 0,
    connect (options, callback) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      addressesFor(options.hostname.replace(/^\[|\]$/gu, ''), port, rules).then(addresses => {
        const lookup = answering(addresses)
        const connector = buildConnector({ timeout: connectTimeoutMs, lookup } as buildConnector.BuildOptions)
        connector(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null)
          const { remoteAddress = '' } = socket
          if (addresses.some(({ address }) => isSame(address, remoteAddress))) return callback(null, socket)
          socket.destroy()
          return callback(notPublic(), null)
        })
      }).catch((cause: unknown) => callback(cause as Error, null))
    }
  })
}

/**
 * One address that is not permitted spoils them all: a host of the internet has no other, and who
 * mixes them is up to something or misled.
 */
async function addressesFor (host: string, port: number, rules: Connecting): Promise<Address[]> {
  const family = isIP(host)
  const { allowed = [], resolve = resolveBySystem } = rules
  const addresses = family !== 0 ? [{ address: host, family }] : (await resolve(host)).slice(0, addressesMax)
  if (addresses.length === 0) throw notPublic()
  if (family === 0 && allowsName(allowed, host, port)) return addresses
  const own = ownAddresses()
  const permitted = addresses.every(({ address }) =>
    mayConnect(address, port, own.has(address) ? { ...rules, ports: [] } : rules))
  if (!permitted) throw notPublic()
  return addresses
}

/** This machine's, which its own services trust more than others, may look public. */
function ownAddresses (): Set<string> {
  return new Set(Object.values(networkInterfaces()).flatMap(list => list ?? []).map(({ address }) => address))
}

function answering (addresses: readonly Address[]): LookupFunction {
  return (_, options, callback) => {
    if (options.all === true) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
}

function isSame (address: string, connected: string): boolean {
  return isIP(connected) !== 0 && ipaddr.process(address).toString() === ipaddr.process(connected).toString()
}
