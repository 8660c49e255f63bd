/** Settings of reviewing, by the names they have in the environment; units come last. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  REVIEWING_PAPERS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 32,
    default: 2,
    description: 'Papers whose items are checked without a model at the same time in this process.'
  }),
  REVIEWING_UNITS_AT_ONCE: Type.Integer({
    minimum: 1,
    maximum: 256,
    default: 96,
    description: 'Items and pairs in a loop with a model at the same time in this process, each with one call; more than the model servers have slots, so that none is idle.'
  }),
  REVIEWING_COMPLETION_TIMEOUT_MS: Type.Integer({
    minimum: 1_000,
    default: 1_800_000,
    description: 'For one reply of a reviewer, with the wait for a slot; as generation waits. A small machine takes minutes for a reply.'
  })
})

export type Config = Static<typeof Config>
