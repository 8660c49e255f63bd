/** What the loop would ask a model for the units of one paper: their prompts as they would be, unsent. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { ModelReviewRecipe } from '../../../../shared/contracts/review-recipe.ts'
import { noCalls, plus, reviewCallsOf, type CallRange, type Calls } from '../../../../shared/text/call-estimate.ts'
import { estimateTokens } from '../../../../shared/text/content-budget.ts'
import { imageTokens, materialFor } from './material.ts'
import { itemValues } from './review-prompt.ts'
import { rubricOf, type RubricName } from './rubric.ts'

export interface Weight extends CallRange { tasks: number, middle: Calls }
export const noWeight: Readonly<Weight> = { tasks: 0, least: noCalls, middle: noCalls, most: noCalls }

export interface Weighing {
  document: Document
  recipe: ModelReviewRecipe
  /** Which of the two models takes images. */
  vision: { model: boolean, confirmModel: boolean }
  /** The prompt of each rubric: as it is filled in, and without. */
  templates: Readonly<Record<RubricName, string>>
  render: (rubric: RubricName, values: Record<string, string>) => string
}

export function together (a: Weight, b: Weight): Weight {
  return {
    tasks: a.tasks + b.tasks,
    least: plus(a.least, b.least),
    middle: plus(a.middle, b.middle),
    most: plus(a.most, b.most)
  }
}

/** Stops after each unit, so that others may have their turn. */
export function * weightOf (
  units: ReadonlyArray<readonly Item[]>, weighing: Weighing
): Generator<void, Weight> {
  let sum: Weight = noWeight
  for (const unit of units) {
    yield
    const { model, confirmModel } = weighing.vision
    const prompts = unit.map(item => ({
      inLoop: promptTokens(item, weighing, model), confirmatory: promptTokens(item, weighing, confirmModel)
    }))
    sum = together(sum, { tasks: 1, ...reviewCallsOf(weighing.recipe, prompts) })
  }
  return sum
}

function promptTokens (item: Item, weighing: Weighing, vision: boolean): number {
  const { document, recipe, templates, render } = weighing
  const rubric = rubricOf(item)
  const { contextTokens, sampling: { maxTokens } } = recipe
  const own = itemValues(item, rubric, [])
  const otherText = [templates[rubric], ...Object.values(own)].join('\n')
  const room = { contextTokens, maxTokens, otherText, vision }
  const { values, shownFigureIds } = materialFor(item, document, room)
  return estimateTokens(render(rubric, { ...values, ...own })) + shownFigureIds.length * imageTokens
}
