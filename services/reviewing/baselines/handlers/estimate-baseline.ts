/** Says what a partial-input baseline would ask of its models; nothing is opened. */
import { setImmediate } from 'node:timers/promises'
import type { Item, ItemKind } from '../../../../shared/contracts/item.ts'
import type { PartialInputRequest } from '../../../../shared/contracts/partial-input.ts'
import type { ReviewEstimate } from '../../../../shared/contracts/review-estimate.ts'
import { renderPrompt } from '../../../../shared/prompts/prompt.ts'
import { plus } from '../../../../shared/text/call-estimate.ts'
import { noWeight, weightOf } from '../domain/weigh.ts'
import { askedFor } from './open-baseline.ts'
import type { BaselineParts } from './parts.ts'

/** @throws Problem as opening it would */
export async function estimateBaseline (
  parts: BaselineParts, request: PartialInputRequest
): Promise<ReviewEstimate> {
  const { models, items } = await askedFor(parts, request)
  const { qa, vqa, binary, choice } = parts.prompts
  const templates = { qa: qa.template, vqa: vqa.template, binary: binary.template, choice: choice.template }
  const render = (kind: ItemKind, values: Record<string, string>) => renderPrompt(parts.prompts[kind], values)
  const reader = await parts.readerFor(request.source)
  let sum = noWeight
  for (const item of inPapers(items)) {
    const document = 'paperId' in item.source ? await reader.documentOf(item.source) : null
    const { least, most } = weightOf(item, document, { request, models, templates, render })
    sum = { least: plus(sum.least, least), most: plus(sum.most, most) }
    await setImmediate()
  }
  return { tasks: items.length * models.length, ...sum.most, ...sum }
}

/** Items of one paper after another: its document is then read once. */
function inPapers (items: readonly Item[]): Item[] {
  const paperOf = ({ source }: Item) => 'paperId' in source ? source.paperId : ''
  return [...items].sort((a, b) => paperOf(a) < paperOf(b) ? -1 : paperOf(a) > paperOf(b) ? 1 : 0)
}
