import type { Box } from '../page-glyphs.ts'

/** The share of the smaller of two boxes that lies in the other, 0 to 1; 0 for a box without an area. */
export function overlapOf (a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  const least = Math.min(areaOf(a), areaOf(b))
  return width <= 0 || height <= 0 || least <= 0 ? 0 : width * height / least
}

function areaOf ([x0, y0, x1, y1]: Box): number {
  return Math.max(0, x1 - x0) * Math.max(0, y1 - y0)
}
