/** Cells of a table, of HTML's model and of CALS (row, entry), as rows of equal meaning. */
import { allOf, childrenOf, elementsOf, type Element } from './element.ts'

const columnsMax = 200
const rowsMax = 2_000

/**
 * A cell that spans columns or rows stands once, where it begins; the places that it covers are empty,
 * so that every other cell keeps its column. Rows have equal length; empty ones are left out.
 *
 * @param table  element with tr (td, th) or row (entry) anywhere below
 * @param textOf of a cell
 */
export function tableRows (table: Element, textOf: (cell: Element) => string): string[][] {
  const columns = columnNames(table)
  const rows: string[][] = []
  /** For each column, in how many of the next rows a cell from above covers it. */
  const covered: number[] = []
  for (const row of rowsIn(table).slice(0, rowsMax)) {
    const cells: string[] = []
    let column = 0
    for (const cell of childrenOf(row, 'td', 'th', 'entry', 'cell')) {
      const named = columns.get(cell.attributes.get('namest') ?? cell.attributes.get('colname') ?? '')
      while ((covered[column] ?? 0) > 0) column++
      if (named !== undefined && named > column) column = named
      if (column >= columnsMax) break
      const { across, down } = spansOf(cell, columns)
      cells[column] = textOf(cell)
      for (let end = Math.min(column + across, columnsMax); column < end; column++) {
        cells[column] ??= ''
        if (down > 1) covered[column] = down
      }
    }
    for (const [at, left] of covered.entries()) if (left > 0) covered[at] = left - 1
    rows.push(cells)
  }
  const width = Math.max(0, ...rows.map(cells => cells.length))
  return rows.map(cells => Array.from({ length: width }, (_, i) => cells[i] ?? ''))
    .filter(cells => cells.some(cell => cell.trim() !== ''))
}

/** Rows of tables inside a cell are text of that cell. */
function rowsIn (element: Element): Element[] {
  return elementsOf(element).flatMap(child => child.name === 'tr' || child.name === 'row' ? [child] : rowsIn(child))
}

function columnNames (table: Element): Map<string, number> {
  return new Map(allOf(table, 'colspec').map((column, at) => [column.attributes.get('colname') ?? '', at]))
}

function spansOf ({ attributes }: Element, columns: ReadonlyMap<string, number>) {
  const from = columns.get(attributes.get('namest') ?? '')
  const to = columns.get(attributes.get('nameend') ?? '')
  const named = from !== undefined && to !== undefined && to > from ? to - from + 1 : 1
  return {
    across: Math.max(named, countOf(attributes.get('colspan') ?? attributes.get('cols'), columnsMax)),
    down: Math.max(countOf(attributes.get('rowspan') ?? attributes.get('rows'), rowsMax), countOf(attributes.get('morerows'), rowsMax, 0) + 1)
  }
}

function countOf (text: string | undefined, max: number, otherwise = 1): number {
  const count = /^\d{1,6}$/u.test(text ?? '') ? Number(text) : otherwise
  return Math.min(Math.max(count, otherwise), max)
}
