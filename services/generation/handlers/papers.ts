/** Papers as writers see them; the last few are kept, for the places of a paper follow one another. */
import { recently } from '../../../shared/clients/recently.ts'
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { guessLanguage } from '../../../shared/text/language.ts'
import type { Material } from '../domain/model/writer.ts'
import type { ModelRecipe } from '../domain/recipe.ts'
import { sourceTextOf, type SourceText } from '../domain/source-text.ts'

/** Tasks of so many papers are in work at once, where papers are small. */
const papersKept = 12

export interface Papers {
  materialOf: (paper: { paperId: string, documentHash: string }, asked: { recipe: ModelRecipe, vision: boolean }) => Promise<Material>
}

export function papersOf (parsing: Pick<ParsingClient, 'getDocument'>): Papers {
  const read = recently(papersKept, async (key): Promise<{ document: Document, source: SourceText }> => {
    const [paperId = '', documentHash] = key.split(' ')
    const document = await parsing.getDocument(paperId, documentHash)
    return { document, source: sourceTextOf(document) }
  })
  return {
    async materialOf ({ paperId, documentHash }, { recipe, vision }) {
      const { document, source } = await read(`${paperId} ${documentHash}`)
      return { document, source, recipe, vision, language: recipe.language ?? languageOf(document) }
    }
  }
}

/** The paper's, as far as it is known; English otherwise. */
function languageOf ({ language, abstract, title }: Document): string {
  const known = language === 'und' ? guessLanguage(abstract?.text ?? title) : language
  return known === 'und' ? 'en' : known.slice(0, 2)
}
