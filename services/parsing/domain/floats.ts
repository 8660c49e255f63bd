/** Figures and tables with their boxes, and the lines that are part of them. */
import { labelKey } from './captions.ts'
import { cropBox } from './crop-box.ts'
import { findFigureRegions, isArt, type PageArt, type Region } from './figure-regions.ts'
import { areaOf, heightOf, overlapX, overlapY, shareInside, sharedArea, unionOf, widthOf, type Line } from './line.ts'
import { splitNumber } from './heading-number.ts'
import type { Layout, PageLayout } from './layout.ts'
import type { Box } from './page-glyphs.ts'
import { isKnownTitle } from './section-kind.ts'
import { clearSide, countRows, findTableRegion, type SideCounts, type TablePage, type TableRegion } from './table-regions.ts'
import { joinPieces, type TablePiece } from './table-pieces.ts'
import { joinRules } from './words.ts'

export interface Floats {
  figures: Region[]
  tables: TableRegion[]
  /** Lines of captions, figures and tables: no running text. */
  lines: Set<Line>
}

/** @param ink of the pages that have figure captions, by page number */
export function findFloats ({ pages, body }: Layout, ink: ReadonlyMap<number, readonly Box[]>): Floats {
  const captioned = pages.flatMap(page => [...page.captions, ...page.continued])
  const lines = new Set(captioned.flatMap(caption => caption.lines))
  const tables = findTables(pages, { lines, bodySize: body.size, ink })
  const arts = new Map<number, PageArt>()
  for (const page of pages) {
    const inked = ink.get(page.number)
    if (inked === undefined) continue
    const own = tables.flatMap(placesOf).filter(place => place.page === page.number).map(({ box }) => box)
    arts.set(page.number, pageArt(page, { ink: inked, tables: own, floating: lines, bodySize: body.size }))
  }
  const captions = pages.flatMap(page => page.captions.filter(({ kind }) => kind === 'figure'))
  const found = findFigureRegions(captions, arts)
  const figures = found.map(region => {
    const page = pages[region.caption.page - 1]!
    const others = found.filter(other => other !== region && other.caption.page === page.number)
    const walls = [...arts.get(page.number)!.walls, ...others.map(({ box }) => box)]
    return { ...region, box: cropBox(region.box, { ...page, walls }) }
  })
  for (const { page, box } of [...figures, ...tables].flatMap(placesOf)) {
    for (const line of pages[page - 1]!.lines) if (shareInside(line.box, box) > 0.6) lines.add(line)
  }
  return { figures, tables, lines }
}

/** The parts of a float, on one page or on several. */
function placesOf ({ caption, box, pieces }: TableRegion): TablePiece[] {
  return pieces ?? [{ page: caption.page, box }]
}

interface TableParts {
  lines: ReadonlySet<Line>,
  bodySize: number,
  ink: ReadonlyMap<number, readonly Box[]>
}

function findTables (pages: readonly PageLayout[], parts: TableParts): TableRegion[] {
  const grounds = pages.flatMap(page => {
    const captions = page.captions.filter(({ kind }) => kind === 'table')
    return captions.length === 0 ? [] : [{ page: tablePage(page, parts), captions }]
  })
  const usual: SideCounts = { above: 0, below: 0 }
  for (const { page, captions } of grounds) {
    for (const caption of captions) {
      const side = clearSide(caption, page)
      if (side !== undefined) usual[side]++
    }
  }
  const tables = grounds.flatMap(({ page, captions }) => {
    const found: TableRegion[] = []
    for (const caption of captions) {
      // Of two tables one above the other, each has its own rows and rules.
      const taken = found.map(({ box }) => box)
      const isFree = (box: Box) => !taken.some(other => sharedArea(other, box) > 0.3 * areaOf(box) ||
        (heightOf(box) < 3 && overlapX(box, other) > 30 && overlapY(box, other) >= 0))
      const ground = {
        ...page,
        lines: page.lines.filter(({ box }) => isFree(box)),
        rules: page.rules.filter(isFree),
        walls: [...page.walls.filter(wall => sharedArea(wall, caption.box) === 0), ...taken]
      }
      const region = findTableRegion(caption, ground, usual)
      if (region !== undefined) found.push(region)
    }
    return found
  })
  return joinPieces(tables, {
    pageOf: number => tablePage(pages[number - 1]!, parts),
    pageCount: pages.length,
    continued: pages.flatMap(({ continued }) => continued),
    keyOf: ({ label }) => labelKey(label),
    usual
  })
}

function tablePage (page: PageLayout, { lines, bodySize, ink }: TableParts): TablePage {
  const uprights = joinRules(page.uprights, false)
  const isWall = (line: Line) => !lines.has(line) && !isInGrid(line.box, uprights) &&
    (page.prose.has(line)
      ? Math.abs(line.size - bodySize) < 0.5
      : line.gaps === 0 && looksLikeHeading(line, bodySize))
  const pictures = page.pictures.filter(picture =>
    !page.lines.some(({ box }) => shareInside(box, picture) > 0.5))
  const drawings = (ink.get(page.number) ?? []).filter(patch => isDrawing(patch, page.lines))
  const texts = page.lines.filter(isWall).map(({ box }) => box)
  return {
    lines: page.lines.filter(line => !lines.has(line)),
    walls: [...texts, ...page.captions.map(({ box }) => box), ...pictures, ...drawings],
    rules: joinRules(page.rules, true).filter(rule => widthOf(rule) > 60),
    columns: page.columns,
    frame: page.frame,
    bodySize
  }
}

