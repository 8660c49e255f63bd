/** What of a page's glyphs is to be seen in its pixels. */
import { charFlags, type Box, type Chars, type PageGlyphs, type Pixels } from './page-glyphs.ts'

/** A part of a page as rendered, one pixel a point or more. */
export interface View { pixels: Pixels, box: Box }

/** Glyphs `from` up to, not including, `to`. */
export interface Run { from: number, to: number }

/** Of 255: what every eye sees. */
export const contrastMin = 20

/** Whether the colour of most glyphs of a stretch is to be seen where they stand. */
export function isSeen (view: View, { chars }: PageGlyphs, { from, to }: Run): boolean {
  let seen = 0
  let all = 0
  for (let i = from; i < to; i++) {
    if (chars.code[i]! <= 32 || (chars.flags[i]! & charFlags.generated) !== 0) continue
    all++
    if (showsGlyph(view, chars, i)) seen++
  }
  return all === 0 || seen >= 0.4 * all
}

/** Whether something in a glyph's box comes nearer its colour than the ground is. */
function showsGlyph (view: View, chars: Chars, i: number): boolean {
  const { far, near } = distances(view, chars.box.subarray(i * 4, i * 4 + 4), {
    own: luminance(chars.color[i]!), air: 0
  })
  return far >= contrastMin && far - near >= 0.45 * far
}

/** Whether anything is painted in or close around a glyph's box. */
export function showsInk (view: View, { chars }: PageGlyphs, i: number): boolean {
  const { far, near } = distances(view, chars.box.subarray(i * 4, i * 4 + 4), { own: 0, air: 1.5 })
  return far - near >= 2 * contrastMin
}

/** Greatest and least difference in luminance between `own` and the pixels of a box and its `air`. */
function distances (
  { pixels, box: shown }: View, box: Float32Array, { own, air }: { own: number, air: number }
) {
  const scale = pixels.width / (shown[2] - shown[0])
  let far = 0
  let near = 255
  const x1 = Math.min(pixels.width, Math.ceil((box[2]! + air - shown[0]) * scale))
  const y1 = Math.min(pixels.height, Math.ceil((box[3]! + air - shown[1]) * scale))
  for (let y = Math.max(0, Math.floor((box[1]! - air - shown[1]) * scale)); y < y1; y++) {
    for (let x = Math.max(0, Math.floor((box[0]! - air - shown[0]) * scale)); x < x1; x++) {
      const at = (y * pixels.width + x) * 3
      const shade = 0.3 * pixels.data[at]! + 0.59 * pixels.data[at + 1]! + 0.11 * pixels.data[at + 2]!
      const distance = Math.abs(shade - own)
      if (distance > far) far = distance
      if (distance < near) near = distance
    }
  }
  return { far, near }
}

/** Of a colour 0xRRGGBB, 0 to 255. */
export function luminance (color: number): number {
  return 0.3 * (color >> 16 & 255) + 0.59 * (color >> 8 & 255) + 0.11 * (color & 255)
}
