/**
 * Question: all of an item that an evaluated model or a baseline may know. It has no field for
 * the answer, the rationale, the evidence, the pair or the checks, so none of them can leak.
 */
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Item, ItemKind } from '../../../shared/contracts/item.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { choiceOrder } from '../../../shared/text/choice-order.ts'

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

/** How an item is put: in which wording, and its choices in which order. */
export type Wording = Partial<Pick<Condition, 'formulation' | 'permutationSeed'>>

/** In its explicit wording the item as written, where it has one: see `whyNotWorded`. */
export function questionOf (item: Item, { formulation, permutationSeed }: Wording = {}): Question {
  const { explicitWording, choices: written = [] } = item
  const worded = formulation === 'explicit' ? explicitWording : undefined
  const choices = worded?.choices ?? written.map(choice => choice.text)
  const permuted = item.kind === 'choice' && permutationSeed !== undefined
  // The order follows from the choices as they are in the item, so that both wordings have the same one.
  const order = permuted
    ? choiceOrder(written.map(choice => choice.text), `${permutationSeed}/${item.id}`)
    : [...choices.keys()]
  return {
    itemId: item.id,
    kind: item.kind,
    text: worded?.question ?? item.question,
    place: item.place,
    figureIds: item.figureIds,
    choices: order.map(index => choices[index]!),
    order,
    language: item.language
  }
}

/** Why an item cannot be put so; undefined when it can. */
export function whyNotWorded (item: Item, { formulation }: Wording): string | undefined {
  const { explicitWording, choices } = item
  if (formulation !== 'explicit') return undefined
  if (explicitWording === undefined) return 'The item has no explicit wording. condition.formulation "implicit" asks it as it is.'
  const counts = [explicitWording.choices?.length ?? choices?.length, choices?.length]
  return counts[0] === counts[1] ? undefined : 'The explicit wording has another number of choices than the item.'
}

/** A whole number, 0 <= number < count, that depends on `seed` alone; for count <= 2^20 fair to 1e-6. */
export function pick (count: number, seed: string): number {
  return Math.floor(Number.parseInt(sha256(seed).slice(0, 12), 16) / 2 ** 48 * count)
}

export const letterOf = (index: number): string => String.fromCharCode(65 + index)
