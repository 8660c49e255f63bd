/** What a model would be asked for one paper: prompts and tokens, without asking. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { noCalls, plus, repliesTo, type CallRange, type Calls } from '../../../../shared/text/call-estimate.ts'
import { estimateTokens } from '../../../../shared/text/content-budget.ts'
import { begun, type Site } from './desk.ts'
import { earlierTokensMax, imageTokens } from './room.ts'
import { reviewCalls } from './weigh-review.ts'
import type { Ask, Material } from './writer.ts'
import { modelPlanOf, writerOf } from './writers.ts'

/** `least`: one reply to each prompt. */
export interface Weight extends CallRange { tasks: number, middle: Calls, review: CallRange }

/**
 * Replies to a prompt until its count is reached, in the middle: 1.38 and 1.56 in two walks of real papers
 * with the stand-in author. A model that writes badly takes all that it may.
 */
const repliesInTheMiddle = 1.5

export const noWeight: Readonly<Weight> = {
  tasks: 0, middle: noCalls, least: noCalls, most: noCalls, review: { least: noCalls, most: noCalls }
}

/** `prompts` by name. */
export function weightOf (
  material: Material, prompts: Readonly<Record<string, Site['prompt']>>
): Weight {
  const { document, recipe } = material
  let sum: Weight = noWeight
  for (const { place, writer: name } of modelPlanOf(document, recipe)) {
    const { kind, prompt: promptName, mergePrompt = '' } = writerOf(name)
    const prompt = prompts[promptName]!
    const { drafting: { asks }, imageSideMax } = begun({ place, writer: name, prompt }, material)
    sum = { ...sum, tasks: sum.tasks + 1 }
    for (const ask of asks) {
      const { template } = ask.merges === undefined ? prompt : prompts[mergePrompt] ?? prompt
      const textTokens = tokensOf(ask, document, imageSideMax)
      const units = ask.interim === true ? 0 : ask.count
      const review = reviewCalls(recipe, { units, itemsOfUnit: kind === 'binary' ? 2 : 1, textTokens })
      const weight = weightOfAsk(estimateTokens(template) + textTokens, material)
      sum = together(sum, { ...weight, tasks: 0, review })
    }
  }
  return sum
}

function weightOfAsk (promptTokens: number, { recipe }: Material): Omit<Weight, 'tasks' | 'review'> {
  const { samplesMax, sampling: { maxTokens } } = recipe
  const once = { maxTokens, repaired: false }
  return {
    least: repliesTo(promptTokens, 1, once),
    middle: repliesTo(promptTokens, Math.min(repliesInTheMiddle, samplesMax), once),
    // Each sample after the first is told what was written before.
    most: repliesTo(
      promptTokens + (samplesMax > 1 ? earlierTokensMax : 0), samplesMax, { maxTokens, repaired: true })
  }
}

export function together (a: Weight, b: Weight): Weight {
  return {
    tasks: a.tasks + b.tasks,
    least: plus(a.least, b.least),
    middle: plus(a.middle, b.middle),
    most: plus(a.most, b.most),
    review: { least: plus(a.review.least, b.review.least), most: plus(a.review.most, b.review.most) }
  }
}

function tokensOf ({ values, figureIds, merges }: Ask, { figures }: Document, sideMax: number): number {
  const shown = figures.filter(({ id }) => figureIds.includes(id))
  return estimateTokens(Object.values(values).join('\n')) + (merges?.tokens ?? 0) +
    shown.reduce((sum, figure) => sum + imageTokens(figure, sideMax), 0)
}
