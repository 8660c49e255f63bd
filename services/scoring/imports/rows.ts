/** The rows of a log, told by its content: each as it stands, with what its format says of it. */
import { parse } from 'csv-parse/sync'
import { entriesOf, type ZipFile } from '../../../shared/archive/zip-entries.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { LogFormat, RejectedRow, RunImportOptions } from '../../../shared/contracts/run-import.ts'
import { inspectFields, isInspectLog, isInspectSample, scorersOf } from './domain/inspect.ts'
import { kmetbenchFields, kmetbenchKind } from './domain/kmetbench.ts'
import { isLmEval, lmEvalFields, whyNotOfFirst } from './domain/lm-eval.ts'
import { limits } from './domain/limits.ts'
import { member, valueAt } from '../../../shared/text/member.ts'
import type { Fields, RawRow } from './domain/raw-row.ts'
import type { Source } from './domain/summary.ts'
import { parseLog, textOf } from './log-text.ts'

export type LogRow = RawRow & { fields: Fields } | RejectedRow

export interface Log {
  format: LogFormat
  /** Rows are columns by name, and no tree. */
  flat: boolean
  source: Source
  rows: AsyncIterable<LogRow> | Iterable<LogRow>
  notes: string[]
}

/** @throws Problem not-a-log, log-damaged, limit-exceeded, invalid-request */
export async function logOf (bytes: Buffer, options: RunImportOptions): Promise<Log> {
  if (bytes.byteLength === 0) throw new Problem('log-damaged', 'The file has no bytes; choose it again and send it whole.')
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return await inspectZip(bytes, options)
  const text = textOf(bytes)
  if (/^\s*\[/.test(text)) throw unknown('a JSON list')
  if (!/^\s*\{/.test(text)) return csvLog(text, options)
  const end = text.indexOf('\n')
  const first = end < 0 ? undefined : tried(text.slice(0, end))
  if (isLmEval(first ?? (end < 0 ? tried(text) : undefined))) return lmEvalLog(text, options)
  const whole = parseLog(text)
  if (isInspectLog(whole)) return inspectLog(whole, options)
  const kind = kmetbenchKind(whole)
  if (kind === undefined) throw unknown('JSON of another form')
  const model = member(whole, 'model_name') ?? member(whole, 'model_key')
  return {
    format: kind,
    flat: false,
    source: { model: nameOf(model), task: nameOf(valueAt(whole, 'public_protocol.benchmark')) },
    rows: (member(whole, 'results') as unknown[]).map((value, at) => ({ row: at + 1, value, fields: kmetbenchFields(value) })),
    notes: []
  }
}

function unknown (what: string): Problem {
  return new Problem('not-a-log', `The file is ${what}. Read are: lm-eval's samples_*.jsonl, inspect-ai's .json and .eval logs, K-MetBench's run and judge files, and CSV with a mapping.`)
}

function tried (text: string): unknown {
  try { return parseLog(text) } catch { return undefined }
}

function nameOf (name: unknown): string | null {
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : null
}

/** Where logs without a head of their own say what they are of. */
const modelNames = ['model', 'model_name', 'modelName'] as const
const taskNames = ['task', 'task_name', 'taskName', 'benchmark'] as const

/** @param of  what the log says under a name, the same for all of its rows */
function sourceIn (of: (name: string) => unknown): Source {
  const found = (names: readonly string[]) => nameOf(names.map(of).find(value => nameOf(value) !== null))
  return { model: found(modelNames), task: found(taskNames) }
}

/** One line for each item and filter; the verdicts of one filter are theirs, the replies are the same. */
function lmEvalLog (text: string, { filter }: RunImportOptions): Log {
  const first = parsedLine(text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n')))
  const filters = new Set<string>()
  const wanted = () => filter ?? [...filters][0]
  const notes: string[] = []
  function * rows (): Generator<LogRow> {
    let row = 0
    for (const line of linesOf(text)) {
      row++
      if (line.trim() === '') continue
      const value = parsedLine(line)
      if (value instanceof Problem) {
        yield { row, id: null, reason: 'invalid-json', detail: value.message.slice(0, 300) }
      } else if (!isLmEval(value)) {
        yield { row, id: null, reason: 'other-row', detail: 'The line has no doc_id, doc and resps.' }
      } else {
        const own = String(member(value, 'filter') ?? 'none')
        if (filters.size < 100) filters.add(own)
        const id = String(member(value, 'doc_id'))
        const several = own === wanted() ? whyNotOfFirst(value, own) : null
        if (several !== null) yield { row, id, reason: 'several-samples', detail: several }
        else if (own === wanted()) yield { row, value, fields: lmEvalFields(value) }
        else yield { row, id, reason: 'other-filter', detail: `Of filter "${own.slice(0, 100)}"; the verdicts of "${wanted()}" are taken. Import again with filter to take others.` }
      }
    }
    if (filters.size > 1) notes.push(`The log has filters ${[...filters].map(name => `"${name.slice(0, 100)}"`).join(', ')}: theirs are the verdicts of "${wanted()}".`)
  }
  return { format: 'lm-eval', flat: false, source: sourceIn(name => member(first, name)), rows: rows(), notes }
}

function * linesOf (text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    yield text.slice(from, to)
    from = to + 1
  }
}

function parsedLine (line: string): unknown {
  if (line.length > limits.entryBytes) return new Problem('invalid-json', 'The line is too long.')
  try { return parseLog(line) } catch (cause) {
    if (cause instanceof Problem) return cause
    throw cause
  }
}

function inspectLog (log: unknown, options: RunImportOptions): Log {
  const samples = member(log, 'samples') as unknown[]
  return {
    format: 'inspect',
    flat: false,
    source: { model: nameOf(valueAt(log, 'eval.model')), task: nameOf(valueAt(log, 'eval.task')) },
    rows: samples.map((value, at) => sampleRow(value, at + 1, options)),
    notes: scorerNote(samples[0], options)
  }
}

function sampleRow (value: unknown, row: number, { filter }: RunImportOptions): LogRow {
  if (!isInspectSample(value)) return { row, id: null, reason: 'other-row', detail: 'It has no id, epoch and target.' }
  return { row, value, fields: inspectFields(value, filter) }
}

function scorerNote (sample: unknown, { filter }: RunImportOptions): string[] {
  const scorers = scorersOf(sample).slice(0, 20).map(name => `"${name.slice(0, 100)}"`)
  return scorers.length < 2 ? [] : [`The log has scorers ${scorers.join(', ')}: theirs are the verdicts of ${filter === undefined ? scorers[0] : `"${filter}"`}.`]
}

/** `.eval`: header.json (or, of one cut short, the journal's start) and one file a sample. */
async function inspectZip (bytes: Buffer, options: RunImportOptions): Promise<Log> {
  let header: unknown
  const samples: ZipFile[] = []
  for await (const file of entriesOf(bytes, { limits, damage: 'log-damaged', what: 'log' })) {
    if (file.name === 'header.json' || (header === undefined && file.name === '_journal/start.json')) {
      header = parseLog(textOf(await file.bytes()))
    } else if (/^samples\/[^/]+\.json$/.test(file.name)) samples.push(file)
  }
  if (valueAt(header, 'eval.task') === undefined) throw unknown('a zip, and no inspect-ai log')
  const notes: string[] = []
  async function * rows (): AsyncGenerator<LogRow> {
    for (const [at, file] of samples.entries()) {
      const value = parsedLine(textOf(await file.bytes()))
      if (value instanceof Problem) yield { row: at + 1, id: null, reason: 'invalid-json', detail: value.message.slice(0, 300) }
      else {
        if (at === 0) notes.push(...scorerNote(value, options))
        yield sampleRow(value, at + 1, options)
      }
    }
    if (member(header, 'status') !== 'success') notes.push('The log does not say that its run succeeded: samples may be missing.')
  }
  return {
    format: 'inspect',
    flat: false,
    source: { model: nameOf(valueAt(header, 'eval.model')), task: nameOf(valueAt(header, 'eval.task')) },
    rows: rows(),
    notes
  }
}

/** RFC 4180, the first line naming the columns. */
function csvLog (text: string, { mapping }: RunImportOptions): Log {
  if (mapping?.id === undefined || mapping.reply === undefined || mapping.gold === undefined) {
    throw new Problem('invalid-request', 'A CSV file needs a mapping of at least id, reply and gold to its columns.', {
      errors: [{ pointer: '/body/mapping', detail: 'must name the columns of id, reply and gold' }]
    })
  }
  const [columns = [], ...records] = recordsOf(text)
  const named = Object.values(mapping).flat()
  const missing = named.filter(name => !columns.includes(name))
  const twice = columns.filter((name, at) => named.includes(name) && columns.indexOf(name) !== at)
  if (missing.length > 0 || twice.length > 0) {
    const what = missing.length > 0
      ? `has no column ${missing.map(name => `"${name}"`).join(', ')}`
      : `has column "${twice[0]!}" twice`
    throw new Problem('invalid-request', `The file ${what}; its first line is ${columns.slice(0, 30).map(name => `"${name.slice(0, 50)}"`).join(', ')}.`, {
      errors: [{ pointer: '/body/mapping', detail: 'must name columns of the file' }]
    })
  }
  const rows = records.map((record, at): LogRow => {
    const row = at + 2
    if (record.length !== columns.length) {
      return { row, id: null, reason: 'other-columns', detail: `It has ${record.length} columns, the first line ${columns.length}.` }
    }
    const cells = columns.map((name, column) => [name, record[column]!] as const)
    return { row, value: Object.fromEntries(cells), fields: {} }
  })
  const column = (name: string): string | undefined => {
    const at = columns.indexOf(name)
    const values = new Set(at < 0 ? [] : records.map(record => record[at]))
    return values.size === 1 ? [...values][0] : undefined
  }
  return { format: 'csv', flat: true, source: sourceIn(column), rows, notes: [] }
}

function recordsOf (text: string): string[][] {
  try {
    const lenient = { relax_column_count: true, skip_empty_lines: true, max_record_size: limits.entryBytes }
    return parse(text, lenient)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : ''
    throw new Problem('log-damaged', `The file is no CSV that can be read: ${why.replace(/\p{Cc}/gu, ' ')}`, { cause })
  }
}
