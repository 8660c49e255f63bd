/** All that can be made of a paper without a real model: drafts that a selection chooses among. */
import type { InferenceClient } from '../../../shared/clients/inference.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Prompt } from '../../../shared/prompts/prompt.ts'
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import { fakeAuthor } from '../../../shared/testing/fake-author.ts'
import { itemAuthors } from '../../../shared/testing/fake-item-authors.ts'
import { groundworkOf, itemsFor } from '../../../services/generation/domain/extractive.ts'
import { planOf } from '../../../services/generation/domain/plan.ts'
import { resolveRecipe, type ModelRecipe, type Resolved } from '../../../services/generation/domain/recipe.ts'
import { tableItems } from '../../../services/generation/domain/tables/tables.ts'
import { placesOf } from '../../../services/generation/handlers/make-items.ts'
import type { GenerationSpec, PlaceInput } from '../../../services/generation/handlers/parts.ts'
import { writeItems } from '../../../services/generation/handlers/write-items.ts'
import { doneFor, type Paper } from '../../../services/generation/thread/duties.ts'

const generationId = idOf('generation', 'bench:diversity')

/** Sentences of the paper and cells of its tables. */
export function withoutModel (document: Document): Item[] {
  const extractive = resolveRecipe({ strategy: 'extractive', kinds: ['qa', 'binary'], pairsPerFigureMax: 6, seed: 1 })
  const tables = resolveRecipe({ strategy: 'tables', kinds: ['choice', 'binary'], pairsPerFigureMax: 6, seed: 1 })
  const groundwork = groundworkOf({ document, recipe: extractive, generationId })
  return [
    ...planOf(document, extractive).flatMap(place => itemsFor(place, groundwork).items),
    ...document.tables.flatMap(({ id }) =>
      tableItems(document, id, { generationId, recipe: tables }).items)
  ]
}

/** What the fake author writes of all kinds, through the writers, their prompts and their checks. */
export async function byFakeAuthor (
  document: Document, prompts: ReadonlyMap<string, Prompt>
): Promise<Item[]> {
  const recipe = resolveRecipe({
    strategy: 'model',
    model: 'fake',
    kinds: ['qa', 'vqa', 'binary', 'choice'],
    counts: { vqaPerFigure: 6, pairsPerFigure: 4, choicesPerPlace: 4 },
    unanswerableShare: 0.1,
    falsePremiseShare: 0.1,
    seed: 1
  }) as ModelRecipe
  const made: Item[] = []
  const parts = {
    store: {
      hasDrafts: async () => false,
      insertRejections: async () => {},
      insertDrafts: async (_: unknown, { items }: { items: Item[] }) => { made.push(...items) }
    },
    parsing: { getDocument: async () => document },
    inference: { structured: replies, countTokens: async () => null },
    thread: threadOf(document, recipe),
    images: { of: async () => [] },
    budgets: { under: async (...[, , work]: [string, AbortSignal, () => Promise<unknown>]) => await work() },
    prompts,
    timeoutMs: 1000
  } as unknown as Parameters<typeof writeItems>[0]
  const spec = {
    paperIds: [document.paperId],
    documentHashes: [document.documentHash],
    recipe,
    vision: true,
    prompts: [...prompts.values()].map(({ name, hash }) => ({ name, hash }))
  }
  const job = { _id: generationId, spec } as unknown as JobRecord<GenerationSpec>
  for (const [placeIndex, placed] of placesOf(document, recipe as Resolved).entries()) {
    const task = { input: { paperIndex: 0, placeIndex, ...placed } } as Task<PlaceInput>
    await writeItems(parts, { task, job }, new AbortController().signal)
  }
  return made
}

/** The thread's work, done here. */
function threadOf (document: Document, recipe: ModelRecipe) {
  const paper: Paper = { order: { document, recipe, generationId, vision: true } }
  return { work: async (_: string, duty: Parameters<typeof doneFor>[0]) => doneFor(duty, paper) }
}

const author = fakeAuthor({ authors: itemAuthors })

async function replies (request: { schema: object } & Record<string, unknown>): ReturnType<InferenceClient['structured']> {
  const text = author({ ...request, response_format: { json_schema: { schema: request.schema } } })
  const value = text === null ? null : JSON.parse(text) as unknown
  return {
    outcome: value === null ? 'unparsable' : 'answered',
    value,
    hasValue: value !== null,
    reason: null,
    dropped: 0,
    usage: { promptTokens: null, completionTokens: null },
    upstreamVersion: null,
    requestHash: null
  } as never
}
