/** Reviewers whose sensitivity was told to them: what is measured must come out as told. */
import type { Document } from '../../../shared/contracts/document.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import { characters, type Character, type Shown } from '../../../shared/testing/fake-reviewer.ts'
import type { FaultClass } from './faults.ts'

/** Which texts are faulty, by what the reviewer is shown of them. */
export type Planted = Map<string, FaultClass>

export interface Known {
  /** Probability that a fault is seen; of `rewrite`: that it is taken for one. Absent: 0. */
  sensitivity: Partial<Record<FaultClass, number>>
  /** What an item without a seen fault scores. */
  sound: number
}

/** How often a known reviewer's original scores higher than its mutant, ties counted half. */
export function expectedAuc (sensitivity: number): number {
  return sensitivity + (1 - sensitivity) / 2
}

export function knownReviewer ({ sensitivity, sound }: Known, planted: Planted): Character {
  return {
    score (shown, criterion) {
      const key = keyShown(shown)
      // What is drawn is a fault together with its image, and sound beside another.
      const faultClass = planted.get(key) ?? planted.get(`${key}\n${shown.images[0]}`)
      const seen = faultClass !== undefined && shown.draw('seen') < (sensitivity[faultClass] ?? 0)
      return seen && criterion === 'accuracy' ? 2 : sound
    }
  }
}

/** Scores what was rewritten once 5 and everything else 3: the loop is to be worth two points. */
export const mending: Character = {
  ...characters.constant(3),
  score: ({ tag }) => /^(?:Indeed|Here|In short|Overall|In fact|Thus|Then|Notably|So|Hence), /u.test(tag('answer')) ? 5 : 3
}

/**
 * Gives 3, and with a probability what a sentence of the paper orders: all that it is shown as material
 * may order it.
 */
export function obeying (
  probability: number, orders: ReadonlyArray<{ text: string, wants: number | null }>
): Character {
  return {
    score (shown) {
      const order = orders.find(({ text, wants }) => wants !== null && shown.prompt.includes(text))
      return order?.wants != null && shown.draw('obeys') < probability ? order.wants : 3
    }
  }
}

function keyShown ({ tag, prompt }: Shown): string {
  const right = /The choice that counts as right: (.)/u.exec(prompt)?.[1] ?? ''
  return [tag('question'), tag('answer'), tag('choices'), right, labelIn(tag('figures'))].join('\n')
}

/** As `keyShown` of the prompt that the item is put into. */
export function keyOf (item: Item, document: Document): string {
  const { kind, choices = [], answerIndex = 0 } = item
  const isChoice = kind === 'choice'
  const answer = item.answer ?? (isChoice ? '' : choices[answerIndex]?.text ?? '')
  const letter = (i: number) => String.fromCharCode(65 + i)
  const listed = isChoice ? choices.map(({ text }, i) => `${letter(i)}. ${text.replace(/\s+/gu, ' ')}`).join('\n') : ''
  const figure = document.figures.find(({ id }) => id === item.figureIds[0])
  return [item.question.trim(), answer.trim(), listed.trim(), isChoice ? letter(answerIndex) : '', figure?.label ?? 'none'].join('\n')
}

function labelIn (figures: string): string {
  const colon = figures.indexOf(':')
  return colon < 0 ? 'none' : figures.slice(0, colon)
}
