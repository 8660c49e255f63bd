/** p-values of a family, adjusted for being many; what could not be tested is no member. */
import type { Multiplicity } from '../../../../shared/contracts/comparison.ts'
import { falseDiscoveryRates } from '../../../../shared/stats/false-discovery.ts'
import { familyWiseRates } from '../../../../shared/stats/family-wise.ts'
import { maxT } from '../../../../shared/stats/max-t.ts'

const adjusters: Record<Exclude<Multiplicity, 'max-t'>, (pValues: readonly number[]) => readonly number[]> = {
  holm: pValues => familyWiseRates(pValues, 'holm'),
  bh: pValues => falseDiscoveryRates(pValues, 'bh'),
  by: pValues => falseDiscoveryRates(pValues, 'by'),
  none: pValues => pValues
}

/** Differences of one test by unit, beside the paper of each unit. */
export interface TestedDifferences { values: readonly number[], clusters: readonly string[] }

/** Hypotheses by papers by replicates that hold the event loop for about 0.1 s. */
const maxTWork = 1e7
const replicatesMin = 999
/** Up to so many papers all sign patterns are tried. */
const papersExact = 12

/** Why max-T is not computed for so many; null where it is. */
export function maxTLimit (tests: number, papers: number): string | null {
  const patterns = papers <= papersExact ? 2 ** papers : replicatesMin
  if (tests * papers * patterns <= maxTWork) return null
  return `max-t turns ${tests} differences over ${papers} papers at least ${patterns} times, which is more than is done in a request; take holm.`
}

/**
 * Step-down max-T over all tests at once: those of different units share their papers. Null where a
 * test has no t.
 */
export function jointlyAdjusted (tests: readonly TestedDifferences[]): Array<number | null> {
  const byPaper = tests.map(papersOf)
  const papers = [...new Set(byPaper.flatMap(of => [...of.keys()]))]
  // Only sums and sizes of papers matter: each paper has as many places as any test has units in it.
  const sizes = papers.map(paper => Math.max(...byPaper.map(of => of.get(paper)?.length ?? 0)))
  const hypotheses = byPaper.map((of, at) => ({
    name: `${at}`,
    values: papers.flatMap((paper, p) => {
      const own = of.get(paper) ?? []
      return Array.from({ length: sizes[p]! }, (_, i) => own[i] ?? null)
    })
  }))
  const places = papers.flatMap((paper, p) => new Array<string>(sizes[p]!).fill(paper))
  const replicates = Math.min(9_999, Math.floor(maxTWork / Math.max(1, tests.length * papers.length)))
  const found = maxT(hypotheses, places, { replicates })
  if ('reason' in found) return tests.map(() => null)
  return found.tests.map(test => 'reason' in test ? null : test.adjusted)
}

function papersOf ({ values, clusters }: TestedDifferences): Map<string, number[]> {
  const papers = new Map<string, number[]>()
  for (const [at, value] of values.entries()) {
    const own = papers.get(clusters[at]!)
    if (own === undefined) papers.set(clusters[at]!, [value])
    else own.push(value)
  }
  return papers
}

/** In the same order; null stays null. Never above 1. */
export function adjusted (pValues: ReadonlyArray<number | null>, method: Exclude<Multiplicity, 'max-t'>): Array<number | null> {
  const family = adjusters[method](pValues.filter(p => p !== null))
  let at = 0
  return pValues.map(p => p === null ? null : Math.min(1, family[at++]!))
}
