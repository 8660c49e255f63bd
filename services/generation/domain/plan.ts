/** Which places of a paper are asked about. */
import type { Document, Section } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'

/** abstract, or the id of a section, figure, table or equation, as an item's `place`. */
export interface Place { aspect: 'abstract' | 'section' | 'figure' | 'table' | 'equation', id: string }

const unaskedKinds = new Set(['references', 'acknowledgements', 'appendix'])
/** A heading of words; a formula taken for one has none. */
const named = /\p{Ll}{3}|\p{Lu}{3}|[\uAC00-\uD7A3]/u
const boilerplate = /^(?:acknowledge?ments?|funding|(?:conflicts?|competing|declarations?|disclosure)\b.*|.*interests?|author['’]?s?['’]? (?:contributions?|details|information|affiliations)|contributions of authors|.*availability.*|abbreviations?|keywords?|supplementary.*|supporting.*|additional (?:files?|information)|ethic.*|consent.*|orcid.*|references|bibliography|notes|credit.*|publisher.*|how to cite.*|open access|license)\.?$/iu

/** The abstract, each section that can have something to say, each figure; or each table. Always the same. */
export function planOf (document: Document, recipe: Recipe): Place[] {
  if (recipe.strategy === 'tables') return document.tables.map(({ id }) => ({ aspect: 'table', id }))
  const descriptive = recipe.kinds.includes('qa')
  const pictured = recipe.kinds.some(kind => kind === 'binary' || kind === 'vqa')
  return [
    ...descriptive ? [{ aspect: 'abstract' as const, id: 'abstract' }] : [],
    ...descriptive
      ? document.sections.filter(isAsked).map(({ id }) => ({ aspect: 'section' as const, id }))
      : [],
    ...pictured ? document.figures.map(({ id }) => ({ aspect: 'figure' as const, id })) : []
  ]
}

/** Sections with text of their own, boilerplate left out. */
export function isAsked ({ kind, title, paragraphs }: Section): boolean {
  const asked = named.test(title) && !boilerplate.test(title.trim())
  return asked && !unaskedKinds.has(kind) && paragraphs.length > 0
}
