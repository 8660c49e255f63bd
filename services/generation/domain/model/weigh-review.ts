/** What reviewing would ask a model for the items of a prompt: from the same text, without asking. */
import { resolveReviewRecipe, type ResolvedReview } from '../../../../shared/contracts/review-recipe.ts'
import { noCalls, reviewCallsOf, times, type CallRange } from '../../../../shared/text/call-estimate.ts'
import { promptTokensMax } from '../../../../shared/text/content-budget.ts'
import type { Resolved } from '../recipe.ts'

/** The longest template of reviewing, and what it says of the item itself beside the paper. */
export const reviewTemplateTokens = 640
const itemTokens = 300

/** Undefined where no model reviews. */
export function reviewOf ({ review }: Pick<Resolved, 'review'>): Exclude<ResolvedReview, { strategy: 'mechanical' }> | undefined {
  if (review === false) return undefined
  const resolved = resolveReviewRecipe(review, '/recipe/review')
  return resolved.strategy === 'model' ? resolved : undefined
}

/**
 * Of the items that a prompt is asked for, as if each were made.
 *
 * @param textTokens  of the paper and its images in the prompt that asks for the items
 */
export function reviewCalls (
  recipe: Pick<Resolved, 'review'>, { units, itemsOfUnit, textTokens }: { units: number, itemsOfUnit: number, textTokens: number }
): CallRange {
  const review = reviewOf(recipe)
  if (review === undefined) return { least: noCalls, most: noCalls }
  const whole = reviewTemplateTokens + itemTokens + textTokens
  const tokens = Math.min(whole, promptTokensMax(review.contextTokens, review.sampling.maxTokens))
  const prompt = { inLoop: tokens, confirmatory: tokens }
  const { least, most } = reviewCallsOf(review, new Array(itemsOfUnit).fill(prompt))
  return { least: times(least, units), most: times(most, units) }
}
