/** Figures and tables with their boxes, and the lines that are part of them. */
import { cropBox } from './crop-box.ts'
import { findFigureRegions, isArt, type PageArt, type Region } from './figure-regions.ts'
import { areaOf, heightOf, overlapX, overlapY, shareInside, sharedArea, unionOf, widthOf, type Line } from './line.ts'
import { splitNumber } from './heading-number.ts'
import type { Layout, PageLayout } from './layout.ts'
import type { Box } from './page-glyphs.ts'
import { isKnownTitle } from './section-kind.ts'
import { clearSide, findTableRegion, type SideCounts, type TablePage, type TableRegion } from './table-regions.ts'
import { joinRules } from './words.ts'

export interface Floats {
  figures: Region[]
  tables: TableRegion[]
  /** Lines of captions, figures and tables: no running text. */
  lines: Set<Line>
}

/** @param ink of the pages that have figure captions, by page number */
export function findFloats ({ pages, body }: Layout, ink: ReadonlyMap<number, readonly Box[]>): Floats {
  const lines = new Set(pages.flatMap(page => page.captions.flatMap(caption => caption.lines)))
  const tables = findTables(pages, { lines, bodySize: body.size })
  const arts = new Map<number, PageArt>()
  for (const page of pages) {
    const inked = ink.get(page.number)
    if (inked === undefined) continue
    const own = tables.filter(({ caption }) => caption.page === page.number)
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
  for (const { caption, box } of [...figures, ...tables]) {
    const page = pages[caption.page - 1]!
    for (const line of page.lines) if (shareInside(line.box, box) > 0.6) lines.add(line)
  }
  return { figures, tables, lines }
}

interface TableParts { lines: ReadonlySet<Line>, bodySize: number }

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
  return grounds.flatMap(({ page, captions }) => {
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
}

function tablePage (page: PageLayout, { lines, bodySize }: TableParts): TablePage {
  const uprights = joinRules(page.uprights, false)
  const isWall = (line: Line) => page.prose.has(line) && !lines.has(line) &&
    Math.abs(line.size - bodySize) < 0.5 && !isInGrid(line.box, uprights)
  const pictures = page.pictures.filter(picture =>
    !page.lines.some(({ box }) => shareInside(box, picture) > 0.5))
  const texts = page.lines.filter(isWall).map(({ box }) => box)
  return {
    lines: page.lines.filter(line => !lines.has(line)),
    walls: [...texts, ...page.captions.map(({ box }) => box), ...pictures],
    rules: joinRules(page.rules, true).filter(rule => widthOf(rule) > 60),
    columns: page.columns,
    frame: page.frame
  }
}

/** Text with an upright rule close to its left and another right of it is in a cell. */
function isInGrid (box: Box, uprights: readonly Box[]): boolean {
  const beside = uprights.filter(rule => overlapY(rule, box) > 0.7 * heightOf(box))
  return beside.some(rule => rule[2] <= box[0] + 1 && rule[2] > box[0] - 14) &&
    beside.some(rule => rule[0] >= box[2] - 1)
}

interface ArtParts {
  ink: readonly Box[],
  tables: readonly TableRegion[],
  floating: ReadonlySet<Line>,
  bodySize: number
}

function pageArt (page: PageLayout, { ink, tables, floating, bodySize }: ArtParts): PageArt {
  const prose = [...page.prose].filter(line => !floating.has(line)).map(({ box }) => box)
  const loose = page.lines.filter(line => !page.prose.has(line) && !floating.has(line))
  const captions = page.captions.map(({ box }) => box)
  const tableBoxes = tables.map(({ box }) => box)
  return {
    page: page.number,
    ink: joinPictures(ink, page.pictures, [...prose, ...captions]).filter(box =>
      !isSpeck(box, prose) && !isHeadInk(box, page) &&
      !tableBoxes.some(table => sharedArea(table, box) > 0.7 * areaOf(box))),
    labels: loose.filter(line => !looksLikeHeading(line, bodySize)).map(({ box }) => box),
    walls: [...prose, ...loose.filter(line => looksLikeHeading(line, bodySize)).map(({ box }) =>
      box), ...captions, ...tableBoxes, ...page.heads.map(({ box }) => box)],
    frame: page.frame,
    columns: page.columns
  }
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

/** Rules and logos in the lines of the running head, and borders around the whole page. */
function isHeadInk (box: Box, page: PageLayout): boolean {
  if (widthOf(box) > 0.97 * page.width && box[3] - box[1] > 0.9 * page.height) return true
  return page.heads.some(head => box[1] < head.box[3] + 4 && box[3] > head.box[1] - 4) &&
    (box[3] < 0.1 * page.height || box[1] > 0.9 * page.height)
}
