/** What the loop of one unit needs, and what it is about. */
import type { Budgets } from '../../../shared/clients/calls-in-budget.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Prompt } from '../../../shared/prompts/prompt.ts'
import type { ModelReviewRecipe } from '../../../shared/contracts/review-recipe.ts'
import type { RubricName } from '../domain/loop/rubric.ts'
import type { RewriteForm } from '../domain/loop/rewrite.ts'
import type { Peers } from '../peers.ts'
import type { ReviewingStore } from '../store.ts'
import type { DuplicateFinder } from './find-duplicates.ts'
import type { PaperVersion } from './get-document.ts'

export interface Prompts {
  review: Record<RubricName, Prompt>
  rewrite: Record<RewriteForm, Prompt>
}

export interface UnitParts {
  peers: Peers
  store: ReviewingStore
  prompts: Prompts
  /** Each with a few of the latest kept: the units of a paper are reviewed at about the same time. */
  documentOf: (paper: PaperVersion) => Promise<Document>
  /** PNG data URL, longest side at most `imageSideMax`. */
  imageOf: (paper: PaperVersion, figureId: string) => Promise<string>
  /** Item id → id of the earlier item of the paper, as made, that it repeats. */
  duplicatesOf: DuplicateFinder
  budgets: Budgets
  timeoutMs: number
}

/** Whether the models take images, as inference said when the reviewing was planned. */
export interface Vision { model: boolean, confirmModel: boolean }

/** One unit at work. */
export interface UnitWork {
  reviewingId: string
  recipe: ModelReviewRecipe
  paper: PaperVersion
  document: Document
  vision: Vision
  signal: AbortSignal
}
