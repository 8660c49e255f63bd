/**
 * Headings: lines set apart by style, number, space or a known name. Evidence adds up; a style that
 * known or numbered headings share lends weight to the other lines in it.
 */
import { groupBy } from './group.ts'
import type { BodyStyle } from './body-style.ts'
import { cleanText, closeLetterSpacing, joinLines } from './clean-text.ts'
import { splitNumber } from './heading-number.ts'
import { median, widthOf, type Line, type Span } from './line.ts'
import { readNames } from './names.ts'
import { settleOutline } from './outline.ts'
import { columnEdges, type ColumnEdge } from './paragraphs.ts'
import { isKnownTitle } from './section-kind.ts'

export interface Heading {
  /** Lines it takes; a run-in one shares its last line with its paragraph. */
  lines: Line[]
  number: string
  title: string
  runIn: boolean
  style: string
  score: number
  /** Set apart by space or neighbours, with running text below. */
  isolated: boolean
  /** Stands directly below another heading. */
  stacked: boolean
}

/** Everything set in the same face, size and case may be headings of one level. */
export function headingStyle (line: Line): string {
  const letters = line.text.replace(/[^\p{L}]/gu, '')
  const caps = letters.length > 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  const face = line.bold ? 'b' : ''
  return `${line.font}|${Math.round(line.size * 2) / 2}|${face}${line.italic ? 'i' : ''}${caps ? 'C' : ''}`
}

interface Place {
  above: Line | undefined
  below: Line | undefined
  body: BodyStyle
  width: number
  edge: ColumnEdge | undefined
}

/**
 * @param flow lines of running text in reading order
 * @returns    displayed headings in reading order
 */
export function findHeadings (flow: readonly Line[], body: BodyStyle): Heading[] {
  return settleOutline(decide(weighAll(flow, body)), flow)
}

/** All candidates with the evidence for them. */
export function weighAll (flow: readonly Line[], body: BodyStyle): Heading[] {
  const widths = columnWidths(flow)
  const edges = columnEdges(flow)
  const found: Heading[] = []
  for (let i = 0; i < flow.length;) {
    const lines = gather(flow, i, body)
    const place = {
      above: flow[i - 1],
      below: flow[i + lines.length],
      body,
      width: widths.get(lines[0]!.column) ?? 200,
      edge: edges.get(`${lines[0]!.page}|${lines[0]!.column}`)
    }
    const heading = weigh(lines, place)
    if (heading !== undefined) found.push(heading)
    i += lines.length
  }
  return found
}

function columnWidths (flow: readonly Line[]): Map<number, number> {
  const byColumn = groupBy(flow, ({ column }) => column)
  return new Map([...byColumn].map(([column, lines]) =>
    [column, median(lines.map(({ box }) => widthOf(box)))]))
}

/** More lines of one style than any heading has are a block of text, an abstract in bold. */
const linesMax = 60

/** Lines of one heading: the same style, close, and not the body's. */
function gather (flow: readonly Line[], at: number, body: BodyStyle): Line[] {
  const first = flow[at]!
  const lines = [first]
  if (isPlain(first, body)) return lines
  for (let i = at + 1; i < flow.length && lines.length < linesMax; i++) {
    const last = lines.at(-1)!
    const next = flow[i]!
    const step = next.baseline - last.baseline
    const sameStyle = next.font === first.font && Math.abs(next.size - first.size) < 0.4
    if (!sameStyle || next.page !== first.page || step > 1.6 * first.size || step < 0.5 * first.size) break
    if (splitNumber(next.text.trim()).number !== '' || isKnownTitle(splitNumber(last.text.trim()).title)) break
    if (Math.abs(next.column - first.column) > 0 && first.column !== -1) break
    lines.push(next)
  }
  return lines
}

function isPlain (line: Line, body: BodyStyle): boolean {
  return Math.abs(line.size - body.size) < 0.35 && body.fonts.has(line.font) && !isCaps(line.text)
}

export function isCaps (text: string): boolean {
  if (/\p{Ll}/u.test(text)) return false
  const letters = text.replace(/[^\p{L}]/gu, '')
  return letters.length > 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
}

