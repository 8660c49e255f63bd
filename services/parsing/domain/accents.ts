/** Accents painted as glyphs of their own (TeX's older fonts) put onto the letters below them. */

const combining: Record<string, string> = {
  '\u00B4': '\u0301',
  ˊ: '\u0301',
  '`': '\u0300',
  ˋ: '\u0300',
  ˆ: '\u0302',
  '\u02DC': '\u0303',
  '\u00A8': '\u0308',
  ˇ: '\u030C',
  '\u02D8': '\u0306',
  '\u02D9': '\u0307',
  '\u02DA': '\u030A',
  '\u00AF': '\u0304',
  '\u00B8': '\u0327',
  '\u02DD': '\u030B'
}

/** What composing needs of a glyph. */
export interface Placed { text: string, box: readonly number[], y: number, size: number }

const accentsMax = 600
/** Glyphs around an accent in the stream that are looked at first. */
const near = 4

/** Changes the letters' `text`; returns the glyphs without the accents that found a letter. */
export function composeAccents<T extends Placed> (glyphs: T[]): T[] {
  const used = new Set<T>()
  let count = 0
  for (const [i, glyph] of glyphs.entries()) {
    const mark = combining[glyph.text]
    if (mark === undefined || ++count > accentsMax) continue
    const base = glyphs.slice(Math.max(0, i - near), i + near + 1).find(other => isUnder(other, glyph)) ??
      glyphs.find(other => isUnder(other, glyph))
    if (base === undefined) continue
    const letter = base.text === '\u0131' ? 'i' : base.text
    const composed = (letter + mark).normalize('NFC')
    if ([...composed].length !== 1) continue
    base.text = composed
    used.add(glyph)
  }
  return used.size === 0 ? glyphs : glyphs.filter(glyph => !used.has(glyph))
}

function isUnder (letter: Placed, accent: Placed): boolean {
  if (letter === accent || !/^\p{L}$/u.test(letter.text)) return false
  if (Math.abs(letter.y - accent.y) > 0.45 * letter.size) return false
  const centre = (accent.box[0]! + accent.box[2]!) / 2
  const middle = (letter.box[0]! + letter.box[2]!) / 2
  return Math.abs(centre - middle) < 0.28 * letter.size && accent.size < 1.3 * letter.size
}
