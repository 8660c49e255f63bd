/** What text recognition finds on a page, as glyphs: the structure layer then sees a page like any other. */
import { charFlags, type Box, type Chars, type PageGlyphs } from './page-glyphs.ts'

/** Boxes and lengths in pixels of the picture that was read, origin top left. */
export interface RecognisedLine {
  /** y of the pen. */
  baseline: number
  /** From the foot of the lowest to the head of the tallest letter that might stand in it. */
  height: number
  words: RecognisedWord[]
}

export interface RecognisedWord {
  /** 0 to 100. */
  confidence: number
  symbols: Array<{ text: string, box: Box }>
}

export interface RecognisedPage {
  page: Pick<PageGlyphs, 'number' | 'width' | 'height'>
  dpi: number
  lines: RecognisedLine[]
}

/** Words below are dirt, lines of drawings, or of a script that was not looked for. */
const confidenceMin = 20
/** The height of a line is that much of its font's size. */
const heightInEm = 1.06
/** Em; capitals are sometimes taken for words of their own. */
const gapOfWords = 0.08
/** Heights nearer than this to that of most text are its height: recognition is not more exact. */
const nearby = 0.16

/** @returns a page of glyphs each, in one font, without objects: the picture of the page is no figure */
export function glyphsOf (pages: readonly RecognisedPage[]): PageGlyphs[] {
  const usual = usualSize(pages)
  return pages.map(({ page, dpi, lines }) => {
    const glyphs: Glyph[] = []
    for (const line of lines) glyphs.push(...glyphsIn(line, { scale: 72 / dpi, usual }))
    return { ...page, chars: charsOf(glyphs), objects: [] }
  })
}

/** How sure the recognition is of its words, and how many it was too unsure of. */
export function recognitionOf (
  pages: readonly RecognisedPage[]
): { confidence: number, words: number, unread: number } {
  const all = pages.flatMap(({ lines }) => lines.flatMap(({ words }) => words))
  const sum = all.reduce((sum, { confidence }) => sum + confidence, 0)
  const words = all.filter(isRead).length
  const confidence = all.length === 0 ? 0 : Math.round(sum / all.length)
  return { confidence, words, unread: all.length - words }
}

function isRead ({ confidence }: RecognisedWord): boolean {
  return confidence >= confidenceMin
}

interface Glyph { code: number, box: Box, baseline: number, size: number, flags: number }

function glyphsIn (
  line: RecognisedLine, { scale, usual }: { scale: number, usual: number }
): Glyph[] {
  const own = sizeOf(line, scale)
  const size = Math.abs(own / usual - 1) < nearby ? usual : own
  const baseline = line.baseline * scale
  const words = line.words.filter(isRead)
  const glyphs: Glyph[] = []
  let end: number | undefined
  for (const [nth, { symbols }] of words.entries()) {
    const places = spread(symbols)
    for (const [at, { text }] of symbols.entries()) {
      const box = places[at]!.map(pixel => pixel * scale) as Box
      if (end !== undefined && at === 0 && box[0] - end > gapOfWords * size) {
        const space: Box = [end, box[1], Math.max(end, box[0]), box[3]]
        glyphs.push({ code: 32, box: space, baseline, size, flags: charFlags.generated })
      }
      const isLast = nth === words.length - 1 && at === symbols.length - 1
      const flags = isLast && /^[-\u00AD\u2010]$/u.test(text) ? charFlags.hyphen : 0
      for (const character of text) {
        glyphs.push({ code: character.codePointAt(0)!, box, baseline, size, flags })
      }
      end = box[2]
    }
  }
  return glyphs
}

/**
 * The letters of a word side by side, each as wide as such letters are: where Tesseract sees them
 * inside the word is a guess, whose gaps would be taken for spaces.
 */
function spread (symbols: RecognisedWord['symbols']): Box[] {
  const boxes = symbols.map(({ box }) => box)
  const start = Math.min(...boxes.map(([x0]) => x0))
  const end = Math.max(...boxes.map(([, , x1]) => x1))
  const widths = symbols.map(({ text }) => widthOf(text))
  const unit = (end - start) / widths.reduce((sum, width) => sum + width, 0)
  let pen = start
  return boxes.map(([, y0, , y1], i) => {
    const x0 = pen
    pen += widths[i]! * unit
    return [x0, y0, pen, y1]
  })
}

function widthOf (text: string): number {
  if (/^[iljtfrI.,:;!|'()[\]\u2018\u2019-]$/u.test(text)) return 0.6
  return /^[mwMW\u2013\u2014%]$/u.test(text) ? 1.5 : 1
}

function sizeOf ({ height }: RecognisedLine, scale: number): number {
  return Math.max(1, Math.round(height * scale / heightInEm * 2) / 2)
}

/** The size in which most letters are set, by the median; 10 for pages without any. */
function usualSize (pages: readonly RecognisedPage[]): number {
  const sizes: number[] = []
  for (const { dpi, lines } of pages) {
    for (const line of lines) {
      const letters = line.words.filter(isRead).reduce((sum, { symbols }) => sum + symbols.length, 0)
      for (let i = 0; i < letters; i++) sizes.push(line.height * 72 / dpi / heightInEm)
    }
  }
  sizes.sort((a, b) => a - b)
  return Math.round((sizes[sizes.length >> 1] ?? 10) * 2) / 2
}

function charsOf (glyphs: readonly Glyph[]): Chars {
  const count = glyphs.length
  return {
    count,
    code: Uint32Array.from(glyphs, ({ code }) => code),
    box: Float32Array.from(glyphs.flatMap(({ box }) => box)),
    origin: Float32Array.from(glyphs.flatMap(({ box, baseline }) => [box[0], baseline])),
    font: new Uint16Array(count),
    size: Float32Array.from(glyphs, ({ size }) => size),
    angle: new Int16Array(count),
    color: new Uint32Array(count),
    flags: Uint8Array.from(glyphs, ({ flags }) => flags),
    layer: new Uint32Array(count)
  }
}
