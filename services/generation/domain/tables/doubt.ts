/** Doubts about the cells of a page that one cell alone does not raise, but the others of its column do. */
import type { Cell } from './cell.ts'
import { absolute, compare, type Decimal } from './decimal.ts'

/** Share of a column's cells that say what the others should be: two of three. */
const most = (some: number, all: number): boolean => all > 2 && some * 3 >= all * 2

/** Of a column where nearly all have a fraction, whole numbers above all others may have lost their point. */
export function withoutLostPoints (column: readonly Cell[]): Cell[] {
  const values = column.flatMap(cell => cell.kind === 'number' ? [cell.value] : [])
  const broken = values.filter(({ scale }) => scale > 0)
  const highest = broken.map(absolute).sort(compare).at(-1)
  if (highest === undefined || !most(broken.length, values.length)) return [...column]
  const isLost = (value: Decimal) => value.scale === 0 && compare(absolute(value), highest) > 0
  return column.map(cell => cell.kind === 'number' && isLost(cell.value) ? { kind: 'unclear' } : cell)
}

/** A row with a gap where nearly all have a number may be shifted by one column. */
export function hasGap (row: readonly Cell[], body: ReadonlyArray<readonly Cell[]>): boolean {
  return row.some(({ kind }, c) => kind === 'empty' &&
    most(body.filter(other => other[c]?.kind === 'number').length, body.length))
}
