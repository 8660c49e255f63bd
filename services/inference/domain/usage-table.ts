/** Usage as a table for spreadsheets. @see RFC 4180 */
import { figuresOf, noSums, type UsageRow } from './usage.ts'

type Cell = string | number | null

function cellsOf ({ key, sums }: UsageRow): Record<string, Cell> {
  const { outcomes, latency, ...figures } = figuresOf(sums)
  const { model, caller, group, purpose } = key
  return { model, caller, group, purpose, ...figures, ...outcomes, ...latency }
}

/** The lines of the table, header first, each ending in CRLF. */
export function * csvLines (rows: Iterable<UsageRow>): Generator<string> {
  const none = { model: '', caller: '', group: '', purpose: '' }
  yield `${Object.keys(cellsOf({ key: none, sums: noSums() })).join(',')}\r\n`
  for (const row of rows) yield `${Object.values(cellsOf(row)).map(csvCell).join(',')}\r\n`
}

/** Null is an empty cell. */
function csvCell (cell: Cell): string {
  return typeof cell === 'string' ? `"${guarded(cell).replaceAll('"', '""')}"` : cell === null ? '' : String(cell)
}

/**
 * Spreadsheets run a cell that begins like a formula; an apostrophe before it makes it text again.
 *
 * @see OWASP, CSV injection
 */
function guarded (cell: string): string {
  const formula = /^[\t\r\n]/u.test(cell) || /^[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u.test(cell.trimStart())
  return formula ? `'${cell}` : cell
}
