/** A paper made ready for its writers. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { evidenceSourceOf } from '../../../../shared/text/evidence.ts'
import { guessLanguage } from '../../../../shared/text/language.ts'
import type { ModelRecipe } from '../recipe.ts'
import { sourceTextOf, type SourceText } from '../source-text.ts'
import type { Material } from './writer.ts'

export function materialOf (
  document: Document, { recipe, vision }: { recipe: ModelRecipe, vision: boolean }
): Material {
  let source: SourceText | undefined
  return {
    document,
    recipe,
    vision,
    language: recipe.language ?? languageOf(document),
    get source () {
      source ??= sourceTextOf(document)
      return source
    },
    get evidence () { return evidenceSourceOf(document) }
  }
}

/** The paper's, as far as it is known; English otherwise. */
export function languageOf ({ language, abstract, title }: Pick<Document, 'language' | 'abstract' | 'title'>): string {
  const known = language === 'und' ? guessLanguage(abstract?.text ?? title) : language
  const [code = 'und'] = /^[a-z]{2,3}(?![a-z])/u.exec(known.toLowerCase()) ?? []
  return code === 'und' ? 'en' : code
}
