/** Whether judges favour models of their own family. */
import type { SelfPreference } from '../../../../../shared/contracts/judgement-summary.ts'
import { meanOf } from './judged.ts'

/** `cells[judge][model]`: the mean total, over items that all models answered and all judges rated. */
export interface FamilyTable {
  cells: ReadonlyArray<readonly number[]>
  judgeFamilies: readonly string[]
  modelFamilies: readonly string[]
  n: number
}

/**
 * The interaction: residuals after the judge's strictness and the model's quality are taken out, their mean
 * over cells of one family minus that over the others. A judge that is mild to all, or a family that is
 * better for all, adds nothing. The p-value is exact: the families are given to the judges in every way
 * there is, as one would be where it makes no difference. Items left out alone would confound difficulty.
 *
 * @see Panickssery et al. 2024, arXiv:2404.13076; methodology: generator × evaluated model by permutation
 */
export function selfPreferenceOf ({ cells, judgeFamilies, modelFamilies, n }: FamilyTable): SelfPreference {
  const [judges, models] = [judgeFamilies.length, modelFamilies.length]
  const none = (reason: string): SelfPreference =>
    ({ value: null, p: null, leastP: null, judges, models, n, reason })
  if ([...judgeFamilies, ...modelFamilies].some(isUnknown)) return none('The family of a judge or of a model is not known; name it in families.')
  if (new Set(judgeFamilies).size < 2) return none('It needs judges of two families or more.')
  if (new Set(modelFamilies).size < 2) return none('It needs models of two families or more.')
  if (!judgeFamilies.some(family => modelFamilies.includes(family))) return none('No judge is of the family of a model.')
  if (n === 0) return none('No item was answered by all models and rated by all judges.')
  const residuals = residualsOf(cells)
  const statistic = (families: readonly string[]) => {
    const own: number[] = []
    const other: number[] = []
    for (const [j, family] of families.entries()) {
      for (const [m, of] of modelFamilies.entries()) (family === of ? own : other).push(residuals[j]![m]!)
    }
    return other.length === 0 || own.length === 0 ? null : meanOf(own) - meanOf(other)
  }
  const value = statistic(judgeFamilies)
  if (value === null) return none('All judges and models are of one family.')
  let [ways, atLeast, most, atMost] = [0, 0, -Infinity, 0]
  for (const order of permutations(judges)) {
    const found = statistic(order.map(j => judgeFamilies[j]!)) ?? 0
    ways++
    if (found >= value - 1e-12) atLeast++
    if (found > most + 1e-12) [most, atMost] = [found, 1]
    else if (found > most - 1e-12) atMost++
  }
  return { value, p: atLeast / ways, leastP: atMost / ways, judges, models, n }
}

function isUnknown (family: string): boolean {
  return family.startsWith('unknown:')
}

function residualsOf (cells: ReadonlyArray<readonly number[]>): number[][] {
  const rows = cells.map(meanOf)
  const columns = cells[0]!.map((_, m) => meanOf(cells.map(row => row[m]!)))
  const grand = meanOf(rows)
  return cells.map((row, j) => row.map((value, m) => value - rows[j]! - columns[m]! + grand))
}

/** All orders of the whole numbers below `count`; of seven judges 5,040. */
function * permutations (count: number, taken: readonly number[] = []): Generator<readonly number[]> {
  if (taken.length === count) {
    yield taken
    return
  }
  for (let next = 0; next < count; next++) {
    if (!taken.includes(next)) yield * permutations(count, [...taken, next])
  }
}
