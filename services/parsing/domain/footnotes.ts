/** Notes at the foot of a column: smaller than the text, below it, opened by a mark. */
import { groupBy } from './group.ts'
import type { BodyStyle } from './body-style.ts'
import type { Line } from './line.ts'

const mark = /^(?:[*\u2020\u2021\u00A7\u00B6\u2016#]|\d{1,2}(?=\s?\p{L})|[a-e](?=\s\p{Lu}))/u

/**
 * @param lines  of one page, captions, tables, figures and running heads left out
 * @param height of the page
 * @returns      notes, each the lines from its mark to the next, from the top
 */
export function findFootnotes (lines: readonly Line[], body: BodyStyle, height: number): Line[][] {
  const columns = groupBy(lines, ({ column }) => column)
  const notes: Line[][] = []
  for (const column of columns.values()) {
    const sorted = [...column].sort((a, b) => b.baseline - a.baseline)
    const tail: Line[] = []
    for (const line of sorted) {
      const above = tail.at(-1)
      const small = line.size < body.size - 0.6
      const near = above === undefined || above.baseline - line.baseline < 2.2 * line.size
      if (!small || !near || line.baseline < 0.4 * height) break
      tail.push(line)
    }
    notes.push(...splitNotes(tail.reverse()))
  }
  return notes
}

function splitNotes (tail: readonly Line[]): Line[][] {
  // A whole column of small print is a reference list, not notes.
  if (tail.length === 0 || tail.length > 14) return []
  const from = tail.findIndex(opensNote)
  if (from === -1) return []
  const notes: Line[][] = []
  for (const line of tail.slice(from)) {
    if (opensNote(line) || notes.length === 0) notes.push([line])
    else notes.at(-1)!.push(line)
  }
  return notes
}

function opensNote (line: Line): boolean {
  return line.spans[0]!.raised || mark.test(line.text.trim())
}
