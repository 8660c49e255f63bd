/** Pictures of one figure set side by side, in rows, as one picture. */
import { decode } from 'fast-png'
import type { Pixels } from '../domain/page-glyphs.ts'
import { encodePng } from '../engine/png.ts'
import { toPng } from './images.ts'
import { scaledDown } from './scale.ts'

const gap = 20
const sideMax = 2_000
/** Of a panel, when there are many. */
const panelSide = 1_000

/** @returns undefined when no panel can be read; `missing` are those that cannot */
export async function composePanels (
  rows: ReadonlyArray<ReadonlyArray<Uint8Array | undefined>>
): Promise<{ png: Uint8Array, missing: number } | undefined> {
  const drawn: Pixels[][] = []
  let missing = 0
  for (const row of rows) {
    const pictures: Pixels[] = []
    for (const bytes of row) {
      const picture = bytes === undefined ? undefined : await toPng(bytes)
      if (picture === undefined) missing++
      else pictures.push(scaledDown(pixelsOf(picture.png), panelSide))
    }
    if (pictures.length > 0) drawn.push(pictures)
  }
  if (drawn.length === 0) return undefined
  return { png: encodePng(scaledDown(stacked(drawn), sideMax)), missing }
}

function pixelsOf (png: Uint8Array): Pixels {
  const { width, height, data } = decode(png)
  return { width, height, data: data as Uint8Array }
}

function stacked (rows: readonly Pixels[][]): Pixels {
  const heights = rows.map(row => Math.max(...row.map(({ height }) => height)))
  const widths = rows.map(row => row.reduce((sum, { width }) => sum + width, gap * (row.length - 1)))
  const width = Math.max(...widths)
  const height = heights.reduce((sum, own) => sum + own, gap * (rows.length - 1))
  const data = new Uint8Array(width * height * 3).fill(255)
  let top = 0
  for (const [i, row] of rows.entries()) {
    let left = Math.floor((width - widths[i]!) / 2)
    for (const picture of row) {
      for (let y = 0; y < picture.height; y++) {
        const line = picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3)
        data.set(line, ((top + y) * width + left) * 3)
      }
      left += picture.width + gap
    }
    top += heights[i]! + gap
  }
  return { width, height, data }
}
