/** Tables: cells and rows of tabular environments. */
import { argument, optional, star } from './arguments.ts'
import { newFloat } from './floats.ts'
import { sourceOf } from './tokens.ts'
import { sectionNow } from './paragraphs.ts'
import { endCell, takeArguments, textOf, write, type EnvironmentHandler, type Handler, type Reader } from './reader.ts'

const rowsMax = 5_000

/** `signature` of what comes before the cells; `long` tables carry their caption with them. */
function tabular (signature: string, long = false): EnvironmentHandler {
  return {
    begin (reader) {
      takeArguments(reader, signature)
      const { sink: outer, float: outerFloat, inCell } = reader
      const sink = { flows: false, text: '', cites: [] as string[], rows: [[]] as string[][] }
      reader.sink = sink
      reader.inCell = true
      if (long) reader.float = newFloat('table')
      reader.open.at(-1)!.close = () => {
        endCell(sink)
        reader.sink = outer
        reader.inCell = inCell
        outer.cites.push(...sink.cites)
        const rows = sink.rows.filter(row => row.some(cell => cell !== '')).slice(0, rowsMax)
        if (long) endLong(reader, rows)
        else keepRows(reader, rows)
        reader.float = outerFloat
      }
    }
  }
}

function endLong (reader: Reader, rows: string[][]): void {
  const caption = reader.float?.captions[0]
  const keys = [...caption?.keys ?? [], ...reader.float?.loose.keys ?? []]
  reader.outline.tables.push({
    keys, label: caption?.label ?? '', caption: caption?.text ?? '', section: sectionNow(reader), rows
  })
}

/** To the float around it; in a cell as text; in running text as a table without a caption. */
function keepRows (reader: Reader, rows: string[][]): void {
  const { float, outline, started } = reader
  const isTable = rows.length > 1 && rows.some(row => row.length > 1)
  if (reader.inCell || (!isTable && float?.kind !== 'table')) {
    write(reader, ` ${rows.map(row => row.join(' ')).join(' ')} `)
    return
  }
  if (float !== undefined) {
    // Panels set with a tabular have no text of their own.
    if (float.kind === 'table' || rows.length > 0) {
      const { loose, captions } = float
      const last = float.kind === 'table' ? captions.at(-1) : undefined
      const target = loose.rows === undefined && last !== undefined && last.rows === undefined ? last : loose
      target.rows = [...target.rows ?? [], ...rows]
    }
    return
  }
  if (started) outline.tables.push({ keys: [], label: '', caption: '', section: sectionNow(reader), rows })
}

/** The end of a line: of a row, of an author's line, or a space. */
function lineEnd (reader: Reader): void {
  star(reader.input)
  optional(reader.input)
  const { sink, float } = reader
  if (float?.kind === 'figure') float.loose.panels.push([])
  if (sink.rows !== undefined) {
    endCell(sink)
    sink.rows.push([])
  } else write(reader, reader.inAuthors ? '\uE010' : ' ')
}

/** The cell, and empty ones for the columns that it spans besides. */
function multicolumn (reader: Reader): void {
  const count = Number(sourceOf(argument(reader.input)))
  argument(reader.input)
  const text = textOf(reader, argument(reader.input))
  write(reader, text)
  for (let i = 1; i < Math.min(count || 1, 100); i++) if (reader.sink.rows !== undefined) endCell(reader.sink)
}

/** What a long table repeats on each page is left out; its first head stays. */
function endHead (reader: Reader): void {
  const { rows } = reader.sink
  if (rows === undefined) return
  reader.sink.text = ''
  if (rows.some(row => row[0] === '\uE014')) rows.length = rows.findIndex(row => row[0] === '\uE014')
  rows.push([])
}

export const tableEnvironments: [string, EnvironmentHandler][] = [
  ['tabular', tabular('od')],
  ['tabular*', tabular('dod')],
  ['tabularx', tabular('dod')],
  ['tabulary', tabular('dd')],
  ['xtabular', tabular('od')],
  ['supertabular', tabular('od')],
  ['tblr', tabular('od')],
  ['NiceTabular', tabular('od')],
  ['longtable', tabular('od', true)],
  ['longtable*', tabular('od', true)],
  ['deluxetable', tabular('', true)],
  ['deluxetable*', tabular('', true)]
]

export const tableCommands: [string, Handler][] = [
  ['\\', lineEnd],
  ['tabularnewline', lineEnd],
  ['cr', lineEnd],
  ['newline', lineEnd],
  ['multicolumn', multicolumn],
  ['multirow', reader => {
    optional(reader.input)
    argument(reader.input)
    optional(reader.input)
    argument(reader.input)
    optional(reader.input)
    write(reader, textOf(reader, argument(reader.input)))
  }],
  ...['makecell', 'shortstack', 'thead', 'specialcell', 'stackunder'].map(name => [name, (reader: Reader) => {
    star(reader.input)
    optional(reader.input)
    write(reader, textOf(reader, argument(reader.input)))
  }] as [string, Handler]),
  ...['cmidrule', 'cline', 'hhline', 'specialrule', 'addlinespace', 'morecmidrules', 'noalign', 'rowcolor', 'cellcolor', 'tablewidth', 'tabletypesize', 'tablenum', 'tablecolumns'].map(name =>
    [name, rule(name)] as [string, Handler]),
  ['endhead', endHead],
  ['endfoot', endHead],
  ['endlastfoot', endHead],
  ['endfirsthead', reader => { reader.sink.rows?.push(['\uE014'], []) }],
  ['tablehead', reader => write(reader, textOf(reader, argument(reader.input)))],
  ['colhead', reader => write(reader, textOf(reader, argument(reader.input)))],
  ['startdata', reader => { lineEnd(reader) }],
  ['nodata', reader => { write(reader, '…') }],
  ['enddata', () => {}]
]

const rules: Record<string, string> = { cmidrule: 'opd', specialrule: 'ddd', addlinespace: 'o', morecmidrules: '', rowcolor: 'odoo', cellcolor: 'od' }

function rule (name: string): Handler {
  return reader => takeArguments(reader, Object.hasOwn(rules, name) ? rules[name]! : 'd')
}
