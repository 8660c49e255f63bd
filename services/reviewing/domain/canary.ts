/** What tells a corpus that has swallowed a benchmark. */
import { sha256 } from '../../../shared/contracts/hash.ts'

/**
 * A GUID that looks random and follows from the benchmark's version, in a sentence that says what it
 * is for.
 *
 * @see Srivastava et al. 2022, arXiv:2206.04615, whose tasks carry one string each
 */
export function canaryOf (version: string): string {
  return `This is benchmark data and does not belong in a training corpus; canary GUID ${canaryGuid(version)}`
}

/** Of version 8 (RFC 9562): its bits are the maker's own. */
export function canaryGuid (version: string): string {
  const hex = sha256(`canary ${version}`)
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
