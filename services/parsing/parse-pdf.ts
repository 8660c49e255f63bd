/**
 * A PDF to a Document and the pictures of its figures. Runs in a process that may be killed: it
 * bounds pages and memory itself, but not time.
 */
import { sha256 } from '../../shared/contracts/hash.ts'
import type { Document } from '../../shared/contracts/document.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { assembleDocument, type Crop } from './domain/assemble.ts'
import { drawMarks } from './domain/draw-marks.ts'
import { findFloats } from './domain/floats.ts'
import { screenPage, type HiddenText } from './domain/hidden-text.ts'
import { hiddenWarnings } from './domain/hidden-warnings.ts'
import type { View } from './domain/glyph-sight.ts'
import { findInk } from './domain/ink.ts'
import { areaOf } from './domain/line.ts'
import { layOut, type PageLayout } from './domain/layout.ts'
import type { Box, GlyphSource, PageGlyphs, Pixels } from './domain/page-glyphs.ts'
import { readTables } from './domain/read-tables.ts'
import { findStructure } from './domain/structure.ts'
import { lacksText, textWarnings } from './domain/text-quality.ts'
import type { OcrOptions } from './ocr/recognise-pages.ts'
import type { PageView } from './parser.ts'
import { openPdf } from './engine/pdfium.ts'
import { parserVersion } from './parser-version.ts'
import { encodePng } from './engine/png.ts'

export interface ParseLimits { pagesMax: number, wasmBytesMax: number }

export const parseLimits: ParseLimits = { pagesMax: 300, wasmBytesMax: 256 * 2 ** 20 }

export const parser = { engine: 'pdfium', version: parserVersion }

export interface ParseOptions {
  paperId: string
  limits?: ParseLimits
  /** False leaves figures without their pictures and finds them by objects alone: how fast text is. */
  pictures?: boolean
  /** For pages without text. */
  ocr?: OcrOptions | undefined
}

export interface Parsed {
  document: Document
  /** PNG crops; the id is the sha256 of the bytes. Two figures may share one. */
  images: { id: string, bytes: Uint8Array }[]
}

const cropDpi = 200
const cropSideMax = 2000
/** Enough to find where ink is; one pixel a point. */
const inkDpi = 72
/** Page pictures that are kept, 1.5 MB each. */
const viewsMax = 40

/** @throws Problem of `openPdf` */
export async function parsePdf (bytes: Uint8Array, {
  paperId, limits = parseLimits, pictures = true, ocr
}: ParseOptions): Promise<Parsed> {
  const source = await openPdf(bytes, limits)
  try {
    const printed: PageGlyphs[] = []
    const hidden: HiddenText[] = []
    const see = pageViews(source)
    for (let number = 1; number <= source.pageCount; number++) {
      const page = source.readPage(number)
      const screened = screenPage(page, box => viewOf(page, box, { source, see }))
      printed.push(screened.page)
      hidden.push(...screened.found)
    }
    const scan = ocr !== undefined && lacksText(printed)
      ? await (await import('./ocr/recognise-pages.ts')).recognisePages(source, printed, ocr)
      : undefined
    const pages = scan?.pages ?? printed
    const layout = layOut(pages, source.fonts)
    const floats = findFloats(layout, pictures ? inkOf(see, layout.pages) : new Map())
    const structure = findStructure(layout, floats, source.metaTitle)
    const images = new Map<string, Uint8Array>()
    const crops = floats.figures.map(({ caption, box }): Crop => {
      if (!pictures) return { imageId: '', width: 0, height: 0 }
      const { width, height, bytes } = crop(source, caption.page, box)
      const imageId = sha256(bytes)
      images.set(imageId, bytes)
      return { imageId, width, height }
    })
    const cells = readTables(floats.tables, pages, layout.pages)
    const text = structure.flow.map(line => line.text).join(' ')
    const warnings = [
      ...textWarnings(pages, text),
      ...scan?.warnings ?? [],
      ...hiddenWarnings(hidden, layout.pages.flatMap(page => page.lines.map(line => line.text)).join(' ')),
      ...structure.leftOut,
      ...permissionWarning(source),
      ...lostFloats(layout.pages, [...floats.figures, ...floats.tables].map(({ caption }) => caption))
    ]
    const by = scan === undefined ? parser : { ...parser, engine: `${parser.engine}+tesseract` }
    const document = assembleDocument({
      paperId, parser: by, layout, floats, structure, crops, cells, warnings
    })
    return { document, images: [...images].map(([id, bytes]) => ({ id, bytes })) }
  } finally {
    source.close()
  }
}

