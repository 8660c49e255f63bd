/** A context that a model does not have is no budget: its server would refuse the long prompts. */
import { Problem } from '../errors/problem.ts'
import type { ServedModel } from './inference.ts'

/** @throws Problem invalid-request, saying what the model takes */
export function assertContext (asked: number, { id, contextTokens }: ServedModel): void {
  if (contextTokens === null || asked <= contextTokens) return
  throw new Problem('invalid-request', `The model "${id}" takes ${contextTokens} tokens, prompt and reply together, and contextTokens is ${asked}: ask for ${contextTokens} or less, and for a sampling.maxTokens that leaves room.`, {
    errors: [{ pointer: '/recipe/contextTokens', detail: `At most ${contextTokens} with this model.` }]
  })
}
