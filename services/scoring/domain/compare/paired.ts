/**
 * Two runs on the items both have: how far apart they are, how sure that is, and what a comparison
 * of this size could have shown.
 *
 * Papers are the sample: the interval and the t test take the variance over papers (CR2), the exact
 * test flips the signs of whole papers. McNemar's test stands beside them only where no two items
 * share a paper.
 */
import type { LeftOut, PairedDifference, PairedTests } from '../../../../shared/contracts/comparison.ts'
import { clusterNoun } from '../../../../shared/stats/item-cluster.ts'
import { clusterSignFlip } from '../../../../shared/stats/cluster-sign-flip.ts'
import { clusteredMean, type Observation } from '../../../../shared/stats/clustered.ts'
import { detectableEffect } from '../../../../shared/stats/detectable-effect.ts'
import { tTail } from '../../../../shared/stats/distributions.ts'
import { mcnemar } from '../../../../shared/stats/mcnemar.ts'
import { clopperPearsonInterval } from '../../../../shared/stats/proportions.ts'
import { intervalOfMean, type Estimate } from '../metrics/interval-of-mean.ts'
import { isCounted } from '../scored.ts'
import { assumedValue, type Column, type Mark, type Unit } from './grid.ts'
import type { Measured } from './measured.ts'

/** All signs are tried where up to so many papers differ: 30 ms; above, t on CR2 is as good. */
const exactClustersMax = 32

export interface PairedInput {
  measured: Measured
  units: readonly Unit[]
  first: Pick<Column, 'runId' | 'marks'>
  second: Pick<Column, 'runId' | 'marks'>
  level: number
}

interface CommonUnit { unit: Unit, first: number, second: number }

/** Units on which both have a value, and why the others are left out. */
export function commonUnits (
  { units, first, second }: PairedInput
): { common: CommonUnit[], leftOut: LeftOut[] } {
  const counts = new Map<string, number>()
  const common = units.flatMap((unit, at) => {
    const marks = [first.marks[at]!, second.marks[at]!] as const
    const [a, b] = [marks[0].value, marks[1].value]
    if (a !== null && b !== null) return [{ unit, first: a, second: b }]
    const reason = whyLeftOut(...marks)
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
    return []
  })
  const leftOut = [...counts].sort(([a], [b]) => a < b ? -1 : 1).map(([reason, n]) => ({ reason, n }))
  return { common, leftOut }
}

function whyLeftOut (first: Mark, second: Mark): string {
  const causes = ([['first', first], ['second', second]] as const)
    .filter(([, { outcome }]) => !isCounted(outcome)).map(([name, { outcome }]) => `${outcome} of the ${name}`)
  return causes.length === 0 ? 'the metric is not defined for the item' : causes.join(', ')
}

export type Unadjusted = Omit<PairedDifference, 'adjustedP' | 'verdict' | 'why'>

/**
 * The paired difference, first minus second, of all units given. Null, with a reason, where nothing
 * is common to both. With errors there are bounds, and the p-value is that of the errors turning out
 * against the side that leads.
 */
export function pairedDifference (input: PairedInput, slice = { dimension: 'all', value: 'all' }): Unadjusted {
  const { measured, first, second, level } = input
  const { common, leftOut } = commonUnits(input)
  const head = {
    metric: measured.metric, signature: measured.signature, slice, first: first.runId, second: second.runId
  }
  const bounds = boundsOf(input)
  if (common.length === 0) {
    return { ...head, ...nothing, leftOut, bounds, reason: nothingCommon(leftOut) }
  }
  const differences = common.map(({ unit, first: a, second: b }) => observe(unit, a - b))
  const estimate = intervalOfDifference(differences, { measured, level })
  const spread = clusteredMean(inClusters(differences))
  const tests = testsOf(differences, { measured, common })
  const headline = headlineOf(tests)
  const p = bounds === null ? headline : adverse(input, bounds, estimate.value!)
  return {
    ...head,
    n: common.length,
    clusters: estimate.clusters,
    leftOut,
    firstScore: mean(common.map(({ first: a }) => a)),
    secondScore: mean(common.map(({ second: b }) => b)),
    difference: estimate.value,
    interval: estimate.interval,
    effect: effectOf(differences.map(({ value }) => value), common),
    minimumDetectableEffect: spread.seCr2 > tiny(measured)
      ? detectableEffect(spread.seCr2, { df: spread.clusters - 1, alpha: 1 - level })
      : null,
    tests,
    ...p,
    bounds,
    ...estimate.reason !== undefined && { reason: estimate.reason }
  }
}

