/** The work of a generation: which places there are, and the items of one. */
import type { Document } from '../../../shared/contracts/document.ts'
import { taskId } from '../../../shared/tasks/records.ts'
import type { JobRecord, PlannedTask, Task } from '../../../shared/tasks/tasks.ts'
import { modelPlanOf } from '../domain/model/writers.ts'
import { planOf } from '../domain/plan.ts'
import type { ModelRecipe, Resolved } from '../domain/recipe.ts'
import { isChosenAtEnd } from '../domain/select-items.ts'
import type { Thread } from '../thread/thread.ts'
import { isGone, rejectPaper } from './gone-papers.ts'
import type { GenerationSpec, Parts, PlaceInput } from './parts.ts'

type Job = JobRecord<GenerationSpec>

/**
 * One paper after the other, so that only one document is held at a time.
 *
 * @throws Problem paper-deleted or paper-not-found where no paper is left
 */
export async function planGeneration (
  { parsing, inference, store }: Pick<Parts, 'parsing' | 'inference' | 'store'>, job: Job
): Promise<Array<PlannedTask<PlaceInput>>> {
  const { _id, spec: { paperIds, documentHashes, recipe } } = job
  if (recipe.tokensMax !== undefined) await inference.limitGroup(_id, recipe.tokensMax)
  const inputs: PlaceInput[] = []
  let gone = 0
  for (const [paperIndex, paperId] of paperIds.entries()) {
    let document: Document
    try { document = await parsing.getDocument(paperId, documentHashes[paperIndex]) } catch (cause) {
      if (!isGone(cause) || ++gone === paperIds.length) throw cause
      await rejectPaper(store, job, paperIndex)
      continue
    }
    for (const [placeIndex, placed] of placesOf(document, recipe).entries()) {
      inputs.push({ paperIndex, placeIndex, ...placed })
    }
  }
  return inOrder(_id, inputs)
}

/**
 * Workers take tasks in the order of their ids, which are hashes of job and key. The keys are dealt out so
 * that this is the order of the papers: what the places of a paper share is then made once, not for each.
 */
function inOrder (jobId: string, inputs: readonly PlaceInput[]): Array<PlannedTask<PlaceInput>> {
  const keys = inputs.map((_, i) => ({ key: String(i), id: taskId(jobId, 'work', String(i)) }))
    .sort((a, b) => a.id < b.id ? -1 : 1)
  return inputs.map((input, i) => ({ key: keys[i]!.key, input }))
}

/** Where something is made, by the recipe's strategy; with a model also who writes there. */
export function placesOf (document: Document, recipe: Resolved): Array<Pick<PlaceInput, 'place' | 'writer'>> {
  if (recipe.strategy === 'model') return modelPlanOf(document, recipe as ModelRecipe)
  if (recipe.strategy === 'tables') {
    return document.tables.map(({ id }) => ({ place: { aspect: 'table', id } }))
  }
  return planOf(document, recipe).map(place => ({ place }))
}

export interface MakeParts extends Pick<Parts, 'parsing' | 'store'> { thread: Thread }

/** Nothing was asked of a model. */
const noTally = { wanted: 0, made: 0, calls: 0, promptTokens: 0, completionTokens: 0, callsWithoutUsage: 0 }

/** Items, or drafts to choose among, go to the store before the task's claim is closed. */
export async function makeItems (
  { parsing, store, thread }: MakeParts, { input }: Task<PlaceInput>, { _id: generationId, spec }: Job
): Promise<void> {
  const { paperIndex, placeIndex, place } = input
  const paperId = spec.paperIds[paperIndex] ?? ''
  const documentHash = spec.documentHashes[paperIndex] ?? ''
  const made = await thread.work(`${generationId}/${paperId}`, { do: 'make', place }, async () => ({
    document: await parsing.getDocument(paperId, documentHash), recipe: spec.recipe, generationId
  }))
  const slot = { generationId, paperIndex, placeIndex }
  await store.insertRejections(slot, made.rejections)
  if (isChosenAtEnd(spec.recipe)) await store.insertDrafts(slot, { items: made.items, tally: noTally })
  else await store.insertItems(slot, made.items)
}
