/**
 * Where the columns of a table are parted: at upright rules, and in strips that the words of nearly
 * all lines keep free. Headings over several columns cross such strips; a few of them may.
 */
import { median } from './line.ts'
import type { Box } from './page-glyphs.ts'
import type { Word, WordLine } from './words.ts'

/** Share of the lines that may run across a strip, and the least gap beside it, in em. */
const crossingShare = 0.22
const gapMin = 0.65

interface Strip { from: number, to: number }

/**
 * @param lines   of the table, notes left out
 * @param upright rules of at least half the table's height
 * @returns       x of each separator, from the left; none when words do not align
 */
export function findSeparators (lines: readonly WordLine[], upright: readonly Box[]): number[] {
  const chunks = lines.flatMap(line => line.chunks)
  if (chunks.length === 0) return []
  const left = Math.min(...chunks.map(({ box }) => box[0]))
  const right = Math.max(...chunks.map(({ box }) => box[2]))
  const ruled = upright.map(box => (box[0] + box[2]) / 2).filter(x => x > left + 2 && x < right - 2)
  const size = lines[0]!.size
  const open = freeStrips(lines, left, right).flatMap(strip => splitSparse(strip, chunks))
    .filter(strip => isGap(strip, lines, size))
    .filter(({ from, to }) => !ruled.some(x => x > from - size && x < to + size))
  return [...ruled, ...open.map(strip => quietest(strip, chunks))].sort((a, b) => a - b)
}

function freeStrips (lines: readonly WordLine[], left: number, right: number): Strip[] {
  const count = lines.length
  const allowed = count < 3 ? 0 : Math.max(1, Math.floor(crossingShare * count))
  const crossing = crossings(lines.flatMap(({ chunks }) => chunks), left, right)
  const strips: Strip[] = []
  for (const [i, crossed] of crossing.entries()) {
    const x = left + i
    if (crossed > allowed) continue
    const last = strips.at(-1)
    if (last !== undefined && x - last.to <= 1.01) last.to = x
    else strips.push({ from: x, to: x })
  }
  return strips.filter(({ from, to }) => from > left + 1 && to < right - 1)
}

/** How many chunks lie over each point from `left` to `right`. */
function crossings (chunks: readonly Word[], left: number, right: number): number[] {
  const counts = new Array<number>(Math.max(1, Math.ceil(right - left) + 1)).fill(0)
  for (const { box } of chunks) {
    const end = Math.min(counts.length - 1, box[2] - left)
    for (let i = Math.max(0, Math.ceil(box[0] - left)); i <= end; i++) counts[i]!++
  }
  return counts
}

/** A column that few rows fill lies within a strip: two words or more, one under the other. */
function splitSparse (strip: Strip, chunks: readonly Word[]): Strip[] {
  const inside = chunks.filter(({ box }) => box[0] > strip.from - 1 && box[2] < strip.to + 1)
    .sort((a, b) => a.box[0] - b.box[0])
  const groups: { from: number, to: number, words: number }[] = []
  for (const { box } of inside) {
    const last = groups.at(-1)
    if (last !== undefined && box[0] < last.to) {
      last.to = Math.max(last.to, box[2])
      last.words++
    } else groups.push({ from: box[0], to: box[2], words: 1 })
  }
  const columns = groups.filter(({ words }) => words > 1)
  const edges = [strip.from, ...columns.flatMap(({ from, to }) => [from, to]), strip.to]
  const strips: Strip[] = []
  for (let i = 0; i < edges.length; i += 2) {
    if (edges[i + 1]! > edges[i]!) strips.push({ from: edges[i]!, to: edges[i + 1]! })
  }
  return strips
}

/** Whether lines have words on both sides, wider apart than words of a sentence. */
function isGap ({ from, to }: Strip, lines: readonly WordLine[], size: number): boolean {
  const x = (from + to) / 2
  const gaps = lines.flatMap(({ chunks }) => {
    const before = chunks.filter(({ box }) => (box[0] + box[2]) / 2 < x).at(-1)
    const behind = chunks.find(({ box }) => (box[0] + box[2]) / 2 >= x)
    return before === undefined || behind === undefined ? [] : [behind.box[0] - before.box[2]]
  })
  return gaps.length >= Math.min(2, lines.length) && median(gaps) >= gapMin * size
}

/** Within a strip the middle of the part that the fewest words cross. */
function quietest ({ from, to }: Strip, chunks: readonly Word[]): number {
  const counts = crossings(chunks, from, to)
  const least = Math.min(...counts)
  let best = { from: 0, length: 0 }
  for (let i = 0; i < counts.length; i++) {
    let end = i
    while (end < counts.length && counts[end] === least) end++
    if (end - i > best.length) best = { from: i, length: end - i }
    i = Math.max(i, end)
  }
  return Math.min(to, from + best.from + (best.length - 1) / 2)
}
