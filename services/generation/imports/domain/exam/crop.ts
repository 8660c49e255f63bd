/** A picture cut out of the image of its page. */
import { decode, encode } from 'fast-png'
import type { Area } from './picture-areas.ts'

/** Points; less is a rule, a frame's edge or dirt. */
const sideMin = 24
/** Of 255: paper that was scanned is not quite white. */
const inkBelow = 235
/** Pixels of white that stay round it. */
const border = 4

export interface PageImage { png: Uint8Array, width: number, height: number }

interface Pixels { data: ArrayLike<number>, width: number, height: number, channels: number }

/**
 * @param width,height of the page in points
 * @returns for each area a PNG of what is on it without the white around; undefined where there is nothing
 */
export function cropPictures (
  { png, width, height }: PageImage, areas: readonly Area[]
): Array<Uint8Array | undefined> {
  const page = decode(png)
  return areas.map(({ box }) => {
    const [x, y] = [page.width / width, page.height / height]
    const within: Rectangle = [
      Math.max(0, Math.floor(box[0] * x)), Math.max(0, Math.ceil(box[1] * y)),
      Math.min(page.width, Math.ceil(box[2] * x)), Math.min(page.height, Math.floor(box[3] * y))
    ]
    const inked = inkOf(page, within)
    if (inked === undefined) return undefined
    const isSmall = (inked[2] - inked[0]) / x < sideMin || (inked[3] - inked[1]) / y < sideMin
    if (isSmall) return undefined
    return cut(page, [
      Math.max(within[0], inked[0] - border), Math.max(within[1], inked[1] - border),
      Math.min(within[2], inked[2] + border), Math.min(within[3], inked[3] + border)
    ])
  })
}

type Rectangle = [number, number, number, number]

function inkOf ({ data, width, channels }: Pixels, [x0, y0, x1, y1]: Rectangle): Rectangle | undefined {
  const found: Rectangle = [x1, y1, x0, y0]
  const colours = channels < 3 ? 1 : 3
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const at = (y * width + x) * channels
      let isInk = false
      for (let colour = 0; colour < colours; colour++) isInk ||= data[at + colour]! < inkBelow
      if (!isInk) continue
      found[0] = Math.min(found[0], x)
      found[1] = Math.min(found[1], y)
      found[2] = Math.max(found[2], x + 1)
      found[3] = Math.max(found[3], y + 1)
    }
  }
  return found[2] > found[0] ? found : undefined
}

function cut ({ data, width, channels }: Pixels, [x0, y0, x1, y1]: Rectangle): Uint8Array {
  const own = new Uint8Array((x1 - x0) * (y1 - y0) * channels)
  let to = 0
  for (let y = y0; y < y1; y++) {
    for (let at = (y * width + x0) * channels; at < (y * width + x1) * channels; at++) own[to++] = data[at]!
  }
  return encode({ width: x1 - x0, height: y1 - y0, data: own, channels })
}
