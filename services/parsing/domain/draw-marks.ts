/** Boxes, their numbers and the way from one to the next, drawn onto the pixels of a page. */
import { markColors, type Mark } from './marks.ts'
import type { Pixels } from './page-glyphs.ts'

/** Rows of three bits, the leftmost the highest. */
const digits = [
  [7, 5, 5, 5, 7], [2, 6, 2, 2, 7], [7, 1, 7, 4, 7], [7, 1, 7, 1, 7], [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7], [7, 4, 7, 5, 7], [7, 1, 1, 2, 2], [7, 5, 7, 5, 7], [7, 5, 7, 1, 7]
] as const
const digitWidth = 3
const digitHeight = 5
const digitScale = 2

const fillShare = 0.12
const margin = 3
const white = 0xFFFFFF
const orderColor = 0x000000

interface Point { x: number, y: number }

/**
 * @param pixels drawn on, and given back
 * @param scale  pixels a point
 */
export function drawMarks (pixels: Pixels, marks: readonly Mark[], scale: number): Pixels {
  const scaled = marks.map(mark => ({ ...mark, box: mark.box.map(value => Math.round(value * scale)) }))
  for (const { kind, box } of scaled) drawBox(pixels, box, markColors[kind])
  const order = scaled.filter(({ place }) => place !== null)
  for (const [i, { box }] of order.entries()) {
    const next = order[i + 1]
    if (next !== undefined) drawWay(pixels, cornerOf(box), cornerOf(next.box))
  }
  // Numbers last: nothing covers them.
  for (const { kind, box, place } of order) {
    drawNumber(pixels, place ?? 0, { at: cornerOf(box), color: markColors[kind] })
  }
  return pixels
}

function cornerOf (box: readonly number[]): Point {
  return { x: box[0]!, y: box[1]! }
}

/** An outline two pixels wide around a tint. */
function drawBox (pixels: Pixels, box: readonly number[], color: number): void {
  // Outside the glyphs, which boxes of text fit closely.
  const [x0, y0, x1, y1] = [box[0]! - margin, box[1]! - margin, box[2]! + margin, box[3]! + margin]
  fill(pixels, [x0, y0, x1, y1], { color, share: fillShare })
  const edges = [[x0, y0, x1, y0 + 2], [x0, y1 - 2, x1, y1], [x0, y0, x0 + 2, y1], [x1 - 2, y0, x1, y1]]
  for (const edge of edges) fill(pixels, edge, { color, share: 1 })
}

interface Paint { color: number, share: number }

/** @param box half-open, in pixels; what is outside the picture is left out */
function fill ({ width, height, data }: Pixels, box: readonly number[], { color, share }: Paint): void {
  const channels = [color >> 16, (color >> 8) & 255, color & 255]
  for (let y = Math.max(0, box[1]!); y < Math.min(height, box[3]!); y++) {
    for (let x = Math.max(0, box[0]!); x < Math.min(width, box[2]!); x++) {
      const at = 3 * (y * width + x)
      for (const [i, channel] of channels.entries()) {
        data[at + i] = Math.round((1 - share) * data[at + i]! + share * channel)
      }
    }
  }
}

/** Bresenham's line; which way it goes the numbers at its ends say. */
function drawWay (pixels: Pixels, from: Point, to: Point): void {
  const [dx, dy] = [Math.abs(to.x - from.x), -Math.abs(to.y - from.y)]
  const [stepX, stepY] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)]
  let { x, y } = from
  for (let error = dx + dy; ;) {
    fill(pixels, [x, y, x + 1, y + 1], { color: orderColor, share: 0.6 })
    if (x === to.x && y === to.y) break
    const twice = 2 * error
    if (twice >= dy) { error += dy; x += stepX }
    if (twice <= dx) { error += dx; y += stepY }
  }
}

function drawNumber (pixels: Pixels, number: number, { at, color }: { at: Point, color: number }): void {
  const text = String(number)
  const [wide, high] = [(digitWidth + 1) * digitScale, digitHeight * digitScale]
  // Inside the picture, also where the box begins outside it.
  const x = Math.max(0, Math.min(at.x, pixels.width - text.length * wide - 2))
  const y = Math.max(0, Math.min(at.y - high - 4, pixels.height - high - 4))
  fill(pixels, [x, y, x + text.length * wide + 2, y + high + 4], { color, share: 1 })
  for (const [i, digit] of [...text].entries()) {
    for (const [row, bits] of digits[Number(digit)]!.entries()) {
      for (let column = 0; column < digitWidth; column++) {
        if ((bits >> (digitWidth - 1 - column) & 1) === 0) continue
        const [left, top] = [x + 2 + i * wide + column * digitScale, y + 2 + row * digitScale]
        fill(pixels, [left, top, left + digitScale, top + digitScale], { color: white, share: 1 })
      }
    }
  }
}
