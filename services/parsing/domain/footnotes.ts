/**
 * Notes at the foot of a column: smaller than the text and below it. On a first page everything
 * small at the foot is one (addresses, licences); elsewhere a note opens with a mark.
 */
import type { BodyStyle } from './body-style.ts'
import { groupBy } from './group.ts'
import { overlapX, type Line } from './line.ts'

const mark = /^(?:[*\u2020\u2021\u00A7\u00B6\u2016#\u2217\u203B\u00A9]|\d{1,2}[.)]?(?=\s?\p{L})|[a-e](?=\s?\p{Lu}))/u
const imprint = /@|https?:|\bdoi\b|proceedings|journal|association|\u00A9|copyright|licen[cs]e|correspond|e-?mail|received|permission|university|department|institut/i

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
      const small = line.size < body.size - 0.35 || (tail.length < 5 &&
        line.size < body.size + 0.1 && mark.test(line.text.trim()) && imprint.test(line.text))
      const near = above === undefined || above.baseline - line.baseline < 4.5 * line.size
      if (!small || !near || line.baseline < 0.45 * height) break
      tail.push(line)
    }
    notes.push(...splitNotes(tail.reverse(), column.length))
  }
  return notes
}

/**
 * Imprints of a first page that stand elsewhere than at the foot: blocks of small print that speak
 * of licences and dates. Returned as lines, to be left out of the text.
 */
export function findImprint (lines: readonly Line[], body: BodyStyle): Set<Line> {
  const small = lines.filter(line => line.size < body.size - 1.2).sort((a, b) => a.baseline - b.baseline)
  const blocks: Line[][] = []
  for (const line of small) {
    const block = blocks.find(own => {
      const last = own.at(-1)!
      return line.baseline - last.baseline < 2 * line.size && overlapX(line.box, last.box) > 0
    })
    if (block === undefined) blocks.push([line])
    else block.push(line)
  }
  return new Set(blocks.filter(block => block.length <= 16 &&
    /\u00A9|copyright|licen[cs]e|rights reserved|received|correspond|accepted|published/i
      .test(block.map(({ text }) => text).join(' '))).flat())
}

function splitNotes (tail: readonly Line[], columnLines: number): Line[][] {
  // A whole column of small print is a reference list or an abstract, not notes.
  if (tail.length === 0 || tail.length > 24 || (tail.length > 4 && tail.length > 0.6 * columnLines)) return []
  const first = tail[0]!.page === 1
  const printed = first && tail.some(line => imprint.test(line.text))
  const from = printed ? 0 : tail.length > 14 ? -1 : tail.findIndex(opensNote)
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
