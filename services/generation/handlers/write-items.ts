/**
 * The work of one place and writer with a model: asks until the count is reached or the samples are
 * used up. Every reply is on record with inference, so a task that runs again after a crash asks for
 * the same and is answered without a token.
 */
import { askForValue } from '../../../shared/clients/ask-for-value.ts'
import type { Budgets } from '../../../shared/clients/calls-in-budget.ts'
import { denserThan, fillingsMax } from '../../../shared/clients/denser-text.ts'
import type { InferenceClient } from '../../../shared/clients/inference.ts'
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { renderPrompt, type Prompt } from '../../../shared/prompts/prompt.ts'
import type { JobRecord, Task } from '../../../shared/tasks/tasks.ts'
import { usualBytesPerToken } from '../../../shared/text/content-budget.ts'
import type { Begun } from '../domain/model/desk.ts'
import { earlierOf, type Drafting, type Reply } from '../domain/model/drafting.ts'
import { itemsOf } from '../domain/model/items.ts'
import type { Ask, Writer } from '../domain/model/writer.ts'
import { writerOf } from '../domain/model/writers.ts'
import type { ModelRecipe } from '../domain/recipe.ts'
import type { GenerationStore } from '../store.ts'
import type { Thread } from '../thread/thread.ts'
import type { Images, PaperVersion } from './figure-images.ts'
import type { GenerationSpec, PlaceInput } from './parts.ts'

export interface WriteParts {
  store: GenerationStore
  parsing: Pick<ParsingClient, 'getDocument'>
  inference: Pick<InferenceClient, 'structured' | 'countTokens'>
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
  const { template } = promptOf(parts, prompt, context.job)
  const { begun, bytesPerToken } = await begunToFit(parts, context, async bytesPerToken =>
    await thread.work(key, { do: 'begin', place, writer, prompt: { template, bytesPerToken } }, order))
  let { drafting } = begun
  for (let ask = drafting.asks[0]; ask !== undefined; ask = drafting.asks[drafting.at]) {
    signal.throwIfAborted()
    const images = await parts.images.of(paper, ask.figureIds, begun.imageSideMax)
    const reply = await parts.budgets.under(generationId, signal, async () =>
      await replyTo(parts, { ...context, ask: ask!, images, drafting, bytesPerToken }))
    const written = { place, writer, drafting, reply: reply ?? 'out-of-budget' as const }
    drafting = await thread.work(key, { do: 'continue', ...written }, order)
  }
  return { drafting, language: begun.language }
}

/** Begins anew with less text while a prompt has more tokens than it may, as the model counts them. */
async function begunToFit (
  { inference, prompts }: Pick<WriteParts, 'inference' | 'prompts'>,
  context: Context,
  begin: (bytesPerToken: number | undefined) => Promise<Begun>
): Promise<{ begun: Begun, bytesPerToken?: number | undefined }> {
  const { model } = context.job.spec.recipe as ModelRecipe
  let bytesPerToken: number | undefined
  for (let filling = 1; ; filling++) {
    const begun = await begin(bytesPerToken)
    if (filling === fillingsMax) return { begun, bytesPerToken }
    let denser: number | undefined
    // What merges is filled later, by what the others gave.
    for (const ask of begun.drafting.asks.filter(({ merges }) => merges === undefined)) {
      const { prompt, values } = putting(prompts, context, { ask, count: ask.count, earlier: '' })
      const empty = Object.fromEntries(Object.keys(values).map(name => [name, '']))
      const found = await denserThan(inference, {
        model,
        text: renderPrompt(prompt, values),
        frame: renderPrompt(prompt, empty),
        tokensMax: begun.countedMax,
        bytesPerToken: bytesPerToken ?? usualBytesPerToken
      })
      if (found !== null) denser = Math.min(found, denser ?? found)
    }
    if (denser === undefined) return { begun, bytesPerToken }
    bytesPerToken = denser
  }
}

/** A generation is made with the prompts it was opened with, or not at all. */
function promptOf ({ prompts }: Pick<WriteParts, 'prompts'>, name: string, { _id, spec }: Job): Prompt {
  const prompt = prompts.get(name)
  if (prompt !== undefined && spec.prompts?.some(({ hash }) => hash === prompt.hash) === true) return prompt
  throw new Problem('conflict', `Generation ${_id} was begun with another version of prompt ${name}; POST /v1/generations again starts one with this version.`)
}

interface Words { ask: Ask, count: number, earlier: string }

/** The prompt of an ask, and the values it names: it takes no others. */
function putting (
  prompts: WriteParts['prompts'], { writer, job }: Pick<Context, 'writer' | 'job'>, { ask, count, earlier }: Words
): { prompt: Prompt, values: Record<string, string> } {
  const name = ask.merges === undefined ? writer.prompt : writer.mergePrompt ?? writer.prompt
  const prompt = promptOf({ prompts }, name, job)
  const values: Record<string, string> = { ...ask.values, count: String(count), earlier }
  const named = Object.entries(values).filter(([variable]) => Object.hasOwn(prompt.variables, variable))
  return { prompt, values: Object.fromEntries(named) }
}

interface Putting extends Context {
  ask: Ask
  images: readonly string[]
  drafting: Drafting
  bytesPerToken?: number | undefined
}

const seedMax = 2147483648
/** A model that writes one more than asked has broken no rule; what is not needed is not read. */
const extraDraftsMax = 5

/** @throws Problem of the upstream, budget-exhausted among them: no answer, never a rejection */
async function replyTo (
  { inference, prompts, timeoutMs }: Pick<WriteParts, 'inference' | 'prompts' | 'timeoutMs'>,
  { writer, job, signal, ask, images, drafting, bytesPerToken }: Putting
): Promise<Reply> {
  const { model, sampling, seed } = job.spec.recipe as ModelRecipe
  const { sampleIndex, madeOfAsk } = drafting
  const count = ask.count - madeOfAsk
  const earlier = earlierOf(drafting, bytesPerToken)
  const { prompt, values } = putting(prompts, { writer, job }, { ask, count, earlier })
  const { provenance: call, ...reply } = await askForValue<{ items: unknown[] }>(inference, {
    model,
    prompt,
    values,
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
  return { ...reply, call: { ...call, ...bytesPerToken !== undefined && { bytesPerToken } } }
}

function draftSchemaOf ({ draftProperties: properties }: Writer): object {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}
