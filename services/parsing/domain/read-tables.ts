/** The cells of each table that was found on the pages. */
import { areaOf, sharedArea, unionOf, type Line } from './line.ts'
import type { PageLayout } from './layout.ts'
import type { Box, PageGlyphs } from './page-glyphs.ts'
import { readCells, type TableCells } from './table-cells.ts'
import type { TableRegion } from './table-regions.ts'
import { wordsIn, type Word } from './words.ts'

/** @returns cells and notes, in the order of `tables` */
export function readTables (
  tables: readonly TableRegion[], glyphs: readonly PageGlyphs[], layout: readonly PageLayout[]
): TableCells[] {
  return tables.map(({ caption: { page }, box, pieces = [{ page, box }] }) =>
    readPieces(pieces.map(piece => partOf(piece.box, glyphs[piece.page - 1]!, layout[piece.page - 1]!))))
}

interface Part { box: Box, words: Word[], level: Box[], upright: Box[] }

function partOf (box: Box, page: PageGlyphs, { lines, captions, continued }: PageLayout): Part {
  const captioned = new Set<Line>([...captions, ...continued].flatMap(caption => caption.lines))
  const own = lines.filter(line => !captioned.has(line) && sharedArea(line.box, box) > 0.5 * areaOf(line.box))
  const near: Box = [box[0] - 8, box[1] - 8, box[2] + 8, box[3] + 8]
  const inside = page.objects.map(object => object.box)
    .filter(rule => rule[0] > near[0] && rule[1] > near[1] && rule[2] < near[2] && rule[3] < near[3])
  return {
    box,
    words: wordsIn(page, own),
    level: inside.filter(rule => rule[3] - rule[1] < 3),
    upright: inside.filter(rule => rule[2] - rule[0] < 3 && rule[3] - rule[1] > 4)
  }
}

/** Parts on several pages are read as one table, each set below the part before it. */
function readPieces (parts: readonly Part[]): TableCells {
  const [first] = parts
  if (parts.length === 1) return readCells(first!.words, first!, first!.box)
  const all: Part = { box: [...first!.box], words: [], level: [], upright: [] }
  for (const part of parts) {
    const move = part === first ? [0, 0] : [first!.box[0] - part.box[0], all.box[3] + partGap - part.box[1]]
    const moved = ([x0, y0, x1, y1]: Box): Box => [x0 + move[0]!, y0 + move[1]!, x1 + move[0]!, y1 + move[1]!]
    const words = part.words.map(word =>
      ({ ...word, box: moved(word.box), baseline: word.baseline + move[1]! }))
    all.words.push(...words)
    all.level.push(...part.level.map(moved))
    all.upright.push(...part.upright.map(moved))
    all.box = unionOf([all.box, moved(part.box)])
  }
  const { rows, notes } = readCells(all.words, all, all.box)
  const header = JSON.stringify(rows[0])
  return { rows: rows.filter((row, i) => i === 0 || JSON.stringify(row) !== header), notes }
}

/** Points between parts: more than lines of one cell have. */
const partGap = 12
