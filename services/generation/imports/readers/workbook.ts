/**
 * XLSX: sheets under their first line that names columns. Formulas are never computed: what the program that
 * saved the file made of them is taken, and told. Own reading over a zip and an XML parser, for the libraries
 * there are tell neither formulas nor merged cells, or inflate what they are given without a limit.
 */
import { entriesOf } from '../../../../shared/archive/zip-entries.ts'
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { note, type Bank, type RawRow } from '../domain/bank.ts'
import { checkColumns } from './delimited.ts'
import { eachTag, sharedStringsOf, sheetOf, type Cell, type Sheet } from './sheet.ts'
import { zipOptions } from './zip.ts'

interface NamedSheet { name: string, sheet: Sheet }

/** @throws Problem bank-damaged, not-a-bank, limit-exceeded */
export async function workbookBank (bytes: Buffer): Promise<Bank> {
  const parts = await partsOf(bytes)
  const sheets = readable(() => sheetsOf(parts))
  const tables = sheets.map(({ name, sheet }) => tableOf(name, sheet)).filter(table => table !== undefined)
  const first = tables[0]
  if (first === undefined) throw new Problem('not-a-bank', 'No sheet of the workbook has a first line of two or more columns.')
  checkColumns(first.columns)
  return { container: 'xlsx', flat: true, rows: () => rowsOf(tables, first) }
}

async function partsOf (bytes: Buffer): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  for await (const { name, bytes: read } of entriesOf(bytes, zipOptions)) {
    if (/^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/i.test(name)) {
      parts.set(name, (await read()).toString('utf8').replace(/^\uFEFF/, ''))
    }
  }
  return parts
}

/** Those that are shown, in their order. */
function sheetsOf (parts: ReadonlyMap<string, string>): NamedSheet[] {
  const targets = new Map<string, string>()
  eachTag(parts.get('xl/_rels/workbook.xml.rels') ?? '<none/>', {
    open (name, { Id, Target = '' }) { if (name === 'Relationship') targets.set(Id ?? '', Target.replace(/^(?:\/?xl\/|\.\/)/, '')) }
  })
  const listed: Array<{ name: string, target: string }> = []
  eachTag(parts.get('xl/workbook.xml') ?? '<none/>', {
    open (name, attributes) {
      const isShown = name === 'sheet' && attributes['state'] !== 'hidden' && attributes['state'] !== 'veryHidden'
      if (isShown) listed.push({ name: attributes['name'] ?? '', target: targets.get(attributes['r:id'] ?? '') ?? '' })
    }
  })
  const shared = sharedStringsOf(parts.get('xl/sharedStrings.xml') ?? '<none/>')
  return listed.flatMap(({ name, target }) => {
    const xml = parts.get(`xl/${target}`)
    return xml === undefined ? [] : [{ name, sheet: sheetOf(xml, shared) }]
  })
}

interface Table {
  name: string
  columns: string[]
  rows: Array<{ cells: Map<number, Cell>, notes: RowNote[] }>
}

/** The first line with two cells names the columns: a title above it has one. */
function tableOf (name: string, sheet: Sheet): Table | undefined {
  const numbers = [...sheet.rows.keys()].sort((a, b) => a - b)
  const at = numbers.findIndex(number => [...sheet.rows.get(number)!.values()].filter(({ text }) => text.trim() !== '').length >= 2)
  if (at < 0) return undefined
  const head = sheet.rows.get(numbers[at]!)!
  const columns = Array.from({ length: Math.max(...head.keys()) + 1 }, (_, column) => head.get(column)?.text.trim() ?? '')
  const merged = spread(sheet, numbers.slice(at + 1))
  const rows = numbers.slice(at + 1).map(number => {
    const cells = sheet.rows.get(number)!
    return { cells, notes: [...merged.get(number) ?? [], ...notesOf(cells, columns)] }
  })
  return { name, columns, rows }
}

/** What is merged downwards stands in each of its rows; those rows are told, and merged columns are. */
function spread ({ rows, merges }: Sheet, numbers: readonly number[]): Map<number, RowNote[]> {
  const told = new Map<number, RowNote[]>()
  const tell = (number: number, what: RowNote) => told.set(number, [...told.get(number) ?? [], what])
  for (const { top, left, bottom, right } of merges) {
    const cell = rows.get(top)?.get(left)
    for (const number of numbers) {
      if (number < top || number > bottom) continue
      if (number > top && cell !== undefined) {
        rows.get(number)!.set(left, cell)
        tell(number, note('merged-cell', null, `The cell of column ${left + 1} is merged with that of line ${top + 1}, and has its text.`))
      }
      if (right > left) tell(number, note('merged-cell', null, `Columns ${left + 1} to ${right + 1} are merged; the text stands in the first.`))
    }
  }
  return told
}

function notesOf (cells: ReadonlyMap<number, Cell>, columns: readonly string[]): RowNote[] {
  const notes: RowNote[] = []
  for (const [column, { isFormula, isError, text }] of cells) {
    const name = columns[column] ?? ''
    if (isFormula) notes.push(note('formula-cell', name, 'The cell is a formula; what it was when the file was saved is taken, and nothing was computed.'))
    if (isError) notes.push(note('cell-error', name, `The cell is an error (${text.slice(0, 20)}).`))
    if (name === '' && text.trim() !== '') notes.push(note('other-columns', null, `The cell of column ${column + 1} stands under no name.`))
  }
  return notes
}

function * rowsOf (tables: readonly Table[], first: Table): Generator<RawRow> {
  let row = 0
  for (const { name, columns, rows } of tables) {
    if (columns.join('\n') !== first.columns.join('\n')) {
      const fault = note('sheet-skipped', null, `Sheet "${name.slice(0, 50)}" with ${rows.length} lines has other columns than "${first.name.slice(0, 50)}"; import it by itself.`)
      yield { row: ++row, value: columns, notes: [], fault }
      continue
    }
    for (const { cells, notes } of rows) {
      if ([...cells.values()].every(({ text }) => text.trim() === '')) continue
      const named = columns.map((column, at) => [column, cells.get(at)?.text ?? ''] as const)
      yield { row: ++row, value: Object.fromEntries(named.filter(([column]) => column !== '')), notes }
    }
  }
}

function readable<T> (read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    const why = cause instanceof Error ? cause.message.replace(/\p{Cc}/gu, ' ').slice(0, 200) : ''
    throw new Problem('bank-damaged', `The workbook cannot be read (${why}); save it anew.`, { cause })
  }
}
