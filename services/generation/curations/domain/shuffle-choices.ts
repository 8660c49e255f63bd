/** The same choices in another order, which a seed and the item decide. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { choiceOrder } from '../../../../shared/text/choice-order.ts'

/**
 * The choices of an item of kind `choice` in a seeded order, answer and explicit wording remapped. "All of
 * the above" stays last.
 *
 * @returns null where the order is as written: no choices, ones that name each other by letter, or by chance
 */
export function shuffledChoices (item: Item, seed: number): Partial<Item> | null {
  const { kind, choices, answerIndex, explicitWording } = item
  if (kind !== 'choice' || choices === undefined) return null
  const order = choiceOrder(choices.map(({ text }) => text), `${seed}/${item.id}`)
  if (order.every((from, to) => from === to)) return null
  const explicit = explicitWording?.choices
  return {
    choices: order.map(from => choices[from]!),
    ...answerIndex !== undefined && { answerIndex: order.indexOf(answerIndex) },
    ...explicit?.length === choices.length &&
      { explicitWording: { ...explicitWording!, choices: order.map(from => explicit[from]!) } }
  }
}
