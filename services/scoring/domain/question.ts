/**
 * Question: all of an item that an evaluated model or a baseline may know. It has no field for
 * the answer, the rationale, the evidence, the pair or the checks, so none of them can leak.
 */
import { sha256 } from '../../../shared/contracts/hash.ts'
import type { Item, ItemImage, ItemKind } from '../../../shared/contracts/item.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { choiceOrder } from '../../../shared/text/choice-order.ts'
import { wordsOf } from './bank-words.ts'
import { arrangedImages } from './sequence.ts'

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
  /** Whether it is of an item bank: there is no paper, and its prompt speaks of none. */
  ofBank: boolean
  /** Of a bank's question, in the order in which they are shown. */
  images: ItemImage[]
  /** Of the choices as they are shown, null where one has none. */
  choiceImages: Array<string | null>
}

/** How an item is put: in which wording, which parts of it, and its choices and images in which order. */
export type Wording = Partial<Pick<Condition, 'formulation' | 'permutationSeed' | 'probe' | 'sequence' | 'seed'>>

/** In its explicit wording the item as written, where it has one: see `whyNotWorded`. */
export function questionOf (item: Item, wording: Wording = {}): Question {
  const { formulation, permutationSeed } = wording
  const { explicitWording, choices: written = [] } = item
  const worded = formulation === 'explicit' ? explicitWording : undefined
  const texts = worded?.choices ?? written.map(choice => choice.text)
  const permuted = item.kind === 'choice' && permutationSeed !== undefined
  // The order follows from the choices as they are in the item, so that both wordings have the same one.
  const order = permuted
    ? choiceOrder(written.map(choice => choice.text), `${permutationSeed}/${item.id}`)
    : [...texts.keys()]
  const asked: Question = {
    itemId: item.id,
    kind: item.kind,
    text: worded?.question ?? item.question,
    place: item.place,
    figureIds: item.figureIds,
    choices: order.map(index => texts[index]!),
    order,
    language: item.language,
    ofBank: 'bankId' in item.source,
    images: arrangedImages(item, wording),
    choiceImages: order.map(index => written[index]?.imageId ?? null)
  }
  return item.kind === 'choice' && wording.probe !== undefined ? probed(asked, wording.probe, item) : asked
}

/** Only what the probe is about is taken away or changed. */
function probed (asked: Question, probe: NonNullable<Wording['probe']>, { answerIndex }: Item): Question {
  const { noQuestion, noChoice } = wordsOf(asked.language)
  switch (probe) {
    case 'no-question': return { ...asked, text: noQuestion, figureIds: [], images: [] }
    case 'no-choices': return { ...asked, choices: asked.choices.map(() => noChoice), choiceImages: asked.choices.map(() => null) }
    default: {
      // Whichever letter is marked, all of them say the same.
      const at = asked.order.indexOf(answerIndex ?? -1)
      // Nobody is asked it: see `whyNotAsked`.
      if (at < 0) return asked
      const everywhere = <T>(all: readonly T[]) => all.map(() => all[at]!)
      return { ...asked, choices: everywhere(asked.choices), choiceImages: everywhere(asked.choiceImages) }
    }
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
