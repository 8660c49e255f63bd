/**
 * Tables that run over pages: the parts that stand under a repeated label ("Table 2. Cont."), or under
 * none, at the top of the next page or at the foot of the page before the caption.
 */
import type { Caption } from './captions.ts'
import { areaOf, heightOf, overlapX, sharedArea, unionOf, widthOf, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'
import { countRows, findTableRegion, type SideCounts, type TablePage, type TableRegion } from './table-regions.ts'

/** A part of a table on one page. */
export interface TablePiece { page: number, box: Box }

export interface PieceGround {
  /** By page number; made when first asked for. */
  pageOf: (page: number) => TablePage
  pageCount: number
  /** Captions that repeat a table's label and say that it goes on. */
  continued: readonly Caption[]
  keyOf: (caption: Caption) => string
  usual: SideCounts
}

/** Rows without a label of their own must be as many as this to be a table's. */
const rowsMin = 4
/** Share of the lines of such a part that stand in rows. */
const rowShare = 0.6

/** @returns each table with all its parts, in the order of the pages */
export function joinPieces (tables: readonly TableRegion[], ground: PieceGround): TableRegion[] {
  const taken = new Set(tables.map(({ caption }) => caption.page))
  for (const { page } of ground.continued) taken.add(page)
  const forward = tables.map(table => {
    const key = ground.keyOf(table.caption)
    const repeats = ground.continued.filter(caption => ground.keyOf(caption) === key)
    const labelled = repeats.flatMap((caption): TablePiece[] => {
      const found = findTableRegion(caption, ground.pageOf(caption.page), ground.usual)
      return found === undefined ? [] : [{ page: caption.page, box: found.box }]
    })
    const pieces = [{ page: table.caption.page, box: table.box }, ...labelled].sort((a, b) => a.page - b.page)
    const after = piecesAfter(pieces.at(-1)!, ground, taken)
    for (const { page } of after) taken.add(page)
    return { table, pieces: [...pieces, ...after] }
  })
  return forward.map(({ table, pieces }) => {
    const { caption, box } = table
    const before = pieceBefore(table, ground, taken)
    // A caption alone at the top of a page has its rows on the page before, and none below it.
    if (before !== undefined && box[1] > caption.box[3] - 3 && !isLike(box, before.box)) {
      return { caption, box: caption.box, pieces: [before] }
    }
    const all = before === undefined ? pieces : [before, ...pieces]
    return all.length === 1 ? table : { ...table, pieces: all }
  })
}

function piecesAfter (
  last: TablePiece, ground: PieceGround, taken: ReadonlySet<number>
): TablePiece[] {
  const found: TablePiece[] = []
  let end = last
  while (end.page < ground.pageCount && !taken.has(end.page + 1)) {
    if (!isAtFoot(end.box, ground.pageOf(end.page))) return found
    const page = ground.pageOf(end.page + 1)
    const box = edgeRows(page, { number: end.page + 1, usual: ground.usual })
    if (box === undefined || !isLike(box, end.box)) return found
    end = { page: end.page + 1, box }
    found.push(end)
  }
  return found
}

/** Rows that fill the page before a caption which stands first on its page, or whose table does. */
function pieceBefore (
  { caption, box }: TableRegion, ground: PieceGround, taken: ReadonlySet<number>
): TablePiece | undefined {
  const number = caption.page - 1
  if (number < 1 || taken.has(number)) return undefined
  const top = Math.min(caption.box[1], box[1])
  const isFirst = !ground.pageOf(caption.page).lines.some(line => line.text !== '' && line.box[3] < top + 2 &&
    overlapX(line.box, caption.box) > 0)
  if (!isFirst) return undefined
  const page = ground.pageOf(number)
  const rows = edgeRows(page, { number, usual: ground.usual })
  if (rows === undefined || !isAtFoot(rows, page) || !isNear(rows, caption.box)) return undefined
  return { page: number, box: rows }
}

interface Edge { number: number, usual: SideCounts }

/** The rows with which a page begins, when it begins with a table. */
function edgeRows (page: TablePage, { number, usual }: Edge): Box | undefined {
  const tops = page.lines.filter(({ text }) => text !== '').map(({ box }) => box)
  if (tops.length < rowsMin) return undefined
  const top = Math.min(...tops.map(box => box[1]), ...page.rules.map(rule => rule[1])) - 2
  const first = unionOf(tops.filter(box => box[1] < top + 24))
  const edge: Box = [first[0], top - 1, first[2], top]
  const stand: Caption = { kind: 'table', label: '', lines: [], page: number, box: edge, score: 0 }
  const box = findTableRegion(stand, page, usual)?.box
  if (box === undefined || box[1] < top - 3) return undefined
  const inside = linesIn(box, page.lines)
  const rows = countRows(box, page.lines)
  return rows >= rowsMin && rows >= rowShare * levels(inside) ? box : undefined
}

function linesIn (box: Box, lines: readonly Line[]): Line[] {
  return lines.filter(line => sharedArea(line.box, box) > 0.5 * areaOf(line.box))
}

/** Different heights of baselines. */
function levels (lines: readonly Line[]): number {
  const sorted = lines.map(({ baseline }) => baseline).sort((a, b) => a - b)
  return sorted.filter((y, i) => i === 0 || y - sorted[i - 1]! > 2).length
}

/** Whether nothing follows in its column but a line or two: "Continued", a note. */
function isAtFoot (box: Box, { lines }: TablePage): boolean {
  const below = lines.filter(line => overlapX(line.box, box) > 0 && line.box[1] > box[3] - 2)
  return levels(below) <= 2
}

function isLike (a: Box, b: Box): boolean {
  return Math.abs(widthOf(a) - widthOf(b)) < 0.1 * Math.max(widthOf(a), widthOf(b))
}

/** A caption is at least half over its table. */
function isNear (rows: Box, caption: Box): boolean {
  return overlapX(rows, caption) > 0.5 * Math.min(widthOf(rows), widthOf(caption)) && heightOf(rows) > 60
}
