/** How well a parsed paper agrees with its ground truth; every miss is named. */
import type { Document } from '../../shared/contracts/document.ts'
import type { Truth, TruthCaption, TruthHeading } from './parsing-truth.ts'

export interface Tally { hit: number, of: number }

export interface PaperScore {
  title: boolean
  abstract: boolean
  firstSection: boolean
  /** All figures with a true box are cropped. */
  figures: boolean
  /** The four above at once. */
  whole: boolean
  displayed: { hit: number, found: number, of: number }
  all: { hit: number, found: number, of: number }
  levels: Tally
  captions: Record<'figure' | 'table', { hit: number, found: number, of: number }>
  crops: { half: number, eight: number, contains: number, right: number, of: number }
  order: Tally
  homes: Tally
  references: boolean | null
  authors: { hit: number, found: number, of: number }
  misses: string[]
}

type Box = readonly number[]

export function scorePaper (document: Document, truth: Truth): PaperScore {
  const misses: string[] = []
  const title = similarity(bare(document.title), bare(truth.title)) >= 0.97
  if (!title) misses.push(`title: ${document.title.slice(0, 90)}`)
  const abstract = scoreAbstract(document, truth, misses)
  const firstSection = scoreFirst(document, truth, misses)
  const crops = scoreCrops(document, truth, misses)
  const figures = crops.right === crops.of
  return {
    title,
    abstract,
    firstSection,
    figures,
    whole: title && abstract && firstSection && figures,
    ...scoreHeadings(document, truth, misses),
    captions: {
      figure: scoreCaptions(document.figures, truth.captions.filter(({ kind }) => kind === 'figure'), misses),
      table: scoreCaptions(document.tables, truth.captions.filter(({ kind }) => kind === 'table'), misses)
    },
    crops,
    order: scoreOrder(document, truth, misses),
    homes: scoreHomes(document, truth, misses),
    references: scoreReferences(document, truth, misses),
    authors: scoreAuthors(document, truth, misses),
    misses
  }
}

