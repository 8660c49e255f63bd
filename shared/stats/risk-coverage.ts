/** What a model's confidence is worth: errors left when it answers only where it is surest. */

export interface Confident {
  /** Any scale, higher is surer; finite. */
  confidence: number
  right: boolean
}

export interface RiskCoverage {
  n: number
  /**
   * At the end of every group of equal confidence, from the surest: shares of items, of errors among
   * them.
   */
  points: Array<{ coverage: number, risk: number, threshold: number }>
  /** Mean risk over the coverages 1/n … n/n, in [0, 1]; equals in all orders alike. Lower is better. */
  aurc: number
  /** The same had all right answers come first: what accuracy alone leaves. */
  aurcLeast: number
  /** AURC minus that: 0 is a perfect order of confidence. */
  excess: number
  /** Had confidence said nothing: the risk of all. */
  aurcChance: number
}

/**
 * @returns null for no items
 * @throws RangeError where a confidence is not finite
 * @see El-Yaniv & Wiener 2010 (JMLR 11, 1605-1641); Geifman, Uziel & El-Yaniv 2019, arXiv:1805.08206 (E-AURC)
 */
export function riskCoverage (items: readonly Confident[]): RiskCoverage | null {
  if (items.length === 0) return null
  const wrong = items.find(({ confidence }) => !Number.isFinite(confidence))
  if (wrong !== undefined) throw new RangeError(`A confidence is a finite number, got ${wrong.confidence}`)
  const n = items.length
  const sorted = items.toSorted((a, b) => b.confidence - a.confidence)
  const points: RiskCoverage['points'] = []
  let [errors, area] = [0, 0]
  for (let start = 0; start < n;) {
    let end = start
    let own = 0
    for (
      ; end < n && sorted[end]!.confidence === sorted[start]!.confidence; end++
    ) if (!sorted[end]!.right) own++
    for (let i = start + 1; i <= end; i++) area += (errors + own * (i - start) / (end - start)) / i
    errors += own
    points.push({ coverage: end / n, risk: errors / end, threshold: sorted[start]!.confidence })
    start = end
  }
  let least = 0
  for (let i = n - errors + 1; i <= n; i++) least += (i - (n - errors)) / i
  return {
    n,
    points,
    aurc: area / n,
    aurcLeast: least / n,
    excess: (area - least) / n,
    aurcChance: errors / n
  }
}
