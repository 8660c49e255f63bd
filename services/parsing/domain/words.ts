/** Words of a part of a page with their places: what cells of tables are made of. */
import { composeAccents } from './accents.ts'
import { groupBy } from './group.ts'
import { median, unionOf, type Line } from './line.ts'
import { isOneNumber } from './one-number.ts'
import { charFlags, type Box, type Chars, type PageGlyphs } from './page-glyphs.ts'

export interface Word { text: string, box: Box, baseline: number, size: number }

/** Words on one baseline, from left to right; words with ordinary gaps between are one chunk. */
export interface WordLine { baseline: number, size: number, chunks: Word[] }

/** Words a table may have; more is no table. */
const wordsMax = 6000
/** Gaps in em. */
const gapOfWords = 0.18
const gapOfPaintedSpace = 0.03
const gapOfChunks = 0.55

interface Glyph { text: string, box: Box, x: number, y: number, size: number, space: boolean }

/** @returns the words of some lines of a page, in content order; at most 6,000 */
export function wordsIn (page: PageGlyphs, lines: readonly Line[]): Word[] {
  const words: Word[] = []
  let open: Glyph[] = []
  for (const glyph of composeAccents(glyphsIn(page.chars, lines))) {
    if (open.length > 0 && !continues(open, glyph)) {
      words.push(toWord(open))
      open = []
      if (words.length >= wordsMax) return words
    }
    open.push(glyph)
  }
  if (open.length > 0) words.push(toWord(open))
  return words
}

function glyphsIn (chars: Chars, lines: readonly Line[]): Glyph[] {
  const glyphs: Glyph[] = []
  let space = false
  const first = lines.reduce((least, { order }) => Math.min(least, order), chars.count)
  const last = lines.reduce((most, { lastOrder }) => Math.max(most, lastOrder), -1)
  for (let i = first; i <= last; i++) {
    const code = chars.code[i]!
    const flags = chars.flags[i]!
    const hyphen = (flags & charFlags.hyphen) !== 0
    if (isSpace(code)) {
      space = true
      continue
    }
    const hidden = (flags & charFlags.invisible) !== 0 || Math.abs(chars.angle[i]!) > 4
    if (hidden || (code < 32 && !hyphen)) continue
    const own = [...chars.box.subarray(i * 4, i * 4 + 4)] as Box
    const x = chars.origin[i * 2]!
    const y = chars.origin[i * 2 + 1]!
    const size = chars.size[i]!
    if (own[2] <= own[0]) own[0] = own[2] = x
    const middle = (own[0] + own[2]) / 2
    // What lies under other words was left out of the lines, and must not come back here.
    const isOwn = lines.some(({ box, order, lastOrder }) => i >= order && i <= lastOrder &&
      middle > box[0] - 1 && middle < box[2] + 1 && y > box[1] - 1 && y < box[3] + 1)
    if (!isOwn) continue
    glyphs.push({ text: hyphen ? '-' : textOf(code, chars.code[i + 1]), box: own, x, y, size, space })
    space = false
  }
  return glyphs
}

function isSpace (code: number): boolean {
  return code === 32 || code === 160 || (code >= 9 && code <= 13) || (code >= 0x2000 && code <= 0x200A) ||
    code === 0x202F || code === 0x3000
}

function textOf (code: number, next: number | undefined): string {
  if (code >= 0xD800 && code <= 0xDBFF && next !== undefined && next >= 0xDC00 && next <= 0xDFFF) {
    return String.fromCharCode(code, next)
  }
  return (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF ? '' : String.fromCodePoint(code)
}

function continues (open: readonly Glyph[], glyph: Glyph): boolean {
  const last = open.at(-1)!
  const size = Math.max(last.size, glyph.size)
  const gap = glyph.box[0] - last.box[2]
  if (Math.abs(glyph.y - open[0]!.y) > 0.55 * size) return false
  if (gap < -0.9 * size) return false
  if (isOneNumber(last, glyph, size)) return true
  return gap <= (glyph.space ? gapOfPaintedSpace : gapOfWords) * size
}

function toWord (glyphs: readonly Glyph[]): Word {
  const size = Math.max(...glyphs.map(glyph => glyph.size))
  const main = glyphs.find(glyph => glyph.size > 0.9 * size)!
  const box = unionOf(glyphs.map(glyph => glyph.box))
  return {
    text: glyphs.map(({ text }) => text).join(''),
    box: [box[0], main.y - 0.72 * size, box[2], main.y + 0.22 * size],
    baseline: main.y,
    size
  }
}

/** @returns lines from the top; raised and lowered words are on the line they touch */
export function toLines (words: readonly Word[]): WordLine[] {
  const size = median(words.map(word => word.size))
  const isSmall = (word: Word) => word.size < 0.85 * size
  const lines: Word[][] = []
  for (const word of words.filter(word => !isSmall(word)).sort((a, b) => a.baseline - b.baseline)) {
    const home = lines.at(-1)?.[0]!.baseline ?? -Infinity
    if (word.baseline - home <= 0.36 * size) lines.at(-1)!.push(word)
    else lines.push([word])
  }
  const small = words.filter(isSmall).sort((a, b) => a.baseline - b.baseline)
  const apart = small.filter(word => {
    const home = lines.find(line => line.some(other => touches(word, other)))
    home?.push(word)
    return home === undefined
  })
  for (const word of apart) {
    const home = lines.find(line => Math.abs(line[0]!.baseline - word.baseline) <= 0.36 * size)
    if (home !== undefined) home.push(word)
    else lines.push([word])
  }
  return lines.map(own => ({
    baseline: own[0]!.baseline,
    size,
    chunks: toChunks(own.sort((a, b) => a.box[0] - b.box[0]), size)
  })).sort((a, b) => a.baseline - b.baseline)
}

/** Whether a small word is set against a larger one, raised or lowered. */
function touches (small: Word, other: Word): boolean {
  return small.size < 0.9 * other.size && Math.abs(small.baseline - other.baseline) < 0.62 * other.size &&
    small.box[0] - other.box[2] < 0.3 * other.size && small.box[0] > other.box[0]
}

function toChunks (words: readonly Word[], size: number): Word[] {
  const chunks: Word[] = []
  for (const word of words) {
    const last = chunks.at(-1)
    const gap = last === undefined ? Infinity : word.box[0] - last.box[2]
    if (gap > gapOfChunks * size) {
      chunks.push(word)
      continue
    }
    const space = gap > (word.size < 0.85 * size ? 0.2 : gapOfPaintedSpace) * size ? ' ' : ''
    chunks[chunks.length - 1] = {
      ...last!, text: `${last!.text}${space}${word.text}`, box: unionOf([last!.box, word.box])
    }
  }
  return chunks
}

/** Level rules at one height (or upright ones at one x) that are drawn in pieces, as one each. */
export function joinRules (rules: readonly Box[], level: boolean): Box[] {
  const along = level ? 0 : 1
  const across = 1 - along
  const start = (rule: Box) => rule[along]!
  const end = (rule: Box) => rule[along + 2]!
  const rows = groupBy([...rules].sort((p, q) => p[across]! - q[across]!), rule =>
    Math.round((rule[across]! + rule[across + 2]!) / 5))
  return [...rows.values()].flatMap(row => {
    const joined: Box[] = []
    for (const rule of row.sort((p, q) => start(p) - start(q))) {
      const last = joined.at(-1)
      if (last !== undefined && start(rule) - end(last) < 3) joined[joined.length - 1] = unionOf([last, rule])
      else joined.push(rule)
    }
    return joined
  })
}
