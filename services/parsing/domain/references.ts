/** The reference list: entries by their labels, or by hanging indents. */
import { joinLines } from './clean-text.ts'
import { groupBy } from './group.ts'
import type { Line } from './line.ts'
import { columnEdges } from './paragraphs.ts'
import { readReference, type ReferenceParts } from './reference-entry.ts'

export interface DraftReference extends ReferenceParts { label: string, text: string }

/** "10.1080/…" at the start of a line is no label. */
const labelled = /^\s*(?:\[(\d{1,3}|[A-Z][\w+]{1,12})\]|\((\d{1,3})\)|(\d{1,3})(?:[.)](?!\d)|(?=\s|\p{L})))\s*(?=\S)/u
const referencesMax = 2000

/** @param lines of the list in reading order, its heading left out */
export function splitReferences (lines: readonly Line[], words: ReadonlyMap<string,
  number>): DraftReference[] {
  const starts = numberedStarts(lines) ?? hangingStarts(lines)
  const entries: DraftReference[] = []
  for (const [i, from] of starts.slice(0, referencesMax).entries()) {
    const text = joinLines(closeDois(lines.slice(from, starts[i + 1] ?? lines.length)), words)
    if (text.length > 12) entries.push(readEntry(text))
  }
  return entries
}

/** Indexes of lines whose numbers count up; undefined when few do. */
function numberedStarts (lines: readonly Line[]): number[] | undefined {
  const starts: number[] = []
  let next: number | undefined
  let form: number | undefined
  for (const [i, line] of lines.entries()) {
    const match = labelled.exec(line.text)
    // One list has labels of one form: "10.1080/…" at the start of a line is no "10." below "[9]".
    const own = match?.slice(1).findIndex(label => label !== undefined)
    if (form !== undefined && own !== form) continue
    const number = Number(match?.[1] ?? match?.[2] ?? match?.[3] ?? NaN)
    if (Number.isNaN(number)) continue
    const counts = next === undefined ? number <= 2 : number >= next && number <= next + 2
    if (!counts) continue
    starts.push(i)
    form = own
    next = number + 1
  }
  const bracketed = lines.filter(line => /^\s*\[[^\]]{1,14}\]/.test(line.text)).length
  if (bracketed > 3 && bracketed > 1.5 * starts.length) {
    return lines.flatMap((line, i) => /^\s*\[[^\]]{1,14}\]/.test(line.text) ? [i] : [])
  }
  const enough = starts.length >= 3 || (starts.length === 2 && starts[0] === 0)
  return enough && starts.length > lines.length / 14 ? starts : undefined
}

/**
 * Entries begin at the column's left edge and go on indented, or begin indented and go on at the
 * edge; without indents they begin after full stops.
 */
function hangingStarts (lines: readonly Line[]): number[] {
  const edges = columnEdges(lines)
  const least = outerEdges(lines)
  const isOut = (line: Line) => line.box[0] < least.get(edgeKey(line))! + 4
  const isFull = (line: Line) => line.box[2] > edges.get(edgeKey(line))!.right - 3 * line.size
  const inner = lines.filter((line, i) => i > 0 && !isOut(line))
  // A line that goes on stands behind one that filled its column.
  const going = lines.filter((line, i) => i > 0 && !isOut(line) &&
    (isFull(lines[i - 1]!) || !isOut(lines[i - 1]!)))
  if (inner.length >= Math.max(1, 0.03 * lines.length)) {
    const hanging = going.length >= 0.6 * inner.length && lines.some(isOut)
    return lines.flatMap((line, i) => isOut(line) === hanging || i === 0 ? [i] : [])
  }
  return lines.flatMap((line, i) => {
    const last = lines[i - 1]
    if (last === undefined) return [i]
    const right = edges.get(edgeKey(last))!.right
    const gap = line.page === last.page && line.baseline - last.baseline > 1.4 * line.size
    return gap || (/[.)\d]$/.test(last.text.trim()) && last.box[2] < right - 12) ? [i] : []
  })
}

function edgeKey (line: Line): string {
  return `${line.page}|${line.column}`
}

/** Left edge of each column: the leftmost x that two lines share. */
function outerEdges (lines: readonly Line[]): Map<string, number> {
  const columns = groupBy(lines, edgeKey)
  return new Map([...columns].map(([key, group]) => {
    const lefts = group.map(({ box }) => box[0]).sort((a, b) => a - b)
    return [key, lefts.find((x, i) => i + 1 < lefts.length && lefts[i + 1]! - x < 2) ?? lefts[0]!]
  }))
}

/**
 * Where a reference list without a heading begins: the line that opens "[1]" or "1." with most of
 * the next numbers behind it. -1 when there is none.
 */
export function findBareList (lines: readonly Line[]): number {
  const numbers = lines.map(line => {
    const match = labelled.exec(line.text)
    return Number(match?.[1] ?? match?.[3] ?? NaN)
  })
  for (let from = lines.length - 1; from >= 0; from--) {
    if (numbers[from] !== 1) continue
    let next = 2
    for (const number of numbers.slice(from + 1)) if (number === next) next++
    if (next > 8 && lines.length - from < 8 * next) return from
  }
  return -1
}

const behindList = /^(?:conflicts? of interests?|competing interests?|author contributions?|funding|publisher.s note|data availability|acknowledge?ments?|copyright \u00A9|\u00A9 \d{4}|supplementary (?:material|information)|ethics|disclosure)\b/i

/** Whether a line opens what journals print behind the list: statements under run-in names, imprints. */
export function closesList (line: Line): boolean {
  const first = line.spans[0]
  return behindList.test(line.text.trim()) && first !== undefined &&
    (line.spans.length > 1 || first.bold || first.italic || /^(?:copyright|\u00A9)/i.test(line.text.trim()))
}

function readEntry (text: string): DraftReference {
  const match = labelled.exec(text)
  const label = match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
  const rest = match === null ? text : text.slice(match[0].length)
  return { label, text: rest, ...readReference(rest) }
}

/** A DOI broken at a line end goes on without a space. */
function closeDois (lines: readonly Line[]): { text: string, hyphen: boolean }[] {
  const closed: { text: string, hyphen: boolean }[] = []
  for (const { text, hyphen } of lines) {
    const last = closed.at(-1)
    if (last !== undefined && /(?:\b10\.\d{4,9}\/\S*|\bdoi\.org\/\S*)$/i.test(last.text) &&
      /^[\w.()/:;<>-]*\d[\w.()/:;<>-]*[.,]?(?:\s|$)/.test(text.trim())) {
      closed[closed.length - 1] = { text: last.text + text.trim(), hyphen }
    } else closed.push({ text: text.trimEnd(), hyphen })
  }
  return closed
}
