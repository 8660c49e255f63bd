/**
 * A paper as a file with marked-up structure tells it: what the reader of every such format gives,
 * before ids, section kinds, mentions and homes are worked out (`assemble-outline.ts`), which is the
 * same for all. Texts may still have white space and characters that the Document has not.
 */
import type { Document, Section } from '../../../shared/contracts/document.ts'
import type { Box } from '../domain/page-glyphs.ts'

/** Where something is on a page; left out everywhere in sources without pages. */
export interface Place { page: number, box: Box }

export interface OutlineParagraph {
  text: string
  /** Keys of the floats that it refers to by mark-up; what it names in words is found later. */
  cites?: readonly string[]
  /** The first place, and where it goes on. */
  places?: readonly Place[]
}

export interface OutlineSection {
  /** As printed; when empty it is looked for at the start of the title. */
  number: string
  title: string
  /** From 1; deeper than 6 counts as 6. */
  level: number
  /** Where the source says it; it counts when the title says nothing. */
  kind?: Section['kind']
  runIn?: boolean
  place?: Place
  paragraphs: OutlineParagraph[]
}

/** A picture inside the file, or the name of a file beside it. */
export type PictureSource = { bytes: Uint8Array } | { href: string }

interface OutlineFloat {
  /** What paragraphs cite it by; a figure of several panels may have several. */
  keys: readonly string[]
  /** As printed ("Figure 2"); when empty it is looked for at the start of the caption. */
  label: string
  caption: string
  /** Index of the section in which it stands; null before the first. */
  section: number | null
  place?: Place
  captionPlace?: Place
}

export interface OutlineFigure extends OutlineFloat { pictures: readonly PictureSource[] }

export interface OutlineTable extends OutlineFloat { rows?: string[][] }

export interface Outline {
  title: string
  authors: Document['authors']
  abstract: { text: string, parts?: Array<{ label: string, text: string }>, place?: Place } | null
  /** BCP 47; guessed from the text when the source does not say. */
  language?: string
  /** Empty in sources without pages. */
  pages: Document['pages']
  /** In reading order, a parent before its children. */
  sections: OutlineSection[]
  figures: OutlineFigure[]
  tables: OutlineTable[]
  equations: Array<{ number: string, text: string, place?: Place }>
  references: Array<Omit<Document['references'][number], 'id'>>
  footnotes: Array<{ text: string, place?: Place }>
  warnings: Document['warnings']
}

export function emptyOutline (): Outline {
  return {
    title: '',
    authors: [],
    abstract: null,
    pages: [],
    sections: [],
    figures: [],
    tables: [],
    equations: [],
    references: [],
    footnotes: [],
    warnings: []
  }
}
