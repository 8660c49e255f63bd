/** Settings of scoring, by the names they have in the environment; units come last. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  SCORING_PREDICTIONS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 256,
    default: 8,
    description: 'Questions that are with models at the same time; a vLLM server batches them.'
  }),
  SCORING_COMPLETION_TIMEOUT_MS: Type.Integer({
    minimum: 1_000,
    default: 300_000,
    description: 'For one reply: 1,024 tokens at 10 tokens/s, and some queueing.'
  })
})

export type Config = Static<typeof Config>
