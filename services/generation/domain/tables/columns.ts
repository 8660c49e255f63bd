/** Where a table's heading ends, and what each column is called. */
import type { Cell } from './cell.ts'
import { withoutMarks, type Heading } from './headings.ts'

const headersMax = 4

/**
 * The first row is heading. So is the next while the row above has a heading over several columns:
 * repeated in print, given once with empty places after it in markup.
 */
export function headerRowCount (texts: readonly string[][], drawn: boolean): number {
  const filled: string[][] = []
  for (let count = 0; count < Math.min(headersMax, texts.length - 1); count++) {
    const row = texts[count] ?? []
    const covered = row.map((_, c) => isCovered({ row, filled, c }))
    const repeated = row.some((cell, c) => c > 1 && cell !== '' && cell === row[c - 1] && sameAbove(filled, c))
    filled.push(filledLine(row, filled))
    const gaps = drawn ? row.some((cell, c) => c > 0 && cell.trim() === '') : covered.includes(true)
    if (!gaps && !(drawn && repeated)) return count + 1
  }
  return filled.length
}

interface Place { row: readonly string[], filled: readonly string[][], c: number }

function sameAbove (filled: readonly string[][], c: number): boolean {
  return filled.every(line => line[c] === line[c - 1])
}

/** Whether the heading to the left reaches over this empty place: as far as the one above it does. */
function isCovered ({ row, filled, c }: Place): boolean {
  let left = c - 1
  while (left > 0 && (row[left] ?? '').trim() === '' && sameAbove(filled, left + 1)) left--
  const [here, there] = [row[c] ?? '', row[left] ?? ''].map(cell => cell.trim())
  return c > 1 && left > 0 && here === '' && there !== '' && sameAbove(filled, c)
}

function filledLine (row: readonly string[], filled: readonly string[][]): string[] {
  const line: string[] = []
  for (const [c, cell] of row.entries()) {
    line.push(isCovered({ row, filled, c }) ? line[c - 1] ?? '' : withoutMarks(cell))
  }
  return line
}

/** "9.4", "69.2 %": more likely a result than what results are called. */
function isDecimal (cell: string): boolean {
  return cell.length < 40 && /^\s?[−-]?\d{1,15}[.,]\d{1,15}\s?%?\s?$/u.test(cell)
}

/** Headings that are numbers, no years and not under words, may be data whose heading was lost. */
export function headerFault (
  texts: readonly string[][], cells: readonly Cell[][], headers: number
): { fault: string, detail: string } | undefined {
  if (texts.length - headers < 1) return { fault: 'no-body', detail: 'All rows look like headings.' }
  const worded = cells.slice(0, headers).some((row, r) => {
    const inWords = row.slice(1).every(({ kind }, i) => {
      const text = texts[r]?.[i + 1] ?? ''
      return /^(?:19|20)\d\d$|\p{L}/u.test(text.trim().slice(0, 200)) || !['number', 'bound', 'unclear'].includes(kind)
    })
    return inWords && row.slice(1).some(({ kind }) => kind !== 'empty')
  })
  if (!worded) return { fault: 'header-uncertain', detail: 'The first row holds numbers: the heading may be lost.' }
  const decimal = texts.slice(1, headers).flatMap(row => row.slice(1)).find(isDecimal)
  if (decimal !== undefined) return { fault: 'header-uncertain', detail: `"${decimal.trim()}" stands in a row of the heading: it may be data.` }
  return undefined
}

/** A column's headings from the outermost in; markup's spanning headings reach over what they cover. */
export function columnsOf (headers: readonly string[][], drawn: boolean): Heading[] {
  const filled: string[][] = []
  for (const [r, row] of headers.entries()) {
    const line = filledLine(row, filled)
    const own = row.map(withoutMarks)
    const leafless = (c: number) => headers.slice(r + 1).every(below => (below[c] ?? '').trim() === '')
    filled.push(drawn ? own : line.map((cell, c) => own[c] === '' && leafless(c) ? '' : cell))
  }
  return Array.from({ length: headers[0]?.length ?? 0 }, (_, index) => {
    const path = filled.map(line => line[index] ?? '')
      .filter((part, i, parts) => part !== '' && part !== parts[i - 1])
    return { index, path, name: path.join(' / ') }
  })
}

/** In print, an empty place beside a heading over several columns may be one that it covers. */
export function spansCertain (headers: readonly string[][]): boolean {
  return headers.slice(0, -1).every(row => row.slice(1).every(cell => cell.trim() !== ''))
}
