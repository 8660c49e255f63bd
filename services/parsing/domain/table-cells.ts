/**
 * The cells of a table as text. A heading over several columns is repeated in each of them, so that
 * every column can be read alone; a cell that goes on over several lines is one; a cell that spans
 * rows is given once, in the row where it is printed.
 */
import { joinLines } from './clean-text.ts'
import { heightOf, widthOf } from './line.ts'
import type { Box } from './page-glyphs.ts'
import { findSeparators } from './table-columns.ts'
import { coverOf, headerSpans, type Span } from './table-spans.ts'
import { joinRules, toLines, type Word, type WordLine } from './words.ts'

export interface TableRules { level: readonly Box[], upright: readonly Box[] }

/** Cells beyond these are no table of a paper. */
const columnsMax = 60
const rowsMax = 400

export interface TableCells { rows: string[][], notes: string }

/** @returns rows of equal length; none when the words do not stand in columns */
export function readCells (words: readonly Word[], rules: TableRules, box: Box): TableCells {
  const level = joinRules(rules.level, true).filter(rule => widthOf(rule) > 12).sort((a, b) => a[1] - b[1])
  const full = level.filter(rule => widthOf(rule) > 0.6 * widthOf(box)).map(rule => (rule[1] + rule[3]) / 2)
  const all = toLines(words)
  const end = notesFrom(all, full, box)
  const lines = all.slice(0, end)
  const notes = joinLines(all.slice(end).map(line => ({ text: textOf(line), hyphen: false })), new Map())
  if (lines.length < 2) return { rows: [], notes }
  const tall = joinRules(rules.upright, false).filter(rule => heightOf(rule) > 0.5 * heightOf(box))
  const separators = findSeparators(bandsOf(lines), tall).slice(0, columnsMax - 1)
  if (separators.length === 0) return { rows: [], notes }
  const body = full.find(y => y > lines[0]!.baseline) ?? lines[Math.min(2, lines.length - 1)]!.baseline
  const spans = headerSpans(lines, { separators, level, body })
  const rows = groupRows(lines, { full, separators }).slice(0, rowsMax)
    .map(row => cellsOf(row, { separators, spans }))
  return { rows: dropEmptyColumns(rows), notes }
}

