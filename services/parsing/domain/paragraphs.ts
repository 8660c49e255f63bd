/** Lines in reading order to paragraphs; one broken by a column, page or float stays one. */
import { groupBy } from './group.ts'
import type { BodyStyle } from './body-style.ts'
import { joinLines } from './clean-text.ts'
import { unionOf, widthOf, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'

export interface DraftParagraph { lines: Line[], text: string, places: { page: number, box: Box }[] }

/** Between lines, in em: with more, something stands between that is none of the paragraph's lines. */
const gapOfPlaces = 3.5

export interface ColumnEdge { left: number, right: number }

interface Setting {
  body: BodyStyle,
  words: ReadonlyMap<string, number>,
  edges: ReadonlyMap<string, ColumnEdge>
}

/** @param lines of one section, headings left out */
export function buildParagraphs (lines: readonly Line[], setting: Setting): DraftParagraph[] {
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    if (group === undefined || opens(group, line, setting)) groups.push([line])
    else group.push(line)
  }
  return groups.map(group => toParagraph(group, setting.words)).filter(({ text }) => text !== '')
}

/** Usual left and right edge of each column of each page, as `page|column`. */
export function columnEdges (lines: readonly Line[]): Map<string, ColumnEdge> {
  const groups = groupBy(lines, edgeKey)
  return new Map([...groups].map(([key, group]) => {
    const lefts = group.map(({ box }) => box[0]).sort((a, b) => a - b)
    const rights = group.map(({ box }) => box[2]).sort((a, b) => a - b)
    return [key, {
      left: lefts[Math.floor(lefts.length * 0.25)]!,
      right: rights[Math.floor(rights.length * 0.75)]!
    }]
  }))
}

function edgeKey (line: Line): string {
  return `${line.page}|${line.column}`
}

function opens (group: readonly Line[], line: Line, { body, edges }: Setting): boolean {
  const last = group.at(-1)!
  const edge = edges.get(edgeKey(line))
  const lastEdge = edges.get(edgeKey(last))
  const left = edge?.left ?? line.box[0]
  const indent = line.box[0] - left
  const ended = /[.?!:\u3002)"\u201D\u2019\]]\s*\d{0,3}$/.test(last.text.trim())
  const short = last.box[2] < (lastEdge?.right ?? last.box[2]) - 2.5 * body.size
  const indented = indent > 0.7 * body.size && indent < 5 * body.size
  // A list whose entries have no full stops: options of an exam, say.
  if (short && /^(?:[\u2460-\u2473]|\d{1,3}[.)]\s)/.test(line.text.trim())) return true
  const broken = line.page !== last.page || line.baseline < last.baseline - body.size ||
    line.baseline - last.baseline > 8 * body.leading
  if (broken) return ended && (short || indented)
  // A formula or a float stood between: the sentence goes on below it.
  if (goesOn(last.text, line.text) && !indented) return false
  const lastIndent = last.box[0] - (lastEdge?.left ?? last.box[0])
  if (line.baseline - last.baseline > 1.45 * Math.max(body.leading, line.size)) return true
  if (Math.abs(line.size - last.size) > 0.7 && line.glyphs > 12 && last.glyphs > 12) return true
  if (indented && lastIndent < 0.5 * body.size && ended) return true
  if (short && ended && widthOf(line.box) > 0) return true
  return indented && ended && group.length > 1 && Math.abs(lastIndent - indent) > 0.4 * body.size
}

/** An open sentence, and a line that begins like the rest of one. */
function goesOn (above: string, below: string): boolean {
  return /[\p{L}\p{N},;:)\]%\u2013-]$/u.test(above.trim()) && /^\p{Ll}{2}/u.test(below.trim())
}

function toParagraph (lines: Line[], words: ReadonlyMap<string, number>): DraftParagraph {
  const places: { page: number, box: Box }[] = []
  let part: Line[] = []
  const flush = () => {
    if (part.length > 0) places.push({ page: part[0]!.page, box: unionOf(part.map(({ box }) => box)) })
    part = []
  }
  for (const line of lines) {
    const last = part.at(-1)
    if (last !== undefined && (line.page !== last.page || line.column !== last.column ||
      line.baseline < last.baseline - last.size ||
      line.baseline - last.baseline > gapOfPlaces * last.size)) flush()
    part.push(line)
  }
  flush()
  return { lines, places, text: joinLines(lines, words) }
}
