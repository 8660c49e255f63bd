/** What a paper has on one of its places, the nearest first. */
import type { Document, Section } from '../../../../shared/contracts/document.ts'
import type { Piece } from '../../../../shared/text/content-budget.ts'
import { figurePieces, sectionPieces, sectionsOf } from '../../../../shared/text/content-pieces.ts'
import type { Place } from '../plan.ts'

/** What the place itself is, as text: a heading, a caption, the cells of a table, an equation. */
export function targetOf (document: Document, { aspect, id }: Place): string {
  switch (aspect) {
    case 'abstract': return 'Abstract'
    case 'section': {
      const { number, title } = found(document.sections, id)
      return [number, title].filter(part => part !== '').join(' ')
    }
    case 'figure': return captioned(found(document.figures, id))
    case 'table': {
      const table = found(document.tables, id)
      return [captioned(table), ...(table.rows ?? []).map(row => row.join(' | ')), table.notes ?? ''].filter(line => line !== '').join('\n')
    }
    case 'equation': {
      const { number, text, latex } = found(document.equations, id)
      return [number, latex ?? text].filter(part => part !== '').join(' ')
    }
  }
}

/** The text around it: paragraphs that mention it first, then the rest of its section. */
export function piecesAround (document: Document, { aspect, id }: Place): Piece[] {
  switch (aspect) {
    case 'abstract': return []
    case 'section': return sectionsOf(document, id).flatMap(sectionPieces)
    case 'figure': return figurePieces(document, id).filter(piece => piece.kind !== 'caption')
    case 'table': {
      const { sectionId, mentions } = found(document.tables, id)
      return nearestFirst(document, new Set(mentions.map(({ paragraphId }) => paragraphId)), sectionId)
    }
    case 'equation': return aroundEquation(document, id)
  }
}

function aroundEquation (document: Document, id: string): Piece[] {
  const { number, page } = found(document.equations, id)
  const digits = /\d+(?:\.\d+)?[a-z]?/u.exec(number)?.[0]
  const paragraphs = document.sections.flatMap(({ paragraphs }) => paragraphs)
  const naming = paragraphs.filter(({ text }) => digits !== undefined && namesEquation(text, digits))
  const beside = paragraphs.filter(paragraph => paragraph.page === page)
  const near = naming.length > 0 ? naming : beside
  const [nearest] = near
  const home = document.sections.find(({ paragraphs }) => paragraphs.some(({ id }) => id === nearest?.id))
  return nearestFirst(document, new Set(near.map(({ id }) => id)), home?.id ?? null)
}

function namesEquation (text: string, digits: string): boolean {
  const naming = /(?<!\p{L})(?:Eqs?|Eqns?|Equations?|식|수식)\.?\s?\(?(\d+(?:\.\d+)?[a-z]?)/giu
  return Array.from(text.matchAll(naming)).some(([, named]) => named === digits)
}

function nearestFirst (
  document: Document, mentioning: ReadonlySet<string>, sectionId: string | null
): Piece[] {
  const own = (section: Section) => sectionPieces({
    ...section, paragraphs: section.paragraphs.filter(({ id }) => mentioning.has(id))
  })
  const first = document.sections
    .filter(({ paragraphs }) => paragraphs.some(({ id }) => mentioning.has(id))).flatMap(own)
  const given = new Set(first.map(({ kind, id }) => `${kind} ${id}`))
  const rest = sectionId === null ? [] : sectionsOf(document, sectionId).flatMap(sectionPieces)
  return [...first, ...rest.filter(({ kind, id }) => !given.has(`${kind} ${id}`))]
}

function captioned ({ label, caption }: { label: string, caption: string }): string {
  return [label, caption].filter(part => part !== '').join(': ')
}

function found<T extends { id: string }> (all: readonly T[], id: string): T {
  const one = all.find(each => each.id === id)
  if (one === undefined) throw new RangeError(`Expected a part of the document, got ${id}`)
  return one
}
