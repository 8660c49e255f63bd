/** Under which licence a paper says it may be used, as far as its own notes tell. */
import type { Document } from '../../../shared/contracts/document.ts'

export interface Licence { licence: string, licenceQuote: string | null }

/** Longest first: each name is also the beginning of a shorter licence's. */
const creativeCommons: ReadonlyArray<[id: string, words: readonly string[]]> = [
  ['CC-BY-NC-ND', ['attribution-noncommercial-noderivatives', 'attribution-noncommercial-noderivs', 'attribution-non-commercial-noderivatives', 'attribution-non-commercial-noderivs', 'attribution-non-commercial-no derivatives', 'cc by-nc-nd', 'cc-by-nc-nd', '/by-nc-nd/']],
  ['CC-BY-NC-SA', ['attribution-noncommercial-sharealike', 'attribution-non-commercial-sharealike', 'attribution-non-commercial-share alike', 'cc by-nc-sa', 'cc-by-nc-sa', '/by-nc-sa/']],
  ['CC-BY-NC', ['attribution-noncommercial', 'attribution-non-commercial', 'attribution noncommercial', 'cc by-nc', 'cc-by-nc', '/by-nc/']],
  ['CC-BY-ND', ['attribution-noderivatives', 'attribution-noderivs', 'cc by-nd', 'cc-by-nd', '/by-nd/']],
  ['CC-BY-SA', ['attribution-sharealike', 'attribution-share alike', 'cc by-sa', 'cc-by-sa', '/by-sa/']],
  ['CC-BY', ['creative commons attribution', 'cc by', 'cc-by', 'licenses/by/']],
  ['CC0-1.0', ['cc0', 'publicdomain/zero']]
]
const quoteMax = 300

/** A paper that speaks of its own terms, as publishers print them behind the last reference. */
const ownTerms = /\b(?:this|the) (?:is an open[- ]access (?:article|paper)|(?:article|paper|work) is (?:an open[- ]access (?:article|paper)|licen[sc]ed|distributed|published))\b/iu

/** A licence that a note gives for one picture says nothing about the paper. */
const ofOnePart = /^(?:\S{1,3} )?(?:figures?|figs?\.?|photos?|photographs?|images?|icons?|pictures?|maps?)\b/iu

/**
 * Only what stands in the paper's notes, or as terms of its own behind its last reference, where publishers
 * print them: a paper that speaks of licences in its text says nothing about its own. A name without a
 * version is given without one.
 */
export function licenceOf (
  { footnotes, references = [] }: Pick<Document, 'footnotes'> & Partial<Pick<Document, 'references'>>
): Licence {
  const last = references.at(-1)?.text ?? ''
  const terms = ownTerms.exec(last)
  const notes = footnotes.map(({ text }) => text).filter(text => !ofOnePart.test(text.trim()))
  const texts = terms === null ? notes : [...notes, last.slice(terms.index)]
  for (const text of texts) {
    const found = licenceIn(text)
    if (found !== undefined) return found
  }
  return { licence: 'unknown', licenceQuote: null }
}

function licenceIn (text: string): Licence | undefined {
  const lower = text.toLowerCase().replaceAll(/[\u2010-\u2015]/g, '-')
  const found = creativeCommons.flatMap(([id, words]) => {
    const at = words.map(word => lower.indexOf(word)).find(index => index >= 0)
    return at === undefined ? [] : [{ id, at }]
  })[0]
  if (found === undefined) return undefined
  const version = /\b[1-4]\.0\b/.exec(lower.slice(found.at, found.at + 120))?.[0]
  const licence = found.id.startsWith('CC0') || version === undefined ? found.id : `${found.id}-${version}`
  const start = Math.max(0, found.at - 100)
  return { licence, licenceQuote: text.slice(start, start + quoteMax) }
}
