/**
 * The part of a table that an item needs, carried in the item: with it alone the answer can be executed
 * again, and a variant with other numbers be made.
 */
import { decimalOf, printed } from './decimal.ts'
import type { Grid } from './grid.ts'
import type { Heading } from './headings.ts'
import type { Question } from './operations.ts'
import { namedColumns, type Entry, type Series } from './series.ts'

/** Names of rows first; numbers without their spread, nothing where none is given. */
export interface Excerpt { columns: string[], rows: string[][] }

/** Larger ones are no text to put into a question. */
export const excerptRowsMax = 30
const excerptColumnsMax = 8

/** @returns undefined when the table is too large to be carried, or a heading may lack the one above it */
export function excerptOf ({ series, where }: Question, grid: Grid): Excerpt | undefined {
  if (!grid.spansCertain) return undefined
  const down = series.along === 'rows'
  const condition = grid.columns.filter(({ path }) => path.join() === where?.column.join())
  const shown = down ? [...condition, series.fixed] : series.entries.map(({ heading }) => heading)
  const columns = [...shown, ...down ? besides(grid, [...condition, series.fixed]) : []]
  const rows = down ? grid.rows : rowsBeside(grid, series.fixed)
  if (rows.length > excerptRowsMax || columns.length > excerptColumnsMax) return undefined
  return {
    columns: [grid.stub.name, ...columns.map(({ name }) => name)],
    rows: rows.map(row => [row.name, ...columns.map(column => shownIn(grid, row, column))])
  }
}

/** One more column of numbers, whose cells are all understood: one to be confused with. */
function besides (grid: Grid, taken: readonly Heading[]): Heading[] {
  return namedColumns(grid).filter(column => !taken.includes(column) &&
    grid.rows.every(row => grid.cellAt(row.index, column.index).kind === 'number')).slice(0, 1)
}

/** The row and those next to it. */
function rowsBeside ({ rows }: Grid, fixed: Heading): Heading[] {
  const at = rows.findIndex(({ index }) => index === fixed.index)
  const from = Math.max(0, Math.min(at - 1, rows.length - 3))
  return rows.slice(from, from + 3)
}

function shownIn (grid: Grid, row: Heading, column: Heading): string {
  const cell = grid.cellAt(row.index, column.index)
  if (cell.kind === 'number') return printed(cell.value)
  return cell.kind === 'words' ? grid.textAt(row.index, column.index).trim() : ''
}

/** How an item's arguments say which series of its excerpt is meant. */
export interface SeriesWords {
  along: Series['along']
  fixed: string[]
  among?: 'all' | string[][]
  kind: string
  percent: boolean
}

/** @throws RangeError when the words are not those of the excerpt */
export function seriesIn ({ columns, rows }: Excerpt, words: SeriesWords): Series {
  const { along, fixed, among, kind, percent } = words
  const nameOf = (path: readonly string[]) => path.join(' / ')
  const entryOf = (heading: Heading, label: string, at: { row: number, column: number }): Entry[] => {
    const text = rows[at.row]?.[at.column] ?? ''
    return /^-?\d+(?:\.\d+)?$/u.test(text) ? [{ label, heading, ...at, value: decimalOf(text) }] : []
  }
  const rest = { kind, percent, complete: true, comparable: true, scale: 'ratio' as const }
  if (along === 'rows') {
    const column = indexIn(columns, nameOf(fixed))
    const entries = rows.flatMap(([name = ''], row) =>
      entryOf({ index: row, path: [name], name }, name, { row, column }))
    return { along, fixed: { index: column, path: fixed, name: nameOf(fixed) }, entries, ...rest }
  }
  const names = rows.map(([name = '']) => name)
  const row = [fixed.at(-1) ?? '', nameOf(fixed)].map(name => names.indexOf(name)).find(at => at >= 0)
  if (row === undefined) throw new RangeError(`Expected a row ${nameOf(fixed)} in the excerpt.`)
  const paths = among === undefined || among === 'all' ? columns.slice(1).map(name => [name]) : among
  const entries = paths.flatMap(path => {
    const column = indexIn(columns, nameOf(path))
    return entryOf({ index: column, path, name: nameOf(path) }, path.at(-1) ?? '', { row, column })
  })
  return { along, fixed: { index: row, path: fixed, name: names[row] ?? '' }, entries, ...rest }
}

function indexIn (columns: readonly string[], name: string): number {
  const at = columns.indexOf(name, 1)
  if (at < 0) throw new RangeError(`Expected a column ${name} in the excerpt.`)
  return at
}

/** As text of a question: cells are data, and a bar in one is no border. */
export function markdownOf ({ columns, rows }: Excerpt): string {
  const plain = (cell: string) => cell.replaceAll(/[|\s]+/gu, ' ').trim()
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}
