/** A laid-out paper to its parts: title, authors, abstract, sections with their lines, notes. */
import { findAbstract, type FoundAbstract } from './abstract.ts'
import { findAuthors, type FoundAuthor } from './authors.ts'
import { isBody } from './body-style.ts'
import { bareText } from './clean-text.ts'
import type { Floats } from './floats.ts'
import { findDisplayed, type DraftEquation } from './equations.ts'
import { findFootnotes, findImprint } from './footnotes.ts'
import { findHeadings, type Heading } from './headings.ts'
import type { Layout, PageLayout } from './layout.ts'
import { findContents, findReports } from './left-out.ts'
import { unionOf, widthOf, type Line } from './line.ts'
import { settleRunIns } from './outline.ts'
import { orderLines } from './reading-order.ts'
import { afterRunIn, findRunIns } from './run-in.ts'
import { closesList, findBareList } from './references.ts'
import { isKnownTitle, kindOf, plainTitle } from './section-kind.ts'
import { findSwallowedHeads } from './swallowed-heads.ts'
import { findTitle } from './title.ts'

/** `isList`: a reference list that has no heading. */
export interface DraftSection { heading: Heading | undefined, lines: Line[], isList?: boolean }

export interface Structure {
  title: string
  authors: FoundAuthor[]
  abstract: FoundAbstract | undefined
  sections: DraftSection[]
  footnotes: Line[][]
  /** In the order of their places. */
  equations: DraftEquation[]
  /** All running text in reading order, front matter included. */
  flow: Line[]
  /** What the file holds besides the paper, as warnings. */
  leftOut: { code: string, detail: string, page: number }[]
}

export function findStructure (layout: Layout, floats: Floats, metaTitle: string): Structure {
  const { pages, body } = layout
  const title = findTitle(pages.slice(0, 2).flatMap(({ lines }) => lines), {
    metaTitle,
    bodySize: body.size,
    heights: new Map(pages.map(({ number, height }) => [number, height]))
  })
  const footnotes: Line[][] = []
  const equations: DraftEquation[] = []
  const list = pages.flatMap(({ lines }) => lines).findLast(({ text }) => kindOf(text) === 'references')
  const flow = pages.flatMap(page => {
    const asides = findAsides(page, body.size)
    if (page.number === 1) for (const line of findImprint(page.lines, body)) asides.add(line)
    const freed = findSwallowedHeads(page, floats.lines, body)
    const text = page.lines.filter(line => (!floats.lines.has(line) || freed.has(line)) && !asides.has(line))
    const notes = findFootnotes(text, body, page.height).filter(([first]) => !isBehind(first!, list))
    footnotes.push(...notes)
    const noted = new Set(notes.flat())
    const running = text.filter(line => !noted.has(line))
    const outside = page.lines.filter(line => !floats.lines.has(line))
    const displayed = findDisplayed({ lines: outside, running, prose: page.prose, bodySize: body.size })
    equations.push(...displayed.equations)
    return orderLines(running.filter(line => !displayed.apart.has(line)))
  })
  const titled = new Set(title.lines)
  const untitled = flow.filter(line => !titled.has(line))
  const contents = findContents(untitled)
  const listed = untitled.filter(line => !contents.has(line))
  const all = findHeadings(listed, body)
  const reports = findReports(all)?.lines[0]
  const afterTitle = reports === undefined ? listed : listed.slice(0, listed.indexOf(reports))
  const kept = reports === undefined ? all : all.filter(({ lines }) => afterTitle.includes(lines[0]!))
  const headings = dropListHeads(kept).filter(heading => !isAboveTitle(heading, title.lines))
  const stop = firstOfBody(headings, afterTitle)
  const abstract = findAbstract(afterTitle, body, stop?.lines[0])
  const used = new Set([...title.lines, ...abstract?.lines ?? []])
  const from = bodyStart(afterTitle, { abstract, stop, headings, layout })
  const front = afterTitle.slice(0, from).filter(line => !used.has(line))
  const rest = afterTitle.slice(from).filter(line => !used.has(line) &&
    (isRunning(line, layout) || !isFront(line, title.lines, abstract)))
  const runIns = settleRunIns(findRunIns(rest, takenLines(headings, rest), body), headings, rest)
  return {
    title: title.text,
    authors: authorsOf(front, layout, { title: title.lines, abstract }),
    abstract,
    ...endWithList(cut(rest, [...headings, ...runIns]), footnotes),
    equations,
    flow,
    leftOut: reports === undefined
      ? []
      : [{ code: 'peer-review', detail: 'Reviewers\' reports behind the references are left out.', page: reports.page }]
  }
}

