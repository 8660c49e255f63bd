/** An outline put into the Document contract: ids, section kinds, mentions, homes of floats. */
import type { Document, Figure, Section, Table } from '../../../shared/contracts/document.ts'
import { labelKey, readLabel } from '../domain/captions.ts'
import { cleanText } from '../domain/clean-text.ts'
import { splitNumber } from '../domain/heading-number.ts'
import { guessLanguage } from '../../../shared/text/language.ts'
import { findMentions } from '../domain/mentions.ts'
import { kindOf } from '../domain/section-kind.ts'
import type { DocumentDraft } from '../parser.ts'
import type { Outline, OutlineFigure, OutlineSection, OutlineTable, Place } from './outline.ts'
import { tagWarning } from './tag-warning.ts'

export interface StoredPicture { imageId: string, width: number, height: number }

/** The PNG of a figure; undefined where there is no picture, or none that can be read. */
export type PictureOf = (figure: OutlineFigure) => StoredPicture | undefined

export interface Assembling { paperId: string, parser: Document['parser'], pictureOf?: PictureOf }

const schemaVersion = 1
const levelMax = 6
const nowhere: Place = { page: 1, box: [0, 0, 0, 0] }
const noPicture = { imageId: null, width: 0, height: 0 }

export function assembleOutline (outline: Outline, options: Assembling): DocumentDraft {
  const { paperId, parser, pictureOf } = options
  const drafts = outline.sections.map(withNumber)
  const sections = sectionsOf(drafts)
  const cited = citationsOf(drafts, sections)
  const order = new Map(sections.flatMap(({ paragraphs }) => paragraphs).map(({ id }, i) => [id, i]))
  const context = { sections, cited, order }
  const figures = outline.figures.map((figure, i): Figure => {
    const { head, sectionId, mentions } = floatOf('figure', figure, context)
    const placedBy = mentions.length > 0 ? 'mention' : 'position'
    return { id: `f${i + 1}`, ...head, ...pictureOf?.(figure) ?? noPicture, sectionId, placedBy, mentions }
  })
  const tables = outline.tables.map((table, i): Table => {
    const { head, sectionId, mentions } = floatOf('table', table, context)
    const rows = table.rows?.map(row => row.map(cleanText))
    return { id: `t${i + 1}`, ...head, ...(rows !== undefined && { rows }), sectionId, mentions }
  })
  return {
    paperId,
    schemaVersion,
    parser,
    language: outline.language ?? guessLanguage(sampleOf(outline)),
    title: cleanText(outline.title),
    authors: authorsOf(outline),
    abstract: abstractOf(outline),
    pages: outline.pages,
    sections,
    figures,
    tables,
    equations: outline.equations.map(({ number, text, place }, i) =>
      ({ id: `e${i + 1}`, number: cleanText(number), ...place ?? nowhere, text: cleanText(text) })),
    references: outline.references.map((reference, i) => ({ id: `r${i + 1}`, ...cleaned(reference) })),
    footnotes: outline.footnotes.map(({ text, place }) => ({ text: cleanText(text), ...place ?? nowhere }))
      .filter(({ text }) => text !== ''),
    warnings: [...outline.warnings, ...tagWarning(outline)]
  }
}

function withNumber (section: OutlineSection): OutlineSection {
  const title = cleanText(section.title)
  const number = cleanText(section.number).replace(/[.:)\s]+$/u, '')
    .replace(/^(?:appendix|section|chapter)\s+(?=\S)/iu, '')
  return number === '' ? { ...section, ...splitNumber(title) } : { ...section, number, title }
}

function sectionsOf (drafts: readonly OutlineSection[]): Section[] {
  const sections: Section[] = []
  /** The newest section of each level. */
  const open: Array<string | undefined> = []
  for (const draft of drafts) {
    const id = `s${sections.length + 1}`
    const level = Math.min(Math.max(1, draft.level), levelMax)
    open.length = level
    const parentId = open.findLast(parent => parent !== undefined) ?? null
    open[level] = id
    const kind = kindOf(draft.title)
    sections.push({
      id,
      number: draft.number,
      title: draft.title,
      level,
      parentId,
      kind: kind !== 'other' ? kind : draft.kind ?? (draft.title === '' ? 'introduction' : 'other'),
      runIn: draft.runIn ?? false,
      ...draft.place ?? draft.paragraphs[0]?.places?.[0] ?? nowhere,
      paragraphs: paragraphsOf(draft).map(({ text, places }, i) => ({
        id: `${id}p${i + 1}`,
        text,
        ...places?.[0] ?? nowhere,
        ...(places !== undefined && places.length > 1 && { continues: places.slice(1) })
      }))
    })
  }
  return sections
}

