/**
 * K-MetBench: a list of {id, question: {text, image}, choices: [{text, image}], answer, part, multimodal,
 * korean, rationale, …}. Its code counts answers from 1, its data card from 0; so nothing is taken from its
 * name. The base text is the explicit wording; question_implicit and choices_implicit, where there are any,
 * are the wording of the exam.
 */
import { member } from '../../../../../shared/text/member.ts'
import type { Fields } from '../bank.ts'
import { keysOf, type Format } from './format.ts'

export const kmetbench: Format = {
  name: 'kmetbench',
  matches: (keys, value) => keys.has('answer') && keys.has('choices') &&
    (keysOf(member(value, 'question')).has('text') || keys.has('question_original') || (keys.has('part') && keys.has('korean'))),
  fields
}

function fields (value: unknown): Fields {
  const base = member(value, 'question')
  const choices = member(value, 'choices')
  const implicit = present(member(value, 'question_implicit'))
  const implicitChoices = present(member(value, 'choices_implicit'))
  const images = imagesIn(implicit) ?? imagesIn(base) ?? []
  const isExplicit = implicit !== undefined || implicitChoices !== undefined
  const rationale = member(value, 'rationale')
  const times = images.map(image => member(image, 'time')).filter(time => time !== undefined)
  const captions = captionsOf(imagesIn(implicit) === undefined ? base : implicit, images)
  return {
    sourceId: member(value, 'id'),
    question: textIn(implicit ?? base),
    images,
    ...times.length > 0 && { imageTimes: times },
    ...captions.length > 0 && { imageCaptions: captions },
    choices: implicitChoices === undefined ? choices : withImages(implicitChoices, choices),
    answer: member(value, 'answer'),
    rationale,
    originalQuestion: textIn(member(value, 'question_original')),
    ...isExplicit && {
      explicitQuestion: textIn(base),
      ...implicitChoices !== undefined && { explicitChoices: choices }
    },
    slices: [
      { dimension: 'part', value: member(value, 'part') },
      { dimension: 'modality', value: named(member(value, 'multimodal'), 'multimodal', 'text') },
      { dimension: 'region', value: named(member(value, 'korean'), 'korean', 'general') },
      { dimension: 'reasoning', value: typeof rationale === 'string' && rationale.trim() !== '' ? 'yes' : 'no' },
      { dimension: 'session', value: member(value, 'source') },
      { dimension: 'subject', value: member(member(value, 'category'), 'subject') },
      { dimension: 'topic', value: member(member(value, 'category'), 'topic') }
    ]
  }
}

function present (value: unknown): unknown {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0) || textIn(value) === ''
  return isEmpty ? undefined : value
}

function textIn (value: unknown): unknown {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? member(value, 'text') : value
}

/** One image; or a list of {image, time}, which upstream has not. */
function imagesIn (value: unknown): unknown[] | undefined {
  const images = member(value, 'images')
  if (Array.isArray(images) && images.length > 0) return images as unknown[]
  const image = member(value, 'image')
  return image === undefined || image === null || image === '' ? undefined : [image]
}

/** Words for each image, or beside the only one; upstream has none. */
function captionsOf (question: unknown, images: readonly unknown[]): unknown[] {
  const own = images.map(image => member(image, 'caption') ?? '')
  const beside = member(question, 'caption')
  if (images.length === 1 && own[0] === '' && beside !== undefined) return [beside]
  return own.some(caption => caption !== '') ? own : []
}

/** Implicit options that are text alone keep the images of the others. */
function withImages (implicit: unknown, choices: unknown): unknown {
  if (!Array.isArray(implicit) || !Array.isArray(choices)) return implicit
  return implicit.map((text: unknown, at) => typeof text === 'string' ? { text, image: member(choices[at], 'image') } : text)
}

function named (flag: unknown, yes: string, no: string): string | undefined {
  if (flag === true || flag === 1 || flag === 'true' || flag === 'True' || flag === 'TRUE') return yes
  return flag === undefined || flag === null || flag === '' ? undefined : no
}
