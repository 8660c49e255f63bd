/** Review: what is thought of an item, by checks, by a model or by a person. */
import { Type, type Static } from 'typebox'
import { ReviewRecipe } from './generation.ts'
import { BankImportId, CurationId, GenerationId, ItemId, ReviewId, ReviewingId } from './ids.ts'
import { Check, Item, Provenance } from './item.ts'
import { jobResource } from './job.ts'

export const verdicts = ['good', 'fair', 'poor', 'error', 'unreviewed'] as const
export const Verdict = Type.Enum([...verdicts])
export type Verdict = Static<typeof Verdict>

/** AutoPaperBench's six; those that do not go with a kind of item are left out of its scores. */
export const criteria = ['logical', 'relevance', 'completeness', 'accuracy', 'stepByStep', 'clarityEvidence'] as const

/** Of each criterion that goes with the item's kind; a criterion that is not there was not asked. */
const Scores = Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 5 }))

export const Review = Type.Object({
  id: ReviewId,
  itemId: ItemId,
  reviewer: Type.Object({
    type: Type.Enum(['checks', 'model', 'human']), name: Type.String()
  }, { additionalProperties: false }),
  role: Type.Enum(['checks', 'round', 'confirmatory', 'human'], {
    description: 'round: within the loop that rewrites. confirmatory: by a fresh call that saw no earlier score; it alone gives the verdict.'
  }),
  round: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: '0: the item as made; null outside the loop.' }),
  /** Which version of the item was read: sha256 of its canonical JSON. */
  itemHash: Type.String(),
  scores: Type.Union([Scores, Type.Null()]),
  reasons: Type.Record(Type.String(), Type.String(), { description: 'Of each score, in the reviewer\'s words.' }),
  checks: Type.Array(Check),
  verdict: Verdict,
  comment: Type.String(),
  provenance: Type.Union([Provenance, Type.Null()])
}, { $id: 'Review', additionalProperties: false })
export type Review = Static<typeof Review>

export const raterRoles = ['expert', 'annotator', 'author', 'adjudicator'] as const
export const RaterRole = Type.Enum([...raterRoles], { description: 'adjudicator: decides where others disagree.' })
export type RaterRole = Static<typeof RaterRole>

export const decisions = ['accepted', 'edited', 'rejected'] as const
export const Decision = Type.Enum([...decisions])
export type Decision = Static<typeof Decision>

/** An item as it stands after reviewing. `eligible` = every check passed, its pair's too. */
export const ReviewedItem = Type.Object({
  item: Item,
  reviewingId: ReviewingId,
  verdict: Verdict,
  eligible: Type.Boolean({ description: 'Whether freezing may take it: every check passed, and its pair partner\'s.' }),
  failedChecks: Type.Array(Type.String()),
  revision: Type.Integer({ minimum: 0, description: 'Which version stands; 0: as made.' }),
  lastRevision: Type.Optional(Type.Integer({ minimum: 0, description: 'The highest number that the loop gave to a version; edits go on from there.' })),
  decision: Type.Union([Decision, Type.Null()], { description: 'Of the last person who decided.' }),
  flags: Type.Optional(Type.Array(Type.Object({ reason: Type.String(), detail: Type.String() }, {
    additionalProperties: false
  }), { maxItems: 20, description: 'What the curation that it is of left for a person to decide. It comes first in the review queue.' })),
  disputed: Type.Optional(Type.Literal(true, { description: 'People disagree on it, and nobody who saw that has decided since.' })),
  edit: Type.Optional(Type.Object({ role: RaterRole, checks: Type.Array(Check) }, {
    additionalProperties: false, description: 'Where a person wrote the text that stands: in which role, and the checks of that text.'
  }))
}, { $id: 'ReviewedItem', additionalProperties: false })
export type ReviewedItem = Static<typeof ReviewedItem>

/** One version of an item; 0 is the item as made. `ReviewedItem.revision` names the one that stands. */
export const Revision = Type.Object({
  itemId: ItemId,
  reviewingId: ReviewingId,
  revision: Type.Integer({ minimum: 0, description: 'In the order in which the versions of this item came about.' }),
  author: Type.Object({
    type: Type.Enum(['generation', 'model', 'human']), name: Type.String()
  }, { additionalProperties: false }),
  round: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Of the loop; null outside it.' }),
  itemHash: Type.String(),
  item: Item
}, { $id: 'Revision', additionalProperties: false })
export type Revision = Static<typeof Revision>

const closed = { additionalProperties: false }
export const ReviewingSource = Type.Union([
  Type.Object({ generationId: GenerationId }, closed),
  Type.Object({ importId: BankImportId }, closed),
  Type.Object({ curationId: CurationId }, closed)
], { description: 'Whose items: those of papers, or those of an item bank, as imported or as curated.' })
export type ReviewingSource = Static<typeof ReviewingSource>
/** Of an item bank. */
export type BankSource = Exclude<ReviewingSource, { generationId: string }>

export const Reviewing = jobResource('Reviewing', {
  id: ReviewingId,
  source: ReviewingSource,
  recipe: ReviewRecipe,
  verdictCounts: Type.Record(Verdict, Type.Integer({ minimum: 0 })),
  ineligibleCount: Type.Integer({ minimum: 0 }),
  unreviewedReasons: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'With the strategy model, items that no review could be had of: budget (recipe.tokensMax was spent), or the kind of problem with the model, which a retry may mend.' }),
  roundCounts: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'Regenerations asked for → items; with the strategy model.' }),
  rewriteCounts: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'Of rewritings, a pair counted once: taken, or rejected:<check or reason>. Taken ones are reviewed; the best version stands.' })
})
export type Reviewing = Static<typeof Reviewing>
