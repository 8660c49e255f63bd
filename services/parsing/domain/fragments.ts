/**
 * Glyphs to fragments: stretches of one baseline that the content stream sets in one go. Word gaps
 * come from painted spaces, or from the engine's made-up ones where the glyphs really stand apart
 * (small capitals are two sizes in one word, and get a false one).
 */
import { composeAccents } from './accents.ts'
import type { Advances } from './advances.ts'
import { charFlags, type Box, type Font, type PageGlyphs } from './page-glyphs.ts'
import { screenPage } from './hidden-text.ts'
import type { Line, Span } from './line.ts'
import { isOneNumber } from './one-number.ts'
import { isPrivate, knownPrivate } from './private-use.ts'
import type { SoftMapping } from './soft-mapping.ts'

/** Degrees off upright that still count as text of the page. */
const tiltMax = 4
/** Gaps in em. */
const gapOfFragments = 1.6
/** Of a space kerned away less is left. */
const gapOfPaintedSpace = 0.03
const gapOfGeneratedSpace = 0.1
const gapOfUnmarkedSpace = 0.3
const gapOf = { painted: gapOfPaintedSpace, made: gapOfGeneratedSpace, none: gapOfUnmarkedSpace }

interface Glyph {
  text: string
  box: Box
  x: number
  y: number
  /** Where the pen stands behind it, as its font usually moves it; else where its ink ends. */
  end: number
  font: number
  size: number
  spaceBefore: 'painted' | 'made' | 'none'
  hyphen: boolean
  order: number
}

/** What is known of the paper's fonts. */
export interface Typeface { fonts: readonly Font[], advances: Advances, soft: SoftMapping }

/**
 * @param apart glyphs that are set apart from their neighbours, however near: line numbers
 * @returns     one line object for each fragment, in content order
 */
export function buildFragments (page: PageGlyphs, face: Typeface, apart: ReadonlySet<number>): Line[] {
  const fragments: Line[] = []
  let open: Glyph[] = []
  for (const glyph of uprightGlyphs(page, face)) {
    const parted = apart.size > 0 && open.length > 0 &&
      apart.has(glyph.order) !== apart.has(open.at(-1)!.order)
    if (open.length > 0 && (parted || !continues(open, glyph))) {
      fragments.push(toLine(open, page.number, face.fonts))
      open = []
    }
    open.push(glyph)
  }
  if (open.length > 0) fragments.push(toLine(open, page.number, face.fonts))
  return fragments.filter(line => line.text.trim() !== '')
}

function uprightGlyphs (page: PageGlyphs, face: Typeface): Glyph[] {
  const { chars } = page
  const glyphs: Glyph[] = []
  const hidden = page.hidden ?? screenPage(page).page.hidden!
  let space = false
  let made = false
  for (let i = 0; i < chars.count; i++) {
    const flags = chars.flags[i]!
    const code = chars.code[i]!
    if (isSpace(code)) {
      if ((flags & charFlags.generated) !== 0) made = true
      else space = true
      continue
    }
    const hyphen = (flags & charFlags.hyphen) !== 0
    if ((code < 32 && !hyphen) || hidden[i] === 1 || (flags & charFlags.cropped) !== 0) continue
    if (Math.abs(chars.angle[i]!) > tiltMax) continue
    const text = hyphen ? '-' : textOf(page, i, face)
    if (text === '') continue
    glyphs.push(glyphAt(page, i, { text, face, hyphen, spaceBefore: space ? 'painted' : made ? 'made' : 'none' }))
    space = made = false
  }
  return composeAccents(glyphs)
}

function isSpace (code: number): boolean {
  return code === 32 || code === 160 || code === 9 || code === 10 || code === 13 ||
    (code >= 0x2000 && code <= 0x200A) || code === 0x3000 || code === 0x202F || code === 0x205F
}

function textOf ({ chars: { code, count, font } }: PageGlyphs, i: number, { fonts, soft }: Typeface): string {
  const unit = code[i]!
  if (unit < 128) {
    if (soft.size === 0) return String.fromCharCode(unit)
    return soft.get(font[i]! * 128 + unit) ?? String.fromCharCode(unit)
  }
  if (isPrivate(unit)) {
    const known = /dingbat|wingding|webding/i.test(fonts[font[i]!]?.name ?? '') ? '' : knownPrivate(unit)
    return known === '' ? String.fromCharCode(unit) : known
  }
  if (unit >= 0xD800 && unit <= 0xDBFF && i + 1 < count) {
    const low = code[i + 1]!
    if (low >= 0xDC00 && low <= 0xDFFF) return String.fromCharCode(unit, low)
  }
  if (unit >= 0xD800 && unit <= 0xDFFF) return ''
  return unit <= 0x10FFFF ? String.fromCodePoint(unit) : ''
}

interface Found { text: string, face: Typeface, hyphen: boolean, spaceBefore: Glyph['spaceBefore'] }

