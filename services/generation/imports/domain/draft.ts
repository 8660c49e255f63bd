/** A row as it would be an item, with its images still to be found. Pure: what is wrong becomes notes. */
import type { RowNote } from '../../../../shared/contracts/bank.ts'
import type { Item, ItemKind } from '../../../../shared/contracts/item.ts'
import { gather, placeOf, yesNo, type BaseEvidence, type Reading } from './answers.ts'
import { note, type Fields } from './bank.ts'
import { choicesOf, duplicateFaults, type Choice } from './choices.ts'
import { limits } from './limits.ts'
import { suspicions } from './suspect.ts'
import { cleaned } from './text.ts'

export interface ImageAsked { ref: unknown, field: string, time?: string, caption?: string }

export interface Draft {
  sourceId: string | null
  kind: ItemKind
  question: string
  images: ImageAsked[]
  choices: Choice[]
  answerIndex?: number
  answer?: string
  rationale?: string
  originalQuestion?: string
  explicitWording?: NonNullable<Item['explicitWording']>
  slices: Record<string, string>
  notes: RowNote[]
}

/** Adds what the answer of one row tells of the base. */
export function gatherFrom (evidence: BaseEvidence, fields: Fields): void {
  gather(evidence, fields.answer, choicesOf(fields, 'choices', []).map(({ text }) => text))
}

export function draftOf (fields: Fields, reading: Reading): Draft {
  const notes: RowNote[] = []
  const text = (value: unknown, field: string, charsMax: number) => textOf(value, { field, charsMax, notes })
  const { text: question, images: inText } = text(fields.question, 'question', limits.questionChars)
  const images = imagesOf(fields, inText, notes)
  if (question === '' && !notes.some(({ field }) => field === 'question')) {
    notes.push(note('question-missing', 'question', images.length > 0 ? 'The row has an image and no words; an item needs a question.' : 'The row has no question.'))
  }
  const choices = choicesOf(fields, 'choices', notes)
  const rationale = text(fields.rationale, 'rationale', limits.rationaleChars).text
  const originalQuestion = text(fields.originalQuestion, 'originalQuestion', limits.questionChars).text
  const explicitWording = explicitOf(fields, choices.length, notes)
  return {
    sourceId: idOf(fields.sourceId),
    question,
    images,
    choices,
    ...answered(fields.answer, choices, { hasImages: images.length > 0, reading, notes }),
    ...rationale !== '' && { rationale },
    ...originalQuestion !== '' && { originalQuestion },
    ...explicitWording !== undefined && { explicitWording },
    slices: slicesOf(fields, notes),
    notes
  }
}

interface Placed { field: string, charsMax: number, notes: RowNote[] }

function textOf (value: unknown, { field, charsMax, notes }: Placed) {
  const found = cleaned(value, { field, charsMax })
  if (found === undefined) notes.push(note('text-unreadable', field, 'It is a list, an object or bytes, and no text.'))
  else notes.push(...found.notes, ...suspicions(found.text, field))
  return { text: found?.text ?? '', images: found?.images ?? [] }
}

interface Answering { hasImages: boolean, reading: Reading, notes: RowNote[] }

/** With options the place of the right one; without, yes or no, or an answer in words. */
function answered (
  answer: unknown, choices: readonly Choice[], { hasImages, reading, notes }: Answering
): Pick<Draft, 'kind' | 'answerIndex' | 'answer'> {
  if (choices.length > 0) {
    const at = placeOf(answer, choices.map(({ text }) => text), reading)
    if (typeof at !== 'number') {
      notes.push(at)
      return { kind: 'choice' }
    }
    notes.push(...duplicateFaults(choices, at))
    return { kind: 'choice', answerIndex: at }
  }
  const side = yesNo(answer)
  if (side !== undefined) return { kind: 'binary', answerIndex: side }
  const { text } = textOf(answer, { field: 'answer', charsMax: limits.choiceChars, notes })
  if (text === '') notes.push(note('answer-missing', 'answer', 'The row has neither options nor an answer.'))
  return { kind: hasImages ? 'vqa' : 'qa', answer: text }
}

