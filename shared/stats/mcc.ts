/** Counts of yes/no answers against the truth; yes is positive. */
export interface Confusion {
  truePositives: number, falsePositives: number, trueNegatives: number, falseNegatives: number
}

/**
 * Matthews correlation coefficient, -1 to 1: right answers beyond what the shares of yes explain.
 *
 * @returns null where it is not defined: only one answer was given, or only one is ever right
 * @see Matthews 1975, doi:10.1016/0005-2795(75)90109-9; Chicco & Jurman 2020,
 *      doi:10.1186/s12864-019-6413-7
 */
export function matthews (confusion: Confusion): number | null {
  const { truePositives: tp, falsePositives: fp, trueNegatives: tn, falseNegatives: fn } = confusion
  const margins = [tp + fp, tp + fn, tn + fp, tn + fn]
  if (margins.includes(0)) return null
  // Two roots: a product of four counts would leave the exact integers.
  return (tp * tn - fp * fn) / (Math.sqrt((tp + fp) * (tp + fn)) * Math.sqrt((tn + fp) * (tn + fn)))
}
