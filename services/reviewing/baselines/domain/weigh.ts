/** What a baseline would ask about one item: its prompts as they would be, unsent. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item, ItemKind } from '../../../../shared/contracts/item.ts'
import type { PartialInputRequest } from '../../../../shared/contracts/partial-input.ts'
import { noCalls, plus, repliesTo, type CallRange } from '../../../../shared/text/call-estimate.ts'
import { estimateTokens } from '../../../../shared/text/content-budget.ts'
import { imageTokens } from '../../domain/loop/material.ts'
import { conditionsFor } from './conditions.ts'
import { ordersOf } from './orders.ts'
import { roomFor, shownOf } from './prompt-values.ts'

type Asked = Pick<PartialInputRequest, 'conditions' | 'orders' | 'seed' | 'contextTokens' | 'sampling'>

export interface Weighing {
  request: Asked
  models: ReadonlyArray<{ vision: boolean }>
  /** The prompt of each kind: as it is filled in, and without. */
  templates: Readonly<Record<ItemKind, string>>
  render: (kind: ItemKind, values: Record<string, string>) => string
}

export const noWeight: Readonly<CallRange> = { least: noCalls, most: noCalls }

/**
 * Of all models, conditions and orders, without what a model cannot be shown; only whether there is a
 * picture of another figure is not looked for.
 *
 * @param document  null for an item of no paper
 */
export function weightOf (
  item: Item, document: Document | null, { request, models, templates, render }: Weighing
): CallRange {
  // Choices that are images are shown to nobody.
  if (item.choices?.some(({ imageId }) => imageId !== undefined)) return noWeight
  const orders = ordersOf(item, { max: request.orders, seed: request.seed })
  const room = roomFor(item, templates[item.kind], request)
  const pictured = new Set(document?.figures.filter(({ imageId }) => imageId !== null).map(({ id }) => id))
  const hasPictures = item.figureIds.every(id => pictured.has(id))
  let sum: CallRange = noWeight
  for (const condition of conditionsFor(item, request.conditions)) {
    const { values, images } = shownOf(item, { condition, first: orders[0] ?? 0, document, room })
    if (images === 'own' && !hasPictures) continue
    const able = images === 'none' ? models : models.filter(({ vision }) => vision)
    const count = { none: 0, own: item.figureIds.length, other: 1 }[images]
    const promptTokens = estimateTokens(render(item.kind, values)) + count * imageTokens
    const { maxTokens } = request.sampling
    const calls = repliesTo(promptTokens, able.length * orders.length, { maxTokens, repaired: false })
    sum = { least: images === 'other' ? sum.least : plus(sum.least, calls), most: plus(sum.most, calls) }
  }
  return sum
}
