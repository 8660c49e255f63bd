/** Where a captioned table is: rows and rules that follow its caption, up to running text. */
import { areaOf, overlapX, overlapY, sharedArea, unionOf, widthOf, type Line } from './line.ts'
import type { Caption } from './captions.ts'
import type { Box } from './page-glyphs.ts'

export interface TablePage {
  /** Lines that are neither caption nor running head, from the top. */
  lines: readonly Line[]
  /** Lines in body style that are running text: no table covers them. */
  walls: readonly Box[]
  ink: readonly Box[]
  columns: readonly Box[]
  frame: Box
}

export interface TableRegion { caption: Caption, box: Box }

const reach = 24

/** @returns the region below the caption, or above it when there is more of a table there */
export function findTableRegion (caption: Caption, page: TablePage): TableRegion | undefined {
  const below = collect(caption, page, 1)
  const above = collect(caption, page, -1)
  const area = (box: Box | undefined) => box === undefined ? 0 : areaOf(box)
  const rows = area(above) > 2 * area(below) && area(below) < 3000 ? above : below ?? above
  const ruled = ruledBox(caption, page)
  if (ruled === undefined) return rows === undefined ? undefined : { caption, box: rows }
  const box = rows !== undefined && sharedArea(rows, ruled) > 0 ? unionOf([rows, ruled]) : ruled
  return { caption, box: page.walls.some(wall => sharedArea(wall, box) > 0.5 * areaOf(wall)) ? ruled : box }
}

/** The largest set of level rules of one width that stands next to the caption, on any side. */
function ruledBox (caption: Caption, { ink, walls }: TablePage): Box | undefined {
  const rules = [...ink].sort((a, b) => a[1] - b[1])
  let best: Box | undefined
  const open: Box[] = []
  for (const rule of rules) {
    const at = open.findIndex(box => Math.abs(box[0] - rule[0]) < 4 && Math.abs(box[2] - rule[2]) < 4)
    const joined = at === -1 ? rule : unionOf([open[at]!, rule])
    const crossed = at !== -1 && walls.some(wall => sharedArea(wall, joined) > 0.5 * areaOf(wall))
    if (at === -1 || crossed) {
      open.unshift(rule)
      continue
    }
    open[at] = joined
    const distance = Math.max(0, -overlapX(joined, caption.box), -overlapY(joined, caption.box))
    const large = joined[3] - joined[1] > 12
    if (large && distance < 28 && (best === undefined || areaOf(joined) > areaOf(best))) best = [...joined]
  }
  return best
}

function collect (caption: Caption, page: TablePage, way: 1 | -1): Box | undefined {
  const home = page.columns.find(column => overlapX(column, caption.box) > 0.9 * widthOf(caption.box))
  const parts = [...page.lines.filter(({ text }) => text !== '').map(({ box }) => box), ...page.ink]
    .filter(box => way === 1 ? box[1] >= caption.box[3] - 3 : box[3] <= caption.box[1] + 3)
    .sort((a, b) => way === 1 ? a[1] - b[1] : b[3] - a[3])
  const walls = page.walls
  let box: Box | undefined
  let edge = way === 1 ? caption.box[3] : caption.box[1]
  const lane = home ?? page.frame
  for (const part of parts) {
    // A hairline has no width to share, but it must not be of the next column's figure either.
    if (overlapX(part, lane) < Math.min(0.5 * widthOf(part), 2)) continue
    const gap = way === 1 ? part[1] - edge : edge - part[3]
    if (gap > reach) break
    const union = box === undefined ? part : unionOf([box, part])
    if (walls.some(wall => sharedArea(wall, union) > 0.25 * areaOf(wall))) break
    box = union
    edge = way === 1 ? Math.max(edge, part[3]) : Math.min(edge, part[1])
  }
  return box
}
