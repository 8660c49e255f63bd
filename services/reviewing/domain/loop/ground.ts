/** Quotes of a rewritten item as evidence: where in the paper each stands, word for word. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence, Item } from '../../../../shared/contracts/item.ts'
import { evidenceSourceOf, locateQuote } from '../../../../shared/text/evidence.ts'
import { normalised } from '../../../../shared/text/normalise.ts'
import { evidenceAt } from '../../../../shared/text/passages.ts'

const quotesMax = 6

/**
 * The quotes that the paper has, each as the paper prints it and once; what it does not have is left
 * out. Of equal sentences the one in the item's place is named.
 */
export function groundQuotes (quotes: readonly string[], item: Item, document: Document): Evidence[] {
  const source = evidenceSourceOf(document)
  const found = quotes.slice(0, quotesMax).flatMap((quote): Evidence[] => {
    // A cell is known by where it stands: its text may stand anywhere.
    const known = item.evidence.find(evidence => normalised(evidence.quote) === normalised(quote))
    if (known !== undefined) return [known]
    const located = locateQuote(source, quote, item.place)
    return 'reason' in located ? [] : located.place.pieces.map(piece => evidenceAt(piece.passage, piece))
  })
  const keyOf = ({ target, cell, charStart, charEnd }: Evidence) =>
    JSON.stringify([target, cell, charStart, charEnd])
  return [...new Map(found.map(evidence => [keyOf(evidence), evidence])).values()]
}
