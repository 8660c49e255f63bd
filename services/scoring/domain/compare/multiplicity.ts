/** p-values of a family, adjusted for being many; what could not be tested is no member. */
import type { Multiplicity } from '../../../../shared/contracts/comparison.ts'
import { falseDiscoveryRates } from '../../../../shared/stats/false-discovery.ts'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'

const adjusters: Record<Multiplicity, (pValues: readonly number[]) => readonly number[]> = {
  holm: pValues => familyWiseRates(pValues, 'holm'),
  bh: pValues => falseDiscoveryRates(pValues, 'bh'),
  by: pValues => falseDiscoveryRates(pValues, 'by'),
  none: pValues => pValues
}

/** In the same order; null stays null. Never above 1. */
export function adjusted (pValues: ReadonlyArray<number | null>, method: Multiplicity): Array<number | null> {
  const family = adjusters[method](pValues.filter(p => p !== null))
  let at = 0
  return pValues.map(p => p === null ? null : Math.min(1, family[at++]!))
}
