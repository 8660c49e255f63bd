/** The text of scanned pages, one picture after the other. */
import type { Document } from '../../../shared/contracts/document.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { glyphsOf, recognitionOf, type RecognisedPage } from '../domain/ocr-glyphs.ts'
import type { GlyphSource, PageGlyphs } from '../domain/page-glyphs.ts'
import { openTesseract } from './tesseract.ts'

export interface OcrOptions {
  pagesMax: number
  /** As Tesseract names them: `eng+kor`. */
  languages: string
}

export interface Recognised {
  pages: PageGlyphs[]
  warnings: Document['warnings']
}

/** What Tesseract was trained on; larger pictures take longer and read no better. */
const dpiMax = 300
const sideMax = 3_300
/** Below, the text is not what the pages show. */
const confidenceMin = 60

/** @throws Problem paper-too-long; engine-refused when recognition is not installed */
export async function recognisePages (
  source: GlyphSource, pages: readonly PageGlyphs[], { pagesMax, languages }: OcrOptions
): Promise<Recognised> {
  if (pages.length > pagesMax) {
    throw new Problem('paper-too-long', `This scan has ${pages.length} pages; text is recognised on ${pagesMax} at most. Split it, or run OCR on it elsewhere and upload the result.`)
  }
  const { version, read } = await openTesseract(languages)
  const recognised: RecognisedPage[] = []
  for (const page of pages) {
    const { width, height } = page
    const dpi = Math.min(dpiMax, sideMax * 72 / Math.max(width, height, 1))
    const pixels = source.render(page.number, [0, 0, width, height], dpi)
    // What was asked for may have been lowered.
    const drawn = pixels.width * 72 / width
    recognised.push({ page, dpi: drawn, lines: read(pixels, drawn) })
  }
  source.fonts.splice(0, source.fonts.length, { name: 'recognised', weight: 400, italic: false, bold: false })
  return { pages: glyphsOf(recognised), warnings: recognitionWarnings(recognised, `Tesseract ${version}, ${languages}`) }
}

export function recognitionWarnings (pages: readonly RecognisedPage[], by: string): Document['warnings'] {
  const { confidence, words, unread } = recognitionOf(pages)
  const found = { code: 'ocr', detail: `The text was recognised from pictures of the pages (${by}): ${words} words, ${unread} more were too unclear, mean confidence ${confidence} of 100. Compare it with the page before you quote it.` }
  if (words > 0 && confidence >= confidenceMin) return [found]
  return [found, { code: 'text-unreliable', detail: 'Recognition is so unsure of this text that it is probably in a language that was not looked for, or the scan is bad. Set PARSING_OCR_LANGUAGES, or use another copy of the paper.' }]
}
