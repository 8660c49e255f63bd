/** Reads one page of an open PDF into typed arrays, each glyph and object once. */
import { charFlags, type Box, type Chars, type PageGlyphs } from '../domain/page-glyphs.ts'
import { openPage } from './open-pages.ts'
import { mapBox, readObjects, type Matrix, type TextPlace } from './pdfium-objects.ts'
import type { OpenPdf } from './pdfium.ts'

/** Work on one page is bounded; a page of text has 2,000 to 10,000 glyphs. */
const charsMax = 200_000

/**
 * A page whose text lies on its side (a scan turned wrongly, a wide table) is turned upright, here
 * and when it is rendered: its boxes then fit the pictures that we make of it.
 *
 * @param number from 1
 */
export function readPage (pdf: OpenPdf, number: number): PageGlyphs {
  const page = readTurned(pdf, number)
  const turn = uprightTurn(page.chars)
  if (turn === 0 || pdf.turns.has(number)) return page
  pdf.turns.set(number, turn)
  return readTurned(pdf, number)
}

/** Share of the glyphs that must lie one way before a page is turned. */
const turnedShare = 0.7

function uprightTurn ({ angle, count }: Chars): number {
  const quarters = [0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    const turns = Math.round(angle[i]! / 90)
    if (Math.abs(angle[i]! - turns * 90) <= 4) quarters[(turns + 4) % 4]!++
  }
  const most = quarters.indexOf(Math.max(...quarters))
  return count > 50 && quarters[most]! > turnedShare * count ? (4 - most) % 4 : 0
}

function readTurned (pdf: OpenPdf, number: number): PageGlyphs {
  const { calls, module, pages } = pdf
  const page = openPage(pages, number, module.HEAPU8.length)
  if (page === 0) return emptyPage(number)
  const text = calls.FPDFText_LoadPage!(page)
  try {
    const { toPage, width, height } = pageGeometry(pdf, page, number)
    const { objects, texts } = readObjects(pdf, page, toPage)
    const chars = text === 0 ? emptyChars(0) : readChars(pdf, { text, toPage, texts })
    return { number, width, height, chars, objects }
  } finally {
    if (text !== 0) calls.FPDFText_ClosePage!(text)
  }
}

/** A page that cannot be loaded keeps its number: later pages must not move up. */
function emptyPage (number: number): PageGlyphs {
  return { number, width: 612, height: 792, chars: emptyChars(0), objects: [] }
}

/** The map from PDF user space to the page as displayed. */
function pageGeometry ({ module, calls, scratch, turns }: OpenPdf, page: number, number: number) {
  calls.FPDF_GetPageBoundingBox!(page, scratch)
  const [left, top, right, bottom] = module.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)
  const box = { left: left!, top: top!, right: right!, bottom: bottom! }
  const wide = box.right - box.left
  const high = box.top - box.bottom
  const turned: Matrix[] = [
    [1, 0, 0, -1, -box.left, box.top],
    [0, 1, 1, 0, -box.bottom, -box.left],
    [-1, 0, 0, 1, box.right, -box.bottom],
    [0, -1, -1, 0, box.top, box.right]
  ]
  const turn = (calls.FPDFPage_GetRotation!(page) + (turns.get(number) ?? 0)) & 3
  const onSide = turn % 2 === 1
  return {
    toPage: turned[turn]!,
    width: onSide ? high : wide,
    height: onSide ? wide : high
  }
}

export function emptyChars (count: number): Chars {
  return {
    count,
    code: new Uint32Array(count),
    box: new Float32Array(count * 4),
    origin: new Float32Array(count * 2),
    font: new Uint16Array(count),
    size: new Float32Array(count),
    angle: new Int16Array(count),
    color: new Uint32Array(count),
    flags: new Uint8Array(count),
    layer: new Uint32Array(count)
  }
}

interface TextPage { text: number, toPage: Matrix, texts: ReadonlyMap<number, TextPlace> }

