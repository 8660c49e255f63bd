/** Numbers of a table that may be compared: down one column, or across one row. */
import type { Cell } from './cell.ts'
import { absolute, compare, decimalOf, minus, plus, type Decimal } from './decimal.ts'
import type { Grid } from './grid.ts'
import {
  isAggregate, namesQuantity, namesVariables, orderingNumber, scaleOf, unitOf, type Heading, type Scale
} from './headings.ts'

/** `label`: what the entry is called among the others of its series. */
export interface Entry { label: string, heading: Heading, row: number, column: number, value: Decimal }

export interface Series {
  /** Entries are rows of one column, or columns of one row. */
  along: 'rows' | 'columns'
  /** That column or row. */
  fixed: Heading
  /** What the entries are: the heading over the rows' names, or the heading the columns share; may be ''. */
  kind: string
  entries: Entry[]
  /** Of all cells, none is unclear, empty or a bound: what is highest here is highest. */
  complete: boolean
  /** Entries are of one kind and one unit. */
  comparable: boolean
  scale: Scale
  percent: boolean
}

/** Above this ratio numbers without a unit are likely of different quantities. */
const unlike = 1_000n

/** Every series with two numbers or more, columns first. */
export function seriesOf (grid: Grid): Series[] {
  return [...downColumns(grid), ...acrossRows(grid)].filter(({ entries }) => entries.length >= 2)
}

/** Columns beside the names of rows, whose own name is not that of another. */
export function namedColumns ({ columns, stub }: Grid): Heading[] {
  return columns.filter(({ index, name }) => !stub.columns.includes(index) && name !== '' &&
    columns.every(other => other.index === index || other.name !== name))
}

function downColumns (grid: Grid): Series[] {
  const { rows, stub, table } = grid
  const variables = namesVariables(stub.name) ||
    rows.some(({ path }) => path.some(part => unitOf(part) !== undefined || namesQuantity(part)))
  const aggregates = grid.partial || rows.some(({ path }) => path.some(isAggregate)) || sumsIn(grid)
  return namedColumns(grid).map(fixed => {
    const cells = rows.map(({ index }) => grid.cellAt(index, fixed.index))
    const entries = rows.flatMap(heading =>
      entryAt(grid, heading, { label: heading.name, row: heading.index, column: fixed.index }))
    const unit = unitOf(fixed.name) ?? (fixed.path.length > 1 ? undefined : unitOf(table.caption))
    const scale = isCounted(entries) ? 'name' : scaleOf(fixed.name, unit)
    return {
      along: 'rows',
      fixed,
      kind: stub.name,
      entries,
      complete: isComplete(cells) && !aggregates,
      comparable: !variables && scale !== 'name' && (unit !== undefined || alike(entries)) && inOneMeasure(unit, cells),
      scale,
      percent: isPercent(unit, cells)
    }
  })
}

function acrossRows (grid: Grid): Series[] {
  return bundlesOf(grid).flatMap(({ columns, parent, oneUnit }) => grid.rows.map(fixed => {
    const cells = columns.map(({ index }) => grid.cellAt(fixed.index, index))
    const entries = columns.flatMap(heading =>
      entryAt(grid, heading, { label: heading.path.at(-1) ?? '', row: fixed.index, column: heading.index }))
    const unit = unitOf(fixed.name) ?? unitOf(parent) ?? unitOf(grid.table.caption)
    const scale = scaleOf(`${fixed.name} ${parent}`, unit)
    const ownUnit = unitOf(fixed.name) !== undefined || namesVariables(grid.stub.name)
    const like = (oneUnit || ownUnit) && !isAggregate(fixed.name)
    return {
      along: 'columns' as const,
      fixed,
      kind: parent,
      entries,
      complete: isComplete(cells),
      comparable: like && scale !== 'name' && alike(entries) && inOneMeasure(unit, cells),
      scale,
      percent: isPercent(unit, cells)
    }
  }))
}

const isComplete = (cells: readonly Cell[]): boolean =>
  cells.every(({ kind }) => kind === 'number' || kind === 'missing')

/** Numbered from 1 on: names, not amounts. */
function isCounted (entries: readonly Entry[]): boolean {
  return entries.length > 2 &&
    entries.every(({ value }, i) => value.scale === 0 && value.units === BigInt(i + 1))
}

