/**
 * Headings that a float's box has taken in: the heading of the next section stands right below a
 * table, in its column, and right above running text.
 */
import type { BodyStyle } from './body-style.ts'
import { isKnownTitle } from './section-kind.ts'
import { splitNumber } from './heading-number.ts'
import { overlapX, type Line } from './line.ts'
import type { PageLayout } from './layout.ts'

/**
 * @param taken lines of floats; those of captions are never headings
 * @returns     the lines to be given back to the text
 */
export function findSwallowedHeads (page: PageLayout, taken: ReadonlySet<Line>, body: BodyStyle): Set<Line> {
  const captioned = new Set(page.captions.flatMap(({ lines }) => lines))
  const inside = page.lines.filter(line => taken.has(line) && !captioned.has(line) &&
    line.size > body.size - 0.6 && line.gaps === 0)
  return new Set(inside.filter(line => {
    const below = nearest(line, page.lines)
    if (below === undefined || taken.has(below) || !page.prose.has(below)) return false
    if (below.baseline - line.baseline > 2.4 * body.leading) return false
    const beside = page.lines.some(other => other !== line && taken.has(other) &&
      Math.abs(other.baseline - line.baseline) < 0.5 * line.size && other.column === line.column)
    return !beside && isSetApart(line, below)
  }))
}

function isSetApart (line: Line, below: Line): boolean {
  const { number, title } = splitNumber(line.text.trim())
  if (!/\p{L}{3}|[\u4E00-\u9FFF\uAC00-\uD7AF]{2}/u.test(title) || title.length > 160) return false
  const face = line.font !== below.font || line.size > below.size + 0.4
  return face ? /^\P{Ll}/u.test(title) : number.length > 1 || isKnownTitle(title)
}

/** The line next below in the same column. */
function nearest (line: Line, lines: readonly Line[]): Line | undefined {
  let best: Line | undefined
  for (const other of lines) {
    if (other.baseline <= line.baseline + 1 || overlapX(other.box, line.box) <= 0) continue
    if (best === undefined || other.baseline < best.baseline) best = other
  }
  return best
}
