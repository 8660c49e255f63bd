/**
 * The end of a generation: drafts of each paper become items. What became an item stays one, so that
 * ending again, after a crash or a retry, adds and changes nothing else.
 */
import type { InferenceClient } from '../../../shared/clients/inference.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Jobs, JobRecord } from '../../../shared/tasks/tasks.ts'
import { pairFormsOf } from '../domain/model/pair-forms.ts'
import { selectItems } from '../domain/select-items.ts'
import type { GenerationStore } from '../store.ts'
import { wholePaper } from '../slot.ts'
import type { GenerationSpec } from './parts.ts'

export async function finishGeneration (
  store: GenerationStore, { _id: generationId, spec }: JobRecord<GenerationSpec>, signal: AbortSignal
): Promise<void> {
  if (spec.recipe.strategy !== 'model') return
  const chosen: Item[] = []
  const outcome = { wanted: 0, made: 0, calls: 0, promptTokens: 0, completionTokens: 0 }
  for (const paperIndex of spec.paperIds.keys()) {
    signal.throwIfAborted()
    const drafts = await store.listDrafts(generationId, paperIndex)
    for (const { tally } of drafts) {
      for (const name of Object.keys(outcome) as Array<keyof typeof outcome>) outcome[name] += tally[name]
    }
    const all = drafts.flatMap(({ items }) => items)
    const kept = await store.listItemIds(all.map(({ id }) => id))
    const { items, rejections } = selectItems(all, { recipe: spec.recipe, kept })
    await store.insertRejections({ generationId, paperIndex, placeIndex: wholePaper }, rejections)
    chosen.push(...items.filter(({ kind }) => kind === 'binary'))
    await store.insertChosen({ generationId, paperIndex }, drafts, items)
  }
  const pairForms = pairFormsOf(chosen)
  await store.saveOutcome(generationId, { ...outcome, ...pairForms !== undefined && { pairForms } })
}

interface BudgetParts { jobs: Pick<Jobs<GenerationSpec>, 'view'>, inference: Pick<InferenceClient, 'freeGroup'> }

/** A generation that may be retried keeps its budget: what is left of it is all that a retry may spend. */
export async function endBudget (
  { jobs, inference }: BudgetParts, { _id, spec, cancelled }: JobRecord<GenerationSpec>
): Promise<void> {
  if (spec.recipe.tokensMax === undefined || cancelled) return
  const { progress } = await jobs.view(_id)
  if (progress.failed === 0) await inference.freeGroup(_id)
}
