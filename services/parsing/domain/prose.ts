/** Which lines are running text: set in a style the paper uses much, in line with their neighbours. */
import { overlapX, widthOf, type Line } from './line.ts'

/** Share of a paper's glyphs that makes a style one of its text styles. */
const styleShareMin = 0.025
/** Of the width of the widest lines in the column. */
const longShare = 0.42

/** Styles as `font|size` that carry much of the text of a paper. */
export function findTextStyles (lines: readonly Line[]): Set<string> {
  const counts = new Map<string, number>()
  let total = 0
  for (const line of lines) {
    counts.set(styleOf(line), (counts.get(styleOf(line)) ?? 0) + line.glyphs)
    total += line.glyphs
  }
  return new Set([...counts].filter(([, count]) => count > styleShareMin * total).map(([key]) => key))
}

export function styleOf (line: Line): string {
  return `${line.font}|${Math.round(line.size * 2) / 2}`
}

/** @param lines of one page */
export function findProse (lines: readonly Line[], styles: ReadonlySet<string>): Set<Line> {
  const candidates = lines.filter(line => line.gaps < 2 && styles.has(styleOf(line)))
    .sort((a, b) => a.baseline - b.baseline)
  const widths = columnWidths(candidates)
  const prose = new Set<Line>()
  const below = new Map<Line, Line>()
  candidates.forEach((line, i) => {
    const next = nextLine(line, candidates, i)
    if (next !== undefined) below.set(line, next)
  })
  const isLong = (line: Line) => widthOf(line.box) > longShare * (widths.get(line.column) ?? 0)
  for (const [line, next] of below) {
    if (!isLong(line) || !isLong(next)) continue
    prose.add(line)
    prose.add(next)
  }
  // First and last lines of paragraphs are short: they hang on a long one.
  for (const [line, next] of below) {
    if (prose.has(line) && !prose.has(next)) prose.add(next)
    else if (prose.has(next) && isLong(line)) prose.add(line)
  }
  return prose
}

function columnWidths (lines: readonly Line[]): Map<number, number> {
  const all = new Map<number, number[]>()
  for (const line of lines) all.set(line.column, [...all.get(line.column) ?? [], widthOf(line.box)])
  return new Map([...all].map(([column, widths]) =>
    [column, widths.sort((a, b) => a - b)[Math.floor(widths.length * 0.8)] ?? 0]))
}

function nextLine (line: Line, sorted: readonly Line[], at: number): Line | undefined {
  for (let i = at + 1; i < sorted.length; i++) {
    const other = sorted[i]!
    const step = other.baseline - line.baseline
    if (step > 2 * line.size) return undefined
    if (step < 0.8 * line.size || Math.abs(other.size - line.size) > 0.4) continue
    const near = Math.abs(other.box[0] - line.box[0]) < 3 * line.size
    if (near && overlapX(other.box, line.box) > 0) return other
  }
  return undefined
}
