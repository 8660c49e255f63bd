/** The cells of each table that was found on the pages. */
import { areaOf, sharedArea, type Line } from './line.ts'
import type { PageLayout } from './layout.ts'
import type { Box, PageGlyphs } from './page-glyphs.ts'
import { readCells, type TableCells } from './table-cells.ts'
import type { TableRegion } from './table-regions.ts'
import { wordsIn } from './words.ts'

/** @returns cells and notes, in the order of `tables` */
export function readTables (
  tables: readonly TableRegion[], glyphs: readonly PageGlyphs[], layout: readonly PageLayout[]
): TableCells[] {
  return tables.map(({ caption: { page }, box }) => readTable(box, glyphs[page - 1]!, layout[page - 1]!))
}

function readTable (box: Box, page: PageGlyphs, { lines, captions }: PageLayout): TableCells {
  const captioned = new Set<Line>(captions.flatMap(caption => caption.lines))
  const own = lines.filter(line => !captioned.has(line) && sharedArea(line.box, box) > 0.5 * areaOf(line.box))
  const near: Box = [box[0] - 8, box[1] - 8, box[2] + 8, box[3] + 8]
  const inside = page.objects.map(object => object.box)
    .filter(rule => rule[0] > near[0] && rule[1] > near[1] && rule[2] < near[2] && rule[3] < near[3])
  const rules = {
    level: inside.filter(rule => rule[3] - rule[1] < 3),
    upright: inside.filter(rule => rule[2] - rule[0] < 3 && rule[3] - rule[1] > 4)
  }
  return readCells(wordsIn(page, own), rules, box)
}