const nothing = {
  n: 0,
  clusters: 0,
  firstScore: null,
  secondScore: null,
  difference: null,
  interval: null,
  effect: { standardised: null, onlyFirst: null, onlySecond: null },
  minimumDetectableEffect: null,
  tests: { t: null, signFlip: null, mcnemar: null, notes: [] },
  p: null,
  pMethod: 'none'
}

function nothingCommon (leftOut: readonly LeftOut[]): string {
  const causes = leftOut.map(({ reason, n }) => `${n} ${reason}`).join('; ')
  return `The two runs have no item in common that counts for both${causes === '' ? ', or the benchmark has no item of this metric' : `: ${causes}`}.`
}

interface Paired extends Observation { pairId?: string }

function observe (unit: Unit, value: number): Paired {
  return { value, cluster: unit.cluster, ...unit.pairId !== null && { pairId: unit.pairId } }
}

/** Papers; of one paper its minimal pairs and single items, which says nothing of other papers. */
export function inClusters (differences: readonly Paired[]): Observation[] {
  if (new Set(differences.map(({ cluster }) => cluster)).size > 1) return [...differences]
  return differences.map(({ value, pairId }, at) =>
    ({ value, cluster: pairId === undefined ? `item ${at}` : `pair ${pairId}` }))
}

function tiny ({ range }: Measured): number {
  return 1e-12 * (range[1] - range[0])
}

interface DifferenceKind { measured: Measured, level: number }

/**
 * As of any mean over papers. Where no item differs that interval would be a point: the share of
 * items that differ is then below Clopper and Pearson's bound with the number of papers as n, and the
 * difference within that share of the metric's range.
 */
function intervalOfDifference (
  differences: readonly Paired[], { measured, level }: DifferenceKind
): Estimate {
  const width = measured.range[1] - measured.range[0]
  const estimate = intervalOfMean(differences, { proportion: false, range: [-width, width], level })
  if (differences.some(({ value }) => value !== 0)) return estimate
  const trials = new Set(inClusters(differences).map(({ cluster }) => cluster)).size
  const { high } = clopperPearsonInterval({ successes: 0, trials }, level)
  const noun = clusterNoun(differences.map(({ cluster }) => cluster))
  const units = estimate.clusters > 1 ? noun : 'independent items of one paper'
  const { value, n, clusters } = estimate
  return {
    value,
    n,
    clusters,
    interval: {
      low: -high * width,
      high: high * width,
      level,
      method: `Clopper-Pearson of the share that differs, n = ${trials} ${units}`,
      note: 'no item differs'
    }
  }
}

interface TestedOn { measured: Measured, common: readonly CommonUnit[] }

