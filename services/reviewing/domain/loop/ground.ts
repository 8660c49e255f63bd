/** Quotes of a rewritten item as evidence: where in the paper each stands, word for word. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence, Item } from '../../../../shared/contracts/item.ts'
import { normalised } from '../../../../shared/text/normalise.ts'
import { findQuote } from '../../../../shared/text/quote.ts'

type Place = Pick<Evidence, 'target' | 'sectionId' | 'page' | 'cell'> & { text: string }

/** Aligning is not free, and a quote is to come from near the place it is about. */
const placesMax = 60
const quotesMax = 6

/**
 * The quotes that the paper has, each as the paper prints it and once; what it does not have is left
 * out. Looked for in the texts the item rested on, then in its place, the abstract and the rest of
 * the paper, so that the nearest of equal sentences is named.
 */
export function groundQuotes (quotes: readonly string[], item: Item, document: Document): Evidence[] {
  const places = placesNear(item, document).slice(0, placesMax)
  const found = quotes.slice(0, quotesMax).flatMap((quote): Evidence[] => {
    // A cell is known by where it stands: its text may stand anywhere.
    const known = item.evidence.find(evidence => normalised(evidence.quote) === normalised(quote))
    if (known !== undefined) return [known]
    for (const { text, ...place } of places) {
      const match = findQuote(quote, text)
      if (match === undefined) continue
      return [{ quote: match.text, ...place, charStart: match.start, charEnd: match.end }]
    }
    return []
  })
  const keyOf = ({ target, cell, charStart, charEnd }: Evidence) =>
    JSON.stringify([target, cell, charStart, charEnd])
  return [...new Map(found.map(evidence => [keyOf(evidence), evidence])).values()]
}

function placesNear (item: Item, document: Document): Place[] {
  const evidenced = new Set(item.evidence.map(({ target }) => target.id ?? 'abstract'))
  const figures = document.figures.filter(({ id }) => id === item.place || item.figureIds.includes(id))
  const mentioned = new Set(figures.flatMap(({ mentions }) => mentions.map(({ paragraphId }) => paragraphId)))
  const near = ({ target, sectionId }: Place): number => {
    const id = target.id ?? 'abstract'
    if (evidenced.has(id)) return 0
    if (id === item.place || item.figureIds.includes(id) || mentioned.has(id)) return 1
    return sectionId === item.place ? 2 : id === 'abstract' ? 3 : 4
  }
  return placesOf(document).map((place, i) => ({ place, i, rank: near(place) }))
    .sort((a, b) => a.rank - b.rank || a.i - b.i).map(({ place }) => place)
}

function placesOf (document: Document): Place[] {
  const { abstract, sections, figures, tables } = document
  const captions = (type: 'figure' | 'table', list: typeof figures | typeof tables): Place[] =>
    list.map(({ id, page, caption, sectionId }) => (
      { target: { type, id }, page, text: caption, ...sectionId !== null && { sectionId } }))
  return [
    ...abstract === null ? [] : [{ target: { type: 'abstract' as const }, page: abstract.page, text: abstract.text }],
    ...sections.flatMap(({ id: sectionId, paragraphs }) => paragraphs.map(({ id, page, text }) => (
      { target: { type: 'paragraph' as const, id }, sectionId, page, text }))),
    ...captions('figure', figures),
    ...captions('table', tables)
  ]
}
