/** Which places of a paper are asked about. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { isAsked } from '../../../shared/text/asked-sections.ts'

/** abstract, or the id of a section, figure, table or equation, as an item's `place`. */
export interface Place { aspect: 'abstract' | 'section' | 'figure' | 'table' | 'equation', id: string }

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
