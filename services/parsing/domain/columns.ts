/**
 * Gutters: vertical strips that almost no line crosses, with text on both sides. Found for each
 * page; a page with little text takes those of the pages around it.
 */
import type { Line } from './line.ts'

/** Middle of each gutter, from left to right. */
export type Gutters = number[]

const step = 2
/** Lines on either side that make a column. */
const linesMin = 6
/** Lines that cross the gutter (full-width floats, titles), as a share of those beside it. */
const crossedMax = 0.3

/**
 * @param lines  fragments of one page of about body size (figures' and tables' words mislead)
 * @param width  of the page, in points
 */
export function findGutters (lines: readonly Line[], width: number): Gutters {
  const wide = lines.filter(line => line.box[2] - line.box[0] > 0.12 * width)
  return split(wide, { from: 0, to: width, page: width }).sort((a, b) => a - b)
}

interface Strip { from: number, to: number, page: number }

function split (lines: readonly Line[], strip: Strip): Gutters {
  if (lines.length < 2 * linesMin) return []
  const x0 = Math.min(...lines.map(line => line.box[0]))
  const x1 = Math.max(...lines.map(line => line.box[2]))
  const margin = 0.2 * (x1 - x0)
  let best: { x: number, crossed: number } | undefined
  let from = 0
  for (let x = x0 + margin; x <= x1 - margin; x += step) {
    const crossed = crossings(lines, x)
    if (crossed === undefined) continue
    if (best === undefined || crossed < best.crossed) {
      best = { x, crossed }
      from = x
    } else if (crossed === best.crossed && x - best.x <= step * 20 && x - from === step) {
      from = x
      best = { x, crossed }
    }
  }
  if (best === undefined) return []
  const gutter = centre(lines, best.x)
  if (strip.to - strip.from < 0.55 * strip.page) return [gutter]
  const left = lines.filter(line => line.box[2] <= gutter + 2)
  const right = lines.filter(line => line.box[0] >= gutter - 2)
  return [
    ...split(left, { ...strip, to: gutter }),
    gutter,
    ...split(right, { ...strip, from: gutter })
  ]
}

/** Lines that cross `x`, or undefined when `x` does not part the lines into columns. */
function crossings (lines: readonly Line[], x: number): number | undefined {
  let left = 0
  let right = 0
  let crossed = 0
  for (const { box } of lines) {
    if (box[2] <= x + 1) left++
    else if (box[0] >= x - 1) right++
    else crossed++
  }
  const least = Math.max(linesMin, 0.12 * (left + right))
  if (left < least || right < least || crossed > crossedMax * (left + right)) return undefined
  return crossed
}

/** Half way between the lines left and right of `x`. */
function centre (lines: readonly Line[], x: number): number {
  const left = lines.filter(({ box }) => box[2] <= x + 1).map(({ box }) => box[2])
  const right = lines.filter(({ box }) => box[0] >= x - 1).map(({ box }) => box[0])
  return (percentile(left, 0.95) + percentile(right, 0.05)) / 2
}

function percentile (values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** Column of a box: the count of gutters left of it, or -1 when it lies on both sides of one. */
export function columnOf (box: readonly number[], gutters: Gutters): number {
  let column = 0
  for (const gutter of gutters) {
    const before = gutter - box[0]!
    const behind = box[2]! - gutter
    if (before > 4 && behind > 4 && Math.min(before, behind) > 0.04 * (box[2]! - box[0]!)) return -1
    if (behind > before) column++
  }
  return column
}
