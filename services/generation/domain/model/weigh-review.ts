/** What reviewing would ask a model for the items of a prompt: from the same text, without asking. */
import {
  resolveReviewRecipe, reviewTriesMax, shorteningsMax, type ResolvedReview
} from '../../../../shared/contracts/review-recipe.ts'
import { promptTokensMax } from '../../../../shared/text/content-budget.ts'
import type { Resolved } from '../recipe.ts'

export interface Calls { modelCalls: number, promptTokens: number, completionTokensMax: number }
export interface Range { least: Calls, most: Calls }

export const noCalls: Readonly<Calls> = { modelCalls: 0, promptTokens: 0, completionTokensMax: 0 }

/** The longest template of reviewing, and what it says of the item itself beside the paper. */
export const reviewTemplateTokens = 640
const itemTokens = 300

export function plus (a: Calls, b: Calls): Calls {
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokensMax: a.completionTokensMax + b.completionTokensMax
  }
}

/** So many replies to a prompt; with a repair turn, which is shown prompt and reply again. */
export function repliesTo (
  promptTokens: number, replies: number, { maxTokens, repaired }: { maxTokens: number, repaired: boolean }
): Calls {
  return {
    modelCalls: replies,
    promptTokens: replies * (repaired ? 2 * promptTokens + maxTokens : promptTokens),
    completionTokensMax: replies * maxTokens * (repaired ? 2 : 1)
  }
}

/** Undefined where no model reviews. */
export function reviewOf ({ review }: Pick<Resolved, 'review'>): Exclude<ResolvedReview, { strategy: 'mechanical' }> | undefined {
  if (review === false) return undefined
  const resolved = resolveReviewRecipe(review, '/recipe/review')
  return resolved.strategy === 'model' ? resolved : undefined
}

/**
 * Of the items that a prompt is asked for. Each is reviewed as it was made and once more at the end;
 * at most after each of `maxRounds` rewritings and each shortening too. A pair is rewritten as a whole.
 *
 * @param textTokens  of the paper and its images in the prompt that asks for the items
 */
export function reviewCalls (
  recipe: Pick<Resolved, 'review'>, { units, itemsOfUnit, textTokens }: { units: number, itemsOfUnit: number, textTokens: number }
): Range {
  const review = reviewOf(recipe)
  if (review === undefined) return { least: noCalls, most: noCalls }
  const { contextTokens, maxRounds, sampling: { maxTokens } } = review
  const whole = reviewTemplateTokens + itemTokens + textTokens
  const promptTokens = Math.min(whole, promptTokensMax(contextTokens, maxTokens))
  const writings = maxRounds + shorteningsMax
  const most = units * (itemsOfUnit * (2 + writings) * reviewTriesMax + writings)
  return {
    least: repliesTo(promptTokens, units * itemsOfUnit * 2, { maxTokens, repaired: false }),
    most: repliesTo(promptTokens, most, { maxTokens, repaired: true })
  }
}
