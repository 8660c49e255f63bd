/**
 * Captions of figures and tables: a label at the start of a line that is set apart. "Figure 2 shows"
 * inside a paragraph is not one; of two lines with one label the better set apart wins.
 */
import { unionOf, widthOf, overlapX, type Line } from './line.ts'
import type { Box } from './page-glyphs.ts'
import type { BodyStyle } from './body-style.ts'

export interface Caption {
  kind: 'figure' | 'table'
  label: string
  lines: Line[]
  page: number
  box: Box
  score: number
}

const number = '(?:[A-Z]{0,2}\\.?\\s?\\d{1,3}(?:[.\\-]\\d{1,2})?[a-zA-Z]?|[IVXLC]{1,6}|[A-Z])'
const opening = new RegExp('^[\\s(\\[<\uFF08]*((?:(?:Supplementary|Supporting|Extended Data|Appendix|Online)\\s+)?(?:(fig(?:ure|\\.)?|scheme|chart|plate|illustration|photo|map|graph|\uADF8\uB9BC|\\u56FE|\\u5716|\\u56F3|abb(?:ildung|\\.)?|figura)|(table|tab\\.|\uD45C|\\u8868|tabelle|tabla|tableau))\\.?\\s*(' + number + '))(?![\\p{Ll}\\d])', 'iu')
const verbs = /^(?:shows?|showed|shown|illustrates?|presents?|presented|gives?|given|depicts?|displays?|summari[sz]es?|lists?|compares?|reports?|provides?|demonstrates?|is|are|was|were|and|we|has|have|can|also|in|that|which|the|for|to|of|with|as|indicates?|plots?|contains?|describes?|reveals?|suggests?|\uC740|\uB294|\uC5D0|\uACFC|\uC640|\uC744|\uB97C)(?![\p{L}])/u

interface Start { kind: 'figure' | 'table', label: string, rest: string, delimiter: boolean }

/** Reads the label that opens `text`, if one does. */
export function readLabel (text: string): Start | undefined {
  const spaced = text.replace(/^((?:\p{Lu} ){2,}\p{Lu})\b/u, letters => letters.replaceAll(' ', ''))
  const match = opening.exec(spaced)
  if (match === null) return undefined
  const label = match[1]!.replace(/\s+/g, ' ').trim()
  if (/^(?:fig|tab)/i.test(label) && /[\s.][a-z]$/.test(label)) return undefined
  // The pattern ignores case, but a number in letters is a capital that stands alone: "TABLE IV".
  const letters = match[4]!
  const apart = /[\s.]$/.test(match[1]!.slice(0, -letters.length))
  if (!/\d/.test(letters) && (letters !== letters.toUpperCase() || !apart)) return undefined
  const behind = spaced.slice(match[0].length)
  const delimiter = /^\s*(?:[.:|\u2013\u2014)\]>\uFF09\uFF1A-]|$)/.test(behind)
  const rest = behind.replace(/^[\s.:|\u2013\u2014)\]>\uFF09\uFF1A-]+/, '')
  return { kind: match[3] === undefined ? 'figure' : 'table', label, rest, delimiter }
}

interface Around { above: Line | undefined, body: BodyStyle }

/** How much a line with a label looks like the first of a caption; 2 and more is one. */
export function scoreStart (line: Line, start: Start, { above, body }: Around): number {
  const behind = start.rest
  const first = line.spans[0]!
  const later = line.spans.find(span => span.text.trim().length > 2 && span.x0 > first.x1 - 1)
  let score = start.delimiter ? 2 : 0
  if (Math.abs(line.size - body.size) > 0.35) score += 1.5
  if (!body.fonts.has(first.font)) score += 1
  if (later !== undefined && later.font !== first.font && !later.raised) score += 0.5
  if (above === undefined || line.baseline - above.baseline > 1.35 * body.leading) score += 1
  else if (Math.abs(above.size - line.size) < 0.3) {
    score -= above.font === line.font ? 1.5 : 0
    if (!/[.:?!)\]]\s*$/.test(above.text)) score -= 2
  }
  if (/^\p{Lu}/u.test(behind) || behind === '') score += 0.5
  if (verbs.test(behind) && !start.delimiter) score -= 4
  else if (verbs.test(behind)) score -= 1
  if (/^\s*[,;)]/.test(behind)) score -= 3
  return score
}

/**
 * @param lines of one page in content order, running heads left out
 * @param rules painted level lines of the page: no caption runs across one
 * @returns     captions with their lines; at most one for each label after `bestOfLabel`
 */
export function findCaptions (
  lines: readonly Line[], body: BodyStyle, rules: readonly Box[] = []
): Caption[] {
  const captions: Caption[] = []
  const used = new Set<Line>()
  for (const line of lines) {
    if (used.has(line)) continue
    const start = readLabel(line.text)
    if (start === undefined) continue
    const score = scoreStart(line, start, { above: lineAbove(line, lines), body })
    if (score < 2) continue
    const own = captionLines(line, start, { lines, body, rules })
    for (const part of own) used.add(part)
    captions.push({
      kind: start.kind,
      label: start.label,
      lines: own,
      page: line.page,
      box: unionOf(own.map(({ box }) => box)),
      score
    })
  }
  return captions
}

/** Of captions with one label the best scored stays, unless the later one says it continues. */
export function bestOfLabel (captions: readonly Caption[]): Caption[] {
  const best = new Map<string, Caption>()
  for (const caption of captions) {
    const key = `${caption.kind} ${labelKey(caption.label)}`
    const known = best.get(key)
    const isFirst = known === undefined || (saysContinued(known) && !saysContinued(caption))
    const isSame = known === undefined || saysContinued(known) === saysContinued(caption)
    if (isFirst || (isSame && caption.score > known.score)) best.set(key, caption)
  }
  return captions.filter(caption => best.get(`${caption.kind} ${labelKey(caption.label)}`) === caption)
}

