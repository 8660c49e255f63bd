/**
 * What the structure layer knows of a PDF: its glyphs, its page objects and a way to see a page.
 * Nothing else of an engine is used, so an engine can be replaced and tests can draw pages.
 *
 * Boxes are [x0, y0, x1, y1] in points, origin top left of the page as displayed (rotation and crop
 * box applied). Glyphs come in content-stream order, which is mostly reading order.
 */

/** Bits of `Chars.flags`. */
export const charFlags = {
  /** A space or line break the engine made up. */
  generated: 1,
  /** A hyphen at a line end. */
  hyphen: 2,
  /** The font gives no Unicode value; the code is a guess. */
  unmapped: 4,
  /** Painted with render mode 3, nearly transparent or outside its clip. */
  invisible: 8,
  /** Cut off with the rest of a drawing that is shown in part. */
  cropped: 32,
  /** Part of an optional layer, which may be switched off. */
  optional: 16
} as const

/** Parallel arrays, one entry for each glyph; `box` has four, `origin` two numbers a glyph. */
export interface Chars {
  count: number
  code: Uint32Array
  box: Float32Array
  /** Pen position: the baseline point left of the glyph. */
  origin: Float32Array
  /** Index into `GlyphSource.fonts`. */
  font: Uint16Array
  /** As painted, in points. */
  size: Float32Array
  /** Degrees, clockwise as displayed, 0 for upright text. */
  angle: Int16Array
  /** 0xRRGGBB. */
  color: Uint32Array
  flags: Uint8Array
  /** Place of its text object in the page's order of painting, from 1; 0 if unknown. */
  layer: Uint32Array
}

export interface Font { name: string, weight: number, italic: boolean, bold: boolean }

export interface PageObject {
  kind: 'image' | 'path' | 'form' | 'shading'
  box: Box
  /** Place in the page's order of painting, as `Chars.layer`. */
  layer?: number
  /** Whether it hides what lies under it. */
  opaque?: boolean
  /** 0xRRGGBB of a filled path. */
  fill?: number
}

export type Box = [number, number, number, number]

/** RGB, three bytes a pixel, rows from the top. */
export interface Pixels { width: number, height: number, data: Uint8Array }

export interface PageGlyphs {
  number: number
  width: number
  height: number
  chars: Chars
  objects: PageObject[]
  /** 1 for each glyph that is no content because readers cannot see it; see `hidden-text.ts`. */
  hidden?: Uint8Array
}

export interface GlyphSource {
  pageCount: number
  /** Filled as pages are read. */
  fonts: Font[]
  /** Title in the file's metadata; often wrong, so only a hint. */
  metaTitle: string
  /** Whether the owner forbids extraction. */
  restricted: boolean
  readPage: (number: number) => PageGlyphs
  /** Rendered pixels of a box of a page; white ground, annotations left out. */
  render: (page: number, box: Box, dpi: number) => Pixels
  close: () => void
}
