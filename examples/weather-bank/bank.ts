/** The questions as rows of a bank file: the shape of K-MetBench, with sequences of images beside it. */
import { captions } from './captions.ts'
import type { Question } from './question.ts'
import { climatology } from './questions/climatology.ts'
import { dynamics } from './questions/dynamics.ts'
import { forecast } from './questions/forecast.ts'
import { observation } from './questions/observation.ts'
import { physics } from './questions/physics.ts'

export const parts: ReadonlyArray<{ subject: string, questions: readonly Question[] }> = [
  { subject: '예보이론', questions: forecast },
  { subject: '관측', questions: observation },
  { subject: '대기역학', questions: dynamics },
  { subject: '기후', questions: climatology },
  { subject: '대기물리', questions: physics }
]

interface StoredFrame { image: string, time: string, caption: string }

export interface Row {
  id: number
  question: { text: string, image?: string, caption?: string, images?: StoredFrame[] }
  choices: Array<{ text: string, image?: string }>
  /** From 1. */
  answer: number
  question_implicit?: string
  choices_implicit?: string[]
  rationale: string
  part: number
  category: { subject: string, topic: string }
  multimodal: boolean
  korean: boolean
  source: string
  source_id: string
  licence: string
}

const stored = (image: string) => `images/${image}`

function captionOf (image: string): string {
  const caption = captions[image]
  if (caption === undefined) throw new Error(`${image} has no caption`)
  return caption
}

interface Place { part: number, number: number, subject: string }

function rowOf (question: Question, { part, number, subject }: Place): Row {
  const { text, image, frames, choices, answer, implicit, rationale = '', topic } = question
  return {
    id: part * 100 + number,
    question: {
      text,
      ...image !== undefined && { image: stored(image), caption: captionOf(image) },
      ...frames !== undefined && {
        images: frames.map(({ image: name, time }) =>
          ({ image: stored(name), time, caption: captionOf(name) }))
      }
    },
    choices: choices.map(choice =>
      typeof choice === 'string' ? { text: choice } : { text: '', image: stored(choice.image) }),
    answer,
    ...implicit !== undefined && { question_implicit: implicit.text },
    ...implicit?.choices !== undefined && { choices_implicit: [...implicit.choices] },
    rationale,
    part,
    category: { subject, topic },
    multimodal: image !== undefined || frames !== undefined || choices.some(choice => typeof choice !== 'string'),
    korean: implicit !== undefined,
    source: 'Viva weather bank',
    source_id: `${part}-${String(number).padStart(2, '0')}`,
    licence: 'Apache-2.0'
  }
}

export function bankRows (): Row[] {
  return parts.flatMap(({ subject, questions }, part) =>
    questions.map((question, at) => rowOf(question, { part: part + 1, number: at + 1, subject })))
}

export function bankJson (): string {
  return `${JSON.stringify(bankRows(), null, 2)}\n`
}
