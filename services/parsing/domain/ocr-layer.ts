/** Scanned pages may carry what an OCR program read, invisibly: text, not hidden text. */
import { charFlags, type PageGlyphs, type PageObject } from './page-glyphs.ts'

/**
 * Whether nearly all glyphs of a page are invisible, or painted below a picture, and pictures fill
 * much of the page.
 */
export function hasOcrLayer (page: PageGlyphs): boolean {
  const { chars, objects, width, height } = page
  const pictures = objects.filter(({ kind }) => kind === 'image')
  const pictured = pictures.reduce((sum, { box }) => sum + (box[2] - box[0]) * (box[3] - box[1]), 0)
  if (pictured <= 0.5 * width * height) return false
  let unseen = 0
  let made = 0
  for (let i = 0; i < chars.count; i++) {
    if ((chars.flags[i]! & charFlags.generated) !== 0) made++
    else if ((chars.flags[i]! & charFlags.invisible) !== 0 || isBelow(page, i, pictures)) unseen++
  }
  return unseen > 0 && unseen >= 0.9 * (chars.count - made)
}

function isBelow ({ chars }: PageGlyphs, i: number, pictures: readonly PageObject[]): boolean {
  const x = chars.origin[i * 2]!
  const y = chars.origin[i * 2 + 1]!
  return pictures.some(({ box, layer = 0 }) => layer > chars.layer[i]! && chars.layer[i]! > 0 &&
    x > box[0] && x < box[2] && y > box[1] && y < box[3])
}