const noteMark = /^(?:[*\u2020\u2021\u00A7\u00B6#]|\(?[a-z]\)?\s|notes?\b|source|abbreviations?\b|all values|values |data |different letters)/i

/** Index of the first line of notes: after the last rule, or what is set across all columns. */
function notesFrom (lines: readonly WordLine[], full: readonly number[], box: Box): number {
  const last = full.at(-1)
  let end = lines.length
  if (last !== undefined && full.length > 1) {
    const after = lines.findIndex(line => line.baseline > last + 1)
    if (after > 1 && lines.slice(after).every(isSentence)) end = after
  }
  while (end > 2) {
    const line = lines[end - 1]!
    const wide = line.chunks.length === 1 && widthOf(line.chunks[0]!.box) > 0.45 * widthOf(box)
    if (!wide && !(line.chunks.length < 3 && noteMark.test(textOf(line)))) break
    end--
  }
  return end
}

/** Notes are sentences, not columns. */
function isSentence ({ chunks }: WordLine): boolean {
  const chars = chunks.reduce((sum, { text }) => sum + text.length, 0)
  return chunks.length <= 2 || chars / chunks.length > 24
}

function textOf ({ chunks }: WordLine): string {
  return chunks.map(({ text }) => text).join(' ')
}

/** Lines so close that they stand beside each other: a cell set at half height has a line of its own. */
function bandsOf (lines: readonly WordLine[]): WordLine[] {
  const bands: WordLine[] = []
  let last = -Infinity
  for (const line of lines) {
    const band = bands.at(-1)
    if (band !== undefined && line.baseline - last < besideStep * line.size) {
      const chunks = [...band.chunks, ...line.chunks].sort((a, b) => a.box[0] - b.box[0])
      bands[bands.length - 1] = { ...band, chunks }
    } else bands.push(line)
    last = line.baseline
  }
  return bands
}

/** Steps between baselines, in em: cells side by side; lines of one cell. */
const besideStep = 0.75
const leadingMax = 1.5

interface Grid { full: readonly number[], separators: readonly number[] }

/** Lines to rows: between rules where every row has them, else by what lines fill. */
function groupRows (lines: readonly WordLine[], { full, separators }: Grid): WordLine[][] {
  const tight = tightStep(lines)
  const parts: WordLine[][] = []
  for (const line of lines) {
    const last = parts.at(-1)?.at(-1)
    const ruled = last !== undefined &&
      full.some(y => y > last.baseline && y < line.baseline - 0.3 * line.size)
    if (last === undefined || ruled) parts.push([line])
    else parts.at(-1)!.push(line)
  }
  const gridded = parts.length >= 3 && parts.length >= 0.4 * lines.length
  const wholeMin = Math.max(2, 0.6 * (separators.length + 1))
  const isWhole = ({ chunks }: WordLine) =>
    new Set(chunks.map(chunk => columnOf(chunk, separators))).size >= wholeMin
  return parts.flatMap(part => {
    if (gridded && part.filter(isWhole).length < 2) return [part]
    const rows: WordLine[][] = []
    for (const line of part) {
      const row = rows.at(-1)
      if (row !== undefined && continues(row, line, { separators, tight })) row.push(line)
      else rows.push([line])
    }
    return rows
  })
}

/** The largest step between lines of one row, where rows stand clearly wider apart; else 0. */
function tightStep (lines: readonly WordLine[]): number {
  const steps = lines.slice(1).map((line, i) => line.baseline - lines[i]!.baseline).sort((a, b) => a - b)
  const least = Math.max(2, 0.2 * steps.length)
  let best = { ratio: 1.2, step: 0 }
  for (let i = 0; i + 1 < steps.length; i++) {
    const ratio = steps[i + 1]! / Math.max(steps[i]!, 1)
    if (i + 1 < least || steps.length - i - 1 < least || steps[i]! > leadingMax * lines[0]!.size) continue
    if (ratio > best.ratio) best = { ratio, step: steps[i]! + 0.5 }
  }
  return best.step
}

interface Joint { separators: readonly number[], tight: number }

function continues (row: readonly WordLine[], line: WordLine, { separators, tight }: Joint): boolean {
  const step = line.baseline - row.at(-1)!.baseline
  if (step < besideStep * line.size || step <= tight) return true
  if (tight > 0 || step > leadingMax * line.size) return false
  const filled = new Set(line.chunks.map(chunk => columnOf(chunk, separators)))
  const before = new Set(row.flatMap(({ chunks }) => chunks).map(chunk => columnOf(chunk, separators)))
  const inside = [...filled].every(column => before.has(column))
  const few = filled.size < before.size && filled.size <= Math.max(1, (separators.length + 1) / 2)
  if (!inside || !few) return false
  const lower = line.chunks.every(({ text }) => /^[\p{Ll}(&,]/u.test(text))
  return lower || (!filled.has(0) && line.chunks.every(({ text }) => !/^[\u2212-]?\d/.test(text)))
}

/** The column in which the chunk's middle lies. */
function columnOf ({ box }: Word, separators: readonly number[]): number {
  const middle = (box[0] + box[2]) / 2
  return separators.filter(x => x < middle).length
}

interface Columns { separators: readonly number[], spans: ReadonlyMap<Word, Span> }

function cellsOf (row: readonly WordLine[], { separators, spans }: Columns): string[] {
  const cells: { text: string, hyphen: boolean }[][] = Array.from({ length: separators.length + 1 }, () => [])
  const lone = row.every(({ chunks }) => chunks.length === 1)
  for (const chunk of row.flatMap(({ chunks }) => chunks)) {
    const [from, end] = spans.get(chunk) ?? coverOf(chunk.box, separators)
    // A title of a group of rows stands before them, however far it reaches.
    const to = lone && !spans.has(chunk) ? from : end
    for (let column = from; column <= to; column++) cells[column]!.push({ text: chunk.text, hyphen: false })
  }
  return cells.map(parts => joinLines(parts, new Map()))
}

function dropEmptyColumns (rows: readonly string[][]): string[][] {
  const filled = rows[0]?.map((_, column) => rows.some(row => row[column] !== '')) ?? []
  return rows.filter(row => row.some(cell => cell !== '')).map(row => row.filter((_, column) => filled[column]))
}
