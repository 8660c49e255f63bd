/** Settings of reviewing, by the names they have in the environment; units come last. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  REVIEWING_PAPERS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 32,
    default: 2,
    description: 'Papers whose items are checked at the same time in this process.'
  })
})

export type Config = Static<typeof Config>