const goesOn = /(?:^|[\s([,.:\u2014\u2013-])(?:cont(?:inued|inuation|['\u2019]d|\.|\b)|\uACC4\uC18D|\u7EED|\u7D9A\u304D|fortsetzung|suite\b)/iu

/** "Table 2. Cont.", "Table 2 (continued)": a label again, over what goes on from another page. */
export function saysContinued ({ label, lines }: Caption): boolean {
  const text = lines.map(line => line.text).join(' ')
  const rest = text.slice(Math.max(0, text.indexOf(label)) + label.length).trim()
  return rest.length < 24 ? goesOn.test(rest) : goesOn.test(rest.slice(0, 16)) || goesOn.test(rest.slice(-16))
}

/** "FIG. 2", "Figure 2" and "Fig 2." are one label: the number with what sets it apart. */
export function labelKey (label: string): string {
  const supplement = /^(?:suppl|supp|ext|app|online)/i.test(label) ? 's' : ''
  const what = /scheme|chart|plate|map|graph|photo|illustration/i.exec(label)?.[0].toLowerCase() ?? ''
  const last = label.trim().split(/[\s.]+(?=[^\s.]*$)/).at(-1) ?? ''
  return `${supplement}${what}${last.replace(/^\D*?(?=[A-Z]*\d)/i, '').toUpperCase() || last.toUpperCase()}`
}

function lineAbove (line: Line, lines: readonly Line[]): Line | undefined {
  let best: Line | undefined
  for (const other of lines) {
    if (other === line || other.baseline >= line.baseline - 1) continue
    if (overlapX(other.box, line.box) < 0.3 * Math.min(widthOf(other.box), widthOf(line.box))) continue
    if (best === undefined || other.baseline > best.baseline) best = other
  }
  return best
}

interface CaptionPage { lines: readonly Line[], body: BodyStyle, rules: readonly Box[] }

/** A label alone on its line may stand further from the words below it than these from each other. */
const stepBehindLabel = 2.8

/** The first line and those set on below it in its style. */
function captionLines (first: Line, start: Start, { lines, body, rules }: CaptionPage): Line[] {
  const own = [first]
  let last = first
  const bare = start.rest === ''
  let style: Line | undefined = (start.delimiter || bare) && first.text.length < 16 ? undefined : first
  const spread = body.leading / Math.max(1, body.size)
  for (;;) {
    const next = lineBelow(last, first, lines)
    if (next === undefined || (readLabel(next.text)?.delimiter === true && isEnded(last, next))) return own
    const step = next.baseline - last.baseline
    const size = style?.size ?? next.size
    const wide = bare && own.length === 1 ? stepBehindLabel : Math.max(1.75, 1.1 * spread)
    const leading = own.length > 1 ? last.baseline - own.at(-2)!.baseline : wide * size
    if (step > Math.max(leading * 1.25, 1.2 * size) || step > Math.max(2.1, wide) * size) return own
    if (Math.abs(next.size - size) > 0.4) return own
    if (style !== undefined && next.bold && !style.bold && !first.spans[0]!.bold) return own
    if (isRuledOff(last, next, rules) || (start.kind === 'table' && isRow(next, last, lines))) return own
    style ??= next
    own.push(next)
    last = next
  }
}

function isRuledOff (last: Line, next: Line, rules: readonly Box[]): boolean {
  const shorter = Math.min(widthOf(last.box), widthOf(next.box))
  return rules.some(rule => rule[1] > last.baseline - 1 && rule[3] < next.baseline - 0.3 * next.size &&
    overlapX(rule, next.box) > 0.5 * shorter)
}

/** Cells of a table: side by side, apart, and not filling the caption's measure together. */
function isRow (line: Line, above: Line, lines: readonly Line[]): boolean {
  if (line.gaps > 1) return true
  const beside = lines.filter(other => other !== line &&
    Math.abs(other.baseline - line.baseline) < 0.3 * line.size &&
    (other.column === line.column || other.column === -1 || line.column === -1 ||
      overlapX(other.box, above.box) > 0))
  const isShort = widthOf(line.box) < 0.4 * widthOf(above.box)
  return beside.length + line.gaps > 1 || (beside.length === 1 && isShort)
}

/** Whether a line may be the last of a caption: "in Table 1. The" goes on from "listed". */
function isEnded (last: Line, next: Line): boolean {
  return /[.:?!)\]]\s*$/.test(last.text) || next.baseline - last.baseline > 1.5 * next.size || last.text.length < 16
}

function lineBelow (last: Line, first: Line, lines: readonly Line[]): Line | undefined {
  let best: Line | undefined
  for (const other of lines) {
    if (other.baseline <= last.baseline + 1 || other.page !== last.page) continue
    const shared = overlapX(other.box, last.box)
    if (shared < 0.5 * Math.min(widthOf(other.box), widthOf(last.box))) continue
    const inside = first.column === -1 || other.column === first.column || other.column === -1
    if (!inside) continue
    if (best === undefined || other.baseline < best.baseline) best = other
  }
  if (best === undefined) return undefined
  const aligned = Math.abs(best.box[0] - last.box[0]) < 30 ||
    Math.abs(best.box[0] + best.box[2] - last.box[0] - last.box[2]) < 16
  return aligned ? best : undefined
}
