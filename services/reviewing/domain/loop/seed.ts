/** Seeds of calls: each asking has its own, and the same asking the same again. */
import { canonicalJson, sha256 } from '../../../../shared/contracts/hash.ts'

/** From 0 to 2^31 - 1, as the recipe's seed itself. */
export function seedFor (seed: number, asking: object): number {
  return Number.parseInt(sha256(canonicalJson([seed, asking])).slice(0, 8), 16) & 0x7fffffff
}