/** The body goes on beside the abstract where that stands in the first column. */
function isRunning (line: Line, { pages, body }: Layout): boolean {
  return pages[line.page - 1]!.prose.has(line) && isBody(line, body)
}

/** Authors and addresses stand between title and abstract, in whatever column. */
function isFront (line: Line, title: readonly Line[], abstract: FoundAbstract | undefined): boolean {
  const last = title.at(-1)
  return last !== undefined && abstract !== undefined && line.page === last.page &&
    abstract.page === last.page && line.baseline < abstract.box[1] && last.baseline < abstract.box[1]
}

/** In a reference list numbers open entries, not notes. */
function isBehind (line: Line, list: Line | undefined): boolean {
  if (list === undefined || line.page < list.page) return false
  return line.page > list.page || line.column > list.column || line.baseline > list.baseline
}

/** Small print in a strip left or right of the running text: dates, licences, stamps. */
function findAsides ({ lines, frame }: PageLayout, bodySize: number): Set<Line> {
  const small = lines.filter(line => line.size < bodySize - 0.4)
  const left = small.filter(({ box }) => box[2] < frame[0] - 2)
  const right = small.filter(({ box }) => box[0] > frame[2] + 2)
  const isStrip = (strip: readonly Line[]) => strip.length > 0 &&
    widthOf(unionOf(strip.map(({ box }) => box))) < 0.55 * widthOf(frame)
  return new Set([...isStrip(left) ? left : [], ...isStrip(right) ? right : []])
}

function isAboveTitle ({ lines }: Heading, title: readonly Line[]): boolean {
  const first = title[0]
  return first !== undefined && lines[0]!.page === first.page && lines[0]!.baseline < first.baseline
}

function nearTitle (front: readonly Line[], title: readonly Line[]): Line[] {
  const last = title.at(-1)
  if (last === undefined) return []
  return front.filter(line => line.page === last.page && line.baseline > last.baseline)
    .sort((a, b) => a.baseline - b.baseline || a.box[0] - b.box[0])
}

/** Where the text has none (small print is taken for an imprint), all of the page is looked at. */
function authorsOf (front: readonly Line[], layout: Layout, { title, abstract }: Front): FoundAuthor[] {
  const page = pageOfTitle(layout, title)
  const found = findAuthors(nearTitle(front, title), page)
  if (found.length > 0 || abstract === undefined) return found
  return findAuthors(nearTitle(page.filter(line => line.baseline < abstract.box[1]), title), page)
}

interface Front { title: readonly Line[], abstract: FoundAbstract | undefined }

function pageOfTitle ({ pages }: Layout, title: readonly Line[]): Line[] {
  const page = pages.find(({ number }) => number === title[0]?.page)
  return (page?.lines ?? []).filter(line => !title.includes(line))
}

/** In a reference list only known names and appendices are headings. */
function dropListHeads (headings: readonly Heading[]): Heading[] {
  const kept: Heading[] = []
  let inList = false
  let list = ''
  const styles = new Set<string>()
  for (const heading of headings) {
    const kind = kindOf(heading.title)
    const known = styles.has(heading.style)
    // "2.7 Footnotes" behind "2.6 References": a section about them, not a list.
    if (list !== '' && list < heading.number && known) inList = false
    if (inList && (kind === 'other' || heading.number !== '') && (!known || /^\d/.test(heading.number))) continue
    inList = kind === 'references' || (inList && kind === 'other' && heading.number === '' && !known)
    if (kind === 'references') list = heading.number
    if (!inList) styles.add(heading.style)
    kept.push(heading)
  }
  return kept
}

