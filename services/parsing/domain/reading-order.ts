/**
 * The order in which the text of a page is read. The content stream is the prior: producers write
 * text in the order they set it, so a run of lines that goes down one column is one block.
 * Geometry orders the blocks: above before below, left before right unless a block that spans
 * both lies between them (after Breuel 2003, "High Performance Document Layout Analysis").
 */
import { overlapX, unionOf, widthOf, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'

interface Block { lines: Line[], box: Box, order: number }

/** Leadings; a wider step ends a block. */
const stepMax = 2.6

/** Pages in more pieces (maps, tables in words) are read by column and height alone. */
const blocksMax = 250
const linesMax = 2500

/** @param lines running text of one page; floats, notes and running heads are left out before */
export function orderLines (lines: readonly Line[]): Line[] {
  const streamed = [...lines].sort((a, b) => a.order - b.order)
  if (lines.length > linesMax) return byColumn(lines)
  const blocks = splitCrossed(streamBlocks(streamed), streamed)
  if (blocks.length > blocksMax) return byColumn(lines)
  return sortBlocks(blocks, isWrittenByRows(streamed)).flatMap(block => block.lines)
}

function byColumn (lines: readonly Line[]): Line[] {
  return [...lines].sort((a, b) => a.column - b.column || a.baseline - b.baseline || a.box[0] - b.box[0])
}

/** A stream that hops between columns all the time says nothing of their order. */
function isWrittenByRows (streamed: readonly Line[]): boolean {
  const hops = streamed.filter((line, i) => i > 0 && line.column !== streamed[i - 1]!.column).length
  return hops > Math.max(8, 0.2 * streamed.length)
}

function streamBlocks (streamed: readonly Line[]): Line[][] {
  const blocks: Line[][] = []
  for (const line of streamed) {
    const last = blocks.at(-1)?.at(-1)
    if (last === undefined || breaks(last, line)) blocks.push([line])
    else blocks.at(-1)!.push(line)
  }
  return blocks
}

function breaks (last: Line, line: Line): boolean {
  const size = Math.max(last.size, line.size)
  const step = line.baseline - last.baseline
  if (step < -0.4 * size || step > stepMax * 1.2 * size) return true
  if (line.column !== last.column && overlapX(line.box, last.box) <= 0) return true
  return line.column !== last.column && last.column !== -1 && line.column !== -1
}

/** Cuts a block where a line of another block stands between two of its own. */
function splitCrossed (blocks: readonly Line[][], all: readonly Line[]): Block[] {
  const owner = new Map(blocks.flatMap((lines, i) => lines.map(line => [line, i] as const)))
  const byHeight = [...all].sort((a, b) => a.baseline - b.baseline)
  const parts = blocks.flatMap((lines, i) => {
    const cut: Line[][] = []
    for (const line of lines) {
      const last = cut.at(-1)?.at(-1)
      const crossed = last !== undefined && byHeight.some(other => owner.get(other) !== i &&
        other.baseline > last.baseline + 1 && other.baseline < line.baseline - 1 &&
        overlapX(other.box, line.box) > 0.3 * Math.min(widthOf(other.box), widthOf(line.box)))
      if (last === undefined || crossed) cut.push([line])
      else cut.at(-1)!.push(line)
    }
    return cut
  })
  return parts.map(lines => ({ lines, box: unionOf(lines.map(({ box }) => box)), order: lines[0]!.order }))
}

function sortBlocks (blocks: readonly Block[], byRows: boolean): Block[] {
  const before = blocks.map(b => blocks.filter(a => a !== b &&
    ((!byRows && isEarlierBand(a, b)) || precedes(a, b, blocks)) && (byRows || !isEarlierBand(b, a))))
  const left = new Set(blocks)
  const sorted: Block[] = []
  while (left.size > 0) {
    const open = blocks.filter(block => left.has(block))
    const free = open.filter(block => !before[blocks.indexOf(block)]!.some(other => left.has(other)))
    // A cycle is cut where the page begins.
    const next = free.length > 0
      ? free.reduce((a, b) => nearer(sorted.at(-1), a, b))
      : open.reduce((a, b) => a.box[1] <= b.box[1] ? a : b)
    left.delete(next)
    sorted.push(next)
  }
  return sorted
}

/** Of two free blocks the one that goes on in the column just read, else the one painted first. */
function nearer (last: Block | undefined, a: Block, b: Block): Block {
  if (last !== undefined) {
    const onA = overlapX(last.box, a.box) > 0 && a.box[1] >= last.box[1]
    const onB = overlapX(last.box, b.box) > 0 && b.box[1] >= last.box[1]
    if (onA !== onB) return onA ? a : b
  }
  return a.order <= b.order ? a : b
}

/** Right of `b` but wholly above it and painted before: a band that ended where `b` begins. */
function isEarlierBand (a: Block, b: Block): boolean {
  return a.box[0] >= b.box[2] - 3 && a.box[3] <= b.box[1] + 3 && a.order < b.order
}

function precedes (a: Block, b: Block, blocks: readonly Block[]): boolean {
  const shared = overlapX(a.box, b.box)
  if (shared > 0.15 * Math.min(widthOf(a.box), widthOf(b.box))) {
    return a.box[1] < b.box[1] || (a.box[1] === b.box[1] && a.order < b.order)
  }
  if (a.box[0] >= b.box[0]) return false
  // Left of it, and nothing that spans both lies between the two.
  return !blocks.some(c => c !== a && c !== b && overlapX(c.box, a.box) > 4 && overlapX(c.box, b.box) > 4 &&
    c.box[1] >= b.box[3] - 3 && c.box[3] <= a.box[1] + 3)
}
