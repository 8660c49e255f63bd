/** The parts of a paper put into the Document contract, ids and cross references included. */
import type { Document, Figure, Section, Table } from '../../../shared/contracts/document.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import { labelKey, type Caption } from './captions.ts'
import { cleanText, countWords, joinLines } from './clean-text.ts'
import type { Floats } from './floats.ts'
import { headingLevels } from './heading-levels.ts'
import { isImprint } from './imprint.ts'
import { guessLanguage } from '../../../shared/text/language.ts'
import type { Layout } from './layout.ts'
import { rounded, unionOf, type Line } from './line.ts'
import { findMentions } from './mentions.ts'
import { buildParagraphs, columnEdges, type DraftParagraph } from './paragraphs.ts'
import { splitReferences } from './references.ts'
import { kindOf, plainTitle } from './section-kind.ts'
import type { DraftSection, Structure } from './structure.ts'
import type { TableCells } from './table-cells.ts'

/** The crop of a figure, by its place in `floats.figures`. */
export interface Crop { imageId: string, width: number, height: number }

export interface Parts {
  paperId: string
  parser: Document['parser']
  layout: Layout
  floats: Floats
  structure: Structure
  crops: readonly Crop[]
  /** Cells of each table of `floats.tables`. */
  cells: readonly TableCells[]
  warnings: Document['warnings']
}

export const schemaVersion = 1

export function assembleDocument (parts: Parts): Document {
  const { paperId, parser, layout, floats, structure, crops, cells, warnings } = parts
  const words = countWords(structure.flow)
  const { sections, references, imprints } = buildSections(structure.sections, {
    layout, words, flow: structure.flow
  })
  const cited = citations(sections)
  /** What a figure and a table have alike: as printed, and where the text speaks of it. */
  const floatOf = ({ caption: printed, box }: (typeof floats.figures | typeof floats.tables)[number]) => {
    const { label, caption } = readCaption(printed, words)
    const mentions = cited.get(`${printed.kind} ${labelKey(label)}`) ?? []
    const sectionId = mentions[0]?.sectionId ?? sectionAt(sections, printed)
    const place = { page: printed.page, box: rounded(box), captionBox: rounded(printed.box) }
    return { head: { label, caption, ...place }, sectionId, mentions }
  }
  const figures = floats.figures.map((region, i): Figure => {
    const { head, sectionId, mentions } = floatOf(region)
    const placedBy = mentions.length > 0 ? 'mention' : 'position'
    return { id: `f${i + 1}`, ...head, ...crops[i]!, sectionId, placedBy, mentions }
  })
  const tables = floats.tables.map((region, i): Table => {
    const { head, ...rest } = floatOf(region)
    const { rows, notes } = cells[i]!
    return {
      id: `t${i + 1}`, ...head, ...(rows.length > 0 ? { rows } : {}), ...(notes !== '' ? { notes } : {}), ...rest
    }
  })
  const { abstract } = structure
  const content: Omit<Document, 'documentHash'> = {
    paperId,
    schemaVersion,
    parser,
    language: guessLanguage(sampleText(structure, sections)),
    title: structure.title,
    authors: structure.authors.map(({ name, affiliations }) =>
      affiliations.length > 0 ? { name, affiliations } : { name }),
    abstract: abstract === undefined
      ? null
      : {
          text: abstract.text,
          page: abstract.page,
          box: rounded(abstract.box),
          ...(abstract.parts.length > 0 ? { parts: abstract.parts } : {})
        },
    pages: layout.pages.map(({ number, width, height }) =>
      ({ number, width: tenth(width), height: tenth(height) })),
    sections,
    figures,
    tables,
    equations: structure.equations.map(({ lines, box, ...rest }, i) =>
      ({ id: `e${i + 1}`, box: rounded(box), ...rest })),
    references,
    highlights: { problem: [], solution: [], results: [] },
    footnotes: [
      ...structure.footnotes.map(lines => ({
        text: joinLines(lines, words),
        page: lines[0]!.page,
        box: rounded(unionOf(lines.map(({ box }) => box)))
      })),
      ...imprints.map(({ text, places: [place] }) => ({ text, page: place!.page, box: rounded(place!.box) }))
    ],
    warnings
  }
  return sealed(content)
}

/** The document with its hash, which covers everything else in it. */
export function sealed (content: Omit<Document, 'documentHash'>): Document {
  return { ...content, documentHash: idOf('document', content) }
}