function bare (text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** 1 - edit distance / longer length. */
export function similarity (a: string, b: string): number {
  if (a === b) return 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return 1 - row[b.length]! / Math.max(a.length, b.length, 1)
}

const strayMax = 40
const edge = 25

function scoreAbstract ({ abstract }: Document, truth: Truth, misses: string[]): boolean {
  const first = bare(truth.abstract_first_words ?? '').slice(0, edge)
  const last = bare(truth.abstract_last_words ?? '').slice(-edge)
  if (first === '') return true
  const text = bare(abstract?.text ?? '')
  const from = text.indexOf(first)
  const to = text.lastIndexOf(last)
  const right = from !== -1 && to !== -1 && from < strayMax && text.length - to - last.length < strayMax
  if (!right) misses.push(`abstract: first at ${from}, last at ${to} of ${text.length}: ${abstract?.text.slice(0, 60)} ... ${abstract?.text.slice(-60)}`)
  return right
}

function sameTitle (found: string, truth: TruthHeading): boolean {
  const want = bare(truth.title)
  const got = bare(found)
  if (want === got) return true
  const short = Math.min(want.length, got.length)
  if (short >= 0.6 * Math.max(want.length, got.length) && (want.startsWith(got) ||
    got.startsWith(want))) return true
  return short > 5 && similarity(want, got) >= 0.9
}

function scoreFirst ({ sections }: Document, truth: Truth, misses: string[]): boolean {
  const want = truth.section_headings.find(({ back }) => back !== true)
  const got = sections.find(({ title }) => title !== '')
  if (want === undefined) {
    const right = sections[0]?.title === '' && sections[0].paragraphs.length > 0
    if (!right) misses.push(`first section: expected an untitled one, got ${got?.title}`)
    return right
  }
  const text = sections.slice(0, 3).some(({ paragraphs }) => paragraphs.length > 0)
  const right = got !== undefined && sameTitle(got.title, want) && text &&
    (want.page === undefined || want.page === got.page)
  if (!right) misses.push(`first section: expected ${want.title}, got ${got?.title}`)
  return right
}

function scoreHeadings ({ sections }: Document, truth: Truth, misses: string[]) {
  const found = sections.filter(({ title }) => title !== '')
  const used = new Set<number>()
  const matched = new Map<TruthHeading, typeof found[number]>()
  for (const want of truth.section_headings) {
    const at = found.findIndex((section, i) => !used.has(i) && sameTitle(section.title, want) &&
      (want.page === undefined || Math.abs(want.page - section.page) <= 1))
    if (at === -1) misses.push(`heading missed${want.run_in === true ? ' (run-in)' : ''}: ${want.number} ${want.title} p${want.page}`)
    else {
      used.add(at)
      matched.set(want, found[at]!)
    }
  }
  const extra = found.filter((_, i) => !used.has(i))
  for (const { title, page, runIn } of extra) misses.push(`heading extra${runIn ? ' (run-in)' : ''}: ${title.slice(0, 70)} p${page}`)
  const shown = truth.section_headings.filter(({ run_in: runIn }) => runIn !== true)
  const shownHits = shown.filter(want => matched.has(want)).length
  const leveled = [...matched].filter(([want]) => want.level !== undefined)
  return {
    displayed: {
      hit: shownHits,
      found: shownHits + extra.filter(({ runIn }) =>
        !runIn).length,
      of: shown.length
    },
    all: { hit: matched.size, found: found.length, of: truth.section_headings.length },
    levels: { hit: leveled.filter(([want, got]) => want.level === got.level).length, of: leveled.length }
  }
}

interface Captioned { label: string, caption: string, page: number, box: Box }

function sameLabel (a: string, b: string): boolean {
  const key = (label: string) => label.toUpperCase().replace(/^.*?(?=[A-Z]?\.?\d|[IVXLC]+$)/, '').replace(/[^A-Z0-9]/g, '')
  return key(a) === key(b)
}

function findCaptioned<T extends Captioned> (found: readonly T[], want: TruthCaption): T | undefined {
  return found.find(({ label, page, caption }) => page === want.page && sameLabel(label, want.label) &&
    (bare(want.first_words) === '' || similarity(bare(caption).slice(0, 14), bare(want.first_words).slice(0, 14)) > 0.7))
}

function scoreCaptions (found: readonly Captioned[], wanted: readonly TruthCaption[], misses: string[]) {
  let hit = 0
  for (const want of wanted) {
    if (findCaptioned(found, want) !== undefined) hit++
    else misses.push(`caption missed: ${want.label} p${want.page} ${want.first_words}`)
  }
  if (found.length > hit) misses.push(`captions extra: ${found.length - hit} (${found.map(({ label }) => label).join(', ')})`)
  return { hit, found: found.length, of: wanted.length }
}

function scoreCrops ({ figures }: Document, truth: Truth, misses: string[]) {
  const crops = { half: 0, eight: 0, contains: 0, right: 0, of: 0 }
  for (const want of truth.captions) {
    if (want.bbox === undefined || want.kind !== 'figure') continue
    crops.of++
    const box = findCaptioned(figures, want)?.box
    if (box === undefined) continue
    const shared = sharedArea(box, want.bbox)
    const overlap = shared / (area(box) + area(want.bbox) - shared)
    const inside = shared / area(want.bbox)
    if (overlap >= 0.5) crops.half++
    if (overlap >= 0.8) crops.eight++
    if (inside >= 0.95) crops.contains++
    if (overlap >= 0.5 || (inside >= 0.95 && area(box) <= 2 * area(want.bbox))) crops.right++
    if (overlap < 0.8) misses.push(`crop: ${want.label} p${want.page} IoU ${overlap.toFixed(2)} got ${box.map(Math.round).join(' ')} want ${want.bbox.map(Math.round).join(' ')}`)
  }
  return crops
}

function area (box: Box): number {
  return Math.max(0, box[2]! - box[0]!) * Math.max(0, box[3]! - box[1]!)
}

function sharedArea (a: Box, b: Box): number {
  return Math.max(0, Math.min(a[2]!, b[2]!) - Math.max(a[0]!, b[0]!)) *
    Math.max(0, Math.min(a[3]!, b[3]!) - Math.max(a[1]!, b[1]!))
}

const probeStrayMax = 60

function scoreOrder (document: Document, truth: Truth, misses: string[]): Tally {
  const text = bare([document.abstract?.text ?? '', ...document.sections.flatMap(({ title, number, paragraphs }) =>
    [number, title, ...paragraphs.map(paragraph => paragraph.text)])].join(' '))
  const probes = truth.reading_order_probes ?? []
  let hit = 0
  for (const probe of probes) {
    const tail = bare(probe.tail).slice(-24)
    const head = bare(probe.head).slice(0, 24)
    const between = gapBetween(text, tail, head)
    if (between !== undefined && between <= probeStrayMax) hit++
    else misses.push(`order p${probe.page} (${probe.kind}): ${between ?? 'no'} between: ${probe.tail.slice(-40)} | ${probe.head.slice(0, 40)}`)
  }
  return { hit, of: probes.length }
}

/** Fewest characters between a `tail` and the next `head`; a tail may occur more than once. */
function gapBetween (text: string, tail: string, head: string): number | undefined {
  let best: number | undefined
  for (let from = text.indexOf(tail); from !== -1; from = text.indexOf(tail, from + 1)) {
    const to = text.indexOf(head, from + tail.length)
    if (to !== -1) best = Math.min(best ?? Infinity, to - from - tail.length)
  }
  return best
}

function scoreHomes (document: Document, truth: Truth, misses: string[]): Tally {
  const sections = new Map(document.sections.map(section => [section.id, section]))
  let hit = 0
  const refs = truth.cross_refs ?? []
  for (const { label, cited_in_section: home } of refs) {
    const isTable = /^(?:tab|표)/i.test(label.trim())
    const float = (isTable ? document.tables : document.figures).find(other => sameLabel(other.label, label))
    const title = sections.get(float?.sectionId ?? '')?.title
    if (title !== undefined && (sameTitle(title, { number: '', title: home }) || bare(home).includes(bare(title || '?')))) hit++
    else misses.push(`home of ${label}: expected ${home}, got ${title}`)
  }
  return { hit, of: refs.length }
}

function scoreReferences ({ references }: Document, truth: Truth, misses: string[]): boolean | null {
  if (truth.n_references === undefined) return null
  const room = Math.max(1, truth.n_references * (truth.n_references_approx === true ? 0.1 : 0.05))
  const right = Math.abs(references.length - truth.n_references) <= room
  if (!right) misses.push(`references: ${references.length} of ${truth.n_references}`)
  return right
}

function scoreAuthors ({ authors }: Document, truth: Truth, misses: string[]) {
  const want = (truth.authors ?? []).map(surname)
  const got = authors.map(({ name }) => surname(name))
  const hit = want.filter(name => got.includes(name)).length
  if (want.length > 0 && hit < want.length) misses.push(`authors: ${hit} of ${want.length}: ${authors.map(({ name }) => name).join('; ').slice(0, 120)}`)
  return { hit, found: want.length > 0 ? got.length : 0, of: want.length }
}

function surname (name: string): string {
  return bare(name.split(' ').at(-1) ?? name)
}
