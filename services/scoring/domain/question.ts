/**
 * Question: all of an item that an evaluated model or a baseline may know. It has no field for
 * the answer, the rationale, the evidence, the pair or the checks, so none of them can leak.
 */
import { inHashOrder, sha256 } from '../../../shared/contracts/hash.ts'
import type { Item, ItemKind } from '../../../shared/contracts/item.ts'

export interface Question {
  itemId: string
  kind: ItemKind
  text: string
  /** abstract, or the id of the section or figure it asks about. */
  place: string
  figureIds: string[]
  /** As they are shown; empty for descriptive kinds. */
  choices: string[]
  /** order[i] is the place in the item's choices of the i-th choice shown. */
  order: number[]
  language: string
}

/** @param permutationSeed  shows the choices of a choice item in an order of this seed */
export function questionOf (item: Item, permutationSeed?: number): Question {
  const choices = (item.choices ?? []).map(choice => choice.text)
  const shuffled = item.kind === 'choice' && permutationSeed !== undefined
  const order = shuffled ? shuffle(choices.length, `${permutationSeed}/${item.id}`) : [...choices.keys()]
  return {
    itemId: item.id,
    kind: item.kind,
    text: item.question,
    place: item.place,
    figureIds: item.figureIds,
    choices: order.map(index => choices[index]!),
    order,
    language: item.language
  }
}

/** The whole numbers below `count`, in an order that depends on `seed` alone. */
function shuffle (count: number, seed: string): number[] {
  return inHashOrder([...Array(count).keys()], index => `${seed}/${index}`)
}

/** A whole number, 0 <= number < count, that depends on `seed` alone; for count <= 2^20 fair to 1e-6. */
export function pick (count: number, seed: string): number {
  return Math.floor(Number.parseInt(sha256(seed).slice(0, 12), 16) / 2 ** 48 * count)
}

export const letterOf = (index: number): string => String.fromCharCode(65 + index)
