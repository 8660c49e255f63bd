/** Kind `qa`: AutoPaperBench's three fixed questions on the abstract, and its command for each section. */
import { fitted } from '../../../../shared/text/content-budget.ts'
import { isAsked } from '../../../../shared/text/asked-sections.ts'
import type { Place } from '../plan.ts'
import { answerCharsMax } from './answer-checks.ts'
import { briefOf, briefsOf } from './brief.ts'
import { judgeDescriptive, quotesSchema } from './descriptive.ts'
import { fixedQuestion, languageName } from './fixed-questions.ts'
import type { Ask, Fault, ItemDraft, Judged, Material, Room, Subject, Writer } from './writer.ts'

interface AnswerDraft { answer: string, quotes: string[] }

const draftProperties = { answer: { type: 'string', minLength: 1, maxLength: 6000 }, quotes: quotesSchema }

function judgeAnswer (draft: AnswerDraft, subject: Subject): Judged {
  return judgeDescriptive({ ...draft, question: subject.ask.question ?? '' }, subject)
}

/** In code points; less is nothing to summarise. */
const sectionCharsMin = 200

export const abstractWriter: Writer = {
  name: 'qa-abstract',
  kind: 'qa',
  prompt: 'answer-abstract-question.v1',
  draftProperties,
  placesOf: () => [{ aspect: 'abstract', id: 'abstract' }],
  asksOf (place, material, room) {
    if (material.document.abstract === null) return { reason: 'no-abstract', detail: 'The paper has no abstract.' }
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
  judge: judgeAnswer
}

export const sectionWriter: Writer = {
  name: 'qa-section',
  kind: 'qa',
  prompt: 'summarize-section.v1',
  draftProperties,
  placesOf: ({ sections }) => sections.filter(isAsked).map(({ id }): Place => ({ aspect: 'section', id })),
  mergePrompt: 'merge-summaries.v1',
  asksOf: sectionAsks,
  merge: mergeParts,
  judge: judgeAnswer
}

/** Longer sections are left out from there on, and said to be. */
const partsMax = 6
/** Of the room, beside the abstract. */
const mergeShare = 0.7

function sectionAsks (place: Place, material: Material, room: Room): Ask[] | Fault {
  const question = fixedQuestion('section', material.language)
  if (question === undefined) return unknownLanguage(material)
  const section = material.document.sections.find(({ id }) => id === place.id)
  const briefs = briefsOf(place, material, { room, partsMax })
  if (briefs.reduce((sum, { text }) => sum + [...text].length, 0) < sectionCharsMin) {
    return { reason: 'section-too-short', detail: `The section has fewer than ${sectionCharsMin} characters.` }
  }
  const slices = { aspect: 'section', ...section !== undefined && { sectionKind: section.kind } }
  const asks = briefs.map(({ title, abstract, target, text, leftOut }, i): Ask => ({
    values: {
      title,
      abstract,
      heading: headingOf(target, i, briefs.length),
      text,
      question,
      ...wording(place, material)
    },
    count: 1,
    figureIds: [],
    leftOut,
    slices,
    question
  }))
  if (asks.length === 1) return asks
  const { values: { text: _, ...values }, ...first } = asks[0]!
  const leftOut = [...new Set(briefs.flatMap(({ leftOut }) => leftOut))]
  return [
    ...asks.map((ask): Ask => ({ ...ask, interim: true })),
    {
      ...first,
      values: { ...values, heading: briefs[0]!.target },
      leftOut,
      slices: { ...slices, parts: String(asks.length) },
      merges: { tokens: Math.floor(room.tokens * mergeShare) }
    }
  ]
}

function headingOf (heading: string, part: number, parts: number): string {
  return parts === 1 ? heading : `${heading} (part ${part + 1} of ${parts}; summarise this part)`
}

/** The summaries of the parts, with their quotes, as the text of the ask that makes one of them. */
function mergeParts (ask: Ask, parts: readonly ItemDraft[]): Ask {
  const whole = parts.map(({ answer = '', evidence }, i) => [
    `Part ${i + 1}: ${answer}`, ...evidence.map(({ quote }) => `Quote: ${quote}`)
  ].join('\n')).join('\n\n')
  const { text, leftOut: cut } = fitted([{ kind: 'paragraph', id: 'parts', text: whole }], (ask.merges?.tokens ?? 0) * 4)
  const missing = Number(ask.slices['parts']) - parts.length
  const leftOut = [
    ...ask.leftOut, ...cut, ...missing === 0 ? [] : [`${missing} of ${ask.slices['parts']} parts, which gave no summary`]
  ]
  return { ...ask, values: { ...ask.values, parts: text }, leftOut }
}

function wording ({ aspect }: Place, { language }: Material) {
  return { language: languageName(language), charsMax: String(answerCharsMax[aspect]) }
}

function unknownLanguage ({ language }: Material): Fault {
  return { reason: 'no-fixed-question', detail: `The fixed questions are not there in the language "${language}"; recipe.language asks for another.` }
}
