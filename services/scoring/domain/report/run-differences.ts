/** Every run set against the first one, kind by kind. */
import type { RunDifference } from '../../../../shared/contracts/report.ts'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { itemKinds, type ItemKind } from '../../../../shared/contracts/item.ts'
import { decided, tested, type Tested } from '../compare/comparison.ts'
import { marksOf, unitsOf, type Column, type Grid, type RunHead } from '../compare/grid.ts'
import { measuredBy } from '../compare/measured.ts'
import type { Scored } from '../scored.ts'
import { headlineOf } from './numbers.ts'

const level = 0.95
const family = { multiplicity: 'holm', level } as const

export interface KindGrid { kind: ItemKind, grid: Omit<Grid, 'columns'> & { columns: Column[] } }

/** One for each kind the benchmark has, by the metric every table of it leads with. */
export function gridsFor (items: readonly BenchmarkItem[]): KindGrid[] {
  return itemKinds.filter(kind => items.some(item => item.kind === kind)).map(kind => ({
    kind, grid: { measured: measuredBy(headlineOf(kind)), units: [], columns: [] }
  }))
}

/** @param rows  of all of the benchmark's items, in its order */
export function addColumn ({ kind, grid }: KindGrid, head: RunHead, rows: readonly Scored[]): void {
  const { metric } = grid.measured
  if (grid.columns.length === 0) grid.units = unitsOf(rows, metric, [kind])
  grid.columns.push({ ...head, marks: marksOf(rows, metric, [kind]) })
}

/** Gives way after each difference. p-values are adjusted over all of them. */
export function * runDifferences (grids: readonly KindGrid[]): Generator<void, RunDifference[]> {
  const found: Tested[] = []
  const kinds: ItemKind[] = []
  for (const { kind, grid: { measured, units, columns } } of grids) {
    const [against, ...others] = columns
    for (const run of others) {
      found.push(tested({ measured, units, first: run, second: against!, level }, family))
      kinds.push(kind)
      yield
    }
  }
  return decided(found, family).map((difference, at) => ({
    kind: kinds[at]!,
    metric: difference.metric,
    runId: difference.first,
    against: difference.second,
    n: difference.n,
    clusters: difference.clusters,
    difference: difference.difference,
    interval: difference.interval,
    p: difference.p,
    adjustedP: difference.adjustedP,
    pMethod: difference.pMethod,
    verdict: verdicts[difference.verdict],
    why: difference.why,
    ...difference.reason !== undefined && { reason: difference.reason }
  }))
}

const verdicts = { first: 'better', second: 'worse', undecided: 'undecided' } as const
