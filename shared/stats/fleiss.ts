/** Kappas of several raters for nominal data, of counts: who gave which rating need not be known. */
import type { NotComputable } from './agreement.ts'

/**
 * Fleiss' kappa (chance as in the ratings) and Randolph's (every category equally probable).
 *
 * @param counts  one row for each unit, of how often each category was chosen; all rows have the
 *                same sum, at least 2
 * @returns       `fleiss` is NaN where all ratings are the same
 * @throws RangeError if rows differ in length or sum
 * @see Fleiss 1971, doi:10.1037/h0031619; Randolph 2005 (Joensuu Learning and Instruction Symposium)
 */
export function fleissKappa (
  counts: ReadonlyArray<readonly number[]>
): { fleiss: number, randolph: number } | NotComputable {
  const [units, categories] = [counts.length, counts[0]?.length ?? 0]
  const raters = sumOf(counts[0] ?? [])
  if (counts.some(row => row.length !== categories || sumOf(row) !== raters)) {
    throw new RangeError('All units have the same categories and the same number of ratings')
  }
  if (raters < 2) return { reason: 'No unit was rated twice.' }
  if (categories < 2) return { reason: 'There is one category only.' }
  const observed = sumOf(counts.map(row =>
    sumOf(row.map(count => count * (count - 1))) / (raters * (raters - 1)))) / units
  const shares = counts[0]!.map((_, k) => sumOf(counts.map(row => row[k]!)) / (units * raters))
  const corrected = (chance: number) => 1 - chance < 1e-12 ? NaN : (observed - chance) / (1 - chance)
  return {
    fleiss: corrected(sumOf(shares.map(share => share ** 2))),
    randolph: corrected(1 / categories)
  }
}

function sumOf (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
