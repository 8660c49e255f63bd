/** Warnings about the text layer itself: missing or wrong. */
import type { DocumentWarning } from '../../../shared/contracts/document.ts'
import type { PageGlyphs } from './page-glyphs.ts'

/** Glyphs a page, on average, below which a paper counts as pictures. */
const glyphsMin = 20

export function textWarnings (pages: readonly PageGlyphs[], text: string): DocumentWarning[] {
  const warnings: DocumentWarning[] = []
  if (lacksText(pages)) {
    warnings.push({ code: 'no-text-layer', detail: 'The pages are pictures: there is no text to read. Send the file again with ?ocr=true to have it recognised, or run OCR on it first.' })
  } else if (isGarbled(text)) {
    warnings.push({ code: 'text-unreliable', detail: 'The fonts map glyphs to wrong characters: the text is not what the pages show. Use another copy of the paper.' })
  }
  return warnings
}

/** Whether the pages are pictures, scans above all. */
export function lacksText (pages: readonly PageGlyphs[]): boolean {
  return pages.reduce((sum, { chars }) => sum + chars.count, 0) < glyphsMin * pages.length
}

/**
 * Garbled text keeps its length but not its language: Latin words without vowels, odd characters.
 * Letters of scripts without vowels count as sound. A paper may have one broken font among sound
 * ones: then one word in a hundred with two signs that hardly ever meet in a word is enough.
 */
export function isGarbled (text: string): boolean {
  const words = text.match(/[^\s\d.,;:()[\]]{4,}/g) ?? []
  if (words.length < 50) return false
  const mixed = words.filter(word => twoOddSigns.test(word)).length
  if (mixed >= 20 && mixed > 0.01 * words.length) return true
  const sound = words.filter(isSound).length
  return sound < 0.6 * words.length
}

/** Latin-1 signs, and phonetic or African letters, as they stand in for others in a broken font. */
const twoOddSigns = /[\u00A1-\u00B6\u00B8-\u00BF\u0180-\u02FF]\p{L}{0,20}[\u00A1-\u00BF\u0180-\u02FF]/u

function isSound (word: string): boolean {
  // eslint-disable-next-line no-misleading-character-class -- ranges of scripts, marks included
  if (/[\u0370-\u03FF\u0400-\u052F\u0590-\u06FF\u0900-\u0DFF\u0E00-\u0E7F\u1100-\u11FF\u3040-\u9FFF\uAC00-\uD7AF]/u.test(word)) return true
  if (!/^[\p{L}\p{M}'\u2019/-]+[!?"\u201D%]*$/u.test(word)) return false
  return /[aeiouy\u00E0-\u00FF]/i.test(word)
}