function imagesOf (fields: Fields, inText: readonly string[], notes: RowNote[]): ImageAsked[] {
  const refs = [...fields.images ?? [], ...inText].filter(ref => ref !== undefined && ref !== null && ref !== '')
  if (refs.length > limits.images) {
    notes.push(note('images-too-many', 'images', `The question has ${refs.length} images; at most ${limits.images} are taken.`))
    return []
  }
  const times = timesOf(fields.imageTimes)
  const areTold = times !== undefined && times.length === refs.length
  if (times !== undefined && !areTold) notes.push(note('times-dropped', 'imageTimes', `There are ${refs.length} images and ${times.length} times; the times were left out.`))
  const captions = captionsOf(fields.imageCaptions, refs.length, notes)
  return refs.map((ref, at) => {
    const caption = captions[at]
    return { ref, field: 'question', ...areTold && { time: times[at]! }, ...caption !== undefined && { caption } }
  })
}

/** One for each image, in their order; an image may have none. */
function captionsOf (value: unknown, count: number, notes: RowNote[]): Array<string | undefined> {
  if (value === undefined || value === null || value === '') return []
  const list = Array.isArray(value) ? value as unknown[] : tried(value)
  if (list.length !== count) {
    notes.push(note('captions-dropped', 'imageCaptions', `There are ${count} images and ${list.length} captions; the captions were left out.`))
    return []
  }
  return list.map((caption, at) => {
    const { text } = textOf(caption, { field: `imageCaptions[${at}]`, charsMax: limits.captionChars, notes })
    return text === '' ? undefined : text
  })
}

function timesOf (value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const list = Array.isArray(value) ? value as unknown[] : tried(value)
  return list.map(time => String(time).trim().slice(0, 40)).filter(time => time !== '')
}

function tried (value: unknown): unknown[] {
  if (typeof value === 'string' && value.trim().startsWith('[')) {
    try {
      const parsed = JSON.parse(value) as unknown
      if (Array.isArray(parsed)) return parsed as unknown[]
    } catch { return [value] }
  }
  return [value]
}

/** The wording with names; what cannot be used of it is left out and told. */
function explicitOf (fields: Fields, count: number, notes: RowNote[]): Draft['explicitWording'] {
  const own: RowNote[] = []
  const { text: question } = textOf(fields.explicitQuestion, { field: 'explicitWording.question', charsMax: limits.questionChars, notes: own })
  const choices = choicesOf({ choices: fields.explicitChoices }, 'explicitWording.choices', own).map(({ text }) => text)
  if (question === '' && choices.length === 0) return undefined
  const fits = question !== '' && (choices.length === 0 || (choices.length === count && choices.every(text => text !== '')))
  if (!fits) {
    notes.push(note('explicit-dropped', 'explicitWording', 'The explicit wording is not whole (its question is empty, or its options are not as many as the others), and was left out.'))
    return undefined
  }
  notes.push(...own)
  return { question, ...choices.length > 0 && { choices } }
}

function idOf (id: unknown): string | null {
  if (typeof id !== 'string' && typeof id !== 'number') return null
  const { text } = cleaned(id, { field: 'id', charsMax: 100_000 }) ?? { text: '' }
  return text === '' ? null : text.slice(0, limits.idChars)
}

function slicesOf (fields: Fields, notes: RowNote[]): Record<string, string> {
  const slices: Record<string, string> = {}
  for (const { dimension, value } of fields.slices ?? []) {
    const found = cleaned(value, { field: `slices.${dimension}`, charsMax: limits.questionChars })
    if (found === undefined || found.text === '') continue
    if (found.text.length > limits.sliceChars) notes.push(note('slice-cut', `slices.${dimension}`, `It has ${found.text.length} characters; the first ${limits.sliceChars} are kept.`))
    slices[dimension] = found.text.slice(0, limits.sliceChars)
  }
  return slices
}
