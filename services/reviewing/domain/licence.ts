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

/**
 * Only what stands in the paper's notes, where publishers print their terms: a paper that speaks of
 * licences in its text says nothing about its own. A name without a version is given without one.
 */
export function licenceOf ({ footnotes }: Pick<Document, 'footnotes'>): Licence {
  for (const { text } of footnotes) {
    const lower = text.toLowerCase().replaceAll(/[\u2010-\u2015]/g, '-')
    const found = creativeCommons.flatMap(([id, words]) => {
      const at = words.map(word => lower.indexOf(word)).find(index => index >= 0)
      return at === undefined ? [] : [{ id, at }]
    })[0]
    if (found === undefined) continue
    const version = /\b[1-4]\.0\b/.exec(lower.slice(found.at, found.at + 120))?.[0]
    const licence = found.id.startsWith('CC0') || version === undefined ? found.id : `${found.id}-${version}`
    const start = Math.max(0, found.at - 100)
    return { licence, licenceQuote: text.slice(start, start + quoteMax) }
  }
  return { licence: 'unknown', licenceQuote: null }
}
