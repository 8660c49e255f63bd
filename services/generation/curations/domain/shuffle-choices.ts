/** The same choices in another order, which a seed and the item decide. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { choiceOrder, namesChoice } from '../../../../shared/text/choice-order.ts'

/**
 * The choices of an item of kind `choice` in a seeded order, answer and explicit wording remapped. "All of
 * the above" stays last.
 *
 * @returns null where the order is as written: no choices, ones that name each other by letter in either
 *          wording, a question or rationale that calls one by its number, or by chance
 */
export function shuffledChoices (item: Item, seed: number): Partial<Item> | null {
  const { kind, question, choices, answerIndex, explicitWording, rationale } = item
  if (kind !== 'choice' || choices === undefined) return null
  const order = choiceOrder(choices.map(({ text }) => text), `${seed}/${item.id}`)
  if (order.every((from, to) => from === to)) return null
  const beside = [question, rationale ?? '', explicitWording?.question ?? '']
  if (beside.some(namesChoice)) return null
  const explicit = explicitWording?.choices
  const allowed = explicit === undefined ? order : choiceOrder(explicit, `${seed}/${item.id}`)
  if (explicit?.length === choices.length && allowed.some((from, to) => from !== order[to])) return null
  return {
    choices: order.map(from => choices[from]!),
    ...answerIndex !== undefined && { answerIndex: order.indexOf(answerIndex) },
    ...explicit?.length === choices.length &&
      { explicitWording: { ...explicitWording!, choices: order.map(from => explicit[from]!) } }
  }
}
