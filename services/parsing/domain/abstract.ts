/**
 * The abstract: the text behind a label, or, without one, the first block of prose between title
 * and body that is set apart. Structured abstracts keep their parts.
 */
import { bareText, closeLetterSpacing, joinLines } from './clean-text.ts'
import { unionOf, widthOf, type Line } from './line.ts'
import { readNames } from './names.ts'
import type { Box } from './page-glyphs.ts'
import type { BodyStyle } from './body-style.ts'

export interface FoundAbstract {
  text: string
  lines: Line[]
  page: number
  box: Box
  parts: { label: string, text: string }[]
}

const label = /^(?:abstract|summary|a b s t r a c t|(?:(?:\uAD6D\uBB38|\uC601\uBB38|\uB17C\uBB38) ?)?(?:\uC694 ?\uC57D|\uCD08 ?\uB85D)\uBB38?|zusammenfassung|r\u00E9sum\u00E9|resumen|resumo|\u6458 ?\u8981)\s*(?:[.:\u2014\u2013|-]+\s*|$|\s+(?=\p{Lu}))/iu
const ends = /^(?:abstract\s*$|key\s?-?words?|index terms|key\s?points?|categories and subject|ccs concepts|general terms|subject (?:areas|terms)|pacs|jel|msc|abbreviations?|citation|acm reference|doi|corresponding author|(?:1|i|\u2160)[.\s]*introduction|introduction\b|\u2022? ?introduction|\uD575\uC2EC ?\uC5B4|\uC8FC\uC81C\uC5B4|\uD0A4\uC6CC\uB4DC|article info|received|accepted|\u00A9|copyright|e-?mail|published|significance|author summary|statement of significance)/i
const partLabel = /^((?:aims?|background|objectives?|purpose|methods?|materials? and methods?|results?|conclusions?|findings|context|design|setting|participants|interventions?|main outcome measures?|significance|introduction|patients and methods|discussion|interpretation|hypothesis|importance|observations)(?:\s(?:and|&|\/)\s(?:aims?|objectives?|purpose|setting|participants|results?|discussion|methods?|findings))?)\s*[:.\u2014]\s*/i

/**
 * @param flow lines from the title on, in reading order, footnotes and heads left out
 * @param stop the first heading of the body; an abstract ends before it
 */
export function findAbstract (flow: readonly Line[], body: BodyStyle,
  stop: Line | undefined): FoundAbstract | undefined {
  const at = flow.findIndex(line => label.test(closeLetterSpacing(line.text.trim())) && line.page <= 3)
  const lines = at === -1 ? unlabelled(flow, body, stop) : labelled(flow.slice(at), stop)
  if (lines.length === 0) return undefined
  const text = joinLines(lines.map((line, i) => i === 0 && at !== -1 ? withoutLabel(line) : line), new Map())
  if (bareText(text).length < 40) return undefined
  const page = lines[0]!.page
  const onPage = lines.filter(line => line.page === page)
  return { text, lines, page, box: unionOf(onPage.map(({ box }) => box)), parts: splitParts(text) }
}

function withoutLabel (line: Line): { text: string, hyphen: boolean } {
  const text = closeLetterSpacing(line.text.trim())
  return { text: text.replace(label, ''), hyphen: line.hyphen }
}

function labelled (flow: readonly Line[], stop: Line | undefined): Line[] {
  const first = flow[0]!
  const alone = withoutLabel(first).text === ''
  const lines = [first]
  let style = alone ? undefined : first
  for (const line of flow.slice(1)) {
    const last = lines.at(-1)!
    if (line === stop || ends.test(line.text.trim())) break
    if (style !== undefined && endsBlock(last, line, style)) break
    style ??= line
    lines.push(line)
    if (lines.length > 90) break
  }
  return lines.length === 1 && alone ? [] : lines
}

