/** What the rows of a log come to: their score, ours, the shift between them and what stays open. */
import type { ImportedItem, RunImport, Shift } from '../../../../shared/contracts/run-import.ts'
import type { Score } from '../../../../shared/contracts/score.ts'
import { clusterTest } from '../../../../shared/stats/cluster-test.ts'
import type { Observation } from '../../../../shared/stats/clustered.ts'
import { mcnemar } from '../../../../shared/stats/mcnemar.ts'
import { isCounted } from '../../domain/scored.ts'
import { emptyScore, meanScore, type Measure } from '../../domain/score.ts'
import { countOutcomes } from '../../domain/slices.ts'
import { judgeRange } from './kmetbench.ts'

/** Each item's value by two readings, or by one reading of two models. */
export interface Pair { first: number, second: number, cluster: string }

const version = 'viva:1'
const lenient = `reading:lenient|wrong:unparsable,refused,truncated|excluded:error|${version}`

type Measured = RunImport['measure']

/** The worth of an item lies within these. */
export function rangeOf (measure: Measured): readonly [number, number] {
  return measure === 'accuracy' ? [0, 1] : judgeRange
}

/** A judge's failures are left out: null is never averaged. */
export function oursScore (items: readonly ImportedItem[], measure: Measured): Score {
  const isJudge = measure === 'judge-total'
  const signature = isJudge ? `axes:4, whole, 1 to 5|excluded:failed|${version}` : lenient
  const counted = items.filter(({ ours }) => ours.value !== null && isCounted(ours.outcome))
  return mean(measureOf(measure, signature), counted, item => item.ours.value!)
}

function measureOf (measure: Measured, signature: string): Measure {
  return measure === 'accuracy'
    ? { metric: 'accuracy', signature, proportion: true }
    : { metric: 'judge-total', signature, range: judgeRange }
}

type ValueOf = (item: ImportedItem) => number

function mean (measure: Measure, items: readonly ImportedItem[], valueOf: ValueOf): Score {
  const independent = items.every(({ id, cluster }) => cluster === id)
  return meanScore({ ...measure, independent }, items.map(item => ({ value: valueOf(item), cluster: item.cluster })), 'No row has one.')
}

export function verdictsOf (items: readonly ImportedItem[], measure: Measured) {
  const counted = items.filter(({ ours }) => isCounted(ours.outcome))
  const answered = items.filter(({ ours }) => ours.outcome === 'answered')
  const said = items.filter(({ theirs }) => theirs.value !== null)
  const both = items.filter(({ theirs, ours }) => theirs.value !== null && ours.value !== null)
  // Without a range: the toolkit's −1 lies outside of it.
  const theirMeasure = { ...measureOf(measure, 'as the log says'), range: [-Infinity, Infinity] as const }
  return {
    outcomes: countOutcomes(items.map(({ ours }) => ours)),
    theirs: said.length === 0
      ? emptyScore(theirMeasure, 'The log has no verdicts.')
      : mean(theirMeasure, said, ({ theirs }) => theirs.value!),
    ours: oursScore(items, measure),
    answered: mean(measureOf(measure, `over:answered|${version}`), answered, ({ ours }) => ours.value!),
    responseRate: mean({ metric: 'responseRate', signature: `over:all but error|${version}`, proportion: true },
      counted, ({ ours }) => Number(ours.outcome === 'answered')),
    shift: shiftOf(both.map(({ theirs, ours, cluster }) =>
      ({ first: theirs.value!, second: ours.value!, cluster })), rangeOf(measure)),
    changed: changesOf(items),
    bounds: {
      ...boundsOf(items, measure),
      readable: boundsOf(items, measure, ({ ours }) => ours.outcome !== 'answered')
    }
  }
}

function changesOf (items: readonly ImportedItem[]): RunImport['changed'] {
  const changed = items.filter(item => item.changed)
  const byRule = new Map<string, { gained: number, lost: number }>()
  for (const { ours, theirs } of changed) {
    const rule = ours.rule ?? ours.reason ?? ours.outcome
    const own = byRule.get(rule) ?? { gained: 0, lost: 0 }
    byRule.set(rule, own)
    if ((ours.value ?? -Infinity) > (theirs.value ?? -Infinity)) own.gained++
    else own.lost++
  }
  return { items: changed.length, byRule: Object.fromEntries([...byRule].sort(([a], [b]) => a < b ? -1 : 1)) }
}

/** Every undecided item at its least, and at its most: what was lost may be anything. @see Manski 2003 */
type Is = (item: ImportedItem) => boolean

export function boundsOf (
  items: readonly ImportedItem[], measure: Measured, isOpen: Is = ({ undecided }) => undecided
) {
  const [least, most] = rangeOf(measure)
  const undecided = items.filter(isOpen).length
  if (items.length === 0) return { low: null, high: null, n: 0, undecided }
  const worth = (item: ImportedItem, open: number) => isOpen(item) ? open : item.ours.value ?? open
  const sum = (open: number) => items.reduce((all, item) => all + worth(item, open), 0)
  return { low: sum(least) / items.length, high: sum(most) / items.length, n: items.length, undecided }
}

/** Second minus first, over the same items. */
export function shiftOf (pairs: readonly Pair[], [least, most]: readonly [number, number]): Shift {
  const differences = pairs.map(({ first, second, cluster }) => ({ value: second - first, cluster }))
  const count = (is: (value: number) => boolean) => differences.filter(({ value }) => is(value)).length
  const width = most - least
  const score = meanScore(
    { metric: 'difference', signature: `second minus first, paired by item|${version}`, range: [-width, width] },
    differences, 'No item has both values.'
  )
  const tested = testOf(differences)
  const note = apartOf(score, tested.pValue)
  return {
    score,
    gained: count(value => value > 0),
    lost: count(value => value < 0),
    same: count(value => value === 0),
    ...tested,
    ...note !== undefined && { note }
  }
}

/** Where the interval and the test say two things, which of them to go by. */
function apartOf ({ interval, clusters }: Score, pValue: number | null): string | undefined {
  if (interval === null || pValue === null || pValue <= 0.05) return undefined
  if (interval.low <= 0 && interval.high >= 0) return undefined
  return `The interval leaves out 0 and the test does not reject it (p ${Number(pValue.toPrecision(3))}): t on the variance of ${clusters} clusters, few of which differ, takes those that do not for a small error. Go by the test.`
}

function testOf (differences: readonly Observation[]): Pick<Shift, 'pValue' | 'test'> {
  if (differences.length === 0) return { pValue: null, test: 'none: no item has both values' }
  const clusters = new Set(differences.map(({ cluster }) => cluster)).size
  const signs = differences.every(({ value }) => [-1, 0, 1].includes(value))
  if (clusters === differences.length && signs) {
    const onlySecond = differences.filter(({ value }) => value > 0).length
    const onlyFirst = differences.filter(({ value }) => value < 0).length
    return { pValue: mcnemar({ onlyFirst, onlySecond }).exact.pValue, test: `McNemar, exact, ${onlyFirst + onlySecond} discordant items, taken as independent` }
  }
  const found = clusterTest(differences)
  const { pValue } = found
  switch (found.kind) {
    case 'sign-flip': return { pValue, test: `sign flips of ${clusters} clusters, exact; smallest p reachable ${Number(found.smallestP.toPrecision(3))}` }
    case 't': return { pValue, test: `t, ${clusters - 1} df, CR2 over clusters` }
    case 'none': return { pValue, test: `none: the differences do not vary over ${clusters} clusters` }
  }
}
