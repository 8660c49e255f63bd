/** Scanned pages may carry what an OCR program read, painted invisibly: text, not hidden text. */
import { charFlags, type PageGlyphs } from './page-glyphs.ts'

/** Whether nearly all glyphs of a page are invisible and lie over pictures of much of the page. */
export function hasOcrLayer ({ chars, objects, width, height }: PageGlyphs): boolean {
  let invisible = 0
  let made = 0
  for (let i = 0; i < chars.count; i++) {
    if ((chars.flags[i]! & charFlags.generated) !== 0) made++
    else if ((chars.flags[i]! & charFlags.invisible) !== 0) invisible++
  }
  if (invisible === 0 || invisible < 0.9 * (chars.count - made)) return false
  const pictured = objects.filter(({ kind }) => kind === 'image')
    .reduce((sum, { box }) => sum + (box[2] - box[0]) * (box[3] - box[1]), 0)
  return pictured > 0.5 * width * height
}
