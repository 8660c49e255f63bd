/**
 * Letters that are none. Symbol fonts of many typesetters give their signs Latin codes: a "p" that
 * shows π, a "5" that shows =. The shape tells: a p has a tail below the baseline, a 5 stands on it.
 */
import { charFlags, type PageGlyphs } from './page-glyphs.ts'
import { greekOf } from './private-use.ts'

const codesMax = 128
/** A text font has more letters; a symbol font shows a few of its. */
const lettersMax = 14
/** Fonts of signs show hardly any letters at all. */
const lettersOfSignsMax = 4

/** Mean extent of one glyph, in em from the baseline: `top` up, `bottom` down. */
interface Shape { code: number, top: number, bottom: number, width: number }

/** What (font, code) shows, where it is not what its code says; key `font * 128 + code`. */
export type SoftMapping = ReadonlyMap<number, string>

export function findSoftMapping (pages: readonly PageGlyphs[], fontCount: number): SoftMapping {
  const found = new Map<number, string>()
  for (const [font, shapes] of measureShapes(pages, fontCount).entries()) {
    if (shapes.length === 0 || shapes.length > lettersMax) continue
    const isGreek = shapes.some(looksGreek)
    for (const shape of shapes) {
      const letter = String.fromCharCode(shape.code)
      const text = isGreek ? greekOf(letter) : shapes.length <= lettersOfSignsMax ? signOf(shape) : undefined
      if (text !== undefined) found.set(font * codesMax + shape.code, text)
    }
  }
  return found
}

/** @returns for each font its letters and digits */
function measureShapes (pages: readonly PageGlyphs[], fontCount: number): Shape[][] {
  const sums = new Float64Array(fontCount * codesMax * 3)
  const counts = new Uint32Array(fontCount * codesMax)
  for (const { chars: { count, code, font, size, origin, angle, box, flags } } of pages) {
    for (let i = 0; i < count; i++) {
      const own = code[i]!
      if (!isAlphanumeric(own) || angle[i] !== 0 || (flags[i]! & charFlags.generated) !== 0) continue
      const at = font[i]! * codesMax + own
      // A few show the shape; a text font has thousands.
      if (counts[at]! >= 20) continue
      counts[at]!++
      const em = size[i]! > 0 ? size[i]! : 1
      sums[at * 3]! += (origin[i * 2 + 1]! - box[i * 4 + 1]!) / em
      sums[at * 3 + 1]! += (box[i * 4 + 3]! - origin[i * 2 + 1]!) / em
      sums[at * 3 + 2]! += (box[i * 4 + 2]! - box[i * 4]!) / em
    }
  }
  return Array.from({ length: fontCount }, (_, font) => {
    const shapes: Shape[] = []
    for (let code = 48; code < 123; code++) {
      const at = font * codesMax + code
      const n = counts[at]!
      const [top = 0, bottom = 0, width = 0] = sums.subarray(at * 3, at * 3 + 3)
      if (n > 0) shapes.push({ code, top: top / n, bottom: bottom / n, width: width / n })
    }
    return shapes
  })
}

function isAlphanumeric (code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
}

/** Greek letters whose outline no Latin letter of their code can have. */
function looksGreek ({ code, top, bottom, width }: Shape): boolean {
  if (width < 0.2 || bottom > 0.45) return false
  const small = top > 0.3 && top < 0.57
  const tall = top > 0.62 && top < 0.85
  const tail = bottom > 0.12
  const stands = Math.abs(bottom) < 0.05
  switch (String.fromCharCode(code)) {
    case 'p': return small && stands
    case 'q': return tall && stands
    case 'm': case 'r': case 'h': case 'c': return small && tail
    case 'x': case 'z': case 'b': case 'y': return tall && tail
    case 'k': return small && stands
    default: return false
  }
}

/** The sign that digits and capitals too low or too high for themselves show. */
function signOf ({ code, top, bottom, width }: Shape): string | undefined {
  const height = top + bottom
  if (code >= 97 || height <= 0) return undefined
  if (bottom > 0.6) return code === 80 ? '\u2211' : ''
  if (width > 0.3 && height < 0.12 && bottom < 0) return '\u2212'
  if (width > 0.3 && height < 0.32 && bottom < -0.05) return '='
  if (width < 0.3 && height < 0.46 && bottom < -0.02) return '\u2032'
  if (height < 0.58 && top < 0.58 && bottom < 0.06 && Math.abs(width - height) < 0.14) return '+'
  return undefined
}
