/** A line of text as set on one page, and the stretches of one style it is made of. */
import type { Box } from './page-glyphs.ts'

export interface Span {
  text: string
  x0: number
  x1: number
  font: number
  size: number
  bold: boolean
  italic: boolean
  /** Set above the baseline and smaller: a note mark or a citation number. */
  raised: boolean
}

export interface Line {
  page: number
  box: Box
  baseline: number
  text: string
  spans: Span[]
  /** Of most of its glyphs. */
  font: number
  size: number
  bold: boolean
  italic: boolean
  /** Glyphs without spaces. */
  glyphs: number
  /** Gaps of more than an em: cells of a table, not words. */
  gaps: number
  /** Place in the page's content stream. */
  order: number
  /** Place of its last glyph. */
  lastOrder: number
  /** The engine saw a hyphen at its end that only the line break explains. */
  hyphen: boolean
  /** Set by the page's layout: 0 is the leftmost, -1 crosses a gutter. */
  column: number
}

export function widthOf (box: Box): number {
  return box[2] - box[0]
}

export function heightOf (box: Box): number {
  return box[3] - box[1]
}

/** Length that two boxes share on the x axis; negative is their distance. */
export function overlapX (a: Box, b: Box): number {
  return Math.min(a[2], b[2]) - Math.max(a[0], b[0])
}

/** Length that two boxes share on the y axis; negative is their distance. */
export function overlapY (a: Box, b: Box): number {
  return Math.min(a[3], b[3]) - Math.max(a[1], b[1])
}

export function areaOf (box: Box): number {
  return Math.max(0, widthOf(box)) * Math.max(0, heightOf(box))
}

export function unionOf (boxes: readonly Box[]): Box {
  const union: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x0, y0, x1, y1] of boxes) {
    if (x0 < union[0]) union[0] = x0
    if (y0 < union[1]) union[1] = y0
    if (x1 > union[2]) union[2] = x1
    if (y1 > union[3]) union[3] = y1
  }
  return union
}

export function sharedArea (a: Box, b: Box): number {
  return Math.max(0, overlapX(a, b)) * Math.max(0, overlapY(a, b))
}

/** Share of `inner` that lies in `outer`, 0 to 1. */
export function shareInside (inner: Box, outer: Box): number {
  const area = areaOf(inner)
  return area === 0 ? 0 : sharedArea(inner, outer) / area
}

/** To a tenth of a point: what is stored and hashed. */
export function rounded (box: Box): Box {
  return box.map(value => Math.round(value * 10) / 10) as Box
}

/** The middle value of numbers in any order; 0 of none. */
export function median (values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
