/**
 * Run-in headings: a paragraph that opens in another face, up to a full stop or colon. One alone
 * may be emphasis; two in one style are a level of headings.
 */
import type { BodyStyle } from './body-style.ts'
import { cleanText, joinLines } from './clean-text.ts'
import { splitNumber } from './heading-number.ts'
import type { Heading } from './headings.ts'
import { widthOf, type Line, type Span } from './line.ts'
import { isKnownTitle, isStatementTitle } from './section-kind.ts'

const titleMax = 110

/**
 * @param flow    lines of running text in reading order
 * @param skipped lines of displayed headings and of reference lists
 */
export function findRunIns (flow: readonly Line[], skipped: ReadonlySet<Line>, body: BodyStyle): Heading[] {
  const found: Heading[] = []
  for (let i = 0; i < flow.length; i++) {
    const line = flow[i]!
    if (skipped.has(line) || !opensParagraph(flow[i - 1], line, { skipped, body })) continue
    const heading = readRunIn(flow, i, body)
    if (heading !== undefined && !heading.lines.some(own => skipped.has(own))) found.push(heading)
  }
  const counts = new Map<string, number>()
  for (const { style } of found) counts.set(style, (counts.get(style) ?? 0) + 1)
  const titles = new Map<string, number>()
  for (const { title } of found) titles.set(title, (titles.get(title) ?? 0) + 1)
  // A name that comes again and again ("Approaches.", "Proof.") labels a paragraph, not a section.
  return found.filter(({ title }) => titles.get(title)! < 3 &&
    !/^(?:fig|tab)\S*\s*\d/i.test(title)).filter(({ style, title, number }) =>
    counts.get(style)! >= 2 || isKnownTitle(title) || number !== '')
}

function opensParagraph (above: Line | undefined, line: Line, {
  skipped,
  body
}: { skipped: ReadonlySet<Line>, body: BodyStyle }): boolean {
  if (above === undefined || skipped.has(above) || above.page !== line.page) return true
  const step = line.baseline - above.baseline
  if (step < 0 || step > 1.3 * body.leading) return true
  if (!/[.?!:)\]"\u201D\d]\s*$/.test(above.text)) return false
  // Bold behind a full stop opens one even where the line above happens to be full.
  if (line.spans[0]!.bold && !above.spans.at(-1)!.bold && /[.?!]\s*\d{0,3}\s*$/.test(above.text)) return true
  return (above.box[2] < line.box[0] + 0.93 * widthOf(line.box) || line.box[0] > above.box[0] + 5 ||
      line.box[0] < above.box[0] - 5)
}

/** Spans in the opening face, over at most three lines, if they end like a title. */
function readRunIn (flow: readonly Line[], at: number, body: BodyStyle): Heading | undefined {
  const first = flow[at]!
  const face = first.spans.find(span => /\p{L}{2}/u.test(span.text))
  if (face === undefined || body.fonts.has(face.font) || !isSetApart(face, body)) return undefined
  const lines: { text: string, hyphen: boolean }[] = []
  const own: Line[] = []
  for (let i = at; i < Math.min(flow.length, at + 3); i++) {
    const line = flow[i]!
    const end = leadEnd(line, face, i === at)
    if (end === 0) break
    own.push(line)
    const head = end === -1 ? line.text : line.spans.slice(0, end).map(span => span.text).join('')
    lines.push({ text: head, hyphen: line.hyphen })
    if (end !== -1) break
  }
  const last = own.at(-1)
  if (last === undefined || leadEnd(last, face, own.length === 1) === -1) return undefined
  const text = cleanText(joinLines(lines, new Map()))
  const { number, title } = splitNumber(text.replace(/[\s.:\u2014\u2013]+$/, ''))
  // Statements behind the body are set small, their names in bold without a stop.
  const isStatement = isStatementTitle(title) && (face.bold || face.font !== last.spans.at(-1)!.font)
  const small = Math.abs(first.size - body.size) > 1.2
  if (text.length > titleMax || (small && !isStatement)) return undefined
  if (!/[.:\u2014\u2013]$/.test(text) && !isStatement && !isCounted(first, face)) return undefined
  if (hangs(first, flow[at + 1])) return undefined
  if (!/^\p{Lu}|^[\uAC00-\uD7AF\u4E00-\u9FFF]/u.test(title) || !/\p{L}{3}/u.test(title)) return undefined
  if (/^(?:fig|table|proof|theorem|lemma|definition|e-?mail|keywords?)\b/i.test(title)) return undefined
  const style = `${face.font}|${Math.round(face.size * 2) / 2}|runin`
  return { lines: own, number, title, runIn: true, style, score: 3, isolated: false, stacked: false }
}

/**
 * A dotted number in the lead's own bold opens a section even where no stop ends its name. A number
 * in the text's face, or a single one, counts the items of a list.
 */
function isCounted (first: Line, face: Span): boolean {
  const end = leadEnd(first, face, true)
  const next = first.spans[end]
  return face.bold && first.spans[0] === face && next !== undefined &&
    /^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\p{Lu}/u.test(face.text) && /^["'\u201C(]?\p{Lu}/u.test(next.text.trim())
}

/** An item of a list goes on to the right of its number. */
function hangs (first: Line, next: Line | undefined): boolean {
  return next !== undefined && next.page === first.page && next.column === first.column &&
    next.baseline > first.baseline && next.box[0] > first.box[0] + 0.5 * first.size
}

/** Place of the first span that is no more the heading's; its number may be set in the text's face. */
function leadEnd ({ spans }: Line, face: Span, isFirst: boolean): number {
  const from = isFirst ? spans.indexOf(face) : 0
  return spans.findIndex((span, i) => i >= from && !sameFace(span, face) && /[\p{L}\p{N}]/u.test(span.text))
}

function isSetApart (span: Span, body: BodyStyle): boolean {
  return (span.bold && !body.bold) || span.italic || !body.fonts.has(span.font)
}

function sameFace (span: Span, face: Span): boolean {
  return span.font === face.font || (span.bold === face.bold && span.italic === face.italic && span.bold)
}

/** Text of a run-in heading's lines without the heading itself. */
export function afterRunIn (heading: Heading): { line: Line, text: string } {
  const last = heading.lines.at(-1)!
  const face = heading.lines[0]!.spans.find(span => /\p{L}{2}/u.test(span.text))!
  const end = leadEnd(last, face, heading.lines.length === 1)
  return { line: last, text: last.spans.slice(end).map(span => span.text).join('') }
}
