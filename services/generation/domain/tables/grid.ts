/**
 * A table as headings and cells, or why it is not understood: how many rows are heading, what each
 * column and row is called, what every cell holds. Whatever two readers might see differently is a fault.
 */
import type { Document, Table } from '../../../../shared/contracts/document.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { decimalCommaIn, digitFault, readCell, type Cell } from './cell.ts'
import { columnsOf, headerFault, headerRowCount, spansCertain } from './columns.ts'
import { hasGap, withoutLostPoints } from './doubt.ts'
import type { Heading } from './headings.ts'
import { rowsOf, type Stub } from './rows.ts'

export interface Grid {
  table: Table
  /** Set in print and read from a page: lines and gaps told where cells end. */
  drawn: boolean
  columns: Heading[]
  rows: Heading[]
  stub: Stub
  /** Rows stand in groups under headings of their own. */
  grouped: boolean
  /** Rows without a name of their own are left out. */
  partial: boolean
  /** Which columns a heading over several covers is certain. */
  spansCertain: boolean
  /** By row and column of `table.rows`. */
  cellAt: (row: number, column: number) => Cell
  textAt: (row: number, column: number) => string
}

export interface Fault { fault: string, detail: string }

const rowsMax = 400
const columnsMax = 60
const cellCharsMax = 2_000

export function gridOf (document: Document, table: Table): Grid | Fault {
  const texts = table.rows ?? []
  const drawn = document.pages.length > 0
  const early = shapeFault(table) ?? (drawn ? printFault(document, table) : undefined)
  if (early !== undefined) return early
  const headers = headerRowCount(texts, drawn)
  const decimalComma = decimalCommaIn(texts.slice(headers).flat(), document.language)
  if (decimalComma === undefined) return { fault: 'separators-mixed', detail: 'Whether comma or point stands before fractions is not certain: both do, or either might.' }
  const asRead = texts.map(row => row.map(text => readCell(text, { decimalComma, drawn })))
  const cells = drawn ? withoutLost(asRead, headers) : asRead
  const header = headerFault(texts, cells, headers)
  if (header !== undefined) return header
  const columns = columnsOf(texts.slice(0, headers), drawn)
  const named = rowsOf({ texts, cells, headers, columns, drawn })
  if ('fault' in named) return named
  const body = named.rows.map(({ index }) => cells[index] ?? [])
  const rows = named.rows.filter((_, i) => !drawn || !hasGap(body[i] ?? [], body))
  return {
    table,
    drawn,
    columns,
    ...named,
    rows,
    partial: named.partial || rows.length < named.rows.length,
    spansCertain: !drawn || spansCertain(texts.slice(0, headers)),
    cellAt: (row, column) => cells[row]?.[column] ?? { kind: 'empty' },
    textAt: (row, column) => texts[row]?.[column] ?? ''
  }
}

/** Columns of the body, each seen against its own. */
function withoutLost (cells: readonly Cell[][], headers: number): Cell[][] {
  const columns = (cells[0] ?? []).map((_, c) => withoutLostPoints(cells.slice(headers).map(row => row[c] ?? { kind: 'empty' })))
  return cells.map((row, r) => r < headers ? row : row.map((_, c) => columns[c]?.[r - headers] ?? { kind: 'empty' }))
}

function shapeFault ({ label, rows = [] }: Table): Fault | undefined {
  if (rows.length === 0) return { fault: 'no-cells', detail: 'The cells of this table were not read.' }
  if (!/\d|[IVX]/u.test(label)) return { fault: 'no-label', detail: 'A question must name the table, and it has no number.' }
  const width = rows[0]?.length ?? 0
  if (rows.length < 2 || width < 2) return { fault: 'too-small', detail: `${rows.length} rows of ${width} cells.` }
  if (rows.length > rowsMax || width > columnsMax) return { fault: 'too-large', detail: `${rows.length} rows of ${width} cells; at most ${rowsMax} and ${columnsMax} are looked at.` }
  if (rows.some(row => row.length !== width)) return { fault: 'ragged', detail: 'Rows have different numbers of cells.' }
  if (rows.some(row => row.some(cell => cell.length > cellCharsMax))) return { fault: 'long-cells', detail: `A cell has more than ${cellCharsMax} characters.` }
  return undefined
}

/** What makes a page's digits or lines uncertain, in this table or in the whole document. */
function printFault ({ warnings, tables }: Document, { rows = [], notes = '' }: Table): Fault | undefined {
  const warning = warnings.find(({ code }) => code === 'text-unreliable')
  if (warning !== undefined) return { fault: 'text-unreliable', detail: warning.detail }
  for (const cell of rows.flat()) {
    const detail = digitFault(cell)
    if (detail !== undefined) return { fault: 'digits-uncertain', detail: `A cell has ${detail}.` }
  }
  const elsewhere = tables.flatMap(table => table.rows ?? []).flat().find(cell => /(?<![\d.])\d{1,20}\.\d{3,20}\.\d/u.test(cell.slice(0, 200)))
  if (elsewhere !== undefined) return { fault: 'digits-uncertain', detail: `Signs between numbers are lost in this paper ("${startOf(elsewhere, 40)}").` }
  // A raised 1 that points at a note reads as one more digit.
  if (/(?:^|[.;]\s)\(?[1-9]\)?\s?\p{Lu}/u.test(notes.slice(0, 2_000))) return { fault: 'digits-uncertain', detail: 'Notes are numbered, and raised digits look like digits of the cells.' }
  return undefined
}
