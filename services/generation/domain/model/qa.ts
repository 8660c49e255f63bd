/** Kind `qa`: AutoPaperBench's three fixed questions on the abstract, and its command for each section. */
import { isAsked, type Place } from '../plan.ts'
import { answerCharsMax } from './answer-checks.ts'
import { briefOf } from './brief.ts'
import { judgeDescriptive, quotesSchema } from './descriptive.ts'
import { fixedQuestion, languageName } from './fixed-questions.ts'
import type { Ask, Fault, Material, Room, Writer } from './writer.ts'

interface AnswerDraft { answer: string, quotes: string[] }

const draftSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['answer', 'quotes'],
  properties: { answer: { type: 'string', minLength: 1, maxLength: 6000 }, quotes: quotesSchema }
}

/** In code points; less is nothing to summarise. */
const sectionCharsMin = 200

export const abstractWriter: Writer = {
  name: 'qa-abstract',
  kind: 'qa',
  prompt: 'answer-abstract-question.v1',
  draftSchema,
  placesOf: ({ abstract }) => abstract === null ? [] : [{ aspect: 'abstract', id: 'abstract' }],
  asksOf: (place, material, room) => {
    const { title, abstract, text, leftOut } = briefOf(place, material, room)
    const asks: Ask[] = []
    for (const about of ['problem', 'solution', 'results'] as const) {
      const question = fixedQuestion(about, material.language)
      if (question === undefined) return unknownLanguage(material)
      asks.push({
        values: { title, abstract, text, question, ...wording(place, material) },
        count: 1,
        figureIds: [],
        leftOut,
        slices: { aspect: 'abstract', questionClass: about },
        question
      })
    }
    return asks
  },
  judge: (draft: AnswerDraft, subject) => judgeDescriptive({ ...draft, question: subject.ask.question ?? '' }, subject)
}

export const sectionWriter: Writer = {
  name: 'qa-section',
  kind: 'qa',
  prompt: 'summarize-section.v1',
  draftSchema,
  placesOf: ({ sections }) => sections.filter(isAsked).map(({ id }): Place => ({ aspect: 'section', id })),
  asksOf: (place, material, room) => sectionAsks(place, material, room),
  judge: (draft: AnswerDraft, subject) => judgeDescriptive({ ...draft, question: subject.ask.question ?? '' }, subject)
}

function sectionAsks (place: Place, material: Material, room: Room): Ask[] | Fault {
  const question = fixedQuestion('section', material.language)
  if (question === undefined) return unknownLanguage(material)
  const section = material.document.sections.find(({ id }) => id === place.id)
  const { title, abstract, target, text, leftOut } = briefOf(place, material, room)
  if ([...text].length < sectionCharsMin) {
    return { reason: 'section-too-short', detail: `The section has fewer than ${sectionCharsMin} characters.` }
  }
  return [{
    values: { title, abstract, heading: target, text, question, ...wording(place, material) },
    count: 1,
    figureIds: [],
    leftOut,
    slices: { aspect: 'section', ...section !== undefined && { sectionKind: section.kind } },
    question
  }]
}

function wording ({ aspect }: Place, { language }: Material) {
  return { language: languageName(language), charsMax: String(answerCharsMax[aspect]) }
}

function unknownLanguage ({ language }: Material): Fault {
  return { reason: 'no-fixed-question', detail: `The fixed questions are not there in the language "${language}"; recipe.language asks for another.` }
}
