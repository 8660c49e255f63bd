/**
 * Document: a paper after parsing. Boxes are [x0, y0, x1, y1] in PDF points (1/72 inch), origin at
 * the top left of the page as displayed; pages count from 1. Text is NFC, ligatures expanded,
 * line-end hyphenation undone; a paragraph broken by a column or page is one paragraph.
 *
 * A source without pages (JATS, TEI without coordinates, HTML, LaTeX, Markdown, text) has `pages: []`;
 * all its parts are on page 1 with the box [0, 0, 0, 0].
 */
import { Type, type Static } from 'typebox'
import { Domain } from './domain.ts'
import { DocumentHash, PaperId } from './ids.ts'

export const Box = Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: '[x0, y0, x1, y1] in PDF points, origin top left.' })
const Page = Type.Integer({ minimum: 1, description: 'Page number, from 1.' })
const closed = { additionalProperties: false }

const Place = Type.Object({ page: Page, box: Box }, closed)

export const Paragraph = Type.Object({
  id: Type.String(),
  text: Type.String({ minLength: 1 }),
  page: Page,
  box: Box,
  continues: Type.Optional(Type.Array(Place, { description: 'Where it goes on after a column, a page or a float.' }))
}, closed)
export type Paragraph = Static<typeof Paragraph>

export const sectionKinds = ['introduction', 'related-work', 'methods', 'results', 'discussion',
  'conclusion', 'limitations', 'acknowledgements', 'references', 'appendix', 'other'] as const

export const Section = Type.Object({
  id: Type.String(),
  number: Type.String({ description: 'As printed, empty when there is none.' }),
  title: Type.String({ description: 'Empty for text before the first heading.' }),
  level: Type.Integer({ minimum: 1, maximum: 6, description: '1 is a top section.' }),
  parentId: Type.Union([Type.String(), Type.Null()]),
  kind: Type.Enum([...sectionKinds]),
  runIn: Type.Boolean({ description: 'Whether the heading opens a paragraph instead of standing alone.' }),
  page: Page,
  box: Box,
  paragraphs: Type.Array(Paragraph)
}, closed)
export type Section = Static<typeof Section>

const Mention = Type.Object({ sectionId: Type.String(), paragraphId: Type.String() }, closed)

export const Figure = Type.Object({
  id: Type.String(),
  label: Type.String({ description: 'As printed, for example "Figure 2".' }),
  caption: Type.String({ description: 'Without the label.' }),
  page: Page,
  box: Box,
  captionBox: Box,
  imageId: Type.Union([Type.String(), Type.Null()], { description: 'Blob of the PNG; null when the source has no picture of this figure.' }),
  width: Type.Integer({ description: 'Of the PNG, in pixels; 0 without one.' }),
  height: Type.Integer({ description: 'Of the PNG, in pixels; 0 without one.' }),
  sectionId: Type.Union([Type.String(), Type.Null()]),
  placedBy: Type.Enum(['mention', 'position'], { description: 'What tied the figure to its section.' }),
  mentions: Type.Array(Mention)
}, closed)
export type Figure = Static<typeof Figure>

export const Table = Type.Object({
  id: Type.String(),
  label: Type.String(),
  caption: Type.String(),
  page: Page,
  box: Box,
  captionBox: Box,
  rows: Type.Optional(Type.Array(Type.Array(Type.String()), {
    description: 'Cells as text, rows of one length; a heading over several columns is repeated in each.'
  })),
  notes: Type.Optional(Type.String({ description: 'What is printed below the rows.' })),
  sectionId: Type.Union([Type.String(), Type.Null()]),
  mentions: Type.Array(Mention)
}, closed)
export type Table = Static<typeof Table>

const Equation = Type.Object({
  id: Type.String(),
  number: Type.String(),
  page: Page,
  box: Box,
  text: Type.String(),
  latex: Type.Optional(Type.String({ description: 'As an external engine reads it.' }))
}, closed)

const Reference = Type.Object({
  id: Type.String(),
  label: Type.String(),
  text: Type.String(),
  title: Type.Optional(Type.String()),
  authors: Type.Optional(Type.Array(Type.String())),
  year: Type.Optional(Type.Integer()),
  doi: Type.Optional(Type.String())
}, closed)

export const Highlight = Type.Object({
  text: Type.String(),
  sectionId: Type.Union([Type.String(), Type.Null()], { description: 'Null for the abstract.' }),
  paragraphId: Type.Union([Type.String(), Type.Null()]),
  keyword: Type.String(),
  score: Type.Number()
}, closed)
export type Highlight = Static<typeof Highlight>

const Abstract = Type.Object({
  text: Type.String(),
  page: Page,
  box: Type.Optional(Box),
  parts: Type.Optional(Type.Array(Type.Object({ label: Type.String(), text: Type.String() }, closed)))
}, closed)

const Warning = Type.Object({
  code: Type.String(), detail: Type.String(), page: Type.Optional(Page)
}, closed)
export type DocumentWarning = Static<typeof Warning>

export const Document = Type.Object({
  paperId: PaperId,
  documentHash: DocumentHash,
  schemaVersion: Type.Integer(),
  parser: Type.Object({ engine: Type.String(), version: Type.String() }, closed),
  language: Type.String({ description: 'BCP 47, for example "en"; "und" when unknown.' }),
  title: Type.String(),
  domain: Type.Optional(Domain),
  authors: Type.Array(Type.Object({
    name: Type.String(), affiliations: Type.Optional(Type.Array(Type.String()))
  }, closed)),
  abstract: Type.Union([Abstract, Type.Null()]),
  pages: Type.Array(Type.Object({ number: Page, width: Type.Number(), height: Type.Number() }, closed)),
  sections: Type.Array(Section),
  figures: Type.Array(Figure),
  tables: Type.Array(Table),
  equations: Type.Array(Equation),
  references: Type.Array(Reference),
  highlights: Type.Object({
    problem: Type.Array(Highlight), solution: Type.Array(Highlight), results: Type.Array(Highlight)
  }, closed),
  footnotes: Type.Array(Type.Object({ text: Type.String(), page: Page, box: Box }, closed)),
  warnings: Type.Array(Warning)
}, { $id: 'Document', additionalProperties: false })
export type Document = Static<typeof Document>
