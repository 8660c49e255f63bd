/** Quotes of a draft, found in the paper. */
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { findQuote } from '../../../../shared/text/quote.ts'
import type { SourceText } from '../source-text.ts'

export interface Grounded { evidence: Evidence[], faults: string[] }

/** Shorter ones stand anywhere. */
const quoteCharsMin = 12

/** Each quote where it stands first; one over two paragraphs is found in neither. */
export function ground ({ passages }: SourceText, quotes: readonly string[]): Grounded {
  const grounded: Grounded = { evidence: [], faults: [] }
  for (const quote of new Set(quotes.map(quote => quote.trim()))) {
    const evidence = quote.length < quoteCharsMin ? undefined : firstOf(passages, quote)
    if (evidence === undefined) grounded.faults.push(`"${quote.slice(0, 80)}" does not stand in the paper.`)
    else grounded.evidence.push(evidence)
  }
  return grounded
}

function firstOf (passages: SourceText['passages'], quote: string): Evidence | undefined {
  // To search for it word for word is a thousand times faster than to forgive what line breaks do.
  const verbatim = passages.filter(({ text }) => text.includes(quote))
  for (const { text, target, sectionId, page } of [...verbatim, ...passages]) {
    const match = findQuote(quote, text)
    if (match === undefined) continue
    return {
      quote: match.text, target, ...sectionId !== null && { sectionId }, page, charStart: match.start, charEnd: match.end
    }
  }
  return undefined
}
