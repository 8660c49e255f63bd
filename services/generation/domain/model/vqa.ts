/** Kind `vqa`: open questions about a figure, several, from what can be seen to what it means. */
import { questionLanguageFault } from '../../../../shared/text/language.ts'
import { nearDuplicates } from '../../../../shared/text/similarity.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { answerCharsMax } from './answer-checks.ts'
import { judgeDescriptive, quotesSchema } from './descriptive.ts'
import { figureFrame } from './figure.ts'
import { isFault, type Fault, type ItemDraft, type Writer } from './writer.ts'
import type { Place } from '../plan.ts'

interface VisualDraft { question: string, answer: string, level: string, quotes: string[] }

export const questionCharsMax = 500
const questionCharsMin = 15

export const figureWriter: Writer = {
  name: 'vqa',
  kind: 'vqa',
  prompt: 'ask-about-figure.v1',
  draftProperties: {
    level: { type: 'string', enum: ['basic', 'intermediate', 'complex'] },
    question: { type: 'string', minLength: 1, maxLength: 2000 },
    answer: { type: 'string', minLength: 1, maxLength: 6000 },
    quotes: quotesSchema
  },
  placesOf: ({ figures }, { counts }) => counts.vqaPerFigure === 0
    ? []
    : figures.map(({ id }): Place => ({ aspect: 'figure', id })),
  asksOf (place, material, room) {
    const frame = figureFrame(place, material, room)
    if (isFault(frame)) return frame
    const values = { ...frame.values, charsMax: String(answerCharsMax.figure) }
    return [{ ...frame, values, count: material.recipe.counts.vqaPerFigure }]
  },
  judge (draft: VisualDraft, subject) {
    const question = draft.question.trim()
    const fault = questionFault(question, subject.material.language, subject.accepted)
    if (fault !== undefined) return fault
    const judged = judgeDescriptive({ ...draft, question }, subject)
    if (isFault(judged)) return judged
    return { items: judged.items.map(item => ({ ...item, slices: { ...item.slices, level: draft.level } })) }
  }
}

/** Why a written question is none, or the same as one before. */
export function questionFault (
  question: string, language: string, accepted: readonly ItemDraft[]
): Fault | undefined {
  const chars = [...question].length
  if (chars < questionCharsMin || chars > questionCharsMax) {
    return { reason: 'question-length', detail: `The question has ${chars} characters; ${questionCharsMin} to ${questionCharsMax} are allowed.` }
  }
  if (!/[?？؟]$/u.test(question)) return { reason: 'no-question', detail: 'The question does not end in a question mark.' }
  const mixed = questionLanguageFault(question, language)
  if (mixed !== undefined) return { reason: 'language', detail: `The question: ${mixed}` }
  const same = accepted.find(item => nearDuplicates(item.question, question))
  return same === undefined
    ? undefined
    : { reason: 'duplicate', detail: `It asks what another item of this place asks: "${startOf(same.question, 120)}".` }
}