/**
 * One page as PNG.
 *
 * @param page from 1
 * @param view its dpi is lowered so that no side exceeds 2,000 pixels
 * @throws     Problem page-not-found, and those of `openPdf`
 */
export async function renderPage (
  bytes: Uint8Array, page: number, { dpi, marks = [] }: PageView
): Promise<Uint8Array> {
  const source = await openPdf(bytes, parseLimits)
  try {
    if (page < 1 || page > source.pageCount) throw new Problem('page-not-found', `The paper has ${source.pageCount} pages; there is no page ${page}.`)
    const { width, height } = source.readPage(page)
    const pixels = source.render(page, [0, 0, width, height], boundedDpi(width, height, dpi))
    return encodePng(drawMarks(pixels, marks, pixels.width / width))
  } finally {
    source.close()
  }
}

function boundedDpi (width: number, height: number, dpi: number): number {
  return Math.min(dpi, cropSideMax * 72 / Math.max(width, height, 1))
}

function crop (source: GlyphSource, page: number, box: Box): Pixels & { bytes: Uint8Array } {
  const dpi = boundedDpi(box[2] - box[0], box[3] - box[1], cropDpi)
  const pixels = source.render(page, box, dpi)
  return { ...pixels, bytes: encodePng(pixels) }
}

interface PageArea { number: number, width: number, height: number }

/** Small pictures of pages, each rendered once and only if somebody looks. */
function pageViews (source: GlyphSource): (page: PageArea) => Pixels {
  const seen = new Map<number, Pixels>()
  return ({ number, width, height }) => {
    const pixels = seen.get(number) ??
      source.render(number, [0, 0, width, height], boundedDpi(width, height, inkDpi))
    if (seen.size < viewsMax) seen.set(number, pixels)
    return pixels
  }
}

/** A small part of a page is rendered by itself, which costs less than the whole. */
function viewOf (
  page: PageArea, box: Box, { source, see }: { source: GlyphSource, see: (page: PageArea) => Pixels }
): View {
  const { number, width, height } = page
  if (areaOf(box) > 0.3 * width * height) return { pixels: see(page), box: [0, 0, width, height] }
  return { pixels: source.render(number, box, boundedDpi(width, height, inkDpi)), box }
}

/** Ink is looked for only where a figure is captioned: rendering costs more than reading. */
export function inkOf (see: (page: PageArea) => Pixels, pages: readonly PageLayout[]): Map<number, Box[]> {
  const ink = new Map<number, Box[]>()
  for (const page of pages) {
    if (!page.captions.some(({ kind }) => kind === 'figure')) continue
    const pixels = see(page)
    const wipe = [...page.lines, ...page.heads].map(({ box, baseline, size }): Box =>
      [
        box[0] - 0.5,
        Math.min(box[1], baseline - 0.8 * size),
        box[2] + 0.5,
        Math.max(box[3], baseline + 0.28 * size)
      ])
    ink.set(page.number, findInk(pixels, { wipe, reach: 6, scale: pixels.width / page.width }))
  }
  return ink
}

function permissionWarning ({ restricted }: GlyphSource): Document['warnings'] {
  return restricted
    ? [{ code: 'permissions', detail: 'The PDF\'s owner does not permit extraction; check that you may use the paper.' }]
    : []
}

function lostFloats (pages: readonly PageLayout[], found: readonly unknown[]): Document['warnings'] {
  const kept = new Set(found)
  const lost = pages.flatMap(({ captions }) => captions).filter(caption => !kept.has(caption))
  return lost.map(({ kind, label, page }) => ({
    code: `${kind}-not-found`,
    detail: `${label} has a caption, but no ${kind === 'figure' ? 'picture' : 'table'} was found near it.`,
    page
  }))
}
