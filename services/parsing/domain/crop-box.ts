/** From the art of a figure to the box that is cut out: some air, no words of others. */
import { overlapX, overlapY } from './line.ts'
import type { Box } from './page-glyphs.ts'

export interface CropPage {
  width: number
  height: number
  /** Lines of text and boxes of other floats that the crop must not take in. */
  walls: readonly Box[]
}

/** Points of air: strokes are wider than the ink that a small rendering shows. */
const air = 3

/** @returns a box within the page that holds `art` and ends before every wall beside it */
export function cropBox (art: Box, { width, height, walls }: CropPage): Box {
  const aim: Box = [
    Math.max(0, art[0] - air), Math.max(0, art[1] - air),
    Math.min(width, art[2] + air), Math.min(height, art[3] + air)
  ]
  const box: Box = [...art]
  for (const side of [3, 1, 0, 2] as const) box[side] = limit(side, { box, aim: aim[side], walls })
  return box
}

/** How far a side may be moved out to `aim` before it meets a wall. */
function limit (side: 0 | 1 | 2 | 3, { box, aim, walls }: { box: Box, aim: number, walls: readonly Box[] }) {
  const across = side % 2 === 0
  const outward = side < 2 ? -1 : 1
  let edge = aim
  for (const wall of walls) {
    const faces = across ? overlapY(wall, box) : overlapX(wall, box)
    if (faces <= 0.5) continue
    const near = side < 2 ? wall[side + 2]! : wall[side - 2]!
    // Walls that the art already touches end it where it is.
    if ((near - box[side]) * outward < -3) continue
    const stop = near - outward
    if ((edge - stop) * outward > 0) edge = (stop - box[side]) * outward > 0 ? stop : box[side]
  }
  return edge
}
