/** A laid-out paper to its parts: title, authors, abstract, sections with their lines, notes. */
import { findAbstract, type FoundAbstract } from './abstract.ts'
import { findAuthors } from './authors.ts'
import { bareText } from './clean-text.ts'
import type { Floats } from './floats.ts'
import { findFootnotes } from './footnotes.ts'
import { findHeadings, type Heading } from './headings.ts'
import type { Layout } from './layout.ts'
import type { Line } from './line.ts'
import { orderLines } from './reading-order.ts'
import { kindOf, plainTitle } from './section-kind.ts'
import { findTitle } from './title.ts'

export interface DraftSection { heading: Heading | undefined, lines: Line[] }

export interface Structure {
  title: string
  authors: string[]
  abstract: FoundAbstract | undefined
  sections: DraftSection[]
  footnotes: Line[][]
  /** All running text in reading order, front matter included. */
  flow: Line[]
}

export function findStructure (layout: Layout, floats: Floats, metaTitle: string): Structure {
  const { pages, body } = layout
  const title = findTitle(pages.slice(0, 2).flatMap(({ lines }) => lines), metaTitle,
    new Map(pages.map(({ number, height }) => [number, height])))
  const footnotes: Line[][] = []
  const flow = pages.flatMap(page => {
    const text = page.lines.filter(line => !floats.lines.has(line))
    const notes = findFootnotes(text, body, page.height)
    footnotes.push(...notes)
    const noted = new Set(notes.flat())
    return orderLines(text.filter(line => !noted.has(line)))
  })
  const titled = new Set(title.lines)
  const afterTitle = flow.filter(line => !titled.has(line))
  const headings = dropListHeads(findHeadings(afterTitle, body))
  const stop = firstOfBody(headings, afterTitle)
  const abstract = findAbstract(afterTitle, body, stop?.lines[0])
  const used = new Set([...title.lines, ...abstract?.lines ?? []])
  const from = bodyStart(afterTitle, { abstract, stop, headings, layout })
  const front = afterTitle.slice(0, from).filter(line => !used.has(line))
  const rest = afterTitle.slice(from).filter(line => !used.has(line))
  return {
    title: title.text,
    authors: findAuthors(nearTitle(front, title.lines)),
    abstract,
    sections: cut(rest, headings),
    footnotes,
    flow
  }
}

function nearTitle (front: readonly Line[], title: readonly Line[]): Line[] {
  const last = title.at(-1)
  if (last === undefined) return []
  return front.filter(line => line.page === last.page && line.baseline > last.baseline)
    .sort((a, b) => a.baseline - b.baseline || a.box[0] - b.box[0])
}

/** In a reference list only known names and appendices are headings. */
function dropListHeads (headings: readonly Heading[]): Heading[] {
  const kept: Heading[] = []
  let inList = false
  const styles = new Set<string>()
  for (const heading of headings) {
    const kind = kindOf(heading.title)
    if (inList && kind === 'other' && !styles.has(heading.style)) continue
    inList = kind === 'references' || (inList && kind === 'other' && heading.number === '' && !styles.has(heading.style))
    if (!inList) styles.add(heading.style)
    kept.push(heading)
  }
  return kept
}

const abstractPart = /^(?:background|aims?|objectives?|purpose|methods?|materials? and methods|patients and methods|results?|conclusions?|findings|context|introduction|discussion|significance|main messages)$/
const frontName = /^(?:abstract|summary|keywords?|key words|article info(?:rmation)?|open access|highlights|graphical abstract|\uC694\uC57D|\uCD08\uB85D|correspondence|\u6458\u8981|author summary)\b/

/** The first heading that is neither the abstract's nor one of its parts. */
function firstOfBody (headings: readonly Heading[], flow: readonly Line[]): Heading | undefined {
  const names = headings.map(({ title }) => plainTitle(title))
  const label = flow.findIndex(line => /^(?:abstract|a b s t r a c t|summary)/i.test(line.text.trim()))
  return headings.find((heading, i) => {
    const name = names[i]!
    if (frontName.test(name)) return false
    if (heading.number !== '' && /^(?:1|I|\u2160)$/.test(heading.number)) return true
    if (label !== -1 && flow.indexOf(heading.lines[0]!) < label) return false
    const again = names.indexOf(name, i + 1) !== -1
    if (abstractPart.test(name) && again) return false
    return true
  })
}

interface Found {
  abstract: FoundAbstract | undefined
  stop: Heading | undefined
  headings: readonly Heading[]
  layout: Layout
}

/** Index of the body's first line: its first heading, or prose that comes before that. */
function bodyStart (flow: readonly Line[], { abstract, stop, layout }: Found): number {
  const stopAt = stop === undefined ? flow.length : flow.indexOf(stop.lines[0]!)
  const after = abstract === undefined ? -1 : flow.indexOf(abstract.lines.at(-1)!)
  const { body } = layout
  const isProse = (line: Line) => layout.pages[line.page - 1]!.prose.has(line) &&
    Math.abs(line.size - body.size) < 0.4 && body.fonts.has(line.font)
  let run = 0
  let from = -1
  for (let i = after + 1; i < stopAt; i++) {
    if (isProse(flow[i]!)) {
      if (run === 0) from = i
      run += flow[i]!.glyphs
      if (run > 350) return from
    } else if (flow[i]!.glyphs > 30) run = 0
  }
  return Math.min(stopAt, flow.length)
}

function cut (flow: readonly Line[], headings: readonly Heading[]): DraftSection[] {
  const opens = new Map(headings.map(heading => [heading.lines[0]!, heading]))
  const inHeading = new Set(headings.flatMap(({ lines, runIn }) => runIn ? [] : lines))
  const sections: DraftSection[] = []
  for (const line of flow) {
    const heading = opens.get(line)
    if (heading !== undefined) sections.push({ heading, lines: [] })
    if (inHeading.has(line)) continue
    if (sections.length === 0) sections.push({ heading: undefined, lines: [] })
    sections.at(-1)!.lines.push(line)
  }
  return sections.filter(({ heading, lines }) => heading !== undefined ||
    bareText(lines.map(({ text }) => text).join('')).length > 0)
}
