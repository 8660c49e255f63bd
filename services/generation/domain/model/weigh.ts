/** What a model would be asked for one paper: prompts and tokens, without asking. */
import type { Document } from '../../../../shared/contracts/document.ts'
import { estimateTokens } from '../../../../shared/text/content-budget.ts'
import { begun, type Site } from './desk.ts'
import { imageTokens } from './room.ts'
import type { Ask, Material } from './writer.ts'
import { modelPlanOf, writerOf } from './writers.ts'

export interface Weight {
  tasks: number
  modelCalls: number
  promptTokens: number
  completionTokensMax: number
}

/** If the first reply to each prompt holds all that is asked. `prompts` by name. */
export function weightOf (
  material: Material, prompts: Readonly<Record<string, Site['prompt']>>
): Weight {
  const { document, recipe } = material
  const sum: Weight = { tasks: 0, modelCalls: 0, promptTokens: 0, completionTokensMax: 0 }
  for (const { place, writer: name } of modelPlanOf(document, recipe)) {
    const { prompt: promptName, mergePrompt = '' } = writerOf(name)
    const prompt = prompts[promptName]!
    const { drafting: { asks }, imageSideMax } = begun({ place, writer: name, prompt }, material)
    sum.tasks++
    for (const ask of asks) {
      const { template } = ask.merges === undefined ? prompt : prompts[mergePrompt] ?? prompt
      sum.modelCalls++
      sum.promptTokens += estimateTokens(template) + tokensOf(ask, document, imageSideMax)
      sum.completionTokensMax += recipe.sampling.maxTokens
    }
  }
  return sum
}

function tokensOf ({ values, figureIds, merges }: Ask, { figures }: Document, sideMax: number): number {
  const shown = figures.filter(({ id }) => figureIds.includes(id))
  return estimateTokens(Object.values(values).join('\n')) + (merges?.tokens ?? 0) +
    shown.reduce((sum, figure) => sum + imageTokens(figure, sideMax), 0)
}
