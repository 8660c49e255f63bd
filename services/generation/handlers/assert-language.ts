/** Refuses, before a model is asked, kinds of items that could not be made in the language asked for. */
import { Problem, type FieldError } from '../../../shared/errors/problem.ts'
import { boundToPaper, otherLanguage } from '../domain/model/other-language.ts'
import type { Resolved } from '../domain/recipe.ts'
import type { Parts } from './parts.ts'

/**
 * One paper after the other, and only where a recipe names a language and such kinds.
 *
 * @throws Problem invalid-request that names every paper of another language, and the kinds that can be had
 */
export async function assertLanguage (
  { parsing }: Pick<Parts, 'parsing'>, recipe: Resolved, { paperIds, hashes }: { paperIds: readonly string[], hashes: readonly string[] }
): Promise<void> {
  const { language } = recipe
  const bound = boundToPaper(recipe)
  if (language === undefined || bound.length === 0) return
  const errors: FieldError[] = []
  for (const [i, paperId] of paperIds.entries()) {
    const own = otherLanguage(await parsing.getDocument(paperId, hashes[i]), language)
    if (own !== undefined) errors.push({ pointer: `/paperIds/${i}`, detail: `Paper ${paperId} is in "${own}".` })
  }
  if (errors.length === 0) return
  throw new Problem('invalid-request', `${errors.length} of ${paperIds.length} papers are in another language than "${language}", and items of the kind ${bound.join(' and ')} are made in the language of their paper alone: whether the paper bears out what they say, and nothing else, is looked for in its own words. Leave out recipe.language, or ask for qa and vqa only.`, {
    errors: [{ pointer: '/recipe/kinds', detail: `No ${bound.join(', no ')} in "${language}" of these papers; qa and vqa can be asked for.` }, ...errors]
  })
}
