/**
 * Gutters: vertical strips with lines side by side on both sides and none across, over a good part
 * of a page's height. Full-width parts of the page above or below do not matter.
 */
import type { Line } from './line.ts'

/** Middle of each gutter, from left to right. */
export type Gutters = number[]

const step = 2
/** Lines on either side of a gutter, over all stretches where it holds. */
const linesMin = 5
/** Lines on either side within one stretch. */
const stretchMin = 3

/**
 * @param lines  fragments of one page of about body size (figures' and tables' words mislead)
 * @param width  of the page, in points
 */
export function findGutters (lines: readonly Line[], width: number): Gutters {
  const wide = lines.filter(line => line.box[2] - line.box[0] > 0.1 * width)
    .sort((a, b) => a.baseline - b.baseline)
  return split(wide, width).sort((a, b) => a - b)
}

function split (lines: readonly Line[], width: number): Gutters {
  if (lines.length < 2 * linesMin) return []
  const x0 = Math.min(...lines.map(line => line.box[0]))
  const x1 = Math.max(...lines.map(line => line.box[2]))
  const margin = 0.2 * (x1 - x0)
  const counts: { x: number, held: number }[] = []
  for (let x = x0 + margin; x <= x1 - margin; x += step) counts.push({ x, held: held(lines, x) })
  const most = Math.max(0, ...counts.map(count => count.held))
  if (most < linesMin) return []
  const best = counts.filter(count => count.held >= 0.9 * most)
  // The plateau that holds the best count; its middle is the gutter.
  const from = best[0]!.x
  let to = from
  for (const { x } of best) if (x - to <= step * 1.5) to = x
  const gutter = (from + to) / 2
  if (x1 - x0 < 0.55 * width) return [gutter]
  const left = lines.filter(line => line.box[2] <= gutter + 2)
  const right = lines.filter(line => line.box[0] >= gutter - 2)
  return [...split(left, width), gutter, ...split(right, width)]
}

/** Whether lines stand on both sides of a gutter that is known from other pages. */
export function holdsGutter (lines: readonly Line[], gutter: number): boolean {
  return held([...lines].sort((a, b) => a.baseline - b.baseline), gutter) >= linesMin
}

/** Lines on the weaker side of `x`, over the stretches no line of which crosses it. */
function held (lines: readonly Line[], x: number): number {
  let sum = 0
  let left = 0
  let right = 0
  const flush = () => {
    const fewer = Math.min(left, right)
    if (fewer >= stretchMin) sum += fewer
    left = right = 0
  }
  for (const { box } of lines) {
    if (box[2] <= x + 1) left++
    else if (box[0] >= x - 1) right++
    else flush()
  }
  flush()
  return sum
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
