/** Which entries are ranked, so that what they have in common is enough of the benchmark to rank by. */
import type { Entry } from './entries.ts'

interface Asked { items: number, itemsShare: number }

/**
 * Ranks compare the items that count for every ranked entry, so one that was not asked a half takes that half
 * from all the others, and it is seldom a random half: what a model skips are images, or the wording it
 * cannot be asked in. Entries are taken by how many items count for them; those that would leave fewer than
 * the share in common are not ranked, and those of the same number stand or fall together, so that neither a
 * name nor the order of runs decides.
 *
 * @returns for each entry why it is not ranked; undefined where it is
 */
export function whyNotRanked (
  entries: readonly Entry[], { items, itemsShare }: Asked
): Array<string | undefined> {
  const counted = entries.map(({ marks }) => marks.filter(({ value }) => value !== null).length)
  const reasons = entries.map(({ marks }, at) => {
    const errors = marks.filter(({ outcome }) => outcome === 'error').length
    if (errors > 0) return `${errors} of ${items} items ended in error; retry the run.`
    if (counted[at] === 0) return `None of ${items} items counts.`
    return counted[at]! < itemsShare * items
      ? `Only ${counted[at]} of ${items} items count, less than the share asked for (itemsShare ${itemsShare}).`
      : undefined
  })
  const eligible = entries.flatMap((_, at) => reasons[at] === undefined ? [at] : [])
  let common = Array.from({ length: items }, (_, item) => item)
  for (const count of [...new Set(eligible.map(at => counted[at]!))].sort((a, b) => b - a)) {
    const alike = eligible.filter(at => counted[at] === count)
    const left = common.filter(item => alike.every(at => entries[at]!.marks[item]!.value !== null))
    if (left.length >= itemsShare * items) common = left
    else for (const at of alike) reasons[at] = tooFew({ count, left: left.length, items, itemsShare })
  }
  return reasons
}

function tooFew ({ count, left, items, itemsShare }: Asked & { count: number, left: number }): string {
  return `${count} of ${items} items count, and with the runs of as many or more it would leave ${left} in common, less than the share asked for (itemsShare ${itemsShare}).`
}
