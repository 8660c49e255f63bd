/**
 * How far the pen moves for each letter of each font, learned from letters that stand side by side.
 * Ink boxes lie about gaps: an italic f hangs over the space behind it, a j under the one before.
 */
import { charFlags, type PageGlyphs } from './page-glyphs.ts'

/** Codes with a place of their own; rarer ones fall back on their ink. */
const codesMax = 640
/** Fewer pairs say nothing. */
const pairsMin = 3

/** In em, by `font * 640 + code`; 0 where unknown. */
export interface Advances { of: (font: number, code: number) => number }

export function measureAdvances (pages: readonly PageGlyphs[], fontCount: number): Advances {
  const sums = new Float64Array(fontCount * codesMax)
  const pairs = new Uint32Array(fontCount * codesMax)
  for (const { chars } of pages) {
    const { count, code, font, size, origin, angle } = chars
    for (let i = 0; i + 1 < count; i++) {
      const own = code[i]!
      if (own <= 32 || own >= codesMax || code[i + 1]! <= 32 || font[i] !== font[i + 1]) continue
      if (size[i] !== size[i + 1] || angle[i] !== 0 || origin[i * 2 + 1] !== origin[i * 2 + 3]) continue
      // The letters of one ligature share its place.
      if (i > 0 && origin[i * 2] === origin[i * 2 - 2]) continue
      const step = (origin[i * 2 + 2]! - origin[i * 2]!) / size[i]!
      if (!(step > 0.05 && step < 1.5) || ((chars.flags[i + 1]! & charFlags.generated) !== 0)) continue
      const at = font[i]! * codesMax + own
      sums[at]! += step
      pairs[at]!++
    }
  }
  return {
    of (font, code) {
      if (code >= codesMax) return 0
      const at = font * codesMax + code
      return pairs[at]! < pairsMin ? 0 : sums[at]! / pairs[at]!
    }
  }
}
