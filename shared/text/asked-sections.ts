/** Which sections of a paper can be asked about. */
import type { Section } from '../contracts/document.ts'

const unaskedKinds = new Set(['references', 'acknowledgements', 'appendix'])
/** A heading of words; a formula taken for one has none. */
const named = /\p{Ll}{3}|\p{Lu}{3}|[\uAC00-\uD7A3]/u
const boilerplate = /^(?:acknowledge?ments?|funding|(?:conflicts?|competing|declarations?|disclosure)\b.*|.*interests?|author['’]?s?['’]? (?:contributions?|details|information|affiliations)|contributions of authors|.*availability.*|abbreviations?|keywords?|supplementary.*|supporting.*|additional (?:files?|information)|ethic.*|consent.*|orcid.*|references|bibliography|notes|credit.*|publisher.*|how to cite.*|open access|license)\.?$/iu

/** Sections with text of their own, boilerplate left out. */
export function isAsked ({ kind, title, paragraphs }: Section): boolean {
  const asked = named.test(title) && !boilerplate.test(title.trim())
  return asked && !unaskedKinds.has(kind) && paragraphs.length > 0
}
