/** How many tokens replies may take of a judge's context. */
import { estimateTokens, promptTokensMax } from '../../../../shared/text/content-budget.ts'
import type { JudgementSpec } from './spec.ts'

/** What an image of 1,536 pixels takes in the vision models we know, generously. */
const imageTokens = 1500
/** The chat template around the prompt. */
const wordingTokens = 32

interface Filled {
  /** The prompt without the replies. */
  frame: string
  images: number
  /** Of the judge itself, where its server says. */
  contextTokens: number | null
}

export function roomFor (
  spec: Pick<JudgementSpec, 'contextTokens' | 'sampling'>, { frame, images, contextTokens }: Filled
): { tokens: number, promptTokensMax: number } {
  const context = Math.min(spec.contextTokens, contextTokens ?? Infinity)
  const most = promptTokensMax(context, spec.sampling.maxTokens) - wordingTokens - images * imageTokens
  return { tokens: most - estimateTokens(frame), promptTokensMax: most }
}
