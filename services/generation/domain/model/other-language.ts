/** Items in another language than their paper's: which kinds code cannot vouch for there. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { ItemKind } from '../../../../shared/contracts/item.ts'
import type { Recipe } from '../../../../shared/contracts/generation.ts'
import { paperLanguage } from '../../../../shared/text/language.ts'

/**
 * That the paper bears out the right choice and no other, and says nowhere what the false member of a
 * pair says, is looked for word by word: a translation shares none, so that a right item would be turned
 * down and a false member shown false by nothing.
 */
const boundKinds: readonly ItemKind[] = ['binary', 'choice']

/** Kinds of the recipe made in the paper's language alone; none where it asks for no language. */
export function boundToPaper (
  { strategy, language, kinds }: Pick<Recipe, 'strategy' | 'language' | 'kinds'>
): ItemKind[] {
  if (strategy !== 'model' || language === undefined) return []
  return boundKinds.filter(kind => kinds.includes(kind))
}

/** The paper's language where it is another; undefined where it is the same. */
export function otherLanguage (
  document: Pick<Document, 'language' | 'abstract' | 'title'>, wanted: string
): string | undefined {
  const own = paperLanguage(document)
  return own === wanted ? undefined : own
}
