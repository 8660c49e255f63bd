/** Which addresses are of the open internet: an address of any other kind leads into somebody's house. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Beside what ipaddr.js counts as special: Azure's wire server, which hands out secrets from an
 * address that looks public (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const closed4 = ['168.63.129.16/32'].map(range => ipaddr.IPv4.parseCIDR(range))
/** All that is given out so far (IANA); what is not within is special or nobody's. */
const global6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Within it: protocol assignments with Teredo and ORCHID (RFC 2928), documentation, 6to4 (RFC 3056). */
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range => ipaddr.IPv6.parseCIDR(range))

/**
 * Whether an address may be one of the open internet. Loopback, private, link-local, shared (RFC
 * 6598), documentation, benchmark, multicast and reserved addresses are not (RFC 6890), nor are those
 * of IPv6 that carry an IPv4 address: NAT64, 6to4, Teredo. An IPv4-mapped one is what it maps.
 *
 * @param address as a socket or a resolver writes it; anything else is not public
 */
export function isPublicAddress (address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') {
    return parsed.range() === 'unicast' && !closed4.some(range => parsed.match(range))
  }
  return parsed.match(global6) && !closed6.some(range => parsed.match(range))
}

/** A host or a network that may be asked although it is not public. */
export interface Allowed {
  /** A name, without a dot at its end, or a range of addresses. */
  host: string | [ipaddr.IPv4 | ipaddr.IPv6, number]
  /** Absent: 80 and 443. */
  port?: number
}

/**
 * @param setting  names, addresses and CIDR ranges, separated by commas, each with `:port` where it is
 *                 not 80 or 443; an IPv6 one then in brackets: `[fd00::/8]:8080`
 * @throws         Error that says which entry is wrong
 */
export function parseAllowed (setting: string): Allowed[] {
  return setting.split(',').map(entry => entry.trim()).filter(entry => entry !== '').map(parseEntry)
}

function parseEntry (entry: string): Allowed {
  const whole = rangeIn(entry)
  if (whole !== undefined) return { host: whole }
  const [, bracketed, plain = '', digits] = /^(?:\[([\da-f:./]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/iu.exec(entry) ?? []
  const host = rangeIn(bracketed ?? plain) ?? nameIn(plain)
  const port = digits === undefined ? undefined : Number(digits)
  if (host === undefined || port === 0 || (port ?? 0) > 65_535) {
    throw new Error(`FETCH_ALLOW: "${entry.slice(0, 80)}" is not a host, an address or a CIDR range, with :port or without`)
  }
  return { host, ...port !== undefined && { port } }
}

function rangeIn (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return undefined
  const most = family === 4 ? 32 : 128
  if (bits === undefined) return [ipaddr.parse(address), most]
  return /^\d{1,3}$/u.test(bits) && Number(bits) <= most ? [ipaddr.parse(address), Number(bits)] : undefined
}

function nameIn (text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/u, '')
  return /^[\da-z_-]+(?:\.[\da-z_-]+)*$/u.test(name) ? name : undefined
}

/** Whether the list has this name for this port. */
export function allowsName (allowed: readonly Allowed[], name: string, port: number): boolean {
  return allowed.some(entry => entry.host === name && fits(entry, port))
}

/** Whether the list has a range with this address, for this port. */
export function allowsAddress (allowed: readonly Allowed[], address: string, port: number): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  return allowed.some(entry => typeof entry.host !== 'string' && fits(entry, port) &&
    entry.host[0].kind() === parsed.kind() && parsed.match(entry.host))
}

function fits (entry: Allowed, port: number): boolean {
  return entry.port === undefined ? port === 80 || port === 443 : port === entry.port
}
