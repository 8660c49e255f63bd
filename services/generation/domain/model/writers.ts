/** All writers there are, in the order of their items at one place. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Place } from '../plan.ts'
import type { ModelRecipe } from '../recipe.ts'
import { abstractWriter, sectionWriter } from './qa.ts'
import { figureWriter } from './vqa.ts'
import type { Writer } from './writer.ts'

export const writers: readonly Writer[] = [abstractWriter, sectionWriter, figureWriter]

/** @throws RangeError for a name that no writer has: a task of another version */
export function writerOf (name: string): Writer {
  const writer = writers.find(writer => writer.name === name)
  if (writer === undefined) throw new RangeError(`Expected the name of a writer, got ${name}`)
  return writer
}

/** Writers that the recipe's kinds ask for. */
export function writersFor ({ kinds }: Pick<ModelRecipe, 'kinds'>): Writer[] {
  return writers.filter(({ kind }) => kinds.includes(kind))
}

/** Names of the prompts that a writer may be asked with. */
export function promptsOf ({ prompt, mergePrompt }: Writer): string[] {
  return mergePrompt === undefined ? [prompt] : [prompt, mergePrompt]
}

/** One task for each place and writer; the same every time. */
export function modelPlanOf (
  document: Document, recipe: ModelRecipe
): Array<{ place: Place, writer: string }> {
  return writersFor(recipe).flatMap(({ name, placesOf }) =>
    placesOf(document, recipe).map(place => ({ place, writer: name })))
}
