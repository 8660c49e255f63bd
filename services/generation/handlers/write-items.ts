/**
 * The work of one place and writer with a model: asks until the count is reached or the samples are
 * used up. Every reply is on record with inference, so a task that runs again after a crash asks for
 * the same and is answered without a token.
 */
import { askForValue, type Asked } from '../../../shared/clients/ask-for-value.ts'
import type { InferenceClient } from '../../../shared/clients/inference.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Prompt } from '../../../shared/prompts/prompt.ts'
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import {
  begun, earlierOf, ended, isWanting, itemsOf, noDrafts, withRejection, withReply, type Drafting, type Slot
} from '../domain/model/drafting.ts'
import { roomOf, roomTokensMin } from '../domain/model/room.ts'
import { isFault, type Ask } from '../domain/model/writer.ts'
import { writerOf } from '../domain/model/writers.ts'
import type { ModelRecipe } from '../domain/recipe.ts'
import type { GenerationStore } from '../store.ts'
import type { Images } from './figure-images.ts'
import type { Papers } from './papers.ts'
import type { GenerationSpec, PlaceInput } from './parts.ts'

export interface WriteParts {
  store: GenerationStore
  inference: InferenceClient
  papers: Papers
  images: Images
  prompts: ReadonlyMap<string, Prompt>
  timeoutMs: number
}

type Job = JobRecord<GenerationSpec>
interface Context { slot: Slot, prompt: Prompt, generationId: string, signal: AbortSignal }

const seedMax = 2147483647

/** Drafts and rejections go to the store before the task's claim is closed. */
export async function writeItems (
  parts: WriteParts, { task: { input }, job }: { task: Task<PlaceInput>, job: Job }, signal: AbortSignal
): Promise<void> {
  const { _id: generationId, spec } = job
  const at = { generationId, paperIndex: input.paperIndex, placeIndex: input.placeIndex }
  if (await parts.store.hasDrafts(at)) return
  const writer = writerOf(input.writer ?? '')
  const recipe = spec.recipe as ModelRecipe
  const material = await parts.papers.materialOf({
    paperId: spec.paperIds[input.paperIndex] ?? '', documentHash: spec.documentHashes[input.paperIndex] ?? ''
  }, { recipe, vision: spec.vision ?? false })
  const slot: Slot = { generationId, place: input.place, writer, material }
  const prompt = promptOf(parts, writer.prompt, job)
  const drafting = await drafted(parts, { slot, prompt, generationId, signal })
  await parts.store.insertDrafts(at, {
    items: itemsOf(drafting, slot), rejections: [...drafting.rejections], tally: drafting.tally
  })
}

/** A generation is made with the prompts it was opened with, or not at all. */
function promptOf ({ prompts }: WriteParts, name: string, { _id, spec }: Job): Prompt {
  const prompt = prompts.get(name)
  if (prompt !== undefined && spec.prompts?.some(({ hash }) => hash === prompt.hash) === true) return prompt
  throw new Problem('conflict', `Generation ${_id} was begun with another version of prompt ${name}; POST /v1/generations again starts one with this version.`)
}

async function drafted (parts: WriteParts, context: Context): Promise<Drafting> {
  const { slot, prompt, signal } = context
  const { place, material } = slot
  const figures = material.vision ? material.document.figures.filter(({ id, imageId }) => id === place.id && imageId !== null) : []
  const room = roomOf(material.recipe, prompt, figures)
  if (room.tokens < roomTokensMin) {
    return withRejection(noDrafts, slot, { reason: 'context-too-small', detail: `recipe.contextTokens leaves ${Math.max(0, room.tokens)} tokens for text of the paper; ${roomTokensMin} are needed.` })
  }
  const asks = slot.writer.asksOf(place, material, room)
  if (isFault(asks)) return withRejection(noDrafts, slot, asks)
  let drafting = noDrafts
  for (const ask of asks) {
    drafting = begun(drafting, ask)
    const images = await parts.images.of(material.document, ask.figureIds, room.sideMax)
    while (isWanting(drafting, ask, material.recipe.samplesMax)) {
      signal.throwIfAborted()
      const asked = await put(parts, { ...context, ask, images, drafting })
      if (asked === undefined) return outOfBudget(drafting, { slot, asks, ask })
      const { provenance: call, ...reply } = asked
      drafting = withReply(drafting, { slot, ask }, { ...reply, call })
    }
    drafting = ended(drafting, slot, ask)
  }
  return drafting
}

interface Putting extends Context { ask: Ask, images: readonly string[], drafting: Drafting }

/** Undefined where the budget of the generation has no room for the call. */
async function put (
  { inference, timeoutMs }: WriteParts, { slot, prompt, generationId, signal, ask, images, drafting }: Putting
): Promise<Asked<{ items: unknown[] }> | undefined> {
  const { recipe } = slot.material
  const count = ask.count - drafting.madeOfAsk
  const all: Record<string, string> = { ...ask.values, count: String(count), earlier: earlierOf(drafting, ask) }
  try {
    return await askForValue<{ items: unknown[] }>(inference, {
      model: recipe.model,
      prompt,
      values: Object.fromEntries(Object.keys(prompt.variables).flatMap(name => all[name] === undefined ? [] : [[name, all[name]]])),
      images,
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['items'],
        properties: { items: { type: 'array', minItems: 1, maxItems: count + extraDraftsMax, items: slot.writer.draftSchema } }
      },
      sampling: recipe.sampling,
      // Another sample under the same seed would be the same reply.
      seed: (recipe.seed + drafting.sampleIndex) % seedMax,
      labels: { caller: 'generation', group: generationId, purpose: slot.writer.name, sampleIndex: drafting.sampleIndex }
    }, { signal, timeoutMs })
  } catch (cause) {
    if (cause instanceof Problem && cause.kind === 'budget-exhausted') return undefined
    throw cause
  }
}

/** A model that writes one more than asked has broken no rule; what is not needed is not read. */
const extraDraftsMax = 5

function outOfBudget (drafting: Drafting, { slot, asks, ask }: { slot: Slot, asks: readonly Ask[], ask: Ask }): Drafting {
  const later = asks.slice(asks.indexOf(ask) + 1)
  const counted = later.reduce(begun, { ...drafting })
  const missing = counted.tally.wanted - counted.tally.made
  return withRejection(counted, slot, {
    reason: 'budget', detail: `recipe.tokensMax is spent; ${missing} of ${counted.tally.wanted} were not asked for here.`
  })
}
