/** Why an item is not asked under a condition. Skipped items are in no score, and each says why. */
import type { Document, Figure } from '../../../shared/contracts/document.ts'
import { isSequence, type Item } from '../../../shared/contracts/item.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { figuresOf } from './messages.ts'
import { whyNotWorded, type Question } from './question.ts'
import { imageStateOf, placedImages } from './shown-images.ts'

/** What holds for models and baselines alike; undefined when the item is asked. */
export function whyNotAsked (item: Item, condition: Condition): string | undefined {
  const { sequence, probe, rationale, hint } = condition
  if (sequence !== undefined && !isSequence(item)) return `The item has no sequence of images, and condition.sequence "${sequence}" is about those.`
  if (probe !== undefined && item.kind !== 'choice') return `The item is not multiple-choice, and condition.probe "${probe}" is about those.`
  if (probe === 'all-options-correct' && item.choices?.[item.answerIndex ?? -1] === undefined) {
    return 'The item does not say which choice is right, and condition.probe "all-options-correct" puts that one behind every letter.'
  }
  if ((rationale ?? hint) !== undefined && item.kind !== 'binary' && item.kind !== 'choice') {
    return `The item has no choices, and condition.${rationale === undefined ? 'hint' : 'rationale'} is about answers that are one of some.`
  }
  return whyNotWorded(item, condition)
}

interface Seen { question: Question, document: Document | null, condition: Condition, vision: boolean }

/** Why a model cannot be shown the question; never is it asked without an image that belongs to it. */
export function whyNotShown ({ question, document, condition, vision }: Seen): string | undefined {
  const figures = figuresOf(question, document)
  const state = imageStateOf(condition)
  if (state === 'described') return whyNotDescribed(question, figures)
  if (state === 'withheld') return undefined
  if (question.figureIds.length + placedImages(question, state).length > 0 && !vision) {
    return 'The model takes no images: inference lists it without the capability "vision". condition.figures "withheld" asks without them.'
  }
  if (figures.some(({ imageId }) => imageId === null)) {
    return 'The paper\'s source has no picture of a figure that is asked about. condition.figures "withheld" asks without it.'
  }
  if (condition.images === 'wrong' && ownImages(question) === 0 && question.choiceImages.some(id => id !== null)) {
    return 'Only choices of the item have images, and condition.images "wrong" leaves choices as they are.'
  }
  return undefined
}

/** Of the question and not its choices. */
export function ownImages ({ images, figureIds }: Question): number {
  return images.length + figureIds.length
}

function whyNotDescribed (
  { images, choiceImages }: Question, figures: readonly Figure[]
): string | undefined {
  if (choiceImages.some(id => id !== null)) return 'A choice is an image, which has no caption to stand in its place.'
  const captions = [...images.map(({ caption = '' }) => caption), ...figures.map(({ caption }) => caption)]
  const blank = captions.some(caption => caption.trim() === '')
  return blank ? 'An image has no caption to stand in its place.' : undefined
}