/** Share of a drawing that lines of text may cover; tables and tinted boxes have more. */
const writtenMax = 0.2

/** A large patch of ink with little text in it: no grid of cells. */
function isDrawing (patch: Box, lines: readonly Line[]): boolean {
  if (widthOf(patch) < 36 || heightOf(patch) < 36) return false
  const written = lines.reduce((sum, { box }) => sum + sharedArea(box, patch), 0)
  return written < writtenMax * areaOf(patch) && countRows(patch, lines) < 3
}

/** Text with an upright rule close to its left and another right of it is in a cell. */
function isInGrid (box: Box, uprights: readonly Box[]): boolean {
  const beside = uprights.filter(rule => overlapY(rule, box) > 0.7 * heightOf(box))
  return beside.some(rule => rule[2] <= box[0] + 1 && rule[2] > box[0] - 14) &&
    beside.some(rule => rule[0] >= box[2] - 1)
}

interface ArtParts {
  ink: readonly Box[],
  tables: readonly Box[],
  floating: ReadonlySet<Line>,
  bodySize: number
}

function pageArt (page: PageLayout, { ink, tables, floating, bodySize }: ArtParts): PageArt {
  const texts = runningText(page, { bodySize, ink })
  const prose = texts.filter(line => !floating.has(line)).map(({ box }) => box)
  const running = new Set(texts)
  const loose = page.lines.filter(line => !running.has(line) && !floating.has(line))
  const captions = page.captions.map(({ box }) => box)
  return {
    page: page.number,
    ink: joinPictures(ink, page.pictures, [...prose, ...captions]).filter(box =>
      !isSpeck(box, prose) && !isHeadInk(box, page) && !isMarginInk(box, page) &&
      !tables.some(table => sharedArea(table, box) > 0.7 * areaOf(box))),
    labels: loose.filter(line => !looksLikeHeading(line, bodySize)).map(({ box }) => box),
    walls: [...prose, ...loose.filter(line => looksLikeHeading(line, bodySize)).map(({ box }) =>
      box), ...captions, ...tables, ...page.heads.map(({ box }) => box)],
    frame: page.frame,
    columns: page.columns
  }
}

/** Prose without what only looks like it: words in the boxes of a chart, names alike in every plot. */
function runningText (page: PageLayout, { bodySize, ink }: Pick<ArtParts, 'bodySize' | 'ink'>): Line[] {
  const least = 0.4 * Math.min(...page.columns.map(widthOf))
  const charts = ink.filter(patch => isDrawing(patch, page.lines))
  const lines = [...page.prose].filter(({ box }) => !charts.some(chart => shareInside(box, chart) > 0.9))
  const isWide = (line: Line) => line.size > bodySize - 0.9 || widthOf(line.box) > least
  const wide = lines.filter(isWide)
  return lines.filter(line => isWide(line) || wide.some(other => overlapX(other.box, line.box) > 0 &&
    Math.abs(other.baseline - line.baseline) < 1.7 * line.size))
}

/** Patches inside one picture are one, unless the "picture" also holds running text. */
function joinPictures (ink: readonly Box[], pictures: readonly Box[], text: readonly Box[]): Box[] {
  let boxes = [...ink]
  for (const picture of pictures) {
    if (text.some(box => shareInside(box, picture) > 0.5)) continue
    const inside = boxes.filter(box => shareInside(box, picture) > 0.8)
    if (inside.length < 2) continue
    const kept = new Set(inside)
    boxes = [...boxes.filter(box => !kept.has(box)), unionOf(inside)]
  }
  return boxes
}

/** Numbered or well-known titles in at least body size are headings even beside a figure. */
function looksLikeHeading (line: Line, bodySize: number): boolean {
  if (line.size < bodySize - 0.2) return false
  const { number, title } = splitNumber(line.text.trim())
  return isKnownTitle(title) || (number.length > 0 && /\p{L}{3}|[\uAC00-\uD7AF]{2}/u.test(title) && (line.bold || number.length > 1))
}

/** Accents and overlong letters that wiping left beside the text. */
function isSpeck (box: Box, prose: readonly Box[]): boolean {
  if (isArt(box)) return false
  const wide: Box = [box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3]
  return prose.some(line => sharedArea(line, wide) > 0.2 * areaOf(wide))
}

/** Words set upright beside the text: stamps of repositories, names of journals. */
function isMarginInk (box: Box, { frame }: PageLayout): boolean {
  return (box[2] < frame[0] - 6 || box[0] > frame[2] + 6) && widthOf(box) < 20 &&
    heightOf(box) > 2.5 * widthOf(box)
}

/** Rules and logos in the lines of the running head, and borders around the whole page. */
function isHeadInk (box: Box, page: PageLayout): boolean {
  if (widthOf(box) > 0.97 * page.width && box[3] - box[1] > 0.9 * page.height) return true
  return page.heads.some(head => box[1] < head.box[3] + 4 && box[3] > head.box[1] - 4) &&
    (box[3] < 0.1 * page.height || box[1] > 0.9 * page.height)
}