const abstractPart = /^(?:background|aims?|objectives?|purpose|methods?|materials? and methods|patients and methods|results?|conclusions?|findings|context|introduction|discussion|significance|main messages)$/
const frontName = /^(?:abstract|summary|keywords?|key words|article info(?:rmation)?|open access|highlights|graphical abstract|\uC694\uC57D|\uCD08\uB85D|correspondence|\u6458\u8981|author summary|research articles?|original articles?|articles?|reviews?|letters?|edge articles?|ccs concepts?|general terms|index terms|article history|acm reference.*|author details|main messages|current research questions|summary box)\b/

const abstractLabel = /^(?:abstract|a b s t r a c t|summary)(?![\p{L}])(?:\s*[.:|\u2014\u2013-]|\s*$|\s+\p{Lu})/iu

/** The first heading that is neither the abstract's nor one of its parts. */
function firstOfBody (headings: readonly Heading[], flow: readonly Line[]): Heading | undefined {
  const names = headings.map(({ title }) => plainTitle(title))
  const firstKnown = headings.findIndex(({ number, title }) => number !== '' || isKnownTitle(title))
  const label = flow.findIndex(line => line.page <= 2 && abstractLabel.test(line.text.trim()))
  return headings.find((heading, i) => {
    const name = names[i]!
    if (frontName.test(name)) return false
    // A journal's department or a line of authors: nothing later is set like it.
    if (i < firstKnown &&
      !headings.slice(firstKnown).some(other => other.style === heading.style)) return false
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

/** Lines in which no run-in heading is looked for: headings, and what follows "References". */
function takenLines (headings: readonly Heading[], flow: readonly Line[]): Set<Line> {
  const taken = new Set(headings.flatMap(({ lines }) => lines))
  const opens = new Map(headings.map(heading => [heading.lines[0]!, heading]))
  let inList = false
  for (const line of flow) {
    const heading = opens.get(line)
    if (heading !== undefined) inList = kindOf(heading.title) === 'references'
    else if (inList && closesList(line)) inList = false
    if (inList) taken.add(line)
  }
  return taken
}

/** Splits a reference list without a heading off the last section. */
function endWithList (sections: DraftSection[], footnotes: Line[][]): Pick<Structure, 'sections' | 'footnotes'> {
  const last = sections.at(-1)
  const isListed = sections.some(({ heading }) => kindOf(heading?.title ?? '') === 'references')
  const list = last === undefined || isListed ? undefined : findBareList(last.lines, footnotes)
  const isAll = list?.at === 0 && list.notes.length === 0
  if (last === undefined || list === undefined || isAll) return { sections, footnotes }
  const text = { ...last, lines: last.lines.slice(0, list.at) }
  const lines = [...list.notes.flat(), ...last.lines.slice(list.at)]
  return {
    sections: [...sections.slice(0, -1), text, { heading: undefined, lines, isList: true }],
    footnotes: footnotes.filter(note => !list.notes.includes(note))
  }
}

function cut (flow: readonly Line[], headings: readonly Heading[]): DraftSection[] {
  const opens = new Map(headings.map(heading => [heading.lines[0]!, heading]))
  const inHeading = new Set(headings.flatMap(({ lines, runIn }) => runIn ? [] : lines))
  const runInLines = new Set(headings.flatMap(({ lines, runIn }) => runIn ? lines : []))
  // What is left of the line in which a run-in heading ends.
  const heads = new Map(headings.filter(({ runIn }) => runIn).map(heading => {
    const { line, text } = afterRunIn(heading)
    return [line, text]
  }))
  const sections: DraftSection[] = []
  for (const line of flow) {
    const heading = opens.get(line)
    if (heading !== undefined) sections.push({ heading, lines: [] })
    if (inHeading.has(line)) continue
    if (heading?.runIn === true || runInLines.has(line)) {
      const text = heads.get(line)
      if (text !== undefined) sections.at(-1)!.lines.push({ ...line, text })
      continue
    }
    if (sections.length === 0) sections.push({ heading: undefined, lines: [] })
    sections.at(-1)!.lines.push(line)
  }
  return sections.filter(({ heading, lines }) => heading !== undefined ||
    bareText(lines.map(({ text }) => text).join('')).length > 0)
}
