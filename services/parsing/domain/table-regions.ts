/**
 * Where a captioned table is: rows and rules that follow its caption, or stand above or beside it,
 * up to running text. What a paper does with most of its tables decides the doubtful ones.
 */
import { areaOf, heightOf, overlapX, overlapY, sharedArea, unionOf, widthOf, type Line } from './line.ts'
import type { Caption } from './captions.ts'
import type { Box } from './page-glyphs.ts'

export interface TablePage {
  /** Lines that are neither caption nor running head. */
  lines: readonly Line[]
  /** Running text, headings, other captions and pictures: no table covers them. */
  walls: readonly Box[]
  /** Level rules, pieces joined. */
  rules: readonly Box[]
  columns: readonly Box[]
  frame: Box
  bodySize: number
}

/** `pieces`: all parts of a table that runs over pages, `box` being the one on the caption's page. */
export interface TableRegion { caption: Caption, box: Box, pieces?: { page: number, box: Box }[] }

export type TableSide = 'above' | 'below'
export type SideCounts = Record<TableSide, number>

/** Points between a row and the next, or a caption and its table. */
const reach = 24
const ruledReach = 28

interface Candidate { side: TableSide, box: Box, rows: number, ruled: boolean }

/**
 * @param usual how many clear tables of the paper stand above and below their captions
 * @returns     the box of the table that a caption belongs to, notes included
 */
export function findTableRegion (
  caption: Caption, page: TablePage, usual: SideCounts
): TableRegion | undefined {
  const ruled = ruledBox(caption, page)
  const candidates = candidatesOf(caption, page, ruled)
  const share = (side: TableSide) => usual[side] / Math.max(1, usual.above + usual.below)
  const score = ({ side, rows, ruled }: Candidate) =>
    Math.min(rows, 6) / 3 + (ruled ? 2 : 0) + 2 * share(side) + (side === 'below' ? 0.5 : 0)
  const best = candidates.sort((a, b) => score(b) - score(a))[0]
  if (best === undefined) return ruled === undefined ? undefined : { caption, box: ruled }
  const loose = ruled === undefined || sharedArea(best.box, ruled) === 0
  const box = loose ? best.ruled || ruled === undefined ? best.box : ruled : unionOf([best.box, ruled])
  return { caption, box: crossed(box, page.walls) && ruled !== undefined ? ruled : box }
}

/** The side of a caption's table when there is no doubt about it. */
export function clearSide (caption: Caption, page: TablePage): TableSide | undefined {
  const found = candidatesOf(caption, page, ruledBox(caption, page)).filter(({ rows }) => rows > 1)
  return found.length === 1 ? found[0]!.side : undefined
}

function candidatesOf (caption: Caption, page: TablePage, ruled: Box | undefined): Candidate[] {
  return (['below', 'above'] as const).flatMap(side => {
    const box = collect(caption, { ...page, ruled }, side)
    if (box === undefined) return []
    const isRuled = ruled !== undefined && sharedArea(ruled, box) > 0
    return { side, box, rows: countRows(box, page.lines), ruled: isRuled }
  })
}

/** Heights at which a box holds cells side by side. */
export function countRows (box: Box, lines: readonly Line[]): number {
  const inside = lines.filter(line => sharedArea(line.box, box) > 0.5 * areaOf(line.box))
  return inside.filter((line, i) => line.gaps > 0 || inside.some((other, k) => k < i &&
    Math.abs(other.baseline - line.baseline) < 0.4 * line.size)).length
}

/** Whether running text lies in a box. */
export function crossed (box: Box, walls: readonly Box[]): boolean {
  return walls.some(wall => overlapX(wall, box) > Math.min(12, 0.5 * widthOf(wall)) &&
    overlapY(wall, box) > Math.min(6, 0.5 * heightOf(wall)))
}

/** The largest set of level rules of one width that stands next to the caption, on any side. */
function ruledBox (caption: Caption, { lines, rules, walls }: TablePage): Box | undefined {
  const sorted = [...rules].sort((a, b) => a[1] - b[1])
  let facing: Box | undefined
  let aside: Box | undefined
  const open: Box[] = []
  for (const rule of sorted) {
    const at = open.findIndex(box => Math.abs(box[0] - rule[0]) < 4 && Math.abs(box[2] - rule[2]) < 4)
    const joined = at === -1 ? rule : unionOf([open[at]!, rule])
    if (at === -1 || crossed(joined, walls)) {
      open.unshift(rule)
      continue
    }
    open[at] = joined
    const beside = overlapX(joined, caption.box) <= 0
    if (beside && overlapY(joined, caption.box) <= 0) continue
    const distance = -(beside ? overlapX : overlapY)(joined, caption.box)
    const large = heightOf(joined) > 12
    if (!large || distance > ruledReach || sharedArea(joined, caption.box) > 0) continue
    if (!isFilled(joined, lines)) continue
    const isLarger = (other: Box | undefined) => other === undefined || areaOf(joined) > areaOf(other)
    if (!beside && isLarger(facing)) facing = [...joined]
    if (beside && isLarger(aside) && widthOf(caption.box) < widthOf(joined)) aside = [...joined]
  }
  return facing ?? aside
}

/** Rules with little text between are the frame of a plot. */
function isFilled (box: Box, lines: readonly Line[]): boolean {
  const written = lines.reduce((sum, line) => sum + sharedArea(line.box, box), 0)
  return countRows(box, lines) > 1 || written > 0.15 * areaOf(box)
}

const note = /^(?:[*\u2020\u2021\u00A7\u00B6#]|\(?[a-z]\)?\s|notes?\b|source|abbreviations?\b)/i

function collect (
  caption: Caption, page: TablePage & { ruled: Box | undefined }, side: TableSide
): Box | undefined {
  const down = side === 'below'
  const home = page.columns.find(column => overlapX(column, caption.box) > 0.9 * widthOf(caption.box))
  const { ruled } = page
  // Below its last rule a table has only notes, in small type.
  const isBehind = ({ box, size, text }: Line) => down && ruled !== undefined && box[1] > ruled[3] - 2 &&
    overlapX(box, ruled) > 0 && size > page.bodySize - 0.3 && !note.test(text)
  const walls = [...page.walls, ...page.lines.filter(isBehind).map(({ box }) => box)]
  const parts = [...page.lines.filter(({ text }) => text !== '').map(({ box }) => box), ...page.rules]
    .filter(box => down ? box[1] >= caption.box[3] - 3 : box[3] <= caption.box[1] + 3)
    .sort((a, b) => down ? a[1] - b[1] : b[3] - a[3])
  const lane = home ?? page.frame
  let box: Box | undefined
  let edge = down ? caption.box[3] : caption.box[1]
  for (const part of parts) {
    // A hairline has no width to share, but it must not be of the next column's figure either.
    if (overlapX(part, lane) < Math.min(0.5 * widthOf(part), 2)) continue
    if ((down ? part[1] - edge : edge - part[3]) > reach) break
    const union = box === undefined ? part : unionOf([box, part])
    if (crossed(union, walls)) break
    box = union
    edge = down ? Math.max(edge, part[3]) : Math.min(edge, part[1])
  }
  return box
}