interface Bundle { columns: Heading[], parent: string, oneUnit: boolean }

/** Columns of one kind: under one heading, or all of them where none has a unit of its own. */
function bundlesOf (grid: Grid): Bundle[] {
  const columns = namedColumns(grid).filter(({ index, path }) => !isAggregate(path.at(-1) ?? '') &&
    grid.rows.some(row => grid.cellAt(row.index, index).kind === 'number'))
  const parents = new Map<string, Heading[]>()
  for (const column of columns) {
    const parent = column.path.slice(0, -1).join(' / ')
    parents.set(parent, [...parents.get(parent) ?? [], column])
  }
  return [...parents].flatMap(([parent, members]) => {
    const like = oneShape(members)
    const leaves = like.map(({ path }) => path.at(-1) ?? '')
    const bare = leaves.every(leaf =>
      unitOf(leaf) === undefined && scaleOf(leaf, undefined) === 'ratio' && !namesQuantity(leaf))
    const ordered = leaves.every(leaf => orderingNumber(leaf) !== undefined)
    // All columns of a table are of one kind only where nothing stands over some of them.
    const whole = parent === '' ? parents.size === 1 : grid.spansCertain
    if (like.length < 3 || !whole || !(bare || ordered)) return []
    return [{ columns: like, parent, oneUnit: parent !== '' || unitOf(grid.table.caption) !== undefined }]
  })
}

/** Of "5, 1, 0.75, IC50" the numbers only; all of "sample A, sample B". */
function oneShape (columns: readonly Heading[]): Heading[] {
  const bare = (heading: Heading) => /^[\d.,]+$/u.test(heading.path.at(-1) ?? '')
  const numbers = columns.filter(bare)
  return numbers.length * 2 > columns.length ? numbers : columns.filter(column => !bare(column))
}

function entryAt (grid: Grid, heading: Heading, at: Omit<Entry, 'heading' | 'value'>): Entry[] {
  const cell = grid.cellAt(at.row, at.column)
  return cell.kind === 'number' ? [{ heading, ...at, value: cell.value }] : []
}

function isPercent (unit: string | undefined, cells: readonly Cell[]): boolean {
  const numbers = cells.filter(cell => cell.kind === 'number')
  return unit === '%' || (numbers.length > 0 && numbers.every(({ percent }) => percent))
}

/** Not 12% beside 0.30, nor, without a unit, 91.3 beside 0.874: shares may be told as either. */
function inOneMeasure (unit: string | undefined, cells: readonly Cell[]): boolean {
  const numbers = cells.filter(cell => cell.kind === 'number')
  if (unit !== '%' && numbers.some(({ percent }) => percent !== numbers[0]?.percent)) return false
  if (unit !== undefined) return true
  const isShare = ({ value }: { value: Decimal }) => compare(absolute(value), one) <= 0
  const shares = numbers.filter(isShare)
  const finest = Math.max(...numbers.filter(number => !isShare(number)).map(({ value }) => value.scale))
  return shares.length === 0 || shares.some(({ value }) => value.scale !== finest + 2)
}

const one = decimalOf('1')

/** One number of digits after the point, and no number far above another. */
function alike (entries: readonly Entry[]): boolean {
  const values = entries.map(({ value }) => absolute(value)).filter(({ units }) => units !== 0n).sort(compare)
  const [least, most] = [values[0], values.at(-1)]
  if (least === undefined || most === undefined) return false
  if (new Set(entries.map(({ value }) => value.scale)).size > 2) return false
  return compare(most, { ...least, units: least.units * unlike }) <= 0
}

/** Whether some row is the sum of those above it, in a column of three numbers or more. */
function sumsIn (grid: Grid): boolean {
  return namedColumns(grid).some(({ index }) => {
    let sum: Decimal = { units: 0n, scale: 0 }
    let count = 0
    return grid.rows.some(row => {
      const cell = grid.cellAt(row.index, index)
      if (cell.kind !== 'number') return false
      const isSum = count >= 3 && closeTo(cell.value, sum)
      sum = plus(sum, cell.value)
      count++
      return isSum
    })
  })
}

/** Within one in the last printed place: parts are rounded. */
function closeTo (value: Decimal, sum: Decimal): boolean {
  return value.units !== 0n && compare(absolute(minus(value, sum)), { units: 1n, scale: value.scale }) <= 0
}
