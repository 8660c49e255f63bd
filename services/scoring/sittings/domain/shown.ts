/** A question as a person sees it: of the same data as a model's prompt, without the prompt's words. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Condition } from '../../../../shared/contracts/run.ts'
import type { Piece, SittingQuestion } from '../../../../shared/contracts/sitting.ts'
import { figuresLine, placeName } from '../../domain/messages.ts'
import { letterOf, type Question } from '../../domain/question.ts'
import { choiceWithImage, imageStateOf, partsOf, textWithImages } from '../../domain/shown-images.ts'

export interface Material {
  question: Question
  /** Data URLs of figures. */
  images: readonly string[]
  /** Data URLs by marker. */
  placed: ReadonlyMap<string, string>
  content: { text: string, leftOut: string[] }
  document: Document | null
  condition: Condition
}

export type ShownQuestion = Omit<SittingQuestion, 'position' | 'answer' | 'remainingSeconds'>

export function shownQuestion (material: Material): ShownQuestion {
  const { question, images, placed, content, document, condition } = material
  const state = imageStateOf(condition)
  const { itemId, kind, language, ofBank, figureIds, choices } = question
  return {
    itemId,
    kind,
    language,
    stem: pieces(textWithImages(question, state), placed),
    choices: choices.map((_, at) => ({
      label: kind === 'binary' ? '' : letterOf(at), pieces: pieces(choiceWithImage(question, at, state), placed)
    })),
    place: ofBank ? null : placeName(question.place, document),
    figures: figureIds.length === 0 ? null : figuresLine(question, document, condition),
    images: [...images],
    content: content.text.trim() === '' ? null : content.text,
    leftOut: content.leftOut
  }
}

/** Text and the images whose places are within it. */
function pieces (text: string, placed: ReadonlyMap<string, string>): Piece[] {
  const within = new Map([...placed].filter(([marker]) => text.includes(marker)))
  return partsOf(text, within).map(part =>
    part.type === 'text' ? { text: part.text } : { image: part.image_url.url })
}
