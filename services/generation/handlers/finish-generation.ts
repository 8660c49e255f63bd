/**
 * The end of a generation: drafts of each paper become items, and how diverse its items are is found out.
 * What became an item stays one, so that ending again, after a crash or a retry, adds and changes nothing
 * else. For the same reason a paper with dead tasks waits: chosen without the drafts they would still
 * give, its items were others. They are made once a retry has done the rest, or a cancel has given it up.
 */
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { JobRecord } from '../../../shared/tasks/tasks.ts'
import { pairFormsOf } from '../domain/model/pair-forms.ts'
import { isChosenAtEnd } from '../domain/select-items.ts'
import type { Drafts } from '../draft-store.ts'
import type { GenerationStore } from '../store.ts'
import type { Thread } from '../thread/thread.ts'
import { isGone, rejectPaper } from './gone-papers.ts'
import type { GenerationSpec } from './parts.ts'

interface EndParts {
  store: GenerationStore
  parsing: Pick<ParsingClient, 'getDocument'>
  thread: Thread
  /** Numbers of the papers that are held back. */
  heldBack: ReadonlySet<number>
}
type Job = JobRecord<GenerationSpec>

export async function finishGeneration (parts: EndParts, job: Job, signal: AbortSignal): Promise<void> {
  const { store, heldBack } = parts
  const { _id: generationId, spec: { recipe, paperIds } } = job
  const pairs: Item[] = []
  const outcome = { wanted: 0, made: 0, calls: 0, promptTokens: 0, completionTokens: 0, callsWithoutUsage: 0 }
  for (const paperIndex of paperIds.keys()) {
    signal.throwIfAborted()
    const places = isChosenAtEnd(recipe) ? await store.listDrafts(generationId, paperIndex) : null
    for (const { tally } of places ?? []) {
      for (const name of Object.keys(outcome) as Array<keyof typeof outcome>) outcome[name] += tally[name]
    }
    if (heldBack.has(paperIndex)) continue
    try {
      const items = await endPaper(parts, job, { paperIndex, places })
      pairs.push(...items.filter(({ kind }) => kind === 'binary'))
    } catch (cause) {
      if (!isGone(cause)) throw cause
      await rejectPaper(store, job, paperIndex)
    }
  }
  // Told of from here: that tasks are dead is costly to ask again at each look.
  if (heldBack.size > 0) await store.saveHeldBack(generationId, [...heldBack])
  if (recipe.strategy !== 'model') return
  const pairForms = pairFormsOf(pairs)
  await store.saveOutcome(generationId, { ...outcome, ...pairForms !== undefined && { pairForms } })
}

interface Ended { paperIndex: number, places: Drafts[] | null }

/** @throws Problem paper-deleted, paper-not-found: no draft of it became an item now */
async function endPaper (
  { store, parsing, thread }: EndParts, { _id: generationId, spec }: Job, { paperIndex, places }: Ended
): Promise<Item[]> {
  const { recipe, paperIds, documentHashes } = spec
  const paperId = paperIds[paperIndex]!
  const paper = { generationId, paperIndex }
  const key = `${generationId}/${paperId}`
  const order = async () => ({
    document: await parsing.getDocument(paperId, documentHashes[paperIndex]), recipe, generationId
  })
  if (places === null) {
    const items = await itemsOf(store, { generationId, paperId })
    await store.saveDiversity(paper, await thread.work(key, { do: 'measure', items }, order))
    return items
  }
  const drafts = places.flatMap(({ items }) => items)
  const chosen = await store.findChosen(paper)
  const kept = chosen === undefined ? await store.listItemIds(drafts.map(({ id }) => id)) : new Set(chosen)
  const { items, notTaken, diversity } = await thread.work(key, { do: 'select', drafts, kept }, order)
  await store.saveDiversity(paper, diversity, items.map(({ id }) => id))
  await store.insertNotTaken(paper, places, notTaken)
  await store.insertChosen(paper, places, items)
  return items
}

const pageItems = 200

async function itemsOf (
  store: GenerationStore, asked: { generationId: string, paperId: string }
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await store.listItems({ ...asked, limit: pageItems, ...cursor !== undefined && { cursor } })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}
