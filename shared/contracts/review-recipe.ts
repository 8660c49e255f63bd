/** What a review recipe means once everything it leaves open is decided. */
import { usualSampling, type ReviewRecipe, type Sampling } from './generation.ts'
import { Problem, type FieldError } from '../errors/problem.ts'

/** Replies asked for one review; after them it is `unreviewed`. */
export const reviewTriesMax = 3
/** Askings to shorten a long answer. */
export const shorteningsMax = 2

/** A recipe of the strategy `model`, with nothing left open. */
export interface ModelReviewRecipe extends ReviewRecipe {
  strategy: 'model'
  model: string
  confirmModel: string
  sampling: Sampling
  contextTokens: number
  maxRounds: number
  seed: number
}

export type ResolvedReview = ModelReviewRecipe | { strategy: 'mechanical', tokensMax?: never }

const ofModels = ['model', 'confirmModel', 'sampling', 'contextTokens', 'maxRounds', 'seed', 'tokensMax'] as const
const usual = { contextTokens: 8192, maxRounds: 3, seed: 1 }

/**
 * Two recipes that mean the same are the same afterwards, and so is their id.
 *
 * @param at  JSON pointer of the recipe in the request
 * @throws Problem invalid-request naming every field that does not go with the strategy, or a model
 *   that is missing, or a reply that has no room in the context
 */
export function resolveReviewRecipe (recipe: ReviewRecipe, at = '/recipe'): ResolvedReview {
  return recipe.strategy === 'model' ? modelRecipe(recipe, at) : mechanical(recipe, at)
}

function mechanical (recipe: ReviewRecipe, at: string): ResolvedReview {
  const errors: FieldError[] = ofModels.filter(name => recipe[name] !== undefined).map(name => (
    { pointer: `${at}/${name}`, detail: 'Only with the strategy model; this one is mechanical.' }))
  if (errors.length === 0) return { strategy: 'mechanical' }
  throw new Problem('invalid-request', `The strategy mechanical asks no model: leave out ${errors.map(({ pointer }) => pointer).join(', ')}, or ask for the strategy model.`, { errors })
}

function modelRecipe (recipe: ReviewRecipe, at: string): ModelReviewRecipe {
  const { model, confirmModel } = recipe
  if (model === undefined) {
    throw new Problem('invalid-request', 'A review by the strategy model needs a model; GET /v1/models lists those there are.', {
      errors: [{ pointer: `${at}/model`, detail: 'Missing.' }]
    })
  }
  const sampling = { ...usualSampling, ...recipe.sampling }
  const resolved: ModelReviewRecipe = {
    ...usual, ...recipe, strategy: 'model', model, confirmModel: confirmModel ?? model, sampling
  }
  if (sampling.maxTokens * 2 <= resolved.contextTokens) return resolved
  throw new Problem('invalid-request', `A reply of ${sampling.maxTokens} tokens leaves less than half of a context of ${resolved.contextTokens} for the paper; lower sampling.maxTokens or raise contextTokens.`, {
    errors: [{ pointer: `${at}/contextTokens`, detail: 'Must be at least twice sampling.maxTokens.' }]
  })
}
