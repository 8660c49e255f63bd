/** A benchmark's items as a table for spreadsheets. @see RFC 4180 */
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Beside } from './exports/lines.ts'

const columns: Record<string, (item: BenchmarkItem) => string> = {
  id: item => item.id,
  kind: item => item.kind,
  verdict: item => item.verdict,
  paperId: ({ source }) => 'paperId' in source ? source.paperId : '',
  bankId: ({ source }) => 'bankId' in source ? source.bankId : '',
  bankRow: ({ source }) => 'row' in source ? String(source.row) : '',
  place: item => item.place,
  figureIds: item => item.figureIds.join(' '),
  pairId: item => item.pairId ?? '',
  question: item => item.question,
  answer: item => item.answer ?? '',
  choices: item => item.choices === undefined ? '' : canonicalJson(item.choices.map(({ text }) => text)),
  images: ({ images }) => images === undefined ? '' : canonicalJson(images),
  choiceImages: ({ choices = [] }) => choices.some(({ imageId }) => imageId !== undefined) ? canonicalJson(choices.map(({ imageId = null }) => imageId)) : '',
  explicitWording: ({ explicitWording }) => explicitWording === undefined ? '' : canonicalJson(explicitWording),
  answerIndex: item => item.answerIndex === undefined ? '' : String(item.answerIndex),
  evidence: item => canonicalJson(item.evidence.map(({ quote }) => quote)),
  slices: item => canonicalJson(item.slices),
  language: item => item.language
}

const { pairId, ...publicColumns } = columns

export const csvHeader = csvLine(Object.keys(columns))
export const publicCsvHeader = csvLine([...Object.keys(publicColumns), 'placeTitle', 'canary'])

/** One item; lists are JSON inside their cell. */
export function csvRow (item: BenchmarkItem): string {
  return csvLine(Object.values(columns).map(column => column(item)))
}

/** What may be published: without the pair id, with the benchmark's canary. */
export function publicCsvRow (item: BenchmarkItem, { canary, placeTitle }: Beside): string {
  return csvLine([...Object.values(publicColumns).map(column => column(item)), placeTitle ?? '', canary])
}

/** Every cell in quotes: text of papers may hold any character. Ends in CRLF. */
function csvLine (cells: readonly string[]): string {
  return `${cells.map(cell => `"${guarded(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * Spreadsheets run a cell that begins like a formula; an apostrophe before it makes it text again.
 *
 * @see OWASP, CSV injection
 */
function guarded (cell: string): string {
  return /^[\t\r\n]/u.test(cell) || /^[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/u.test(cell.trimStart()) ? `'${cell}` : cell
}
