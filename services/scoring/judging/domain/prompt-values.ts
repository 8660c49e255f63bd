/** What a judge is shown, as values of the prompt's variables. All of it is data. */
import { descriptiveAnswer } from '../../../../shared/answers/outcome.ts'
import type { BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Rubric } from '../../../../shared/contracts/rubric.ts'
import type { Condition, Prediction } from '../../../../shared/contracts/run.ts'
import { figuresOf } from '../../domain/messages.ts'
import { letterOf, questionOf } from '../../domain/question.ts'
import type { JudgementSpec } from './spec.ts'

export type Asked = Pick<JudgementSpec, 'reference' | 'images' | 'rubric'>

/** A question as the evaluated model saw it: to who sees another order a letter of its reply says nothing. */
export interface ShownQuestion {
  text: string
  choices: string[]
  /** Ids of choices that are images, null for others. */
  choiceImages: Array<string | null>
  answerIndex: number | null
}

export function shownQuestion (
  item: BenchmarkItem, { formulation, choiceOrder }: Pick<Condition, 'formulation'> & Pick<Prediction, 'choiceOrder'>
): ShownQuestion {
  const { text, choices } = questionOf(item, { formulation })
  const order = choiceOrder ?? [...choices.keys()]
  const answerIndex = item.answerIndex === undefined ? null : order.indexOf(item.answerIndex)
  return {
    text,
    choices: order.map(place => choices[place] ?? ''),
    choiceImages: order.map(place => item.choices?.[place]?.imageId ?? null),
    answerIndex
  }
}

/** Everything but the replies. */
export function commonValues (
  item: BenchmarkItem, document: Document | null, { asked, shown }: { asked: Asked, shown: ShownQuestion }
) {
  return {
    question: [shown.text, ...choicesOf(shown)].join('\n'),
    reference: referenceOf(item, shown, asked.reference),
    figures: figuresLine(item, document, { images: asked.images, shown }),
    criteria: asked.rubric.criteria.map(({ name, description, min, max, higherIsBetter }) =>
      `- ${name} (whole numbers from ${min} to ${max}, ${higherIsBetter ? 'more' : 'less'} is better): ${description}`).join('\n')
  }
}

export function scoresForm ({ criteria, errorsFirst }: Rubric): string {
  const parts = criteria.map(({ name, min }) => `"${name}": {"reason": "...", "score": ${min}}`)
  return `{${[...errorsFirst === undefined ? [] : ['"errors": ["..."]'], ...parts].join(', ')}}`
}

export function errorsAsked ({ errorsFirst }: Rubric): string {
  return errorsFirst ?? 'nothing to list: this rubric does not ask for them'
}

/** What of a reply is judged: what the model thought before it answered is no part of the answer. */
export function judgedText ({ reply }: Pick<Prediction, 'reply'>): string {
  return descriptiveAnswer(reply ?? '')
}

function choicesOf ({ choices, choiceImages }: ShownQuestion): string[] {
  return choices.map((text, index) => {
    const image = choiceImages[index] === null ? [] : ['(an image)']
    return [`${letterOf(index)}.`, ...[text.replace(/\s+/gu, ' ')].filter(each => each !== ''), ...image].join(' ')
  })
}

/** Whether a picture belongs to the item. */
function isPictured ({ figureIds, images = [], choices = [] }: BenchmarkItem): boolean {
  return figureIds.length + images.length > 0 || choices.some(({ imageId }) => imageId !== undefined)
}

/** Ids of the images in the order in which `figures` names them: figures, images, choices as shown. */
export function judgedImages (
  item: BenchmarkItem, document: Document | null, shown: ShownQuestion
): string[] {
  return [
    ...figuresOf(questionOf(item), document).flatMap(({ imageId }) => imageId ?? []),
    ...(item.images ?? []).map(({ imageId }) => imageId),
    ...shown.choiceImages.filter(imageId => imageId !== null)
  ]
}

/** Why this judge cannot be asked about this item; undefined when it can. */
export function whySkipped (
  item: BenchmarkItem, document: Document | null, { spec, vision }: { spec: Asked, vision: boolean }
): string | undefined {
  if (spec.reference === 'rationale' && (item.rationale ?? '').trim() === '') return 'The item has no rationale; reference "answer" judges without.'
  if (spec.images === 'withheld' || !isPictured(item)) return undefined
  if (!vision) return 'The judge takes no images: inference lists it without the capability "vision". images "withheld" asks without them.'
  const figures = figuresOf(questionOf(item), document)
  if (figures.length < item.figureIds.length || figures.some(({ imageId }) => imageId === null)) {
    return 'There is no picture of a figure that is asked about. images "withheld" asks without it.'
  }
  return undefined
}

function referenceOf (
  item: BenchmarkItem, { choices, answerIndex }: ShownQuestion, reference: Asked['reference']
): string {
  if (reference === 'none') return '(No reference is given: judge by what you know.)'
  const { answer, rationale } = item
  const chosen = answerIndex === null ? undefined : choices[answerIndex]
  const right = answer ?? (chosen === undefined ? undefined : `${letterOf(answerIndex!)}. ${chosen}`)
  const lines = [`The right answer: ${right ?? '(the benchmark has none)'}`]
  if (item.answerability !== undefined) lines.push(`The paper does not answer this (${item.answerability}); a reply that says so is right.`)
  if (reference === 'rationale') lines.push(`Why it is right: ${rationale ?? ''}`)
  return lines.join('\n')
}

interface Showing { images: Asked['images'], shown: ShownQuestion }

function figuresLine (item: BenchmarkItem, document: Document | null, { images, shown }: Showing): string {
  const { images: own = [] } = item
  if (!isPictured(item)) return 'The question is about no figure.'
  const state = images === 'with' ? 'attached' : 'not shown'
  const lines = [
    ...figuresOf(questionOf(item), document).map(({ label, caption }) => `${label || 'Figure'} (${state}): ${caption}`),
    ...own.map(({ time, caption }, at) =>
      `${[`Image ${at + 1}`, time].filter(Boolean).join(', ')} (${state})${caption === undefined ? '.' : `: ${caption}`}`),
    ...shown.choiceImages.flatMap((imageId, at) => imageId === null ? [] : `Choice ${letterOf(at)} (${state}).`)
  ]
  return lines.join('\n') || `The figure is ${state}.`
}
