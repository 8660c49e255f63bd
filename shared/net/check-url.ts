/** Whether an address that somebody else chose may be asked at all: decided before anything is sent. */
import { isIP } from 'node:net'
import { Problem } from '../errors/problem.ts'
import { allowsAddress, allowsName, isPublicAddress, type Allowed } from './addresses.ts'

export interface UrlRules {
  /** Ports of public hosts; 80 and 443 when absent. */
  ports?: readonly number[]
  allowed?: readonly Allowed[]
}

export const urlCharsMax = 2_048
const publicPorts = [80, 443]

/** Names for one's own machine, network or cloud, by their last labels. */
const innerNames = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home',
  'lan', 'svc', 'home.arpa', 'in-addr.arpa', 'ip6.arpa']

/**
 * The URL in its one normal form: numbers of every notation as a plain address, wide and foreign
 * letters as ASCII, no dot at the end of the name, no fragment. What its name resolves to is checked
 * when it is connected to.
 *
 * @throws Problem url-forbidden
 */
export function checkUrl (text: string, rules: UrlRules = {}): URL {
  // A URL parser drops these in silence; no address that is meant well has them.
  if (text.length > urlCharsMax || /[\s\p{C}\\]/u.test(text) || !URL.canParse(text)) {
    throw new Problem('url-forbidden', 'This is no complete address of a file; give one such as https://example.org/paper.pdf.')
  }
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Problem('url-forbidden', 'Only http and https addresses are fetched; download the file and upload it.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('url-forbidden', 'The address holds a user name or a password, which are never sent; download the file and upload it.')
  }
  url.hash = ''
  url.hostname = url.hostname.replace(/\.+$/u, '')
  const port = portOf(url)
  if (allowsName(rules.allowed ?? [], hostOf(url), port)) return url
  const host = hostOf(url)
  if (isIP(host) === 0 ? isInner(host) : !mayConnect(host, port, rules)) throw notPublic()
  const { ports = publicPorts, allowed = [] } = rules
  // The name may turn out to be of a range that is allowed with this port.
  if (!ports.includes(port) && !allowed.some(entry => typeof entry.host !== 'string' && entry.port === port)) {
    throw new Problem('url-forbidden', `Files are fetched from ports ${publicPorts.join(' and ')} only; download the file and upload it, or have the host with its port put on FETCH_ALLOW.`)
  }
  return url
}

/** Whether a connection to this address is one that the rules permit. */
export function mayConnect (address: string, port: number, rules: UrlRules): boolean {
  const { ports = publicPorts, allowed = [] } = rules
  return (ports.includes(port) && isPublicAddress(address)) || allowsAddress(allowed, address, port)
}

/** A name or an address, without the brackets of IPv6. */
export function hostOf ({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/gu, '')
}

export function portOf ({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Says nothing of where it leads: whoever asks may be out to learn that. */
export function notPublic (): Problem {
  return new Problem('url-forbidden', 'The address does not lead to a public host of the internet. Download the file and upload it; a mirror of one\'s own can be put on FETCH_ALLOW.')
}

/** Without a dot a name is one of the local network, whatever the search list makes of it. */
function isInner (name: string): boolean {
  return !name.includes('.') || innerNames.some(inner => name.endsWith(`.${inner}`))
}
