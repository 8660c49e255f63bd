/**
 * JSON and JSON Lines, a row at a time: each is parsed by itself, so that what is wrong with one row (a key
 * twice, half of a character, a list cut off) is told of that row and the others are read.
 */
import { parsePythonJson } from '../../../../shared/app/python-json.ts'
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { note, type Bank, type RawRow } from '../domain/bank.ts'
import { limits } from '../domain/limits.ts'
import { membersOf, type Piece } from './pieces.ts'

/** Members under which rows stand in a file that is an object. */
const listed = new Set(['data', 'rows', 'items', 'questions', 'examples', 'instances', 'test', 'train', 'validation', 'dev', 'results'])

/** @throws Problem not-a-bank for JSON that holds no rows */
export function jsonBank (text: string): Bank {
  const start = text.trimStart()[0]
  if (start === '[') return bankOf(() => membersOf(text, text.indexOf('[')))
  if (start !== '{') throw noRows()
  const list = listIn(text)
  if (list !== undefined) return bankOf(() => membersOf(text, list))
  // Rows by their name, as ScienceQA's problems.json has them.
  const first = membersOf(text, text.indexOf('{')).next().value as Piece | undefined
  if (first === undefined) throw noRows()
  // One row alone, as a file of JSON Lines with one line has it.
  if (!first.text.startsWith('{') && first.key !== undefined) return { ...jsonlBank(text), container: 'json' }
  if (!first.text.startsWith('{')) throw noRows()
  return bankOf(() => membersOf(text, text.indexOf('{')))
}

function noRows (): Problem {
  return new Problem('not-a-bank', 'The JSON is neither a list of rows, nor an object with such a list (in data, rows, items, questions, examples, …), nor an object of rows by name.')
}

function bankOf (pieces: () => Generator<Piece>): Bank {
  return { container: 'json', flat: false, rows: () => numbered(pieces()) }
}

function * numbered (pieces: Iterable<Piece>): Generator<RawRow> {
  let row = 0
  for (const piece of pieces) yield rowOf(++row, piece)
}

function listIn (text: string): number | undefined {
  for (const { key, text: value, at } of membersOf(text, text.indexOf('{'))) {
    if (key !== undefined && listed.has(key) && value.startsWith('[')) return at
  }
  return undefined
}

export function jsonlBank (text: string): Bank {
  return { container: 'jsonl', flat: false, rows: () => lines(text) }
}

function * lines (text: string): Generator<RawRow> {
  let row = 0
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    const line = text.slice(from, to).trim()
    from = to + 1
    if (line !== '') yield rowOf(++row, { text: line, at: 0, isWhole: true })
  }
}

function rowOf (row: number, { text, key, isWhole }: Piece): RawRow {
  const named = key === undefined ? {} : { key: key.slice(0, limits.idChars) }
  const rejected = (fault: RowNote): RawRow =>
    ({ row, value: text.slice(0, limits.rawChars), notes: [], fault, ...named })
  if (!isWhole) return rejected(note('row-cut', null, 'The file ends within this row; get the whole file.'))
  if (text.length > limits.rowChars) return rejected(tooLong(text.length))
  try {
    const { value, notes } = parsed(text)
    const isRow = value !== null && typeof value === 'object' && !Array.isArray(value)
    if (!isRow) return rejected(note('row-unreadable', null, 'The row is no object with named fields.'))
    return { row, value: inner(value as object), notes, ...named }
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause
    return rejected(note('row-unreadable', null, cause.message.replace('The body', 'The row').slice(0, 300)))
  }
}

function tooLong (chars: number): RowNote {
  return note('row-too-long', null, `The row has ${chars} characters, at most ${limits.rowChars} are taken; send images in a zip beside the rows.`)
}

function parsed (text: string): { value: unknown, notes: RowNote[] } {
  // Half of a pair becomes U+FFFD, which the row is flagged for where it stands in what is used.
  const { value, notNumbers } = parsePythonJson(wholeEscapes(text))
  return { value, notes: notNumbers === 0 ? [] : [note('not-a-number', null, 'NaN or Infinity, which JSON does not have, was read as nothing.')] }
}

function wholeEscapes (text: string): string {
  if (!/\\u[dD]/.test(text)) return text
  return text.replace(/\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g,
    found => found.length === 6 ? '\\ufffd' : found)
}

/** The dataset viewer of Hugging Face wraps each row: {row_idx, row, truncated_cells}. */
function inner (value: object): unknown {
  if (!Object.hasOwn(value, 'row_idx') || !Object.hasOwn(value, 'row')) return value
  return (value as { row: unknown }).row
}
