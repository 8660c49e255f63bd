/**
 * The work of one place and writer with a model: asks until the count is reached or the samples are
 * used up. Every reply is on record with inference, so a task that runs again after a crash asks for
 * the same and is answered without a token.
 */
import { askForValue } from '../../../shared/clients/ask-for-value.ts'
import type { InferenceClient } from '../../../shared/clients/inference.ts'
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Prompt } from '../../../shared/prompts/prompt.ts'
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import { earlierOf, type Drafting, type Reply } from '../domain/model/drafting.ts'
import { itemsOf } from '../domain/model/items.ts'
import type { Ask, Writer } from '../domain/model/writer.ts'
import { writerOf } from '../domain/model/writers.ts'
import type { ModelRecipe } from '../domain/recipe.ts'
import type { GenerationStore } from '../store.ts'
import type { Thread } from '../thread/thread.ts'
import type { Budgets } from './budgets.ts'
import type { Images, PaperVersion } from './figure-images.ts'
import type { GenerationSpec, PlaceInput } from './parts.ts'

export interface WriteParts {
  store: GenerationStore
  parsing: Pick<ParsingClient, 'getDocument'>
  inference: Pick<InferenceClient, 'structured'>
  thread: Thread
  images: Images
  budgets: Budgets
  prompts: ReadonlyMap<string, Prompt>
  timeoutMs: number
}

type Job = JobRecord<GenerationSpec>
interface Context { writer: Writer, job: Job, paper: PaperVersion, signal: AbortSignal }

/** Drafts and rejections go to the store before the task's claim is closed. */
export async function writeItems (
  parts: WriteParts, { task: { input }, job }: { task: Task<PlaceInput>, job: Job }, signal: AbortSignal
): Promise<void> {
  const { _id: generationId, spec: { paperIds, documentHashes } } = job
  const { paperIndex, placeIndex, place } = input
  const slot = { generationId, paperIndex, placeIndex }
  if (await parts.store.hasDrafts(slot)) return
  const paper = { paperId: paperIds[paperIndex] ?? '', documentHash: documentHashes[paperIndex] ?? '' }
  const writer = writerOf(input.writer ?? '')
  const { drafting, language } = await drafted(parts, place, { writer, job, paper, signal })
  const items = itemsOf(drafting, { generationId, ...paper, place, writer, language })
  // The drafts last: where they are, the rejections are.
  await parts.store.insertRejections(slot, drafting.rejections)
  await parts.store.insertDrafts(slot, { items, tally: drafting.tally })
}

async function drafted (
  { thread, parsing, ...parts }: WriteParts, place: PlaceInput['place'], context: Context
): Promise<{ drafting: Drafting, language: string }> {
  const { writer: { name: writer, prompt }, job: { _id: generationId, spec }, paper, signal } = context
  const key = `${generationId}/${paper.paperId}`
  const order = async () => {
    const document = await parsing.getDocument(paper.paperId, paper.documentHash)
    return { document, generationId, recipe: spec.recipe, vision: spec.vision ?? false }
  }
  const template = { template: promptOf(parts, prompt, context.job).template }
  const begun = await thread.work(key, { do: 'begin', place, writer, prompt: template }, order)
  let { drafting } = begun
  for (let ask = drafting.asks[0]; ask !== undefined; ask = drafting.asks[drafting.at]) {
    signal.throwIfAborted()
    const images = await parts.images.of(paper, ask.figureIds, begun.imageSideMax)
    const reply = await parts.budgets.under(generationId, signal, async () =>
      await replyTo(parts, { ...context, ask: ask!, images, drafting }))
    const written = { place, writer, drafting, reply: reply ?? 'out-of-budget' as const }
    drafting = await thread.work(key, { do: 'continue', ...written }, order)
  }
  return { drafting, language: begun.language }
}

/** A generation is made with the prompts it was opened with, or not at all. */
function promptOf ({ prompts }: Pick<WriteParts, 'prompts'>, name: string, { _id, spec }: Job): Prompt {
  const prompt = prompts.get(name)
  if (prompt !== undefined && spec.prompts?.some(({ hash }) => hash === prompt.hash) === true) return prompt
  throw new Problem('conflict', `Generation ${_id} was begun with another version of prompt ${name}; POST /v1/generations again starts one with this version.`)
}

interface Putting extends Context { ask: Ask, images: readonly string[], drafting: Drafting }

const seedMax = 2147483648
/** A model that writes one more than asked has broken no rule; what is not needed is not read. */
const extraDraftsMax = 5

/** @throws Problem of the upstream, budget-exhausted among them: no answer, never a rejection */
async function replyTo (
  { inference, prompts, timeoutMs }: Pick<WriteParts, 'inference' | 'prompts' | 'timeoutMs'>,
  { writer, job, signal, ask, images, drafting }: Putting
): Promise<Reply> {
  const { model, sampling, seed } = job.spec.recipe as ModelRecipe
  const { sampleIndex, madeOfAsk } = drafting
  const count = ask.count - madeOfAsk
  const name = ask.merges === undefined ? writer.prompt : writer.mergePrompt ?? writer.prompt
  const prompt = promptOf({ prompts }, name, job)
  const { provenance: call, ...reply } = await askForValue<{ items: unknown[] }>(inference, {
    model,
    prompt,
    values: onlyOf(prompt, { ...ask.values, count: String(count), earlier: earlierOf(drafting) }),
    images,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['items'],
      properties: {
        items: { type: 'array', minItems: 1, maxItems: count + extraDraftsMax, items: draftSchemaOf(writer) }
      }
    },
    sampling,
    // Another sample under the same seed would be the same reply.
    seed: (seed + sampleIndex) % seedMax,
    labels: { caller: 'generation', group: job._id, purpose: writer.name, sampleIndex }
  }, { signal, timeoutMs })
  return { ...reply, call }
}

/** A prompt takes no more than the values it names. */
function onlyOf ({ variables }: Prompt, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(variables, name)))
}

function draftSchemaOf ({ draftProperties: properties }: Writer): object {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}
