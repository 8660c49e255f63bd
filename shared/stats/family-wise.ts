/** Adjusted p-values: how probable it is that a family of tests lets in even one false discovery. */

export type FamilyWiseMethod = 'bonferroni' | 'holm' | 'holm-sidak'

/**
 * Of each p-value, the least probability of any false discovery at which it is one. The family is
 * all that is handed in.
 *
 * - `bonferroni`, `holm`: any dependence; Holm's is never worse
 * - `holm-sidak`: independent tests, or positively dependent ones
 *
 * @param pValues  in [0, 1]
 * @returns        in the same order, in [0, 1]
 * @throws RangeError for what is no probability
 * @see Holm 1979 (Scandinavian Journal of Statistics 6, 65-70); Holland & Copenhaver 1987,
 *      doi:10.2307/2531823
 */
export function familyWiseRates (pValues: readonly number[], method: FamilyWiseMethod = 'holm'): number[] {
  const wrong = pValues.find(p => !(p >= 0 && p <= 1))
  if (wrong !== undefined) throw new RangeError(`A p-value is in [0, 1], got ${wrong}`)
  const m = pValues.length
  if (method === 'bonferroni') return pValues.map(p => Math.min(1, p * m))
  const adjusted = new Array<number>(m)
  let most = 0
  const ascending = pValues.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p)
  for (const [i, { p, at }] of ascending.entries()) {
    const own = method === 'holm' ? p * (m - i) : -Math.expm1((m - i) * Math.log1p(-p))
    most = Math.max(most, Math.min(1, own))
    adjusted[at] = most
  }
  return adjusted
}
