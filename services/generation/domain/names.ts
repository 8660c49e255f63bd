/** Names in a sentence: acronyms, numbered and compound names, capitalised words inside it. */
import { factsIn } from '../../../shared/text/facts.ts'

export interface Name { text: string, start: number, end: number }

// From the start of a run only: tried from each letter of a long one it would take for ever.
const compound = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-/·][\p{L}\p{N}]+)+/gu

/** Compound names (LiFePO4/C, SEB-3) whole; other entities as facts have them. */
export function namesIn (text: string): Name[] {
  const compounds = Array.from(text.matchAll(compound), match => ({
    text: match[0], start: match.index, end: match.index + match[0].length
  })).filter(({ text }) => /\p{Lu}\P{Lu}*\p{Lu}/u.test(text) || (/\p{Lu}/u.test(text) && /\d/u.test(text)))
  const others = factsIn(text).filter(({ kind, start, end }) => kind === 'entity' &&
    !compounds.some(name => name.start <= start && end <= name.end))
    .map(({ text, start, end }) => ({ text, start, end }))
  return [...compounds, ...others].sort((a, b) => a.start - b.start)
}
