/**
 * Running heads, folios and stamps: what a page repeats around its text.
 * A line is one when lines like it (digits aside) stand at the same height of other pages, or when
 * it stands where most pages have theirs.
 */
import { bareText } from './clean-text.ts'
import { groupBy } from './group.ts'
import { widthOf, type Line } from './line.ts'

/** Share of the page's height at top and bottom where heads and feet are looked for. */
const edge = 0.12

export interface PageSize { number: number, width: number, height: number }

/** @returns the lines that belong to no text */
export function findRunningHeads (lines: readonly Line[], pages: readonly PageSize[]): Set<Line> {
  const heights = new Map(pages.map(page => [page.number, page.height]))
  const atEdge = lines.filter(({ box, page }) => {
    const height = heights.get(page)!
    return box[3] < edge * height || box[1] > (1 - edge) * height
  })
  const heads = new Set<Line>()
  for (const [key, group] of groupBy(atEdge, headKey)) {
    if (key !== '') for (const line of repeated(group, key)) heads.add(line)
  }
  for (const line of atEdge) if (isFolio(line, heights.get(line.page)!)) heads.add(line)
  for (const line of inBand(atEdge, heads, pages.length)) heads.add(line)
  for (const line of besideHeads(atEdge, heads)) heads.add(line)
  for (const line of stamps(lines, pages)) heads.add(line)
  return heads
}

function headKey (line: Line): string {
  const key = bareText(line.text.replace(/[\d\u2013\u2014]+/g, '0')).slice(0, 40)
  // A bare number is a folio if it counts with the pages; else it labels an axis or an equation.
  return key === '0' ? `0 ${Number(/\d+/.exec(line.text)?.[0] ?? 0) - line.page}` : key
}

/** Left and right pages differ: two alike are enough when they are long and at one height. */
function repeated (group: readonly Line[], key: string): Line[] {
  return group.filter(line => {
    const near = group.filter(other => Math.abs(other.baseline - line.baseline) < 8)
    const pages = new Set(near.map(({ page }) => page))
    if (pages.size >= 3) return true
    const exact = near.filter(other => Math.abs(other.baseline - line.baseline) < 2)
    return pages.size === 2 && exact.length >= 2 && (key.length >= 8 || key.startsWith('0 '))
  })
}

function isFolio (line: Line, height: number): boolean {
  const outer = line.box[3] < 0.08 * height || line.box[1] > 0.92 * height
  return outer && /^(?:page\s*)?[-\u2013\s|]*(?:\d{1,5}|[ivx]{1,5})(?:\s*(?:of|\/)\s*\d{1,4})?[-\u2013\s|]*$/i
    .test(line.text.trim())
}

/** Small lines at a height where at least a third of the pages have their heads. */
function inBand (atEdge: readonly Line[], heads: ReadonlySet<Line>, pageCount: number): Line[] {
  const pagesAt = new Map<number, Set<number>>()
  for (const { baseline, page } of heads) {
    for (const y of [Math.floor(baseline), Math.floor(baseline) + 1, Math.floor(baseline) - 1]) {
      pagesAt.set(y, (pagesAt.get(y) ?? new Set()).add(page))
    }
  }
  const sizes = new Map<number, number>()
  for (const { size } of heads) sizes.set(Math.round(size * 2), (sizes.get(Math.round(size * 2)) ?? 0) + 1)
  const sizeMax = Math.max(0, ...[...sizes].filter(([, count]) => count > 1).map(([size]) => size / 2)) + 0.6
  const least = Math.max(2, pageCount / 3)
  return atEdge.filter(line => line.size <= sizeMax &&
    (pagesAt.get(Math.floor(line.baseline))?.size ?? 0) >= least)
}

/** A date or author name that shares the baseline of a running head, different on every page. */
function besideHeads (atEdge: readonly Line[], heads: ReadonlySet<Line>): Line[] {
  const byPage = groupBy([...heads], ({ page }) => page)
  return atEdge.filter(line =>
    byPage.get(line.page)?.some(head => Math.abs(head.baseline - line.baseline) < 2))
}

/** Notes that servers print onto every page, wherever: the same words at one place of most pages. */
function stamps (lines: readonly Line[], pages: readonly PageSize[]): Line[] {
  if (pages.length < 3) return []
  const widths = new Map(pages.map(page => [page.number, page.width]))
  const long = lines.filter(line => line.glyphs >= 12 && widthOf(line.box) < 0.95 * widths.get(line.page)!)
  const placeOf = ({ text, box, baseline }: Line) =>
    `${text} ${Math.round(box[0] / 4)} ${Math.round(baseline / 4)}`
  return [...groupBy(long, placeOf).values()]
    .filter(group => new Set(group.map(({ page }) => page)).size >= Math.max(3, 0.6 * pages.length)).flat()
}