/** Cleaned; a paragraph of which nothing is left is none. */
function paragraphsOf ({ paragraphs }: OutlineSection): OutlineSection['paragraphs'] {
  return paragraphs.map(paragraph => ({ ...paragraph, text: cleanText(paragraph.text) }))
    .filter(({ text }) => text !== '')
}

type Mentions = Figure['mentions']

/** By `#key` for mark-up, by kind and number for words. */
function citationsOf (
  drafts: readonly OutlineSection[], sections: readonly Section[]
): Map<string, Mentions> {
  const cited = new Map<string, Mentions>()
  for (const [at, { id: sectionId, paragraphs }] of sections.entries()) {
    for (const [i, { cites = [], text }] of paragraphsOf(drafts[at]!).entries()) {
      const named = findMentions(text).map(({ kind, key }) => `${kind} ${key}`)
      for (const name of new Set([...cites.map(key => `#${key}`), ...named])) {
        const list = cited.get(name) ?? []
        cited.set(name, list)
        list.push({ sectionId, paragraphId: paragraphs[i]!.id })
      }
    }
  }
  return cited
}

interface Context {
  sections: readonly Section[]
  cited: ReadonlyMap<string, Mentions>
  /** Of paragraphs, by id. */
  order: ReadonlyMap<string, number>
}

function floatOf (
  kind: 'figure' | 'table', float: OutlineFigure | OutlineTable, { sections, cited, order }: Context
) {
  const { label, caption } = labelled(float)
  const names = [...float.keys.map(key => `#${key}`), ...(isPlainLabel(label) ? [`${kind} ${labelKey(label)}`] : [])]
  const mentions = inOrder(names.flatMap(name => cited.get(name) ?? []), order)
  const { page, box } = float.place ?? nowhere
  const captionBox = (float.captionPlace ?? float.place ?? nowhere).box
  const around = float.section === null ? undefined : sections[float.section]
  const sectionId = mentions[0]?.sectionId ?? around?.id ?? null
  return { head: { label, caption, page, box, captionBox }, sectionId, mentions }
}

/** "Figure 1—figure supplement 2" is not what "Figure 2" in a sentence means. */
function isPlainLabel (label: string): boolean {
  return readLabel(`${label}.`)?.rest === ''
}

interface Labelled { label: string, caption: string }

function labelled ({ label, caption }: Labelled): Labelled {
  const text = cleanText(caption)
  const own = cleanText(label).replace(/[\s.:|\u2013\u2014-]+$/u, '')
  if (own !== '') {
    if (!text.toLowerCase().startsWith(own.toLowerCase())) return { label: own, caption: text }
    return { label: own, caption: text.slice(own.length).replace(/^[\s.:|)\u2013\u2014-]+/u, '') }
  }
  const read = readLabel(text)
  return read?.delimiter === true ? { label: read.label, caption: read.rest } : { label: '', caption: text }
}

/** In the order of the paper, each paragraph once. */
function inOrder (mentions: readonly Mentions[number][], order: ReadonlyMap<string, number>): Mentions {
  const once = new Map(mentions.map(mention => [mention.paragraphId, mention]))
  return [...once.values()].sort((a, b) => order.get(a.paragraphId)! - order.get(b.paragraphId)!)
}

function authorsOf ({ authors }: Outline): Document['authors'] {
  return authors.map(({ name, affiliations }) => {
    const kept = affiliations?.map(cleanText).filter(affiliation => affiliation !== '') ?? []
    return { name: cleanText(name), ...(kept.length > 0 && { affiliations: kept }) }
  }).filter(({ name }) => name !== '')
}

function abstractOf ({ abstract }: Outline): Document['abstract'] {
  if (abstract === null) return null
  const text = cleanText(abstract.text)
  if (text === '') return null
  const parts = abstract.parts?.map(part => ({ label: cleanText(part.label), text: cleanText(part.text) }))
    .filter(part => part.text !== '') ?? []
  const { page, box } = abstract.place ?? nowhere
  return { text, page, ...(abstract.place !== undefined && { box }), ...(parts.length > 0 && { parts }) }
}

function cleaned (reference: Outline['references'][number]): Outline['references'][number] {
  const { label, text, title, authors, year, doi } = reference
  return {
    label: cleanText(label).replace(/^[[(]|[\]).:]+$/gu, ''),
    text: cleanText(text),
    ...(title !== undefined && cleanText(title) !== '' && { title: cleanText(title) }),
    ...(authors !== undefined && authors.length > 0 && { authors: authors.map(cleanText) }),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi })
  }
}

function sampleOf ({ title, abstract, sections }: Outline): string {
  const texts = sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text))
  return [title, abstract?.text ?? '', ...texts.slice(0, 60)].join(' ')
}
