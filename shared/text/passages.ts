/** The texts of a document that evidence may point at. */
import type { Document } from '../contracts/document.ts'
import type { Evidence } from '../contracts/item.ts'
import { codePointOffset } from './normalise.ts'

/** The abstract, one paragraph, one caption, one cell or one equation. */
export interface Passage {
  index: number
  target: Evidence['target']
  cell?: { row: number, column: number }
  sectionId: string | null
  page: number
  text: string
  /** Of a caption, as printed: "Figure 2"; no part of `text`. */
  label?: string
}

/** References and the like are no source of claims, and not searched either. */
const leftOut = new Set(['references', 'acknowledgements'])

type Unnumbered = Omit<Passage, 'index'>

/** What reads as prose, in the order of the paper: the abstract, paragraphs, captions. */
export function passagesOf (document: Document): Passage[] {
  const { abstract, sections, figures, tables } = document
  const passages: Unnumbered[] = []
  if (abstract !== null && abstract.text !== '') {
    passages.push({ target: { type: 'abstract' }, sectionId: null, page: abstract.page, text: abstract.text })
  }
  for (const section of sections) {
    if (leftOut.has(section.kind)) continue
    for (const { id, text, page } of section.paragraphs) {
      passages.push({ target: { type: 'paragraph', id }, sectionId: section.id, page, text })
    }
  }
  for (const [type, captioned] of [['figure', figures], ['table', tables]] as const) {
    for (const { id, label, caption, page, sectionId } of captioned) {
      if (caption !== '') passages.push({ target: { type, id }, sectionId, page, text: caption, label })
    }
  }
  return passages.map((passage, index) => ({ index, ...passage }))
}

/** A row of a table: its cells that hold something, and what says what they are. */
export interface RowPassages { cells: Passage[], caption: string, header: string }

/** Rows of tables, and equations; their indexes go on from `from`. */
export function rowsAndEquations (
  document: Document, from: number
): { rows: RowPassages[], equations: Passage[] } {
  const { tables, equations, sections } = document
  let index = from
  const rows = tables.flatMap(({ id, page, sectionId, caption, rows = [] }) => rows.map((texts, row) => ({
    caption,
    header: rows[0]?.join(' ') ?? '',
    cells: texts.flatMap((text, column): Passage[] => text.trim() === ''
      ? []
      : [{ index: index++, target: { type: 'table', id }, cell: { row, column }, sectionId, page, text }])
  }))).filter(({ cells }) => cells.length > 0)
  const sectionOn = (page: number) => sections.findLast(section => section.page <= page)?.id ?? null
  return {
    rows,
    equations: equations.filter(({ text }) => text.trim() !== '').map(({ id, page, text }) =>
      ({ index: index++, target: { type: 'equation', id }, sectionId: sectionOn(page), page, text }))
  }
}

/** A slice of a passage as evidence. @param span  UTF-16, half-open */
export function evidenceAt (passage: Passage, { start, end }: { start: number, end: number }): Evidence {
  const { target, cell, sectionId, page, text } = passage
  return {
    quote: text.slice(start, end),
    target,
    ...cell !== undefined && { cell },
    ...sectionId !== null && { sectionId },
    page,
    charStart: codePointOffset(text, start),
    charEnd: codePointOffset(text, end)
  }
}
