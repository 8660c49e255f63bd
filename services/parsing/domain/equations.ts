/** What is displayed: equations with a number at the column's edge, and formulas without one. */
import { cleanText } from './clean-text.ts'
import { findDisplayMath } from './display-math.ts'
import { overlapY, unionOf, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'

export interface DraftEquation { number: string, page: number, box: Box, text: string, lines: Line[] }

const trailing = /(?:^|\s)\((\d{1,3}(?:\.\d{1,3})?[a-z]?|[A-Z]\.?\d{1,3})\)\s*$/
const symbols = /[=<>\u2264\u2265\u2211\u222B\u2248\u221D\u2192\u2208\u00B1\u2212\u00D7+]/

interface Page {
  /** Outside floats. */
  lines: readonly Line[]
  /** Those of the running text. */
  running: readonly Line[]
  prose: ReadonlySet<Line>
  bodySize: number
}

/**
 * @returns the equations of a page, column by column from the top; `apart` are lines that are none of
 *          the running text
 */
export function findDisplayed (
  { lines, running, prose, bodySize }: Page
): { equations: DraftEquation[], apart: Set<Line> } {
  const formulas = findDisplayMath({ lines: running, prose, bodySize })
  const numbered = findEquations(lines, prose)
  const known = new Set(numbered.flatMap(({ lines }) => lines))
  const others = formulas.filter(own => !own.some(line => known.has(line))).map((own): DraftEquation => ({
    number: '',
    page: own[0]!.page,
    box: unionOf(own.map(({ box }) => box)),
    text: cleanText(own.map(({ text }) => text).join(' ')),
    lines: own
  }))
  // A number at the edge tells a formula even if that is made of words.
  const ofWords = numbered.filter(({ lines }) => !lines.some(line => prose.has(line)))
  return {
    equations: [...numbered, ...others].sort((a, b) =>
      a.lines[0]!.column - b.lines[0]!.column || a.box[1] - b.box[1]),
    apart: new Set([...formulas.flat(), ...ofWords.flatMap(({ lines }) => lines)])
  }
}

/** A number in parentheses at the column's edge, with symbols beside. */
function findEquations (lines: readonly Line[], prose: ReadonlySet<Line>): DraftEquation[] {
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
