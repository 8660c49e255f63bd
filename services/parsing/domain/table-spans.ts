/**
 * Headings over several columns: above a short rule of their own, or centred over columns that the
 * next line fills one by one.
 */
import { overlapX, widthOf } from './line.ts'
import type { Box } from './page-glyphs.ts'
import type { Word, WordLine } from './words.ts'

/** First and last column, from 0. */
export type Span = readonly [number, number]

export interface SpanOptions {
  separators: readonly number[]
  /** Level rules, from the top. */
  level: readonly Box[]
  /** Baselines at or above are the header's. */
  body: number
}

/** Em that the middle of a heading may lie off the middle of its columns. */
const offMax = 0.6

/** @returns the columns of each chunk of the header that stands over more than it covers */
export function headerSpans (
  lines: readonly WordLine[], { separators, level, body }: SpanOptions
): Map<Word, Span> {
  const extents = extentsOf(lines, separators)
  const spans = new Map<Word, Span>()
  for (const [i, line] of lines.entries()) {
    if (line.baseline > body + 1) break
    const own = new Map(line.chunks.map(chunk => [chunk, coverOf(chunk.box, separators)]))
    for (const chunk of line.chunks) {
      const rule = ruleBelow(chunk, line, level)
      if (rule !== undefined) spans.set(chunk, coverOf(rule, separators))
      else {
        const next = lines.slice(i + 1, i + 3).flatMap(({ chunks }) => chunks)
        const filled = new Set(next.flatMap(({ box }) => columnsIn(coverOf(box, separators))))
        const span = centredOver(chunk, { own, filled, extents, off: offMax * line.size })
        if (span !== undefined) spans.set(chunk, span)
      }
    }
  }
  return spans
}

/** The columns that a box lies over. */
export function coverOf (box: Box, separators: readonly number[]): Span {
  const from = separators.filter(x => x <= box[0] + 1).length
  return [from, Math.max(from, separators.filter(x => x < box[2] - 1).length)]
}

function columnsIn ([from, to]: Span): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

/** Left and right edge of what stands in each column. */
function extentsOf (lines: readonly WordLine[], separators: readonly number[]): Span[] {
  const chunks = lines.slice(1).flatMap(line => line.chunks)
  return Array.from({ length: separators.length + 1 }, (_, column) => {
    const own = chunks.filter(({ box }) => coverOf(box, separators).every(edge => edge === column))
    return [Math.min(...own.map(({ box }) => box[0])), Math.max(...own.map(({ box }) => box[2]))]
  })
}

function ruleBelow (chunk: Word, line: WordLine, level: readonly Box[]): Box | undefined {
  const { box } = chunk
  const below = level.find(rule => rule[1] > line.baseline - 1 &&
    rule[1] < line.baseline + 0.9 * line.size && widthOf(rule) > widthOf(box) &&
    overlapX(rule, box) > 0.9 * widthOf(box))
  if (below === undefined) return undefined
  return line.chunks.some(other => other !== chunk && overlapX(other.box, below) > 1) ? undefined : below
}

interface Header {
  own: ReadonlyMap<Word, Span>
  filled: ReadonlySet<number>
  extents: readonly Span[]
  off: number
}

function centredOver (chunk: Word, { own, filled, extents, off }: Header): Span | undefined {
  const [first, last] = own.get(chunk)!
  const middle = middleOf(chunk.box)
  // What heads the first column spans nothing, so it claims none of the others.
  const beside = [...own].filter(([other]) => other !== chunk)
  const others = beside.filter(([, [from]]) => from > 0).map(([other]) => middleOf(other.box))
  const taken = new Set(beside.flatMap(([, span]) => columnsIn(span)))
  const isFree = (column: number) => {
    const [left, right] = extents[column]!
    const centre = (left + right) / 2
    return filled.has(column) && !taken.has(column) &&
      others.every(other => Math.abs(centre - other) >= Math.abs(centre - middle))
  }
  let best: Span | undefined
  for (let from = first; from >= 0 && isFree(from); from--) {
    for (let to = last; to < extents.length && isFree(to); to++) {
      const centre = (extents[from]![0] + extents[to]![1]) / 2
      const isMore = to > from && (best === undefined || to - from > best[1] - best[0])
      if (isMore && Math.abs(centre - middle) <= off) best = [from, to]
    }
  }
  return best
}

function middleOf (box: Box): number {
  return (box[0] + box[2]) / 2
}
