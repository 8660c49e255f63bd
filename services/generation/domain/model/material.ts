/** A paper made ready for its writers. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { evidenceSourceOf } from '../../../../shared/text/evidence.ts'
import { paperLanguage } from '../../../../shared/text/language.ts'
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
    language: recipe.language ?? paperLanguage(document),
    get source () {
      source ??= sourceTextOf(document)
      return source
    },
    get evidence () { return evidenceSourceOf(document) }
  }
}
