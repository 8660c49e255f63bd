/**
 * Running heads, folios, margin stamps and line numbers: what a page repeats around its text.
 * A line is one when lines like it (digits aside) stand at the same height of other pages.
 */
import { bareText } from './clean-text.ts'
import type { Line } from './line.ts'

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
  const groups = new Map<string, Line[]>()
  for (const line of atEdge) {
    const key = headKey(line)
    if (key === '') continue
    groups.set(key, [...groups.get(key) ?? [], line])
  }
  const heads = new Set<Line>()
  for (const group of groups.values()) {
    for (const line of group) if (repeats(line, group, pages.length)) heads.add(line)
  }
  for (const line of atEdge) {
    if (isFolio(line, heights.get(line.page)!) || besideHead(line, heads)) heads.add(line)
  }
  for (const line of lineNumbers(lines)) heads.add(line)
  return heads
}

function headKey (line: Line): string {
  const key = bareText(line.text.replace(/[\d\u2013\u2014]+/g, '0')).slice(0, 40)
  // A bare number is a folio if it counts with the pages; else it labels an axis or an equation.
  return key === '0' ? `0 ${Number(/\d+/.exec(line.text)?.[0] ?? 0) - line.page}` : key
}

function repeats (line: Line, group: readonly Line[], pageCount: number): boolean {
  const pages = new Set(group.filter(other => Math.abs(other.baseline - line.baseline) < 8)
    .map(({ page }) => page))
  return pages.size >= (pageCount > 4 ? 3 : 2)
}

function isFolio (line: Line, height: number): boolean {
  const outer = line.box[3] < 0.08 * height || line.box[1] > 0.92 * height
  return outer && /^(?:page\s*)?[-\u2013\s|]*(?:\d{1,5}|[ivx]{1,5})(?:\s*(?:of|\/)\s*\d{1,4})?[-\u2013\s|]*$/i
    .test(line.text.trim())
}

/** A date or author name that shares the baseline of a running head, different on every page. */
function besideHead (line: Line, heads: ReadonlySet<Line>): boolean {
  for (const head of heads) {
    if (head.page === line.page && Math.abs(head.baseline - line.baseline) < 2) return true
  }
  return false
}

/** Manuscripts count lines at a fixed x left of the text. */
function lineNumbers (lines: readonly Line[]): Line[] {
  const numbers = lines.filter(line => /^\d{1,4}$/.test(line.text.trim()))
  const byPage = new Map<number, Line[]>()
  for (const line of numbers) byPage.set(line.page, [...byPage.get(line.page) ?? [], line])
  const found: Line[] = []
  for (const [page, group] of byPage) {
    const left = Math.min(...lines.filter(other => other.page === page && other.glyphs > 20)
      .map(({ box }) => box[0]))
    const outside = group.filter(({ box }) => box[2] < left)
    if (outside.length >= 10 && isCounting(outside)) found.push(...outside)
  }
  return found
}

function isCounting (lines: readonly Line[]): boolean {
  const sorted = [...lines].sort((a, b) => a.baseline - b.baseline)
  const steps = sorted.slice(1).map((line, i) => Number(line.text) - Number(sorted[i]!.text))
  return steps.filter(step => step === 1 || step === 5).length >= 0.8 * steps.length
}
