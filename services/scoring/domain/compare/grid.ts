/** Items by runs: what every run's reply to every item is worth by one metric. */
import type { ComparedMetric } from '../../../../shared/contracts/comparison.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { Condition, Outcome } from '../../../../shared/contracts/run.ts'
import type { Scored } from '../scored.ts'
import { isChoice, measuredBy, type Measured } from './measured.ts'

/** One unit of comparison: an item, or a minimal pair under the id of its first member. */
export interface Unit {
  itemId: string
  kind: ItemKind
  /** Its paper; an item of a bank is a cluster of its own. */
  cluster: string
  pairId: string | null
  slices: Readonly<Record<string, string>>
  referenceIndex: number | null
}

export interface Mark {
  outcome: Outcome
  /** Null where the unit does not count for this run, or the metric says nothing of it. */
  value: number | null
  /** What was answered, as an index into the choices. */
  answerIndex: number | null
  /** Of a pair in error whose other member is wrong: whatever the error would have been, it is 0. */
  most?: 0
}

export interface Column {
  runId: string
  /** The model, and what sets the run apart from others of it. */
  name: string
  model: string
  condition: Condition
  /** One for each unit. */
  marks: readonly Mark[]
}

export interface Grid {
  measured: Measured
  units: readonly Unit[]
  columns: readonly Column[]
}

export type RunHead = Omit<Column, 'marks'>

/** The rows of one run, all of the benchmark's items in its order, as marks by one metric. */
export function marksOf (
  rows: readonly Scored[], metric: ComparedMetric, kinds?: readonly ItemKind[]
): Mark[] {
  const measured = measuredBy(metric)
  const asked = rows.filter(({ kind }) => measured.kinds.includes(kind) && (kinds?.includes(kind) ?? true))
  const single = (row: Scored): Mark => ({
    outcome: row.outcome, value: measured.valueOf(row), answerIndex: isChoice(row) ? row.answerIndex : null
  })
  if (!measured.perPair) return asked.map(single)
  return pairsOf(asked).map(pair => markOfPair(pair.map(single)))
}

/** The units that those marks are of; the same for every run of a benchmark. */
export function unitsOf (
  rows: readonly Scored[], metric: ComparedMetric, kinds?: readonly ItemKind[]
): Unit[] {
  const measured = measuredBy(metric)
  const asked = rows.filter(({ kind }) => measured.kinds.includes(kind) && (kinds?.includes(kind) ?? true))
  const units = measured.perPair ? pairsOf(asked).map(([first]) => first!) : asked
  return units.map(row => ({
    itemId: row.itemId,
    kind: row.kind,
    cluster: row.cluster,
    pairId: row.pairId,
    slices: row.slices,
    referenceIndex: isChoice(row) && !measured.perPair ? row.referenceIndex : null
  }))
}

function pairsOf (rows: readonly Scored[]): Scored[][] {
  const pairs = new Map<string, Scored[]>()
  for (const row of rows) {
    if (row.pairId !== null) pairs.set(row.pairId, [...pairs.get(row.pairId) ?? [], row])
  }
  return [...pairs.values()].filter(pair => pair.length === 2)
}

/**
 * A member that does not count takes its pair along; of the two outcomes the worse to know of: with a
 * member skipped a retry of the other makes no pair.
 */
function markOfPair (marks: readonly Mark[]): Mark {
  const worst = (['skipped', 'error', 'refused', 'truncated', 'unparsable', 'answered'] as const)
    .find(outcome => marks.some(mark => mark.outcome === outcome))!
  const values = marks.map(({ value }) => value)
  const value = values.includes(null) ? null : Number(values.every(each => each === 1))
  const isLost = worst === 'error' && values.includes(0)
  return { outcome: worst, value, answerIndex: null, ...isLost && { most: 0 } }
}

/** A mark's value, in error what is assumed of it; null where neither counts. */
export function assumedValue ({ outcome, value, most }: Mark, assumed: number): number | null {
  return outcome === 'error' ? Math.min(assumed, most ?? assumed) : value
}

/** Some of the units of a grid, in their order. */
export function gridWhere (grid: Grid, is: (unit: Unit) => boolean): Grid {
  const kept = grid.units.flatMap((unit, at) => is(unit) ? [at] : [])
  return {
    ...grid,
    units: kept.map(at => grid.units[at]!),
    columns: grid.columns.map(column => ({ ...column, marks: kept.map(at => column.marks[at]!) }))
  }
}
