/** Captions, the pictures cut out for them, and the sections they belong to. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Truth, TruthCaption } from './corpus.ts'
import { sameTitle } from './headings.ts'
import { yes, type Count, type Counts } from './measures.ts'
import { bare, similarity } from './text.ts'

export type Box = readonly number[]
export interface PageLine { page: number, text: string, box: Box }

interface Known {
  document: Document
  lines: readonly PageLine[]
  truth: Truth
  /** The publisher's running text, where there is one. */
  bodyText: readonly string[] | null
}

type FloatMeasure = 'figures' | 'tables' | 'cropHalf' | 'crop' | 'cropContains' | 'cropClean' | 'pictured' | 'homes'

export function scoreFloats (known: Known, misses: string[]): Pick<Counts, FloatMeasure> {
  const { document, truth } = known
  const ofKind = (kind: string) => truth.captions?.filter(caption => caption.kind === kind)
  return {
    figures: scoreCaptions(document.figures, ofKind('figure'), misses),
    tables: scoreCaptions(document.tables, ofKind('table'), misses),
    ...scoreCrops(known, misses),
    cropClean: scoreClean(known, misses),
    homes: scoreHomes(document, truth, misses)
  }
}

interface Captioned { label: string, caption: string, page: number, box: Box }

function sameLabel (a: string, b: string): boolean {
  const key = (label: string) => label.toUpperCase().replace(/^.*?(?=[A-Z]?\.?\d|[IVXLC]+$)/u, '').replace(/[^A-Z0-9]/gu, '')
  return key(a) === key(b)
}

/** By number, page where the truth has one, and the first 14 letters. */
export function findCaptioned<T extends Captioned> (found: readonly T[], want: TruthCaption): T | undefined {
  return found.find(({ label, page, caption }) => (want.page === undefined || page === want.page) &&
    sameLabel(label, want.label) && (bare(want.first_words) === '' ||
    similarity(bare(caption).slice(0, 14), bare(want.first_words).slice(0, 14)) > 0.7))
}

function scoreCaptions (
  found: readonly Captioned[], wanted: readonly TruthCaption[] | undefined, misses: string[]
): Count | null {
  if (wanted === undefined) return null
  const right = new Set<Captioned>()
  for (const want of wanted) {
    const caption = findCaptioned(found.filter(other => !right.has(other)), want)
    if (caption !== undefined) right.add(caption)
    else misses.push(`caption missed: ${want.label} p${want.page} ${want.first_words}`)
  }
  for (const extra of found) {
    if (!right.has(extra)) misses.push(`caption extra: ${extra.label} p${extra.page} ${extra.caption.slice(0, 60)}`)
  }
  return { hit: right.size, found: found.length, of: wanted.length }
}

function scoreCrops ({ document, truth }: Known, misses: string[]): Pick<Counts, 'cropHalf' | 'crop' | 'cropContains' | 'pictured'> {
  const boxed = truth.captions?.filter(({ kind, bbox }) => kind === 'figure' && bbox !== undefined) ?? []
  if (boxed.length === 0) return { cropHalf: null, crop: null, cropContains: null, pictured: null }
  const counts = { half: 0, eight: 0, contains: 0, right: 0 }
  for (const want of boxed) {
    const bbox = want.bbox!
    const box = findCaptioned(document.figures, want)?.box
    if (box === undefined) {
      misses.push(`crop: ${want.label} p${want.page} has none`)
      continue
    }
    const shared = sharedArea(box, bbox)
    const overlap = shared / (area(box) + area(bbox) - shared)
    const inside = shared / area(bbox)
    if (overlap >= 0.5) counts.half++
    if (overlap >= 0.8) counts.eight++
    if (inside >= 0.95) counts.contains++
    if (overlap >= 0.5 || (inside >= 0.95 && area(box) <= 2 * area(bbox))) counts.right++
    if (overlap < 0.8 || inside < 0.95) {
      misses.push(`crop: ${want.label} p${want.page} IoU ${overlap.toFixed(2)}, has ${Math.floor(100 * inside)} %, got ${box.map(Math.round).join(' ')} want ${bbox.map(Math.round).join(' ')}`)
    }
  }
  const of = (hit: number) => ({ hit, found: boxed.length, of: boxed.length })
  return {
    cropHalf: of(counts.half),
    crop: of(counts.eight),
    cropContains: of(counts.contains),
    pictured: yes(counts.right === boxed.length)
  }
}

function area (box: Box): number {
  return Math.max(0, box[2]! - box[0]!) * Math.max(0, box[3]! - box[1]!)
}

export function sharedArea (a: Box, b: Box): number {
  return Math.max(0, Math.min(a[2]!, b[2]!) - Math.max(a[0]!, b[0]!)) *
    Math.max(0, Math.min(a[3]!, b[3]!) - Math.max(a[1]!, b[1]!))
}

/** Shorter lines occur in figures and in the text alike. */
const lineLettersMin = 18

/**
 * Of the figures cropped, those with no line of the text, no heading and no other float's caption
 * more than half inside. A line is of the text if its letters are in the publisher's paragraphs, or
 * in ours (where a parse that takes text for a part of the picture cannot be found out).
 */
function scoreClean ({ document, lines, bodyText }: Known, misses: string[]): Count | null {
  if (document.figures.length === 0) return null
  const ours = document.sections.flatMap(({ title, paragraphs }) =>
    [title, ...paragraphs.map(({ text }) => text)])
  const text = [...ours, ...bodyText ?? []].map(bare).join('\n')
  const captions = [...document.figures, ...document.tables]
  let hit = 0
  for (const figure of document.figures) {
    const within = (box: Box) => area(box) > 0 && sharedArea(box, figure.box) > 0.5 * area(box)
    const line = lines.find(({ page, box, text: printed }) => page === figure.page && within(box) &&
      bare(printed).length >= lineLettersMin && text.includes(bare(printed)))
    const heading = document.sections.find(({ page, box, title }) =>
      page === figure.page && title !== '' && within(box))
    const caption = captions.find(other =>
      other !== figure && other.page === figure.page && within(other.captionBox))
    const stray = line?.text ?? heading?.title ?? caption?.label
    if (stray === undefined) hit++
    else misses.push(`crop not clean: ${figure.label} p${figure.page} holds: ${stray.slice(0, 60)}`)
  }
  return { hit, found: document.figures.length, of: document.figures.length }
}

function scoreHomes (document: Document, truth: Truth, misses: string[]): Count | null {
  const refs = truth.cross_refs
  if (refs === undefined) return null
  const sections = new Map(document.sections.map(section => [section.id, section]))
  let hit = 0
  for (const { label, cited_in_section: home } of refs) {
    const isTable = /^(?:tab|표)/iu.test(label.trim())
    const float = (isTable ? document.tables : document.figures).find(other => sameLabel(other.label, label))
    const title = sections.get(float?.sectionId ?? '')?.title
    if (title !== undefined && (sameTitle(title, home) || bare(home).includes(bare(title || '?')))) hit++
    else misses.push(`home of ${label}: expected ${home}, got ${title}`)
  }
  return { hit, found: refs.length, of: refs.length }
}