/** Most lines are plainly of the body, longer than any known title and without a number in front. */
function isSentence (line: Line, body: BodyStyle): boolean {
  return line.glyphs > 60 && isPlain(line, body) && !/^\W*(?:\d|\p{Lu}{1,5}[.):\s]|[^\p{Script=Latin}])/u.test(line.text)
}

function weigh (lines: readonly Line[], place: Place): Heading | undefined {
  const first = lines[0]!
  if (lines.length > 4 || (lines.length === 1 && isSentence(first, place.body))) return undefined
  const text = closeLetterSpacing(cleanText(joinLines(lines, new Map())))
  const { number, title } = splitNumber(text)
  if (title.replace(/[^\p{L}]/gu, '').length < 2 || title.length > 180) return undefined
  const known = isKnownTitle(title)
  let score = styleScore(first, place.body) + spaceScore(lines, place)
  if (known) score += 2.5
  if (number !== '') score += 1.5
  score -= textFaults(title, known)
  if (isMixed(lines, place.body) || isRunning(lines, place) || isByline(first, title)) return undefined
  if (lines.length === 1 && isPlain(first, place.body) && !known && number === '') return undefined
  return {
    lines: [...lines],
    number,
    title,
    runIn: false,
    style: headingStyle(first) + (isCentred(lines, place) ? 'c' : ''),
    score,
    isolated: isIsolated(lines, place),
    stacked: false
  }
}

/** Full lines that go on below in their own style, as in a widely set abstract in bold. */
function isRunning (lines: readonly Line[], { below, width, body }: Place): boolean {
  const last = lines.at(-1)!
  return below !== undefined && below.font === last.font && Math.abs(below.size - last.size) < 0.4 &&
    widthOf(last.box) > 0.9 * width && below.page === last.page && below.baseline > last.baseline &&
    below.baseline - last.baseline < 1.3 * body.leading && splitNumber(below.text.trim()).number === ''
}

/** Authors below a title may be set as headings are. */
function isByline (first: Line, title: string): boolean {
  return first.page <= 2 && !isKnownTitle(title) && title.includes(',') && readNames(title).length >= 2
}

/** Whether it ends in a body font after opening in another: a paragraph with a run-in heading. */
function isMixed (lines: readonly Line[], body: BodyStyle): boolean {
  const spans = lines.flatMap(line => line.spans).filter(span => /\p{L}{2}/u.test(span.text))
  const first = spans[0]
  const last = spans.at(-1)
  if (first === undefined || last === undefined || body.fonts.has(first.font)) return false
  const count = (some: readonly Span[]) => some.reduce((sum, span) => sum + span.text.replace(/[^\p{L}]/gu, '').length, 0)
  const other = spans.filter(span => body.fonts.has(span.font) && !span.raised)
  return body.fonts.has(last.font) && count(other) > 8 && count(other) > 0.2 * count(spans)
}

/** Set in the middle of its column, with air on both sides. */
function isCentred (lines: readonly Line[], { edge }: Place): boolean {
  if (edge === undefined) return false
  return lines.every(({ box, size }) => box[0] - edge.left > 1.5 * size &&
    Math.abs((box[0] - edge.left) - (edge.right - box[2])) < 1.5 * size)
}

function styleScore (line: Line, body: BodyStyle): number {
  let score = 0
  if (line.size > body.size + 0.4) score += 1.5
  else if (line.size < body.size - 0.6) score -= 1
  if (line.bold && !body.bold) score += 1.5
  else if (!body.fonts.has(line.font)) score += 1
  if (isCaps(line.text)) score += 1
  return score
}

