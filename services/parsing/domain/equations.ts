/** Numbered display equations: a number in parentheses at the column's edge, with symbols beside. */
import { cleanText } from './clean-text.ts'
import { overlapY, unionOf, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'

export interface DraftEquation { number: string, page: number, box: Box, text: string, lines: Line[] }

const trailing = /(?:^|\s)\((\d{1,3}(?:\.\d{1,3})?[a-z]?|[A-Z]\.?\d{1,3})\)\s*$/
const symbols = /[=<>\u2264\u2265\u2211\u222B\u2248\u221D\u2192\u2208\u00B1\u2212\u00D7+]/

/** @param lines of one page outside floats; `prose` are those of running text */
export function findEquations (lines: readonly Line[], prose: ReadonlySet<Line>): DraftEquation[] {
  const found: DraftEquation[] = []
  for (const line of lines) {
    const match = trailing.exec(line.text)
    if (match === null || (prose.has(line) && line.gaps === 0)) continue
    const band: Box = [-Infinity, line.box[1] - 4, Infinity, line.box[3] + 4]
    const own = lines.filter(other => other === line || (other.column === line.column &&
      !prose.has(other) && overlapY(other.box, band) > 0.5 * (other.box[3] - other.box[1])))
    const text = cleanText(own.map(part => part.text).join(' ').replace(trailing, ''))
    if (!symbols.test(text)) continue
    found.push({
      number: match[1]!,
      page: line.page,
      box: unionOf(own.map(({ box }) => box)),
      text,
      lines: own
    })
  }
  return found
}