function testsOf (differences: readonly Paired[], { measured, common }: TestedOn): PairedTests {
  const observations = inClusters(differences)
  const { mean, seCr2, clusters } = clusteredMean(observations)
  const notes: string[] = []
  const noun = clusterNoun(differences.map(({ cluster }) => cluster))
  const papers = new Set(differences.map(({ cluster }) => cluster)).size
  if (papers === 1 && noun === 'papers') notes.push('One paper: the tests take its items, minimal pairs together, and say nothing of other papers.')
  const t = seCr2 > tiny(measured) ? studentOf(mean / seCr2, clusters - 1) : null
  if (t === null) notes.push(clusters < 2 ? 'One independent unit: there is no t test.' : 'The differences do not vary over the units of the test: there is no t test.')
  const flips = clusterSignFlip(observations, exactClustersMax)
  if ('reason' in flips) notes.push(`More than ${exactClustersMax} clusters differ: not all sign patterns are tried, and p is that of t on CR2.`)
  const signFlip = 'reason' in flips
    ? null
    : { p: flips.twoSided, smallestP: flips.smallestP, clusters }
  const independent = measured.proportion && papers === differences.length
  if (measured.proportion && !independent) notes.push(`Items share ${noun}, so they are not independent and McNemar's test is not given.`)
  return { t, signFlip, mcnemar: independent ? mcnemarOf(common) : null, notes }
}

function studentOf (statistic: number, df: number) {
  return { statistic, df, p: Math.min(1, 2 * tTail(Math.abs(statistic), df)) }
}

function mcnemarOf (common: readonly CommonUnit[]) {
  const counts = discordantOf(common)
  const { exact, midP } = mcnemar(counts)
  return { ...counts, exactP: exact.pValue, midP }
}

function discordantOf (common: readonly CommonUnit[]) {
  return {
    onlyFirst: common.filter(({ first, second }) => first > second).length,
    onlySecond: common.filter(({ first, second }) => first < second).length
  }
}

/** The p-value that counts: exact where all signs can be tried, else t on CR2. */
function headlineOf ({ t, signFlip }: PairedTests): { p: number | null, pMethod: string } {
  if (signFlip !== null) return { p: signFlip.p, pMethod: `exact sign-flip of ${signFlip.clusters} clusters` }
  return t === null ? { p: null, pMethod: 'none' } : { p: t.p, pMethod: `t, ${t.df} df, CR2` }
}

function effectOf (differences: readonly number[], common: readonly CommonUnit[]) {
  const centre = mean(differences)
  const variance = differences.reduce(
    (sum, value) => sum + (value - centre) ** 2, 0
  ) / (differences.length - 1)
  const standardised = variance > 1e-24 ? centre / Math.sqrt(variance) : null
  return { standardised, ...discordantOf(common) }
}

type Bounds = NonNullable<PairedDifference['bounds']>

/** What is assumed of errors, of the first and of the second. */
type Assumed = readonly [first: number, second: number]

/** Each unit's difference with errors assumed; units that either skipped, or without a value, are out. */
function completed ({ units, first, second }: PairedInput, assumed: Assumed): Paired[] {
  return units.flatMap((unit, at) => {
    const [a, b] = [assumedValue(first.marks[at]!, assumed[0]), assumedValue(second.marks[at]!, assumed[1])]
    return a === null || b === null ? [] : [observe(unit, a - b)]
  })
}

/** Null without errors. */
function boundsOf (input: PairedInput): Bounds | null {
  const { first, second, measured: { range: [low, high] } } = input
  const errors = input.units.filter((_, at) =>
    [first, second].some(({ marks }) => marks[at]!.outcome === 'error')).length
  if (errors === 0) return null
  const worst = completed(input, [low, high])
  if (worst.length === 0) return null
  return {
    low: mean(worst.map(({ value }) => value)),
    high: mean(completed(input, [high, low]).map(({ value }) => value)),
    n: worst.length,
    errors
  }
}

/** With errors: no p where they could turn the difference, else that of their turning out against it. */
function adverse (
  input: PairedInput, bounds: Bounds, difference: number
): { p: number | null, pMethod: string } {
  if (bounds.low <= 0 && bounds.high >= 0) return { p: null, pMethod: 'none: the errors leave open which run leads' }
  const { measured } = input
  const [low, high] = measured.range
  const worst = completed(input, difference > 0 ? [low, high] : [high, low])
  const { p, pMethod } = headlineOf(testsOf(worst, { measured, common: [] }))
  return { p, pMethod: `${pMethod}, errors assumed against the run that leads` }
}

function mean (values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
