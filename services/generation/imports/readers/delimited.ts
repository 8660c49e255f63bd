/** CSV (RFC 4180) and its kin with tabs or semicolons; the first record names the columns. */
import { parse } from 'csv-parse/sync'
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { note, type Bank, type RawRow } from '../domain/bank.ts'
import { limits } from '../domain/limits.ts'

export interface DelimitedOptions {
  /** MMLU's own files have no names: question, A, B, C, D, answer. */
  isMmlu: boolean
}

const mmluColumns = ['question', 'A', 'B', 'C', 'D', 'answer']

/** @throws Problem bank-damaged, not-a-bank */
export function delimitedBank (text: string, { isMmlu }: DelimitedOptions): Bank {
  const records = recordsOf(text)
  const bare = isMmlu && records[0]?.length === mmluColumns.length && /^[A-D]$/.test(records[0].at(-1)!.trim())
  const named = bare ? mmluColumns : records[0] ?? []
  return tableBank('csv', bare ? records : records.slice(1), named)
}

/** Rows of cells under named columns, as CSV and sheets have them. */
export function tableBank (container: 'csv' | 'xlsx', records: readonly string[][], names: readonly string[]): Bank {
  const columns = names.map(name => name.trim())
  checkColumns(columns)
  return { container, flat: true, rows: () => rowsOf(records, columns) }
}

function * rowsOf (records: readonly string[][], columns: readonly string[]): Generator<RawRow> {
  for (const [at, record] of records.entries()) {
    const cells = columns.map((name, column) => [name, record[column] ?? ''] as const).filter(([name]) => name !== '')
    const value: unknown = Object.fromEntries(cells)
    const fault = widthFault(record, columns)
    const row = at + 1
    yield fault === undefined ? { row, value, notes: [] } : { row, value: record, notes: [], fault }
  }
}

function widthFault (record: readonly string[], columns: readonly string[]): RowNote | undefined {
  const isLonger = record.slice(columns.length).some(cell => cell.trim() !== '')
  // A quote that never ends swallows rows; what is left of it has too few cells.
  if (!isLonger && record.length >= columns.length) return undefined
  return note('other-columns', null, `It has ${record.length} cells, the first line ${columns.length}; check its quotes and separators.`)
}

export function checkColumns (columns: readonly string[]): void {
  if (columns.length > limits.columns) throw new Problem('not-a-bank', `The first line has ${columns.length} cells, at most ${limits.columns} columns are read.`)
  const filled = columns.filter(name => name !== '')
  const twice = filled.find((name, at) => filled.indexOf(name) !== at)
  if (twice !== undefined) throw new Problem('bank-damaged', `Two columns are named "${twice.slice(0, 50)}"; which one is meant is unclear. Rename one.`)
}

function recordsOf (text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: limits.rowChars
    })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : ''
    throw new Problem('bank-damaged', `The file is no CSV that can be read: ${why.replace(/\p{Cc}/gu, ' ')}`, { cause })
  }
}

/** Whichever stands most in the first line, outside of quotes. */
function delimiterOf (text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', '\t', ';'].reduce((best, each) => count(each) > count(best) ? each : best)
}
