/** Adjusted p-values: how large the share of false discoveries is that a test lets in. */

export type FalseDiscoveryMethod = 'bh' | 'by'

/**
 * Of each p-value, the least expected share of false discoveries at which it is one: reject those
 * that are at most the share one will bear. The family is all that is handed in.
 *
 * - `bh`: tests that are independent, or positively dependent (Benjamini & Hochberg 1995,
 *   doi:10.1111/j.2517-6161.1995.tb02031.x)
 * - `by`: any dependence (Benjamini & Yekutieli 2001, doi:10.1214/aos/1013699998)
 *
 * @param pValues  in [0, 1]
 * @returns        in the same order, in [0, 1]
 * @throws RangeError for what is no probability
 */
export function falseDiscoveryRates (pValues: readonly number[], method: FalseDiscoveryMethod = 'bh'): number[] {
  const wrong = pValues.find(p => !(p >= 0 && p <= 1))
  if (wrong !== undefined) throw new RangeError(`A p-value is in [0, 1], got ${wrong}`)
  const m = pValues.length
  let factor = 1
  if (method === 'by') for (let i = 2; i <= m; i++) factor += 1 / i
  const adjusted = new Array<number>(m)
  let least = 1
  const descending = pValues.map((p, at) => ({ p, at })).sort((a, b) => b.p - a.p)
  for (const [i, { p, at }] of descending.entries()) {
    least = Math.min(least, p * m * factor / (m - i))
    adjusted[at] = least
  }
  return adjusted
}

/** A unit's p-value, and those of the wrong answers in its place. */
export interface WithDecoys { p: number, decoys: readonly number[] }

/**
 * The same, by how often a wrong answer does as well as the right one. Where the input says nothing of
 * which answer is right, the right one is as any other, however much those asked may agree among
 * themselves: so the wrong ones count the discoveries that are none. An estimate, not a bound: there is
 * no correction for small numbers.
 *
 * @see Elias & Gygi 2007, doi:10.1038/nmeth1019 (targets and decoys); He et al. 2015, arXiv:1501.00537
 */
export function decoyRates (units: readonly WithDecoys[]): number[] {
  const targets = units.map(({ p }) => p).sort((a, b) => a - b)
  const decoys = units.flatMap(({ decoys }) => decoys.map(p => ({ p, weight: 1 / decoys.length })))
    .sort((a, b) => a.p - b.p)
  const rates = new Map<number, number>()
  let weight = 0
  let at = 0
  for (const [i, p] of targets.entries()) {
    while (at < decoys.length && decoys[at]!.p <= p) weight += decoys[at++]!.weight
    // Of equals, the last one counts them all.
    rates.set(p, Math.min(1, weight / (i + 1)))
  }
  let least = 1
  for (const p of [...rates.keys()].reverse()) {
    least = Math.min(least, rates.get(p)!)
    rates.set(p, least)
  }
  return units.map(({ p }) => rates.get(p)!)
}