function readChars (pdf: OpenPdf, { text, toPage, texts }: TextPage): Chars {
  const { module, calls, scratch } = pdf
  const count = Math.min(calls.FPDFText_CountChars!(text), charsMax)
  const chars = emptyChars(count)
  let object = -1
  let style = { font: 0, size: 0, angle: 0, color: 0, invisible: 0 }
  let place: TextPlace | undefined
  const user: Box = [0, 0, 0, 0]
  const shown: Box = [0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    chars.code[i] = calls.FPDFText_GetUnicode!(text, i)
    chars.flags[i] = (calls.FPDFText_IsGenerated!(text, i) === 1 ? charFlags.generated : 0) |
      (calls.FPDFText_IsHyphen!(text, i) === 1 ? charFlags.hyphen : 0)
    const owner = calls.FPDFText_GetTextObject!(text, i)
    if (owner !== object && owner !== 0) {
      object = owner
      style = readStyle(pdf, { text, index: i, object, toPage })
      place = texts.get(object)
      if (place?.optional === true) style.invisible |= charFlags.optional
    }
    chars.font[i] = style.font
    chars.size[i] = style.size
    chars.angle[i] = style.angle
    chars.color[i] = style.color
    chars.flags[i]! |= style.invisible
    if (calls.FPDFText_HasUnicodeMapError!(text, i) === 1) chars.flags[i]! |= charFlags.unmapped
    calls.FPDFText_GetCharBox!(text, i, scratch, scratch + 8, scratch + 16, scratch + 24)
    calls.FPDFText_GetCharOrigin!(text, i, scratch + 32, scratch + 40)
    const at = scratch >> 3
    const d = module.HEAPF64
    // PDFium gives left, right, bottom, top.
    user[0] = d[at]!
    user[1] = d[at + 2]!
    user[2] = d[at + 1]!
    user[3] = d[at + 3]!
    mapBox(toPage, user, shown)
    chars.box.set(shown, i * 4)
    const x = d[at + 4]!
    const y = d[at + 5]!
    chars.layer[i] = place?.layer ?? 0
    if (place?.clip !== undefined && isClipped(chars.box, i, place.clip)) {
      chars.flags[i]! |= place.inForm ? charFlags.cropped : charFlags.invisible
    }
    chars.origin[i * 2] = toPage[0] * x + toPage[2] * y + toPage[4]
    chars.origin[i * 2 + 1] = toPage[1] * x + toPage[3] * y + toPage[5]
  }
  return chars
}

function isClipped (box: Float32Array, i: number, clip: readonly number[]): boolean {
  const x = (box[i * 4]! + box[i * 4 + 2]!) / 2
  const y = (box[i * 4 + 1]! + box[i * 4 + 3]!) / 2
  return x < clip[0]! - 1 || x > clip[2]! + 1 || y < clip[1]! - 1 || y > clip[3]! + 1
}

interface StyleAt { text: number, index: number, object: number, toPage: Matrix }

/** Of 255; what is more transparent cannot be read. */
const faint = 26

/** Style is a property of the text object, so it is read once for all its glyphs. */
function readStyle (pdf: OpenPdf, { text, index, object, toPage }: StyleAt) {
  const { module, calls, scratch } = pdf
  calls.FPDFText_GetMatrix!(text, index, scratch)
  const [a = 1, b = 0, c = 0, d = 1] = module.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)
  const size = calls.FPDFText_GetFontSize!(text, index) * Math.hypot(c, d)
  const alongX = toPage[0] * a + toPage[2] * b
  const alongY = toPage[1] * a + toPage[3] * b
  const mode = calls.FPDFTextObj_GetTextRenderMode!(object)
  calls.FPDFPageObj_GetFillColor!(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  const [red = 0, green = 0, blue = 0, alpha = 255] =
    module.HEAPU32.subarray(scratch >> 2, (scratch >> 2) + 4)
  return {
    font: fontId(pdf, calls.FPDFTextObj_GetFont!(object)),
    size: Math.abs(size),
    angle: Math.round(Math.atan2(alongY, alongX) * 180 / Math.PI),
    color: ((red & 255) << 16) | ((green & 255) << 8) | (blue & 255),
    invisible: mode === 3 || mode === 7 || alpha < faint ? charFlags.invisible : 0
  }
}

/** Bits of PDF 32000-1 table 123: 7 italic, 19 force bold. */
const italicBit = 1 << 6
const boldBit = 1 << 18

function fontId ({ module, calls, fonts, fontIds, scratch }: OpenPdf, handle: number): number {
  const known = fontIds.get(handle)
  if (known !== undefined) return known
  const bytesMax = 256
  const room = calls.malloc!(bytesMax)
  module.HEAPU8[room] = 0
  const length = calls.FPDFFont_GetBaseFontName!(handle, room, bytesMax)
  const name = length > 0 && length <= bytesMax ? module.UTF8ToString(room) : ''
  calls.free!(room)
  const flags = calls.FPDFFont_GetFlags!(handle)
  const weight = calls.FPDFFont_GetWeight!(handle)
  calls.FPDFFont_GetItalicAngle!(handle, scratch)
  const slant = module.HEAP32[scratch >> 2]!
  const named = /bold|black|heavy|semibd|demi|medi\b|-b\d*$|\.b(?:i|\+\d+)?$|cmb|cmssbx/i.test(name)
  // Descriptors lie about weight more often than names do.
  const plain = /regular|roman|book|light/i.test(name)
  const bold = named || (!plain && (weight >= 600 || (flags & boldBit) !== 0))
  const italic = /ital|obli|slant|cmti|cmsl|\.i$|-it\b/i.test(name) || (flags & italicBit) !== 0 ||
    (slant < -2 && slant > -45)
  const id = fonts.push({ name: name.replace(/^[A-Z]{6}\+/, ''), weight, italic, bold }) - 1
  fontIds.set(handle, id)
  return id
}
