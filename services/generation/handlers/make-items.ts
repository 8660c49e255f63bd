/** The work of a generation: which places there are, and the items of one. */
import type { JobRecord, PlannedTask, Task } from '../../../shared/tasks/tasks.ts'
import { planOf } from '../domain/plan.ts'
import type { Maker } from '../thread/maker.ts'
import type { GenerationSpec, Parts, PlaceInput } from './parts.ts'

type Job = JobRecord<GenerationSpec>

/** One paper after the other, so that only one document is held at a time. */
export async function planGeneration (
  { parsing }: Pick<Parts, 'parsing'>, { spec: { paperIds, documentHashes, recipe } }: Job
): Promise<Array<PlannedTask<PlaceInput>>> {
  const tasks: Array<PlannedTask<PlaceInput>> = []
  for (const [paperIndex, paperId] of paperIds.entries()) {
    const document = await parsing.getDocument(paperId, documentHashes[paperIndex])
    for (const [placeIndex, place] of planOf(document, recipe).entries()) {
      tasks.push({ key: `${paperIndex}-${placeIndex}`, input: { paperIndex, placeIndex, place } })
    }
  }
  return tasks
}

export interface MakeParts extends Pick<Parts, 'parsing' | 'store'> { maker: Maker }

/** Items go to the store under their content ids before the task's claim is closed. */
export async function makeItems (
  { parsing, store, maker }: MakeParts, { input }: Task<PlaceInput>, { _id: generationId, spec }: Job
): Promise<void> {
  const { paperIndex, placeIndex, place } = input
  const paperId = spec.paperIds[paperIndex] ?? ''
  const documentHash = spec.documentHashes[paperIndex] ?? ''
  const made = await maker.make(`${generationId}/${paperId}`, place, async () => ({
    document: await parsing.getDocument(paperId, documentHash), recipe: spec.recipe, generationId
  }))
  await store.insertMade({ generationId, paperIndex, placeIndex }, made)
}