function glyphAt ({ chars }: PageGlyphs, i: number, { text, face, hyphen, spaceBefore }: Found): Glyph {
  const at = i * 4
  const box: Box = [chars.box[at]!, chars.box[at + 1]!, chars.box[at + 2]!, chars.box[at + 3]!]
  const x = chars.origin[i * 2]!
  // Some fonts have no outlines to measure: the pen position stands in.
  if (box[2] <= box[0]) box[2] = box[0] = x
  const font = chars.font[i]!
  const size = chars.size[i]!
  // The letters of one ligature share its place.
  const isPart = i > 0 && x === chars.origin[i * 2 - 2]
  const advance = isPart ? 0 : face.advances.of(font, chars.code[i]!)
  const y = chars.origin[i * 2 + 1]!
  const end = advance === 0 ? box[2] : x + advance * size
  return { text, box, x, y, end, font, size, spaceBefore, hyphen, order: i }
}

function continues (open: Glyph[], glyph: Glyph): boolean {
  const last = open.at(-1)!
  const first = open[0]!
  const size = Math.max(last.size, glyph.size)
  const rise = Math.abs(glyph.y - last.y)
  const gap = glyph.box[0] - last.box[2]
  if (gap < -0.9 * size || gap > gapOfFragments * size) return false
  if (rise <= 0.08 * size) return true
  // A change of baseline inside a line is small, and comes back to the first baseline.
  return rise <= 0.62 * size && Math.abs(glyph.y - first.y) <= 0.62 * Math.max(size, first.size)
}

/** Of the ink and the pen whichever leaves more room: ink overhangs, and pens are kerned. */
function isApart (last: Glyph, glyph: Glyph, size: number): boolean {
  if (glyph.spaceBefore !== 'painted' && isOneNumber(last, glyph, size)) return false
  const pen = last.end === last.box[2] ? -Infinity : glyph.x - last.end
  return Math.max(glyph.box[0] - last.box[2], pen) > gapOf[glyph.spaceBefore] * size
}

function toLine (glyphs: Glyph[], page: number, fonts: readonly Font[]): Line {
  const main = dominant(glyphs)
  const baseline = main.y
  const spans: Span[] = []
  let text = ''
  let end = -Infinity
  let gaps = 0
  let last: Glyph | undefined
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const glyph of glyphs) {
    const space = last !== undefined && isApart(last, glyph, Math.max(main.size, glyph.size)) ? ' ' : ''
    if (last !== undefined && glyph.box[0] - end > 1.05 * main.size) gaps++
    text += space + glyph.text
    addToSpans(spans, { glyph, space, baseline, main, fonts })
    last = glyph
    end = Math.max(end, glyph.box[2])
    box[0] = Math.min(box[0], glyph.box[0])
    box[1] = Math.min(box[1], glyph.y - 0.72 * glyph.size)
    box[2] = Math.max(box[2], glyph.box[2])
    box[3] = Math.max(box[3], glyph.y + 0.22 * glyph.size)
  }
  const style = fonts[main.font]
  return {
    page,
    box,
    baseline,
    text,
    spans,
    font: main.font,
    size: main.size,
    bold: style?.bold ?? false,
    italic: style?.italic ?? false,
    glyphs: glyphs.length,
    gaps,
    order: glyphs[0]!.order,
    lastOrder: glyphs.at(-1)!.order,
    hyphen: glyphs.at(-1)!.hyphen,
    column: 0
  }
}

interface SpanStep { glyph: Glyph, space: string, baseline: number, main: Glyph, fonts: readonly Font[] }

function addToSpans (spans: Span[], { glyph, space, baseline, main, fonts }: SpanStep): void {
  const last = spans.at(-1)
  const raised = glyph.y < baseline - 0.15 * main.size && glyph.size < 0.9 * main.size
  const same = last !== undefined && last.font === glyph.font && last.raised === raised &&
    Math.abs(last.size - glyph.size) < 0.3
  if (same) {
    last.text += space + glyph.text
    last.x1 = glyph.box[2]
    return
  }
  if (last !== undefined) last.text += space
  const style = fonts[glyph.font]
  spans.push({
    text: glyph.text,
    x0: glyph.box[0],
    x1: glyph.box[2],
    font: glyph.font,
    size: glyph.size,
    bold: style?.bold ?? false,
    italic: style?.italic ?? false,
    raised
  })
}

/** A glyph in the style that most glyphs of the fragment have. */
function dominant (glyphs: Glyph[]): Glyph {
  const first = glyphs[0]!
  const isPlain = glyphs.every(({ font, size, y }) =>
    font === first.font && size === first.size && y === first.y)
  if (isPlain) return first
  const counts = new Map<number, { glyph: Glyph, count: number }>()
  let best = { glyph: first, count: 0 }
  for (const glyph of glyphs) {
    const key = (glyph.font * 8192 + Math.round(glyph.size * 10)) * 8192 + Math.round(glyph.y)
    const entry = counts.get(key) ?? { glyph, count: 0 }
    entry.count++
    counts.set(key, entry)
    if (entry.count > best.count) best = entry
  }
  return best.glyph
}
