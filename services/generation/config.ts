/** Settings of generation. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  GENERATION_PLACES_AT_ONCE: Type.Integer({
    minimum: 1, maximum: 64, default: 4, description: 'Abstracts, sections and figures in work at once; the thread that makes items is one.'
  }),
  GENERATION_TIMEOUT_MS: Type.Integer({
    minimum: 1000, maximum: 600000, default: 120000, description: 'For one place, with the wait for those before it.'
  })
})
export type Config = Static<typeof Config>
