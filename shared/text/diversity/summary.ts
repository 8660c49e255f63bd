/** Diversity over papers: means, with intervals whose observations are papers. */
import {
  measures, type ClassCounts, type Diversity, type DiversityEstimate, type Measure, type Measured,
  type Rival, type SelectionDiversity
} from '../../contracts/diversity.ts'
import { clusteredMean } from '../../stats/clustered.ts'
import { tQuantile } from '../../stats/distributions.ts'
import { clopperPearsonInterval } from '../../stats/proportions.ts'
import type { PaperDiversity } from './compare.ts'

/** Papers without an item have no diversity, and count in none of it. */
export function diversityOver (all: readonly PaperDiversity[]): Diversity {
  const papers = all.filter(({ items }) => items > 0)
  return {
    papers: papers.length,
    items: sumOf(papers, ({ items }) => items),
    measures: forEachMeasure(measure => shareOver(papers.map(({ measures }) => measures[measure]))),
    classes: {
      questionClass: countsOver(papers, 'questionClass'),
      difficulty: countsOver(papers, 'difficulty'),
      figureType: countsOver(papers, 'figureType')
    }
  }
}

/** @returns null where no paper had anything left out */
export function selectionOver (all: readonly PaperDiversity[]): SelectionDiversity | null {
  const compared = all.flatMap(({ rivals, ...paper }) => rivals === null ? [] : [{ ...paper, ...rivals }])
  if (compared.length === 0) return null
  const rival = (name: 'random' | 'kCentre'): Rival => forEachMeasure(measure => {
    const both = compared.map(({ measures: ours, [name]: other }) => [ours[measure], other[measure]] as const)
    // Of the same papers as the difference: of others there is nothing to compare with.
    const others = both.flatMap(([ours, other]) => hasValue(ours) ? [other] : [])
    return { value: shareOver(others).value, difference: differenceOver(both) }
  })
  return {
    papers: compared.length,
    chosen: sumOf(compared, ({ items }) => items),
    of: sumOf(compared, ({ of }) => of),
    draws: Math.min(...compared.map(({ draws }) => draws)),
    random: rival('random'),
    kCentre: rival('kCentre')
  }
}

function forEachMeasure<T> (valueOf: (measure: Measure) => T): Record<Measure, T> {
  return Object.fromEntries(measures.map(measure => [measure, valueOf(measure)])) as Record<Measure, T>
}

function shareOver (measured: readonly Measured[]): DiversityEstimate {
  const found = measured.filter(hasValue)
  const mean = meanOver(found.map(({ value }) => value))
  const n = sumOf(found, ({ n }) => n)
  if (mean === null) return { value: null, low: null, high: null, papers: 0, n }
  const { value, half } = mean
  const trials = found.length
  const ends = half !== null
    ? { low: Math.max(0, value - half), high: Math.min(1, value + half) }
    : trials < 2 ? { low: null, high: null } : clopperPearsonInterval({ successes: value * trials, trials })
  return { value, ...ends, papers: trials, n }
}

function differenceOver (both: ReadonlyArray<readonly [Measured, Measured]>): DiversityEstimate {
  const found = both.flatMap(([ours, other]) =>
    hasValue(ours) && hasValue(other) ? [{ value: ours.value - other.value, n: ours.n }] : [])
  const mean = meanOver(found.map(({ value }) => value))
  const n = sumOf(found, ({ n }) => n)
  if (mean === null) return { value: null, low: null, high: null, papers: 0, n }
  const { value, half } = mean
  const ends = half === null ? { low: null, high: null } : { low: value - half, high: value + half }
  return { value, ...ends, papers: found.length, n }
}

function hasValue (measured: Measured): measured is { value: number, n: number } {
  return measured.value !== null
}

/** `half`: of the t interval with P - 1 degrees of freedom; null for one paper or where nothing varies. */
function meanOver (values: readonly number[]): { value: number, half: number | null } | null {
  if (values.length === 0) return null
  const { mean, seCr2 } = clusteredMean(values.map((value, i) => ({ value, cluster: String(i) })))
  return { value: mean, half: seCr2 > 1e-12 ? tQuantile(0.975, values.length - 1) * seCr2 : null }
}

function countsOver (papers: readonly PaperDiversity[], axis: keyof ClassCounts): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { classes } of papers) {
    for (const [name, count] of Object.entries(classes[axis])) {
      counts.set(name, (counts.get(name) ?? 0) + count)
    }
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1))
}

function sumOf<T> (elements: readonly T[], numberOf: (element: T) => number): number {
  return elements.reduce((sum, element) => sum + numberOf(element), 0)
}
