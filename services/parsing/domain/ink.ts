/** Connected patches of ink on a page from which the text was wiped: pictures, plots, rules. */
import { areaOf } from './line.ts'
import type { Box, Pixels } from './page-glyphs.ts'

/** Levels of grey (of 255) from which a pixel counts as paper. */
const paper = 246

export interface InkOptions {
  /** Boxes to wipe, in points. */
  wipe: readonly Box[]
  /** Points up to which patches are one. */
  reach: number
  /** Pixels a point. */
  scale: number
}

/** More patches than a figure can have; the smallest are left out. */
const patchesMax = 400

/** @returns boxes in points, from the top, at most 400 */
export function findInk (pixels: Pixels, { wipe, reach, scale }: InkOptions): Box[] {
  const cell = Math.max(1, Math.round(reach * scale / 2))
  const grid = toCells(inkOf(pixels, wipe, scale), pixels, cell)
  const found = patches(grid)
  const sizes = found.map(areaOf).sort((a, b) => b - a)
  const least = sizes[patchesMax] ?? 0
  return found.filter(box => areaOf(box) >= least).slice(0, patchesMax)
    .map(([x0, y0, x1, y1]) => [x0 / scale, y0 / scale, x1 / scale, y1 / scale])
}

function inkOf ({ width, height, data }: Pixels, wipe: readonly Box[], scale: number): Uint8Array {
  const ink = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < ink.length; i++, at += 3) {
    if (data[at]! < paper || data[at + 1]! < paper || data[at + 2]! < paper) ink[i] = 1
  }
  for (const [x0, y0, x1, y1] of wipe) {
    const from = Math.max(0, Math.floor(x0 * scale) - 1)
    const to = Math.min(width, Math.ceil(x1 * scale) + 1)
    const bottom = Math.min(height, Math.ceil(y1 * scale) + 1)
    for (let y = Math.max(0, Math.floor(y0 * scale) - 1); y < bottom; y++) {
      if (to > from) ink.fill(0, y * width + from, y * width + to)
    }
  }
  return ink
}

interface Cells { across: number, down: number, boxes: (Box | undefined)[] }

/** Exact extent of the ink in each square cell; patches of cells are found, not of pixels. */
function toCells (ink: Uint8Array, { width, height }: Pixels, cell: number): Cells {
  const across = Math.ceil(width / cell)
  const down = Math.ceil(height / cell)
  const boxes = new Array<Box | undefined>(across * down)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (ink[y * width + x] === 0) continue
      const at = Math.floor(y / cell) * across + Math.floor(x / cell)
      const box = boxes[at]
      if (box === undefined) {
        boxes[at] = [x, y, x + 1, y + 1]
        continue
      }
      if (x < box[0]) box[0] = x
      if (x + 1 > box[2]) box[2] = x + 1
      if (y + 1 > box[3]) box[3] = y + 1
    }
  }
  return { across, down, boxes }
}

function patches ({ across, down, boxes }: Cells): Box[] {
  const seen = new Uint8Array(boxes.length)
  const found: Box[] = []
  for (let start = 0; start < boxes.length; start++) {
    if (seen[start] === 1 || boxes[start] === undefined) continue
    const patch: Box = [...boxes[start]!]
    const queue = [start]
    seen[start] = 1
    while (queue.length > 0) {
      const at = queue.pop()!
      grow(patch, boxes[at]!)
      const x = at % across
      const y = (at - x) / across
      for (let j = Math.max(0, y - 1); j <= Math.min(down - 1, y + 1); j++) {
        for (let i = Math.max(0, x - 1); i <= Math.min(across - 1, x + 1); i++) {
          const next = j * across + i
          if (seen[next] === 1 || boxes[next] === undefined) continue
          seen[next] = 1
          queue.push(next)
        }
      }
    }
    found.push(patch)
  }
  return found
}

function grow (box: Box, other: Box): void {
  box[0] = Math.min(box[0], other[0])
  box[1] = Math.min(box[1], other[1])
  box[2] = Math.max(box[2], other[2])
  box[3] = Math.max(box[3], other[3])
}