function tenth (value: number): number {
  return Math.round(value * 10) / 10
}

function sampleText ({ title, abstract }: Structure, sections: readonly Section[]): string {
  const texts = sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text))
  return [title, abstract?.text ?? '', ...texts.slice(0, 60)].join(' ')
}

interface Setting { layout: Layout, words: ReadonlyMap<string, number>, flow: readonly Line[] }

function buildSections (drafts: readonly DraftSection[], { layout, words, flow }: Setting) {
  const edges = columnEdges(flow)
  const levels = headingLevels(drafts.flatMap(({ heading }) => heading ?? []))
  const sections: Section[] = []
  const references: Document['references'] = []
  const imprints: DraftParagraph[] = []
  let nextLevel = 0
  for (const { heading, lines, isList } of drafts) {
    const level = heading === undefined ? 1 : levels[nextLevel++]!
    const id = `s${sections.length + 1}`
    const kind = heading !== undefined ? kindOf(heading.title) : isList === true ? 'references' : 'introduction'
    const first = heading?.lines[0] ?? lines[0]!
    const own = heading === undefined ? lines.slice(0, 1) : heading.lines
    if (kind === 'references') {
      for (const entry of splitReferences(lines, words)) {
        references.push({ id: `r${references.length + 1}`, ...entry })
      }
    }
    const built = kind === 'references' ? [] : buildParagraphs(lines, { body: layout.body, words, edges })
    const title = plainTitle(heading?.title ?? '')
    const drafted = built.filter(({ text }) => !isImprint(text, title))
    imprints.push(...built.filter(({ text }) => isImprint(text, title)))
    sections.push({
      id,
      number: heading?.number ?? '',
      title: heading?.title ?? '',
      level,
      parentId: parentOf(sections, level),
      kind,
      runIn: heading?.runIn ?? false,
      page: first.page,
      box: rounded(unionOf(own.map(({ box }) => box))),
      paragraphs: drafted.map((draft, i) => ({
        id: `${id}p${i + 1}`,
        text: draft.text,
        page: draft.places[0]!.page,
        box: rounded(draft.places[0]!.box),
        ...(draft.places.length > 1
          ? { continues: draft.places.slice(1).map(({ page, box }) => ({ page, box: rounded(box) })) }
          : {})
      }))
    })
  }
  return { sections, references, imprints }
}

function parentOf (sections: readonly Section[], level: number): string | null {
  for (let i = sections.length - 1; i >= 0; i--) if (sections[i]!.level < level) return sections[i]!.id
  return null
}

function readCaption (caption: Caption, words: ReadonlyMap<string, number>) {
  const text = joinLines(caption.lines, words)
  const at = text.toLowerCase().indexOf(caption.label.toLowerCase())
  const rest = at === -1 ? behindSpaced(text, caption.label) : text.slice(at + caption.label.length)
  return {
    label: cleanText(caption.label),
    caption: rest.replace(/^[\s.:|)\]>\u2013\u2014\uFF09\uFF1A-]+/, '')
  }
}

/** What follows a label whose letters are set apart: "F I G U R E 1". */
function behindSpaced (text: string, label: string): string {
  const letters = label.replace(/\s+/g, '')
  let met = 0
  for (let i = 0; i < text.length; i++) {
    if (met === letters.length) return text.slice(i)
    if (text[i] === letters[met]) met++
    else if (text[i]!.trim() !== '') return text
  }
  return text
}

type Mentions = { sectionId: string, paragraphId: string }[]

function citations (sections: readonly Section[]): Map<string, Mentions> {
  const cited = new Map<string, Mentions>()
  for (const section of sections) {
    for (const paragraph of section.paragraphs) {
      for (const { kind, key } of findMentions(paragraph.text)) {
        const list: Mentions = cited.get(`${kind} ${key}`) ?? []
        list.push({ sectionId: section.id, paragraphId: paragraph.id })
        cited.set(`${kind} ${key}`, list)
      }
    }
  }
  return cited
}

/** The last section that begins before the caption, where columns are read one after the other. */
function sectionAt (sections: readonly Section[], { page, box }: Caption): string | null {
  let found: string | null = sections[0]?.id ?? null
  for (const section of sections) {
    const isLeft = section.box[2]! < box[0]
    const isAbove = section.box[1]! <= box[1] && section.box[0]! < box[2]
    if (section.page < page || (section.page === page && (isLeft || isAbove))) found = section.id
  }
  return found
}
