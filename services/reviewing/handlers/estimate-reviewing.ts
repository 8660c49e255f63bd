/** Says what a reviewing would ask of a model; nothing is opened. */
import type { ReviewEstimate } from '../../../shared/contracts/review-estimate.ts'
import { resolveReviewRecipe, type ModelReviewRecipe } from '../../../shared/contracts/review-recipe.ts'
import { renderPrompt } from '../../../shared/prompts/prompt.ts'
import { noCalls, type Calls } from '../../../shared/text/call-estimate.ts'
import { unitsOf } from '../../../shared/text/duplicates.ts'
import { noWeight, together, weightOf, type Weighing } from '../domain/loop/weigh.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'
import { countFinished, isBankSource } from './bank-items.ts'
import { listItems } from './list-items.ts'
import { finishedGeneration, mustNeedNoPaper, papersOf, type Asked, type OpenParts } from './open-reviewing.ts'
import { visionOf } from './plan-reviewing.ts'
import { itemsPerTask } from './review-bank.ts'
import type { Prompts, UnitParts } from './unit-parts.ts'

export interface EstimateParts extends OpenParts, Pick<UnitParts, 'documentOf'> {}

/**
 * One paper after the other, so that only one document is held at a time.
 *
 * @throws Problem not-finished while the source is at work; model-not-found; invalid-request
 */
export async function estimateReviewing (
  { peers, prompts, documentOf }: EstimateParts, asked: Asked
): Promise<ReviewEstimate> {
  const recipe = resolveReviewRecipe(asked.recipe)
  const { source } = asked
  if (isBankSource(source)) {
    mustNeedNoPaper(recipe)
    const tasks = Math.ceil(await countFinished(peers, source) / itemsPerTask)
    return { tasks, ...noCalls, least: noCalls, most: noCalls }
  }
  const generation = await finishedGeneration(peers, source.generationId)
  const papers = papersOf(generation)
  if (recipe.strategy === 'mechanical') {
    return { tasks: papers.length, ...noCalls, least: noCalls, most: noCalls }
  }
  const vision = await visionOf(peers, recipe)
  const weighing = { recipe, vision, ...wordings(prompts) }
  let sum = noWeight
  for (const paper of papers) {
    const units = unitsOf(await listItems(peers, { generationId: generation.id, paperId: paper.paperId }))
    if (units.length === 0) continue
    const document = await documentOf(paper)
    sum = together(sum, await inTurns(weightOf(units, { document, ...weighing })))
  }
  const { tasks, least, middle, most } = sum
  return { tasks, ...middle, least, most, secondsMax: await secondsMax(peers, recipe, middle) }
}

function wordings ({ review }: Prompts): Pick<Weighing, 'templates' | 'render'> {
  const { descriptive, choice, binary, unanswerable } = review
  return {
    templates: {
      descriptive: descriptive.template,
      choice: choice.template,
      binary: binary.template,
      unanswerable: unanswerable.template
    },
    render: (rubric, values) => renderPrompt(review[rubric], values)
  }
}

/** As if the reviewer confirmed too. Null for no calls: nothing is known of none. */
async function secondsMax (
  { inference }: OpenParts['peers'], { model, sampling }: ModelReviewRecipe, { modelCalls, promptTokens }: Calls
): Promise<number | null> {
  if (modelCalls === 0) return null
  const each = { promptTokens: Math.ceil(promptTokens / modelCalls), completionTokensMax: sampling.maxTokens }
  return await inference.secondsMax({ model, requests: modelCalls, ...each })
}
