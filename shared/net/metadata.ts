/** Addresses at which a cloud or a cluster hands out secrets to whoever asks from inside. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Beside the link-local ranges, where most of them are: Azure's wire server, Alibaba's and Oracle's
 * metadata services, and Amazon's for IPv6, each as its vendor's manual gives it.
 */
const closed = ['169.254.0.0/16', 'fe80::/10', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', 'fd00:ec2::/32']
  .map(range => ipaddr.parseCIDR(range))
/** IPv4 inside IPv6 (RFC 6052): a gateway leads on to what is inside. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether nobody who means well connects there. For hosts that an administrator names, which may well
 * be private addresses; what strangers name goes by `isPublicAddress`.
 *
 * @param address  as a socket or a resolver writes it, IPv6 without brackets; what is none is false
 */
export function isMetadataAddress (address: string): boolean {
  const [bare = ''] = address.split('%')
  if (isIP(bare) === 0) return false
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv6' && parsed.match(nat64)) {
    return isMetadataAddress(new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString())
  }
  return closed.some(range => range[0].kind() === parsed.kind() && parsed.match(range))
}
