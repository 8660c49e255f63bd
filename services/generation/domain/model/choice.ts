/** Kind `choice`: four options, one right, about a section, figure, table or equation. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import { claimFault, withoutMentions } from '../../../../shared/text/claim-guard.ts'
import { numbersIn } from '../../../../shared/text/facts.ts'
import { isOwn } from '../../../../shared/text/falsity.ts'
import { termsOf } from '../../../../shared/text/tokens.ts'
import { isTrivialFact } from '../../../../shared/text/trivial-facts.ts'
import type { Place } from '../plan.ts'
import { fractionOf, shuffled } from '../seeded.ts'
import type { SourceText } from '../source-text.ts'
import { choicePlaces, choiceSlots, slotsAt } from './allotment.ts'
import { placeAsk } from './place-ask.ts'
import { quotesSchema } from './descriptive.ts'
import { grounded } from './grounded.ts'
import { notSaidIn } from './not-said.ts'
import { optionsFault, supportedOption } from './option-checks.ts'
import { targetOf } from './surroundings.ts'
import { questionFault } from './vqa.ts'
import {
  isFault, type Ask, type Fault, type Judged, type Material, type Room, type Subject, type Writer
} from './writer.ts'

interface ChoiceDraft {
  quotes: string[]
  question: string
  right: string
  distractors: string[]
  rationale: string
}

export const distractorCount = 3
const text = { type: 'string', minLength: 1, maxLength: 2000 }
export const distractorsSchema = {
  type: 'array', minItems: distractorCount, maxItems: distractorCount, items: text
}

export const choiceWriter: Writer = {
  name: 'choice',
  kind: 'choice',
  prompt: 'write-choices.v1',
  draftProperties: {
    quotes: quotesSchema, question: text, right: text, distractors: distractorsSchema, rationale: text
  },
  placesOf (document, recipe) {
    const slots = choiceSlots(document, recipe)
    return choicePlaces(document).filter(place => slotsAt(place, slots).some(isAnswerable))
  },
  asksOf: choiceAsks,
  judge: judgeChoice
}

const isAnswerable = (slot: string) => slot === 'offered' || slot === 'plain'

function choiceAsks (place: Place, material: Material, room: Room): Ask[] | Fault {
  const slots = slotsAt(place, choiceSlots(material.document, material.recipe))
  if (slots.includes('offered') && notSaidIn(material.language) === undefined) return unknownWording(material)
  const ask = placeAsk(place, material, room)
  return (['plain', 'offered'] as const).flatMap(option => {
    const count = slots.filter(slot => slot === option).length
    return count === 0 ? [] : [{ ...ask, count, slices: { ...ask.slices, notSaidOption: option === 'offered' ? 'yes' : 'no' } }]
  })
}

export function unknownWording ({ language }: Material): Fault {
  return { reason: 'no-fixed-wording', detail: `"The paper does not say" is not known in the language "${language}"; recipe.language asks for another.` }
}

function judgeChoice (draft: ChoiceDraft, subject: Subject): Judged {
  const { material, place, ask, accepted } = subject
  const { source, document, language, recipe } = material
  const question = draft.question.trim()
  const [right = '', ...distractors] = [draft.right, ...draft.distractors].map(option => option.trim())
  const fault = questionFault(question, language, accepted) ?? unknownNumber(question, material, place) ??
    optionsFault([right, ...distractors], { language, right: true })
  if (fault !== undefined) return fault
  const found = grounded({ question, answer: right, quotes: draft.quotes }, subject)
  if (isFault(found)) return found
  const { evidence, check } = found
  const loose = rightFault(right, evidence, `${document.title} ${question} ${targetOf(document, place)}`)
  if (loose !== undefined) return { reason: 'not-in-evidence', detail: loose }
  if (asksTrivia({ question, right, distractors, evidence })) {
    return { reason: 'trivial-fact', detail: `"${right}" is a mark or year of a citation, or the number of a section, list, figure, table or equation; ask for a fact that the paper states.` }
  }
  for (const distractor of distractors) {
    const supported = supportedOption(distractor, { question, right, evidence }, source)
    if (supported !== undefined) return supported
  }
  const offered = ask.slices['notSaidOption'] === 'yes'
  // Which one makes room for the option depends on nothing that is said.
  const dropped = Math.floor(fractionOf(recipe.seed, 'dropped', question) * distractorCount)
  const wrong = offered
    ? [...distractors.filter((_, i) => i !== dropped), notSaidIn(language)!.notSaid]
    : distractors
  return {
    items: [{
      question,
      ...placed(right, wrong, { seed: recipe.seed, question }),
      rationale: draft.rationale.trim(),
      evidence,
      slices: { ...ask.slices, distractors: originOf(distractors, source) },
      checks: [check, ...choiceChecks]
    }]
  }
}

/** What stands for the answer in a statement to be completed. */
const gap = /…|\.{3}|_{2,20}/u

interface Asked {
  question: string
  right: string
  distractors: readonly string[]
  evidence: readonly Evidence[]
}

function asksTrivia ({ question, right, distractors, evidence }: Asked): boolean {
  const filled = (option: string) => gap.test(question) ? question.replace(gap, () => option) : option
  const quotes = evidence.map(({ quote }) => quote)
  return isTrivialFact(right, { yes: filled(right), no: filled(distractors[0] ?? ''), quotes })
}

const choiceChecks: Check[] = [
  { name: 'critical-tokens', passed: true, detail: 'Numbers, units, names, directions and negations of the right option stand in the quotes.' },
  { name: 'options-alike-in-form', passed: true, detail: 'The options written differ in what they say, and are alike in form and length.' },
  { name: 'distractors-unsupported', passed: true, detail: 'No sentence or table row as near to the question as the evidence holds another option.' }
]

/** Options in an order of the seed. */
export function placed (
  right: string, wrong: readonly string[], { seed, question }: { seed: number, question: string }
) {
  const options = shuffled([right, ...wrong], seed, option => `${question} ${option}`)
  return { choices: options.map(text => ({ text })), answerIndex: options.indexOf(right) }
}

const rightTermsMin = 0.5

function rightFault (right: string, evidence: readonly Evidence[], around: string): string | undefined {
  const quotes = evidence.map(({ quote }) => quote)
  const loose = claimFault(right, quotes, around)
  if (loose !== undefined) return `The right option: ${loose}`
  const said = new Set(termsOf(quotes.join(' ')))
  const terms = termsOf(right)
  return terms.filter(term => said.has(term)).length < rightTermsMin * terms.length
    ? 'Less than half of the terms of the right option stand in the quotes.'
    : undefined
}

/** A number in a question that the paper has nowhere makes it a question about something else. */
export function unknownNumber (
  question: string, { source, document }: Material, place: Place
): Fault | undefined {
  const target = targetOf(document, place)
  const unknown = numbersIn(withoutMentions(question)).find(({ value }) =>
    ![target, ...source.passages.map(({ text }) => text), ...source.rows.map(({ text }) => text)]
      .some(text => numbersIn(text).some(number => number.value === value)))
  return unknown === undefined
    ? undefined
    : { reason: 'unknown-number', detail: `The question has the number ${unknown.text}, which the paper has nowhere.` }
}

/** Whether the wrong options are values and words of the paper. */
export function originOf (options: readonly string[], source: SourceText): string {
  const own = options.filter(option => isOwn(option, source)).length
  return own === options.length ? 'of-the-paper' : own === 0 ? 'written' : 'mixed'
}
