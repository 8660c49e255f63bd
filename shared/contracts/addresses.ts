/** Where a service can be reached, as a setting says it: one address, or those of its replicas. */

const addressesMax = 16

/**
 * On the answer to a path that a process does not serve at all, beside one that finds nothing there:
 * a peer only asks for what it knows to exist, so its address leads to another service.
 */
export const notServedHeader = 'viva-not-served'

/**
 * @param text  1 to 16 http(s) addresses, separated by commas
 * @returns     their origins, each once, in their order; undefined where one is no plain address: a
 *              path or a query would be lost, and a name with a password would end up in logs
 */
export function addressesIn (text: string): string[] | undefined {
  const given = text.split(',').map(entry => entry.trim())
  if (given.length > addressesMax || !given.every(isOrigin)) return undefined
  return [...new Set(given.map(address => new URL(address).origin))]
}

function isOrigin (address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(address)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' && pathname === '/'
}
