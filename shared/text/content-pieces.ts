/** A document as the pieces that content is made of; each is known by its id in the document. */
import type { Document, Figure, Highlight, Section } from '../contracts/document.ts'
import { Problem } from '../errors/problem.ts'
import type { Piece } from './content-budget.ts'

/** A section with all below it, in reading order; every section when none is named. */
export function sectionsOf (document: Document, sectionId: string | undefined): Section[] {
  if (sectionId === undefined) return document.sections
  const wanted = new Set([sectionId])
  // Parents come before their subsections, so one pass finds all generations.
  const found = document.sections.filter(({ id, parentId }) => {
    if (parentId !== null && wanted.has(parentId)) wanted.add(id)
    return wanted.has(id)
  })
  if (found.length === 0) throw new Problem('section-not-found', `This document has no section ${sectionId}; its document lists them.`)
  return found
}

export function titlePieces ({ title }: Document): Piece[] {
  return title === '' ? [] : [{ kind: 'title', id: 'title', text: title }]
}

export function abstractPieces ({ abstract }: Document): Piece[] {
  return abstract === null ? [] : [{ kind: 'abstract', id: 'abstract', text: `Abstract\n${abstract.text}` }]
}

export function highlightPieces ({ highlights }: Document): Piece[] {
  const list = (id: string, name: string, found: readonly Highlight[]): Piece[] => found.length === 0
    ? []
    : [{ kind: 'highlights', id, text: [name, ...found.map(({ text }) => `- ${text}`)].join('\n') }]
  return [
    ...list('problem', 'Problem', highlights.problem),
    ...list('solution', 'Solution', highlights.solution),
    ...list('results', 'Results', highlights.results)
  ]
}

export function sectionPieces (section: Section): Piece[] {
  return [...headingPieces(section), ...section.paragraphs.map(paragraphPiece)]
}

function headingPieces ({ id, number, title }: Section): Piece[] {
  const heading = [number, title].filter(part => part !== '').join(' ')
  return heading === '' ? [] : [{ kind: 'heading', id, text: heading }]
}

function paragraphPiece ({ id, text }: Section['paragraphs'][number]): Piece {
  return { kind: 'paragraph', id, text }
}

export function withFloats (document: Document, section: Section): Piece[] {
  return [...sectionPieces(section), ...floatPieces(document, section.id)]
}

/** Captions, and tables with their cells, that belong to a section; null: to none. */
export function floatPieces (document: Document, sectionId: string | null): Piece[] {
  return [
    ...document.figures.filter(figure => figure.sectionId === sectionId).map(captionPiece),
    ...document.tables.filter(table => table.sectionId === sectionId).map(tablePiece)
  ].filter(({ text }) => text !== '')
}

function captionPiece (figure: Figure): Piece {
  return { kind: 'caption', id: figure.id, text: captionText(figure) }
}

function tablePiece (table: Document['tables'][number]): Piece {
  const rows = (table.rows ?? []).map(row => row.join(' | '))
  return { kind: 'table', id: table.id, text: [captionText(table), ...rows].join('\n') }
}

function captionText ({ label, caption }: { label: string, caption: string }): string {
  return [label, caption].filter(part => part !== '').join(': ')
}

export function referencePieces ({ references }: Document): Piece[] {
  return references.map(({ id, label, text }) =>
    ({ kind: 'reference', id, text: label === '' ? text : `${label} ${text}` }))
}

/**
 * What a document has on one figure, the nearest first: its caption, the paragraphs that mention it,
 * then the rest of the section it belongs to. Sections are headed once, where their text begins.
 *
 * @throws Problem figure-not-found
 */
export function figurePieces (document: Document, figureId: string): Piece[] {
  const figure = document.figures.find(({ id }) => id === figureId)
  if (figure === undefined) throw new Problem('figure-not-found', `This document has no figure ${figureId}; its document lists them.`)
  const mentioning = new Set(figure.mentions.map(({ paragraphId }) => paragraphId))
  const first = document.sections.flatMap(section => {
    const own = section.paragraphs.filter(({ id }) => mentioning.has(id))
    return own.length === 0 ? [] : [...headingPieces(section), ...own.map(paragraphPiece)]
  })
  const given = new Set(first.map(({ kind, id }) => `${kind} ${id}`))
  const home = figure.sectionId === null ? [] : sectionsOf(document, figure.sectionId).flatMap(sectionPieces)
  return [captionPiece(figure), ...first, ...home.filter(({ kind, id }) => !given.has(`${kind} ${id}`))]
    .filter(({ text }) => text !== '')
}

/**
 * Parts of a document by id, in reading order: paragraphs, "abstract", figures (their captions),
 * tables and equations.
 *
 * @throws Problem invalid-request, which names the ids that the document does not have
 */
export function piecesById (document: Document, ids: readonly string[]): Piece[] {
  const wanted = new Set(ids)
  const all = [
    ...abstractPieces(document),
    ...document.sections.flatMap(section => section.paragraphs.map(paragraphPiece)),
    ...document.figures.map(captionPiece),
    ...document.tables.map(tablePiece),
    ...document.equations.map(({ id, number, text }): Piece =>
      ({ kind: 'equation', id, text: [number, text].filter(part => part !== '').join(' ') }))
  ]
  const known = new Set(all.map(({ id }) => id))
  const unknown = [...wanted].filter(id => !known.has(id))
  if (unknown.length > 0) {
    throw new Problem('invalid-request', `This document has nothing with the id ${unknown.slice(0, 10).join(', ')}; its document lists paragraphs, figures, tables and equations.`)
  }
  return all.filter(({ id, text }) => wanted.has(id) && text !== '')
}
