/** Quotes of a rewritten item as evidence: where in the paper each stands, and whether it bears on it. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Evidence, Item } from '../../../../shared/contracts/item.ts'
import { evidenceSourceOf, groundEvidence } from '../../../../shared/text/evidence.ts'
import { paperLanguage } from '../../../../shared/text/language.ts'
import { normalised } from '../../../../shared/text/normalise.ts'

export interface Written { question: string, answer: string, quotes: readonly string[] }

/**
 * The quotes that the paper has, as it prints them and once. A quote that the item rested on before is
 * taken as it stood: the text of a cell may stand anywhere, and its place is known.
 *
 * @returns  also why the others are none, in words for who wrote them
 */
export function groundQuotes (
  { question, answer, quotes }: Written, item: Item, document: Document
): { evidence: Evidence[], faults: string[] } {
  const known = new Map(item.evidence.map(evidence => [normalised(evidence.quote), evidence]))
  const kept = quotes.flatMap(quote => known.get(normalised(quote)) ?? [])
  const fresh = quotes.filter(quote => !known.has(normalised(quote)))
  const otherLanguage = item.language !== paperLanguage(document)
  const asked = { question, answer, quotes: fresh, place: item.place, otherLanguage }
  const found = groundEvidence(evidenceSourceOf(document), asked)
  const keyOf = ({ target, cell, charStart, charEnd }: Evidence) =>
    JSON.stringify([target, cell, charStart, charEnd])
  const evidence = [...new Map([...kept, ...found.evidence].map(each => [keyOf(each), each])).values()]
  return { evidence, faults: found.faults.map(({ quote, detail }) => `"${quote.slice(0, 80)}": ${detail}`) }
}
