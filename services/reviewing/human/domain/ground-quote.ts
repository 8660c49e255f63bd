/** Finds where a quote that a rater typed stands in the paper, so that offsets are nobody's work. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Edit } from '../../../../shared/contracts/human-review.ts'
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { findQuote } from '../../../../shared/text/quote.ts'

type Asked = NonNullable<Edit['evidence']>[number]
interface Place { target: Evidence['target'], text: string, page: number, sectionId?: string, cell?: NonNullable<Evidence['cell']> }

/**
 * The evidence with the paper's own words and their offsets in code points. Without a target the
 * first place in the order abstract, paragraphs, captions, equations; an exact match goes before
 * one that only line breaks tell apart.
 *
 * @returns undefined where the paper, or the target, does not say it
 */
export function groundQuote (asked: Asked, document: Document): Evidence | undefined {
  const places = placesOf(document, asked.cell).filter(({ target }) => asked.target === undefined ||
    (asked.target.type === target.type && asked.target.id === target.id))
  const found = places.flatMap(place => {
    const match = findQuote(asked.quote, place.text)
    return match === undefined ? [] : [{ place, match }]
  })
  const best = found.find(({ match }) => match.exact) ?? found[0]
  if (best === undefined) return undefined
  const { place: { text: _, ...place }, match } = best
  return { ...place, quote: match.text, charStart: match.start, charEnd: match.end }
}

function placesOf (document: Document, cell: Evidence['cell']): Place[] {
  if (cell !== undefined) {
    return document.tables.map(({ id, page, rows }) => (
      { target: { type: 'table', id }, cell, page, text: rows?.[cell.row]?.[cell.column] ?? '' }))
  }
  const { abstract } = document
  const captioned = (type: 'figure' | 'table') => (type === 'figure' ? document.figures : document.tables)
    .map(({ id, page, caption }): Place => ({ target: { type, id }, page, text: caption }))
  return [
    ...abstract === null ? [] : [{ target: { type: 'abstract' as const }, page: abstract.page, text: abstract.text }],
    ...document.sections.flatMap(section => section.paragraphs.map(({ id, page, text }): Place => (
      { target: { type: 'paragraph', id }, sectionId: section.id, page, text }))),
    ...captioned('figure'),
    ...captioned('table'),
    ...document.equations.map(({ id, page, text }): Place => ({ target: { type: 'equation', id }, page, text }))
  ]
}
