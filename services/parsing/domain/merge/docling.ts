/** Our document with the cells that Docling reads in tables of which we have only the place. */
import type { Document, Table } from '../../../../shared/contracts/document.ts'
import type { DocumentDraft } from '../../parser.ts'
import { cleanText } from '../clean-text.ts'
import type { Box } from '../page-glyphs.ts'
import { conflict, countConflict, headingsIn, titleConflict } from './conflicts.ts'
import { withWarnings } from './grobid.ts'
import { listIn, numberIn, recordIn, textIn } from './loose.ts'
import { overlapOf } from './overlap.ts'

interface DoclingTable { page: number, box: Box, rows: string[][] }

const rowsMax = 1_000
const columnsMax = 100

/** @param value a DoclingDocument, unchecked; what is not as expected is as if it were not there */
export function mergeDocling (document: DocumentDraft, value: unknown): DocumentDraft {
  const found = recordIn(value)
  const heights = document.pages.map(({ height }) => height)
  const tables = listIn(found.tables).flatMap(table => tableIn(recordIn(table), heights))
  const texts = listIn(found.texts).map(recordIn)
  const titled = texts.filter(({ label }) => label === 'title')
  const headings = texts.filter(({ label }) => label === 'section_header')
  const warnings = [
    ...titled.slice(0, 1).flatMap(({ text }) => titleConflict('Docling', document.title, textIn(text))),
    ...countConflict('Docling', 'headings', [headingsIn(document.sections), headings.length]),
    ...countConflict('Docling', 'tables', [document.tables.length, tables.length])
  ]
  const merged = document.tables.map(table => mergeTable(table, tables))
  for (const table of merged) warnings.push(...table.warnings)
  return withWarnings({ ...document, tables: merged.map(({ table }) => table) }, warnings)
}

function mergeTable (
  ours: Table, theirs: readonly DoclingTable[]
): { table: Table, warnings: Document['warnings'] } {
  const here = theirs.filter(({ page, box, rows }) =>
    page === ours.page && rows.length > 0 && overlapOf(box, ours.box as Box) >= 0.5)
  const [best, ...others] = here
  // Two that fit are none that is certain.
  if (best === undefined || others.length > 0) return { table: ours, warnings: [] }
  if (ours.rows === undefined) return { table: { ...ours, rows: best.rows }, warnings: [] }
  const sizes = [ours.rows, best.rows].map(rows => `${rows.length} × ${Math.max(...rows.map(row => row.length), 0)}`)
  if (sizes[0] === sizes[1]) return { table: ours, warnings: [] }
  return { table: ours, warnings: [conflict(`Docling reads ${ours.label} as ${sizes[1]} cells, we as ${sizes[0]}; ours are kept.`, ours.page)] }
}

function tableIn (table: Record<string, unknown>, heights: readonly number[]): DoclingTable[] {
  const place = recordIn(listIn(table.prov)[0])
  const { l, t, r, b, coord_origin: origin } = recordIn(place.bbox)
  const page = numberIn(place.page_no)
  const [left, top, right, bottom] = [l, t, r, b].map(numberIn)
  if ([page, left, top, right, bottom].includes(undefined)) return []
  const height = origin === 'TOPLEFT' ? undefined : heights[page! - 1]
  const box: Box = height === undefined
    ? [left!, top!, right!, bottom!]
    : [left!, height - top!, right!, height - bottom!]
  return [{ page: page!, box, rows: rowsIn(recordIn(table.data)) }]
}

/** The text of a cell that spans several stands in the first of them. */
function rowsIn (data: Record<string, unknown>): string[][] {
  const rows = numberIn(data.num_rows) ?? 0
  const columns = numberIn(data.num_cols) ?? 0
  if (!(rows >= 1 && rows <= rowsMax && columns >= 1 && columns <= columnsMax)) return []
  const cells = Array.from({ length: Math.floor(rows) }, () => Array<string>(Math.floor(columns)).fill(''))
  for (const cell of listIn(data.table_cells).map(recordIn)) {
    const row = cells[numberIn(cell.start_row_offset_idx) ?? -1]
    const column = numberIn(cell.start_col_offset_idx) ?? -1
    if (row !== undefined && column in row) row[column] = cleanText(textIn(cell.text))
  }
  return cells.some(row => row.some(text => text !== '')) ? cells : []
}
