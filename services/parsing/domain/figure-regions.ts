/**
 * Where a captioned figure is: the graphics that can be reached from its caption, above, below or
 * beside it, without crossing running text, other captions or tables. A paper mostly puts its
 * captions on one side of its figures, so the sides taken by the clear cases decide the others.
 */
import { groupBy } from './group.ts'
import { areaOf, overlapX, overlapY, sharedArea, unionOf, widthOf } from './line.ts'
import type { Caption } from './captions.ts'
import type { Box } from './page-glyphs.ts'

export type Side = 'above' | 'below' | 'left' | 'right'
const sides: Side[] = ['above', 'below', 'left', 'right']

/** What one page offers. Boxes in points. */
export interface PageArt {
  page: number
  /** Patches of ink that are not text. */
  ink: Box[]
  /** Lines that are not running text: axis labels, panel letters, table cells. */
  labels: Box[]
  /** What no figure may cover. */
  walls: Box[]
  /** Extent of the text area. */
  frame: Box
  columns: Box[]
}

export interface Region { caption: Caption, box: Box, side: Side | 'gap' }

interface Claim extends Region { side: Side, art: number, distance: number, score: number }

const firstReach = 70
const nextReach = 46
const labelReach = 13
const artMin = 350
/** Rounds of growth; a figure is whole after a few. */
const roundsMax = 12

/** @returns one region for each figure caption that has art, in the captions' order */
export function findFigureRegions (captions: readonly Caption[], pages: ReadonlyMap<number,
  PageArt>): Region[] {
  const trust = sideTrust(captions, pages)
  const regions = new Map<Caption, Region>()
  const byPage = groupBy(captions, ({ page }) => page)
  for (const [page, own] of byPage) {
    const art = pages.get(page)
    if (art === undefined) continue
    const taken: Box[] = []
    const open = new Set(own)
    for (const caption of own) {
      const box = framedBox(caption, art, own)
      if (box === undefined) continue
      regions.set(caption, { caption, box, side: 'above' })
      taken.push(box)
      open.delete(caption)
    }
    while (open.size > 0) {
      let best: Claim | undefined
      for (const caption of open) {
        const claim = bestClaim(caption, art, { taken, trust })
        if (claim !== undefined && (best === undefined || claim.score > best.score)) best = claim
      }
      if (best === undefined) break
      taken.push(best.box)
      open.delete(best.caption)
      regions.set(best.caption, best)
    }
    for (const caption of open) {
      const gap = emptyGap(caption, art, taken)
      if (gap !== undefined) regions.set(caption, { caption, box: gap, side: 'gap' })
    }
  }
  return captions.flatMap(caption => regions.get(caption) ?? [])
}

/** A painted frame round figure and caption: the figure is the larger part beside the caption. */
function framedBox (caption: Caption, { ink }: PageArt, all: readonly Caption[]): Box | undefined {
  const [x0, y0, x1, y1] = caption.box
  const frame = ink.find(box => box[0] < x0 && box[1] < y0 && box[2] > x1 && box[3] > y1 &&
    all.every(other => other === caption || sharedArea(other.box, box) === 0))
  if (frame === undefined) return undefined
  const above: Box = [frame[0], frame[1], frame[2], y0 - 2]
  const below: Box = [frame[0], y1 + 2, frame[2], frame[3]]
  const box = areaOf(above) >= areaOf(below) ? above : below
  return areaOf(box) < artMin ? undefined : box
}

type Trust = Record<Side, number>

function sideTrust (captions: readonly Caption[], pages: ReadonlyMap<number, PageArt>): Trust {
  const trust: Trust = { above: 0.6, below: 0.2, left: 0, right: 0 }
  const flat: Trust = { above: 0, below: 0, left: 0, right: 0 }
  const counts: Trust = { above: 1, below: 0, left: 0, right: 0 }
  for (const caption of captions) {
    const art = pages.get(caption.page)
    if (art === undefined) continue
    const claims = sides.flatMap(side => claimAt(caption, side, { art, taken: [], trust: flat }) ?? [])
    // Only where one side has art is it clear which side is meant.
    const clear = claims.filter(({ art: size, distance }) => size > 2500 && distance < 45)
    if (clear.length === 1) counts[clear[0]!.side]++
  }
  const total = counts.above + counts.below + counts.left + counts.right
  for (const side of sides) trust[side] += 1.5 * counts[side] / total
  return trust
}

interface Ground { taken: readonly Box[], trust: Trust }

function bestClaim (caption: Caption, art: PageArt, ground: Ground): Claim | undefined {
  let best: Claim | undefined
  for (const side of sides) {
    const claim = claimAt(caption, side, { art, ...ground })
    if (claim !== undefined && (best === undefined || claim.score > best.score)) best = claim
  }
  return best
}

interface Scene extends Ground { art: PageArt }

function claimAt (caption: Caption, side: Side, { art, taken, trust }: Scene): Claim | undefined {
  const anchor = anchorOf(caption, side, art)
  const walls = [...art.walls, ...taken].filter(wall => sharedArea(wall, caption.box) === 0)
  const usable = (box: Box) => beyond(caption.box, box, side) &&
    !taken.some(other => sharedArea(other, box) > 0.3 * areaOf(box))
  const seeds = art.ink.filter(box => isArt(box) && usable(box))
  const first = nearest(seeds, anchor, { side, walls })
  if (first === undefined) return undefined
  let box = first.box
  const inks = art.ink.filter(other => usable(other) && !isRule(other))
  const labels = art.labels.filter(usable)
  for (let grown = true, rounds = 0; grown && rounds < roundsMax; rounds++) {
    grown = false
    for (const [others, reach] of [[inks, nextReach], [labels, labelReach]] as const) {
      for (const other of others) {
        if (contains(box, other) || (away(box, other) > reach && !isBeside(box, other, reach))) continue
        const union = unionOf([box, other])
        if (hits(union, walls) || sharedArea(union, caption.box) > 0) continue
        if (!keepsColumn(union, { box, other, caption, art })) continue
        box = union
        grown = true
      }
    }
  }
  box = downToCaption(box, caption, { labels: [...labels, ...inks], walls })
  const size = areaOf(box)
  if (size < artMin) return undefined
  const score = trust[side] + Math.min(1, size / 12_000) - first.distance / 50
  return { caption, box, side, art: size, distance: first.distance, score }
}

