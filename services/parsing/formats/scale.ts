/** Pixels made fewer. */
import type { Pixels } from '../domain/page-glyphs.ts'

/** @returns the same pixels if no side is longer than `sideMax`; else each the mean of those it covers */
export function scaledDown (pixels: Pixels, sideMax: number): Pixels {
  const longest = Math.max(pixels.width, pixels.height)
  if (longest <= sideMax) return pixels
  const width = Math.max(1, Math.round(pixels.width * sideMax / longest))
  const height = Math.max(1, Math.round(pixels.height * sideMax / longest))
  const data = new Uint8Array(width * height * 3)
  const column = edges(pixels.width, width)
  const row = edges(pixels.height, height)
  let to = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [red, green, blue] = [0, 0, 0]
      for (let fromY = row[y]!; fromY < row[y + 1]!; fromY++) {
        const end = (fromY * pixels.width + column[x + 1]!) * 3
        for (let from = (fromY * pixels.width + column[x]!) * 3; from < end; from += 3) {
          red += pixels.data[from]!
          green += pixels.data[from + 1]!
          blue += pixels.data[from + 2]!
        }
      }
      const count = (row[y + 1]! - row[y]!) * (column[x + 1]! - column[x]!)
      data[to++] = Math.round(red / count)
      data[to++] = Math.round(green / count)
      data[to++] = Math.round(blue / count)
    }
  }
  return { width, height, data }
}

/** Where each of `parts` begins; each has one at least, as there are fewer parts than pixels. */
function edges (length: number, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, i) => Math.floor(i * length / parts))
}
