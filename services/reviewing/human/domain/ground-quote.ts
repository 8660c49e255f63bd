/** Finds where a quote that a rater typed stands in the paper, so that offsets are nobody's work. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Edit } from '../../../../shared/contracts/human-review.ts'
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { evidenceSourceOf, locateQuote } from '../../../../shared/text/evidence.ts'
import { evidenceAt, passagesOf, rowsAndEquations } from '../../../../shared/text/passages.ts'
import { quoteIndexOf } from '../../../../shared/text/quote.ts'

type Asked = NonNullable<Edit['evidence']>[number]

/**
 * The evidence with the paper's own words and their offsets in code points: one piece for each
 * paragraph that the quote runs over. Without a target the first place in the order of the paper.
 *
 * @returns undefined where the paper, or the target, does not say it
 */
export function groundQuote (asked: Asked, document: Document): Evidence[] | undefined {
  const located = locateQuote(sourceFor(asked, document), asked.quote)
  if ('reason' in located) return undefined
  return located.place.pieces.map(piece => evidenceAt(piece.passage, piece))
}

function sourceFor ({ target, cell }: Asked, document: Document) {
  if (target === undefined && cell === undefined) return evidenceSourceOf(document)
  const prose = passagesOf(document)
  const { rows, equations } = rowsAndEquations(document, prose.length)
  const wanted = [...prose, ...rows.flatMap(({ cells }) => cells), ...equations].filter(passage =>
    (target === undefined || (passage.target.type === target.type && passage.target.id === target.id)) &&
    passage.cell?.row === cell?.row && passage.cell?.column === cell?.column)
  return { index: quoteIndexOf(wanted.map(passage => [passage])) }
}