/** A short line after a finished paragraph or another heading, before running text. */
function isIsolated (lines: readonly Line[], { above, below, body, width }: Place): boolean {
  const first = lines[0]!
  const last = lines.at(-1)!
  if (below === undefined || below.font === last.font || !/^["'\u201C([]?[\p{Lu}\d\uAC00-\uD7AF]/u.test(below.text.trim())) return false
  const turned = above === undefined || above.page !== first.page || above.baseline > first.baseline
  const aired = turned || first.baseline - above.baseline > 1.3 * body.leading
  if (widthOf(last.box) > 0.85 * width && lines.length === 1) {
    return aired && below.page === last.page && below.baseline - last.baseline > 1.2 * body.leading
  }
  if (turned) return true
  return /[.:?!)\]"\u201D]\s*\d*\s*$/.test(above.text) || widthOf(above.box) < 0.7 * width ||
    first.baseline - above.baseline > 1.25 * body.leading
}

function spaceScore (lines: readonly Line[], { above, below, body, width }: Place): number {
  const first = lines[0]!
  const last = lines.at(-1)!
  let score = 0
  if (above !== undefined && above.page === first.page && !isPlain(above, body) &&
    headingStyle(above) !== headingStyle(first) && widthOf(above.box) < 0.7 * width) score += 0.5
  // Small print has smaller leading, and so have its headings.
  const leading = body.leading * Math.min(1, Math.max(first.size, below?.size ?? 0) / body.size)
  const turned = above === undefined || above.page !== first.page || above.baseline > first.baseline
  if (turned || first.baseline - above.baseline > 1.25 * leading) score += 1
  else if (widthOf(above.box) > 0.9 * width && !/[.:?!)\]]\s*$/.test(above.text)) score -= 1.5
  if (below !== undefined && below.page === last.page) {
    const gap = below.baseline - last.baseline
    if (gap > 1.25 * leading) score += 0.5
    if (gap > 0 && gap < 0.3 * leading) score -= 3
  }
  if (widthOf(last.box) > 0.97 * width && lines.length === 1) score -= 0.5
  return score
}

function textFaults (title: string, known: boolean): number {
  let faults = 0
  if (/[.,;]$/.test(title) && !known) faults += 1.5
  if (/^\p{Ll}/u.test(title)) faults += 1.5
  if (title.length > 110) faults += 1
  if (/[=<>\u2211\u222B\u2264\u2265\u00B1]/.test(title)) faults += 2
  if (/^\[\d{1,3}\]/.test(title)) faults += 4
  if (/(?:@|https?:|doi\.org|www\.)/.test(title)) faults += 4
  if (/^(?:keywords?|key words|index terms|abstract|received|accepted|published|copyright|\u00A9)/i.test(title)) faults += 0.5
  const letters = title.replace(/[^\p{L}]/gu, '').length
  if (letters < 0.6 * title.replace(/\s/g, '').length) faults += 2
  return faults
}

const sure = 3.5
const lent = 1.5
const least = 3
/** For lines of a style that mostly stands alone before text. */
const clustered = 2
/** The same style, but the line itself is wide or its neighbours are unclear. */
const nearlyClustered = 1.2
/** For "4-1" below "4" and "4-2" behind "4-1". */
const counted = 1

/** Dotted numbers that go on from the candidate before. */
function followers (found: readonly Heading[]): Set<Heading> {
  const following = new Set<Heading>()
  let last = ''
  for (const heading of found) {
    const { number } = heading
    if (number === '') continue
    const parts = number.split(/[.-]/)
    const ordinal = Number(parts.pop())
    const parent = parts.join('.')
    const before = last.split(/[.-]/)
    const isChild = ordinal === 1 && parent === last.replaceAll('-', '.')
    const isNext = ordinal === Number(before[parts.length]) + 1 && parent === before.slice(0, parts.length).join('.')
    if (parts.length > 0 && (isChild || isNext)) following.add(heading)
    last = number
  }
  return following
}

/** Styles of sure headings lend weight to the others in them. */
function decide (found: readonly Heading[]): Heading[] {
  const strong = new Map<string, number>()
  for (const heading of found) {
    const named = heading.number !== '' || isKnownTitle(heading.title)
    if (named && heading.score >= sure) {
      strong.set(heading.style, (strong.get(heading.style) ?? 0) + 1)
    }
  }
  const following = followers(found)
  // Italic journal names and the like are candidates only by their face.
  const alone = groupBy(found.filter(({ score }) => score >= 1), ({ style }) => style)
  return found.filter(heading => {
    const backed = strong.get(heading.style) ?? 0
    const kin = alone.get(heading.style) ?? []
    const apart = kin.filter(({ isolated }) => isolated).length
    const isCluster = apart >= 2 && apart >= 0.6 * kin.length
    const cluster = !isCluster ? 0 : heading.isolated ? clustered : apart >= 3 ? nearlyClustered : 0
    const score = heading.score + (following.has(heading) ? counted : 0)
    return score + Math.max(cluster, backed > 0 ? lent : 0) - (backed > 0 ? 0 : 0.5) >= least
  })
}
