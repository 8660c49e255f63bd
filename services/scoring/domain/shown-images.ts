/**
 * Images within the text of a prompt. A line says which one it is; where it is shown, a marker follows
 * that no text of a bank can hold, and the request has the image in its place.
 */
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import type { Condition } from '../../../shared/contracts/run.ts'
import { wordsOf } from './bank-words.ts'
import type { Question } from './question.ts'

export type ContentPart =
  { type: 'text', text: string } | { type: 'image_url', image_url: { url: string } }

/** `shown`: as images. `described`: as their captions. `withheld`: as words that say so. */
export type ImageState = 'shown' | 'described' | 'withheld'

export function imageStateOf ({ figures, images }: Pick<Condition, 'figures' | 'images'>): ImageState {
  if (figures === 'withheld' || images === 'none') return 'withheld'
  return images === 'described' ? 'described' : 'shown'
}

/** The question with its images behind it, in their order, each with its time. */
export function textWithImages (question: Question, state: ImageState): string {
  const { text, images, language } = question
  const { image, notShown } = wordsOf(language)
  const lines = images.map(({ time, caption = notShown }, at) => {
    const name = [image(at + 1), time].filter(Boolean).join(', ')
    if (state === 'shown') return `[${name}]\n${markerOf(question, at)}`
    return `[${name}: ${state === 'described' ? caption : notShown}]`
  })
  return [text, ...lines].join('\n')
}

/** One choice, without its letter. */
export function choiceWithImage (question: Question, index: number, state: ImageState): string {
  const { choices, choiceImages, images, language } = question
  const text = choices[index]!
  if (choiceImages[index] == null) return text
  if (state !== 'shown') return `${text} ${wordsOf(language).noImage}`.trim()
  return `${text}\n${markerOf(question, images.length + index)}`
}

export interface PlacedImage { marker: string, imageId: string }

/** All that are shown: of the question, then of its choices. */
export function placedImages (question: Question, state: ImageState): PlacedImage[] {
  if (state !== 'shown') return []
  const { images, choiceImages } = question
  const ids = [...images.map(({ imageId }) => imageId), ...choiceImages]
  return ids.flatMap((imageId, at) => imageId === null ? [] : { marker: markerOf(question, at), imageId })
}

/** The text cut at its markers, with the images between. @param urls  by marker */
export function partsOf (text: string, urls: ReadonlyMap<string, string>): ContentPart[] {
  const parts: ContentPart[] = []
  let rest = text
  for (const [marker, url] of urls) {
    const at = rest.indexOf(marker)
    if (at < 0) throw new Error('The prompt has no place for an image of its question')
    if (at > 0) parts.push({ type: 'text', text: rest.slice(0, at) })
    parts.push({ type: 'image_url', image_url: { url } })
    rest = rest.slice(at + marker.length)
  }
  return rest === '' ? parts : [...parts, { type: 'text', text: rest }]
}

/** It holds a hash of all text it stands among: no text holds a hash of itself. */
function markerOf ({ text, choices, images }: Question, at: number): string {
  return `\u27e6${sha256(canonicalJson([text, choices, images])).slice(0, 32)}/${at}\u27e7`
}
