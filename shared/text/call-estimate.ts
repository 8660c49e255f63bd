/** What asking a model would come to, without asking: calls and tokens, of generation and of reviewing. */
import { reviewTriesMax, shorteningsMax, type ModelReviewRecipe } from '../contracts/review-recipe.ts'

export interface Calls { modelCalls: number, promptTokens: number, completionTokensMax: number }
export interface CallRange { least: Calls, most: Calls }

export const noCalls: Readonly<Calls> = { modelCalls: 0, promptTokens: 0, completionTokensMax: 0 }

export function plus (a: Calls, b: Calls): Calls {
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokensMax: a.completionTokensMax + b.completionTokensMax
  }
}

export function times (calls: Calls, count: number): Calls {
  return {
    modelCalls: calls.modelCalls * count,
    promptTokens: calls.promptTokens * count,
    completionTokensMax: calls.completionTokensMax * count
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

/** Tokens of the prompt that has one item judged: within the loop, and in the confirmatory review. */
export interface ReviewPrompt { inLoop: number, confirmatory: number }

/**
 * Of one item, or of a pair as a whole. Each member is reviewed as it was made and once more at the end
 * (least); after one rewriting too, where there may be one (middle); after each of `maxRounds`
 * rewritings and each shortening, every reply unusable but the last (most). A pair is rewritten whole.
 *
 * @param prompts  of each member, as it was made
 */
export function reviewCallsOf (
  { maxRounds, sampling: { maxTokens } }: Pick<ModelReviewRecipe, 'maxRounds' | 'sampling'>, prompts: readonly ReviewPrompt[]
): CallRange & { middle: Calls } {
  const writeTokens = prompts[0]?.inLoop ?? 0
  const calls = (writings: number, { tries, repaired }: { tries: number, repaired: boolean }) => {
    const how = { maxTokens, repaired }
    const reviews = prompts.map(({ inLoop, confirmatory }) =>
      plus(repliesTo(inLoop, (1 + writings) * tries, how), repliesTo(confirmatory, tries, how)))
    return [...reviews, repliesTo(writeTokens, writings, how)].reduce(plus, noCalls)
  }
  return {
    least: calls(0, { tries: 1, repaired: false }),
    middle: calls(Math.min(1, maxRounds), { tries: 1, repaired: false }),
    most: calls(maxRounds + shorteningsMax, { tries: reviewTriesMax, repaired: true })
  }
}
