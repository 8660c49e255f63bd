/** Tables of ours as files: CSV for spreadsheets, Markdown, and LaTeX with booktabs for papers. */
import { csvField, inline } from '../report/report-text.ts'

export interface Table {
  title: string
  /** Said below the table, where the form has room for it. */
  notes: readonly string[]
  columns: ReadonlyArray<{ name: string, numeric: boolean }>
  rows: ReadonlyArray<readonly Cell[]>
}

/** `full` goes to the CSV file where it says more than what people read; null is "no data". */
export type Cell = string | number | null | { shown: string, full: string | number | null }

/** RFC 4180, CRLF; an empty cell is "no data", and no text can be taken for a formula. */
export function tableCsv ({ columns, rows }: Table): string {
  const full = (cell: Cell) => cell !== null && typeof cell === 'object' ? cell.full : cell
  return [columns.map(({ name }) => name), ...rows.map(row => row.map(full))]
    .map(row => `${row.map(csvField).join(',')}\r\n`).join('')
}

/** @param level  of the heading */
export function tableMarkdown ({ title, notes, columns, rows }: Table, level = 2): string {
  return [
    `${'#'.repeat(level)} ${inline(title)}`,
    '',
    `| ${columns.map(({ name }) => inline(name)).join(' | ')} |`,
    `|${columns.map(({ numeric }) => numeric ? '---:' : '---').join('|')}|`,
    ...rows.map(row => `| ${row.map(cell => inline(shown(cell))).join(' | ')} |`),
    ...notes.length > 0 ? [''] : [],
    ...notes.map(note => `- ${inline(note)}`),
    ''
  ].join('\n')
}

/** A table float; needs `\usepackage{booktabs}` and UTF-8. */
export function tableLatex ({ title, notes, columns, rows }: Table): string {
  const row = (cells: readonly string[]) => `  ${cells.map(latex).join(' & ')} \\\\`
  return [
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${latex([title, ...notes].map(ended).join(' '))}}`,
    `  \\begin{tabular}{${columns.map(({ numeric }) => numeric ? 'r' : 'l').join('')}}`,
    '  \\toprule',
    row(columns.map(({ name }) => name)),
    '  \\midrule',
    ...rows.map(cells => row(cells.map(shown))),
    '  \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
    ''
  ].join('\n')
}

/** A caption's parts are sentences: without a stop they would run together. */
function ended (text: string): string {
  return /[.!?:;]$/u.test(text.trimEnd()) ? text : `${text.trimEnd()}.`
}

/** As people read it. */
export function shown (cell: Cell): string {
  if (cell === null) return '–'
  return typeof cell === 'object' ? cell.shown : String(cell)
}

const latexOf: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  '%': '\\%',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '[': '{[}',
  ']': '{]}',
  '−': '$-$',
  '–': '--',
  '×': '$\\times$'
}

/** Text in which LaTeX sees no command: one line, without control characters. */
export function latex (text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\p{Cc}/gu, '')
    .replace(/[\\{}$&#_%^~<>|"[\]−–×]/gu, character => latexOf[character]!)
}

/** Fixed digits with a true minus sign; null is "no data". */
export function fixed (value: number | null, digits: number): Cell {
  if (value === null) return null
  const text = Math.abs(value).toFixed(digits)
  return { shown: value < 0 && Number(text) !== 0 ? `−${text}` : text, full: value }
}

/** "< .001", ".032"; 1 where it is. */
export function probability (p: number | null): Cell {
  if (p === null) return null
  const text = p < 0.001 ? '< .001' : p >= 0.9995 ? '1' : p.toFixed(3).slice(1)
  return { shown: text, full: p }
}
