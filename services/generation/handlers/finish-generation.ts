/**
 * The end of a generation: drafts of each paper become items. What became an item stays one, so that
 * ending again, after a crash or a retry, adds and changes nothing else.
 */
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { selectItems } from '../domain/select-items.ts'
import type { GenerationStore } from '../store.ts'
import type { GenerationSpec } from './parts.ts'

export async function finishGeneration (
  { store }: { store: GenerationStore }, { _id: generationId, spec }: JobRecord<GenerationSpec>, signal: AbortSignal
): Promise<void> {
  if (spec.recipe.strategy !== 'model') return
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
    await store.insertSelected({ generationId, paperIndex }, { drafts, items, rejections })
  }
  await store.saveOutcome(generationId, outcome)
}
