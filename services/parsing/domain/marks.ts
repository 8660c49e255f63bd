/** What a document says of one page, to be drawn onto its picture: how a person checks a parse. */
import type { Document } from '../../../shared/contracts/document.ts'

export type MarkKind = 'abstract' | 'heading' | 'paragraph' | 'caption' | 'figure' | 'table' | 'equation' | 'footnote' |
  'truth'

export interface Mark {
  kind: MarkKind
  /** Points, origin at the top left of the page. */
  box: readonly number[]
  /** Place in the reading order of the page, from 1; null for what stands outside the running text. */
  place: number | null
}

/** More are not drawn: a page has about 100 places. */
const marksMax = 2_000

/** 0xRRGGBB. */
export const markColors: Record<MarkKind, number> = {
  abstract: 0x7B3FA0,
  heading: 0xD62728,
  paragraph: 0x1F77B4,
  caption: 0xFF7F0E,
  figure: 0x2CA02C,
  table: 0x17A2A2,
  equation: 0xC2185B,
  footnote: 0x7F7F7F,
  /** Boxes known from elsewhere, to compare with. */
  truth: 0x000000
}

/** Everything with a box on the page; the running text in its order, with its places. */
export function marksOf (document: Document, page: number): Mark[] {
  const { abstract, sections, figures, tables, equations, footnotes } = document
  const text: Array<Omit<Mark, 'place'> & { page: number }> = [
    ...abstract?.box === undefined ? [] : [{ kind: 'abstract' as const, page: abstract.page, box: abstract.box }],
    ...sections.flatMap(section => [
      ...section.title === '' ? [] : [{ kind: 'heading' as const, page: section.page, box: section.box }],
      ...section.paragraphs.flatMap(({ page, box, continues = [] }) =>
        [{ page, box }, ...continues].map(place => ({ kind: 'paragraph' as const, ...place })))
    ])
  ]
  const floats = [
    ...figures.map(({ page, box }) => ({ kind: 'figure' as const, page, box })),
    ...tables.map(({ page, box }) => ({ kind: 'table' as const, page, box })),
    ...[...figures, ...tables].map(({ page, captionBox: box }) => ({ kind: 'caption' as const, page, box })),
    ...equations.map(({ page, box }) => ({ kind: 'equation' as const, page, box })),
    ...footnotes.map(({ page, box }) => ({ kind: 'footnote' as const, page, box }))
  ]
  const here = (place: { page: number, box: readonly number[] }) => place.page === page && isArea(place.box)
  return [
    ...text.filter(here).map(({ kind, box }, i): Mark => ({ kind, box, place: i + 1 })),
    ...floats.filter(here).map(({ kind, box }): Mark => ({ kind, box, place: null }))
  ].slice(0, marksMax)
}

/** Sources without pages have boxes of no size. */
function isArea (box: readonly number[]): boolean {
  return box[2]! > box[0]! && box[3]! > box[1]!
}