/** Words between a figure and its caption are the figure's: panel letters, names of axes. */
function downToCaption (box: Box, caption: Caption, { labels, walls }: {
  labels: readonly Box[],
  walls: readonly Box[]
}): Box {
  const upper = Math.min(box[3], caption.box[3])
  const lower = Math.max(box[1], caption.box[1])
  const room: Box = [box[0] - labelReach, upper, box[2] + labelReach, lower]
  const inside = labels.filter(label => sharedArea(label, room) > 0.9 * areaOf(label))
  const union = unionOf([box, ...inside])
  return hits(union, walls) || sharedArea(union, caption.box) > 0 ? box : union
}

/** Art of the next column is not this figure's, unless caption or art already span columns. */
function keepsColumn (union: Box, { box, other, caption, art }: {
  box: Box,
  other: Box,
  caption: Caption,
  art: PageArt
}): boolean {
  const home = art.columns.find(column => overlapX(column, caption.box) > 0.9 * widthOf(caption.box))
  if (home === undefined || art.columns.length < 2) return true
  const inside = (part: Box) => part[0] > home[0] - 12 && part[2] < home[2] + 12
  if (!inside(box) || inside(union)) return true
  // A patch that itself reaches over the gutter may be taken in; one beyond it may not.
  return overlapX(other, home) > 4
}

/** The caption's box, drawn out to its column where the figure stands above or below. */
function anchorOf (caption: Caption, side: Side, { columns, frame }: PageArt): Box {
  const { box } = caption
  if (side === 'left' || side === 'right') return box
  const home = columns.find(column => overlapX(column, box) > 0.9 * widthOf(box)) ?? frame
  return [Math.min(home[0], box[0]), box[1], Math.max(home[2], box[2]), box[3]]
}

function beyond (from: Box, box: Box, side: Side): boolean {
  if (side === 'above') return box[3] <= from[1] + 4
  if (side === 'below') return box[1] >= from[3] - 4
  if (side === 'left') return box[2] <= from[0] + 3
  return box[0] >= from[2] - 3
}

function nearest (seeds: readonly Box[], anchor: Box, { side, walls }: {
  side: Side,
  walls: readonly Box[]
}) {
  let best: { box: Box, distance: number } | undefined
  for (const box of seeds) {
    const upright = side === 'above' || side === 'below'
    const beside = upright ? overlapX(box, anchor) : overlapY(box, anchor)
    if (beside <= 0) continue
    const distance = away(box, anchor)
    if (distance > firstReach || (best !== undefined && distance >= best.distance)) continue
    if (hits(between(box, anchor, upright), walls) || hits(box, walls)) continue
    best = { box, distance }
  }
  return best
}

/** The strip between two boxes where they face each other. */
function between (a: Box, b: Box, upright: boolean): Box {
  return upright
    ? [Math.max(a[0], b[0]), Math.min(a[3], b[3]), Math.min(a[2], b[2]), Math.max(a[1], b[1])]
    : [Math.min(a[2], b[2]), Math.max(a[1], b[1]), Math.max(a[0], b[0]), Math.min(a[3], b[3])]
}

function away (a: Box, b: Box): number {
  return Math.max(0, -overlapX(a, b), -overlapY(a, b))
}

function hits (box: Box, walls: readonly Box[]): boolean {
  return walls.some(wall => sharedArea(box, wall) > 0.25 * areaOf(wall))
}

function contains (outer: Box, inner: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/** Words level with a drawing belong to it over a wider gap than words below it. */
function isBeside (box: Box, other: Box, reach: number): boolean {
  return overlapY(box, other) > 0.6 * (other[3] - other[1]) && -overlapX(box, other) < 4 * reach
}

/** Long thin strokes that no drawing is attached to: rules of pages, tables and columns. */
function isRule (box: Box): boolean {
  const wide = widthOf(box)
  const high = box[3] - box[1]
  return (high < 3.5 && wide > 90) || (wide < 3.5 && high > 90)
}

/** Rules and dots start no figure. */
export function isArt (box: Box): boolean {
  return widthOf(box) > 8 && box[3] - box[1] > 8 && areaOf(box) > 120
}

/** A figure without graphics (an example in words): the room between caption and text above. */
function emptyGap (caption: Caption, art: PageArt, taken: readonly Box[]): Box | undefined {
  const anchor = anchorOf(caption, 'above', art)
  const above = [...art.walls, ...taken].filter(wall => wall[3] <= caption.box[1] + 2 &&
    overlapX(wall, anchor) > 8)
  const top = Math.max(art.frame[1] - 4, ...above.map(wall => wall[3]))
  const room: Box = [anchor[0], top, anchor[2], caption.box[1]]
  const inside = [...art.labels, ...art.ink].filter(box => sharedArea(box, room) > 0.6 * areaOf(box))
  if (inside.length < 3) return undefined
  const box = unionOf(inside)
  return areaOf(box) < artMin ? undefined : box
}
