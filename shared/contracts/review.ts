/** Review: what is thought of an item, by checks, by a model or by a person. */
import { Type, type Static } from 'typebox'
import { ReviewRecipe } from './generation.ts'
import { GenerationId, ItemId, ReviewId, ReviewingId } from './ids.ts'
import { Check, Item } from './item.ts'
import { jobResource } from './job.ts'

export const verdicts = ['good', 'fair', 'poor', 'error', 'unreviewed'] as const
export const Verdict = Type.Enum([...verdicts])
export type Verdict = Static<typeof Verdict>

export const criteria = ['logical', 'relevance', 'completeness', 'accuracy', 'stepByStep', 'clarityEvidence'] as const

const Scores = Type.Record(Type.Enum([...criteria]), Type.Integer({ minimum: 1, maximum: 5 }))

export const Review = Type.Object({
  id: ReviewId,
  itemId: ItemId,
  reviewer: Type.Object({
    type: Type.Enum(['checks', 'model', 'human']), name: Type.String()
  }, { additionalProperties: false }),
  scores: Type.Union([Scores, Type.Null()]),
  checks: Type.Array(Check),
  verdict: Verdict,
  comment: Type.String()
}, { $id: 'Review', additionalProperties: false })
export type Review = Static<typeof Review>

/** An item as it stands after reviewing. `eligible` = every check passed, its pair's too. */
export const ReviewedItem = Type.Object({
  item: Item,
  reviewingId: ReviewingId,
  verdict: Verdict,
  eligible: Type.Boolean({ description: 'Whether freezing may take it: every check passed, and its pair partner\'s.' }),
  failedChecks: Type.Array(Type.String())
}, { $id: 'ReviewedItem', additionalProperties: false })
export type ReviewedItem = Static<typeof ReviewedItem>

export const ReviewingSource = Type.Object({ generationId: GenerationId }, { additionalProperties: false })

export const Reviewing = jobResource('Reviewing', {
  id: ReviewingId,
  source: ReviewingSource,
  recipe: ReviewRecipe,
  verdictCounts: Type.Record(Verdict, Type.Integer({ minimum: 0 })),
  ineligibleCount: Type.Integer({ minimum: 0 })
})
export type Reviewing = Static<typeof Reviewing>
