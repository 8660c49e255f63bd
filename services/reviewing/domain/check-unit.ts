/** The mechanical checks of items that live and die together: of each alone, then of all as one. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Check } from '../../../shared/contracts/item.ts'
import { checkItem } from './check-item.ts'
import type { Unit } from '../../../shared/text/duplicates.ts'

export const allPassed = (checks: readonly Check[]) => checks.every(check => check.passed)

/** Of each item, in their order, without what only the rest of the paper can tell. */
export function checkUnit (unit: Unit, document: Document): Check[][] {
  return unit.map(item => {
    const partners = item.pairId === undefined ? [] : unit.filter(({ id }) => id !== item.id)
    return checkItem({ item, document, partners })
  })
}

/**
 * What a unit's checks come to: whether it repeats an earlier one, asked only of a sound unit, and
 * whether its other members passed.
 *
 * @param duplicateOf  id of an item → id of the earlier one that it repeats; null: it was not asked
 */
export function settleUnit (
  unit: Unit, own: ReadonlyArray<readonly Check[]>, duplicateOf: ReadonlyMap<string, string> | null
): Check[][] {
  const sound = own.every(allPassed)
  const checks = unit.map(({ id }, i) => sound && duplicateOf !== null
    ? [...own[i]!, duplicateCheck(duplicateOf.get(id))]
    : [...own[i]!])
  if (unit.length < 2) return checks
  const broken = checks.findIndex(each => !allPassed(each))
  return checks.map((each, i) => {
    const other = broken === i ? checks.findIndex((one, at) => at !== i && !allPassed(one)) : broken
    return [...each, other < 0 ? wholePair : partnerCheck(unit[other]!.id, checks[other]!)]
  })
}

const wholePair: Check = { name: 'partner', passed: true, detail: 'Its pair is whole.' }

export function duplicateCheck (earlierId: string | undefined): Check {
  return earlierId === undefined
    ? { name: 'duplicate', passed: true, detail: 'No earlier item of the paper asks the same.' }
    : { name: 'duplicate', passed: false, detail: `The earlier item ${earlierId} asks the same.` }
}

export function partnerCheck (brokenId: string, its: readonly Check[]): Check {
  const failed = its.find(check => !check.passed)
  return { name: 'partner', passed: false, detail: `Its partner ${brokenId} failed ${failed?.name}.` }
}
