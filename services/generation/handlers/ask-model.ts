/** What a recipe of the strategy model needs of the model, and what it would ask it. */
import { reviewOf } from '../domain/model/weigh-review.ts'
import { servedModel } from '../../../shared/clients/served-model.ts'
import type { Estimate } from '../../../shared/contracts/generation.ts'
import { idOf } from '../../../shared/contracts/hash.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { assertContext } from '../../../shared/clients/assert-context.ts'
import type { Prompt } from '../../../shared/prompts/prompt.ts'
import { roomOf, roomTokensMin } from '../domain/model/room.ts'
import { noWeight, together } from '../domain/model/weigh.ts'
import { promptsOf, writersFor } from '../domain/model/writers.ts'
import type { ModelRecipe, Resolved } from '../domain/recipe.ts'
import type { GenerationSpec, Parts } from './parts.ts'

/**
 * Whether the model sees, and what it is asked with: both make other items.
 *
 * @throws Problem model-not-found; invalid-request where prompts have no room
 */
export async function modelParts (
  { inference, prompts }: Parts, recipe: ModelRecipe
): Promise<Pick<GenerationSpec, 'vision' | 'prompts'>> {
  const served = await inference.listModels()
  const model = servedModel(served, recipe.model)
  assertContext(recipe.contextTokens, model)
  const names = new Set(writersFor(recipe).flatMap(promptsOf))
  const asked = [...prompts.values()].filter(({ name }) => names.has(name))
    .sort((a, b) => a.name < b.name ? -1 : 1)
  assertRoom(recipe, asked)
  return {
    vision: model.capabilities.includes('vision'),
    prompts: asked.map(({ name, hash }) => ({ name, hash }))
  }
}

/**
 * The models of the review that follows: else it would be noticed when all is written and paid for.
 *
 * @throws Problem model-not-found
 */
export async function assertReviewers (
  { inference }: Pick<Parts, 'inference'>, recipe: Pick<Resolved, 'review'>
): Promise<void> {
  const review = reviewOf(recipe)
  if (review === undefined) return
  const served = await inference.listModels()
  for (const name of [review.model, review.confirmModel]) servedModel(served, name)
}

/** @throws Problem invalid-request where some prompt would have no room for text of any paper */
function assertRoom (recipe: ModelRecipe, prompts: readonly Prompt[]): void {
  const missing = Math.max(0, ...prompts.map(prompt => roomTokensMin - roomOf(recipe, prompt, []).tokens))
  if (missing === 0) return
  const { contextTokens, sampling: { maxTokens } } = recipe
  const enough = contextTokens + Math.ceil(missing / 0.9)
  throw new Problem('invalid-request', `contextTokens ${contextTokens} with maxTokens ${maxTokens} leaves no room for the paper; ${enough} would be enough, or a smaller maxTokens.`, {
    errors: [{ pointer: '/recipe/contextTokens', detail: `At least ${enough} with maxTokens ${maxTokens}.` }]
  })
}

interface PaperAsked { paperId: string, documentHash: string | undefined }

export async function estimateCalls (
  parts: Parts, recipe: ModelRecipe, papers: readonly PaperAsked[]
): Promise<Estimate> {
  const { vision = false } = await modelParts(parts, recipe)
  const prompts = Object.fromEntries([...parts.prompts].map(([name, { template }]) => [name, { template }]))
  let sum = noWeight
  for (const { paperId, documentHash } of papers) {
    // No generation has this key; what the thread keeps of the paper is for this estimate.
    const key = `estimate/${paperId}/${idOf('generation', { recipe, vision })}`
    const weight = await parts.thread.work(key, { do: 'weigh', prompts }, async () => (
      { document: await parts.parsing.getDocument(paperId, documentHash), recipe, generationId: '', vision }))
    sum = together(sum, weight)
  }
  const { tasks, middle, least, most, review } = sum
  const about = {
    modelCalls: Math.ceil(middle.modelCalls),
    promptTokens: Math.ceil(middle.promptTokens),
    completionTokensMax: Math.ceil(middle.completionTokensMax)
  }
  return { tasks, ...about, least, most, review, secondsMax: await secondsMax(parts, recipe, about) }
}

/** Null for no calls too: nothing is known of none. */
async function secondsMax (
  { inference }: Parts,
  { model, sampling: { maxTokens } }: ModelRecipe,
  { modelCalls, promptTokens }: Pick<Estimate, 'modelCalls' | 'promptTokens'>
): Promise<number | null> {
  if (modelCalls === 0) return null
  const each = { promptTokens: Math.ceil(promptTokens / modelCalls), completionTokensMax: maxTokens }
  return await inference.secondsMax({ model, requests: modelCalls, ...each })
}