function endsBlock (last: Line, line: Line, style: Line): boolean {
  if (partLabel.test(line.text.trim()) || line.glyphs < 25) {
    return line.page === last.page && line.baseline - last.baseline > 3.2 * style.size
  }
  if (Math.abs(line.size - style.size) > 0.6) return true
  if (line.page !== last.page || line.baseline < last.baseline) return false
  return line.baseline - last.baseline > 2.6 * style.size
}

/** The first long block in one style, before the body: set in another width, face or size. */
function unlabelled (flow: readonly Line[], body: BodyStyle, stop: Line | undefined): Line[] {
  const until = stop === undefined ? flow.length : flow.indexOf(stop)
  const before = flow.slice(0, until === -1 ? flow.length : until).filter(({ page }) => page <= 2)
  let block: Line[] = []
  const blocks: Line[][] = []
  for (const line of before) {
    const last = block.at(-1)
    if (last !== undefined && !sameBlock(last, line, body)) {
      blocks.push(block)
      block = []
    }
    block.push(line)
  }
  blocks.push(block)
  const long = blocks.filter(lines => lines.reduce((sum, line) => sum + line.glyphs, 0) > 300 &&
    isSentences(lines))
  return withoutByline(long[0] ?? [])
}

/** Authors may be set as the abstract is, right above it. */
function withoutByline (lines: readonly Line[]): Line[] {
  const from = lines.findIndex(line => readNames(marksApart(line)).length === 0)
  return from === -1 ? [] : lines.slice(from)
}

function marksApart ({ spans }: Line): string {
  return spans.map(({ raised, text }) => raised ? ' ; ' : text).join('')
}

function sameBlock (last: Line, line: Line, body: BodyStyle): boolean {
  if (line.page !== last.page || Math.abs(line.size - last.size) > 0.5) return false
  if (line.bold !== last.bold && line.font !== last.font && line.glyphs > 15 && last.glyphs > 15) return false
  const step = line.baseline - last.baseline
  const near = step > 0 && step < Math.max(1.9 * line.size, 1.15 * body.leading)
  return near && Math.abs(line.box[0] - last.box[0]) < 30
}

function isSentences (lines: readonly Line[]): boolean {
  const text = lines.map(line => line.text).join(' ')
  const words = text.split(' ')
  const lower = words.filter(word => /^[\p{Ll}]{2,}/u.test(word)).length
  const wide = lines.filter(line => widthOf(line.box) > 150).length
  return lower > 0.5 * words.length && wide >= 3 && /[.?!]\s/.test(text) &&
    !/(?:@|university of|department of).{0,200}(?:@|university|department)/i.test(text)
}

/** Medical journals set labels in capitals without a stop: "IMPORTANCE Little is known". */
const capitalLabel = /^(IMPORTANCE|BACKGROUND|AIMS?|PURPOSE|OBJECTIVES?|DESIGN(?:, SETTING,? (?:AND|&) PARTICIPANTS)?|SETTING|PARTICIPANTS|PATIENTS AND METHODS|METHODS|INTERVENTIONS?|EXPOSURES?|MAIN OUTCOMES?(?: AND MEASURES?)?|MEASUREMENTS|RESULTS|FINDINGS|LIMITATIONS?|CONCLUSIONS?(?: AND RELEVANCE)?|TRIAL REGISTRATION)\s*:?\s+(?=\p{Lu})/u

/** Parts of a structured abstract; none when fewer than two labels are found. */
export function splitParts (text: string): { label: string, text: string }[] {
  const parts: { label: string, text: string }[] = []
  for (const sentence of text.split(/(?<=[.?!)])\s+/)) {
    const match = partLabel.exec(sentence) ?? capitalLabel.exec(sentence)
    if (match !== null) parts.push({ label: match[1]!, text: sentence.slice(match[0].length) })
    else if (parts.length > 0) parts.at(-1)!.text += `${parts.at(-1)!.text === '' ? '' : ' '}${sentence}`
  }
  return parts.length >= 2 ? parts.filter(part => part.text !== '') : []
}
