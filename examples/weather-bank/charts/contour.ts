/** Lines of equal value of a field over a rectangle of pixels (marching squares). */
import type { Point } from './marks.ts'

export interface Grid { x: number, y: number, width: number, height: number, step: number }

export type Field = (x: number, y: number) => number

/** @returns straight pieces, each within one cell, in no order */
export function contour (field: Field, level: number, grid: Grid): Array<[Point, Point]> {
  const found: Array<[Point, Point]> = []
  const { step } = grid
  for (let y = grid.y; y < grid.y + grid.height; y += step) {
    for (let x = grid.x; x < grid.x + grid.width; x += step) {
      const corners: Point[] = [[x, y], [x + step, y], [x + step, y + step], [x, y + step]]
      const values = corners.map(([px, py]) => field(px, py) - level)
      const crossings: Point[] = []
      for (let side = 0; side < 4; side++) {
        const [a, b] = [values[side]!, values[(side + 1) % 4]!]
        if ((a < 0) === (b < 0)) continue
        const share = a / (a - b)
        const [from, to] = [corners[side]!, corners[(side + 1) % 4]!]
        crossings.push([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share])
      }
      for (let at = 0; at + 1 < crossings.length; at += 2) found.push([crossings[at]!, crossings[at + 1]!])
    }
  }
  return found
}
