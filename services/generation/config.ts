/** Settings of generation. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  GENERATION_PLACES_AT_ONCE: Type.Integer({
    minimum: 1, maximum: 64, default: 4, description: 'Places in work at once without a model; the thread that makes items is one.'
  }),
  GENERATION_CALLS_AT_ONCE: Type.Integer({
    minimum: 1, maximum: 512, default: 96, description: 'Places in work at once with a model, each with one call; more than the model servers have slots, so that none is idle.'
  }),
  GENERATION_COMPLETION_TIMEOUT_MS: Type.Integer({
    minimum: 1000, maximum: 7200000, default: 1800000, description: 'For one reply, with the wait for a slot.'
  }),
  GENERATION_IMPORT_TIMEOUT_MS: Type.Integer({
    minimum: 1000, maximum: 3600000, default: 600000, description: 'For reading one item bank.'
  }),
  GENERATION_TIMEOUT_MS: Type.Integer({
    minimum: 1000, maximum: 600000, default: 120000, description: 'For one place, with the wait for those before it.'
  })
})
export type Config = Static<typeof Config>
