/** Questions that take for granted what the paper contradicts; the reference says so, and what it says. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import { standsIn } from '../../../../shared/text/claim-guard.ts'
import { contrastOf } from '../../../../shared/text/falsity.ts'
import { termsOf } from '../../../../shared/text/tokens.ts'
import { answerChecks, answerCharsMax } from './answer-checks.ts'
import { distractorsSchema, originOf, placed } from './choice.ts'
import { quotesSchema } from './descriptive.ts'
import { grounded } from './grounded.ts'
import { notSaidIn } from './not-said.ts'
import { optionsFault } from './option-checks.ts'
import { falseFormOf } from './pair-forms.ts'
import { targetOf } from './surroundings.ts'
import { descriptiveWriter, unansweredChoiceWriter } from './unanswered.ts'
import { questionFault } from './vqa.ts'
import { isFault, type Fault, type Judged, type Subject, type Writer } from './writer.ts'

interface PremiseDraft { quotes: string[], fact: string, premise: string, question: string }
interface PremiseChoice extends PremiseDraft { options: string[], rationale: string }

const text = { type: 'string', minLength: 1, maxLength: 2000 }
const answerability = 'false-premise'

export function falsePremiseWriter (kind: 'qa' | 'vqa'): Writer {
  return descriptiveWriter(kind, {
    answerability,
    prompt: 'ask-false-premise.v1',
    draftProperties: { quotes: quotesSchema, fact: text, premise: text, question: text },
    judge: judgeDescription
  })
}

export const falsePremiseChoiceWriter = unansweredChoiceWriter({
  answerability,
  prompt: 'ask-false-premise-choice.v1',
  draftProperties: {
    quotes: quotesSchema,
    fact: text,
    premise: text,
    question: text,
    options: distractorsSchema,
    rationale: text
  },
  judge: judgeChoice
})

function judgeDescription (draft: PremiseDraft, subject: Subject): Judged {
  const { material: { language }, place, ask } = subject
  const found = contradicted(draft, subject)
  if (isFault(found)) return found
  const { question, evidence, checks, slices } = found
  const answer = `${notSaidIn(language)!.wrongPremise} ${draft.fact.trim()}`
  const style = answerChecks({ question, answer, evidence, language, charsMax: answerCharsMax[place.aspect] })
  return isFault(style)
    ? style
    : {
        items: [{
          question,
          answer,
          evidence,
          answerability,
          slices: { ...ask.slices, ...slices },
          checks: [...checks, ...style]
        }]
      }
}

function judgeChoice (draft: PremiseChoice, subject: Subject): Judged {
  const { material: { source, language, recipe }, ask } = subject
  const options = draft.options.map(option => option.trim())
  const fault = optionsFault(options, { language, right: false })
  if (fault !== undefined) return fault
  const found = contradicted(draft, subject)
  if (isFault(found)) return found
  const { question, evidence, checks, slices } = found
  return {
    items: [{
      question,
      ...placed(notSaidIn(language)!.notSaid, options, { seed: recipe.seed, question }),
      rationale: draft.rationale.trim(),
      evidence,
      answerability,
      slices: { ...ask.slices, ...slices, notSaidOption: 'yes', distractors: originOf(options, source) },
      checks
    }]
  }
}

interface Contradicted {
  question: string
  evidence: Evidence[]
  checks: Check[]
  slices: Record<string, string>
}

/** Of the premise's terms, so many must stand in the question: else it does not rest on it. */
const premiseTermsMin = 0.5

/** The premise is the paper's statement with one fact replaced: the quotes say the one, nothing the other. */
function contradicted (draft: PremiseDraft, subject: Subject): Contradicted | Fault {
  const { material, place, accepted } = subject
  const { source, document, language } = material
  const [question, fact, premise] = [draft.question.trim(), draft.fact.trim(), draft.premise.trim()]
  const fault = questionFault(question, language, accepted)
  if (fault !== undefined) return fault
  const found = grounded({ question, answer: fact, quotes: draft.quotes }, subject)
  if (isFault(found)) return found
  const { evidence, check } = found
  const contrast = contrastOf({ yes: fact, no: premise, evidence }, source, `${document.title} ${targetOf(document, place)}`)
  if (isFault(contrast)) return contrast
  const [{ from, to } = { from: '', to: '' }] = contrast.changes
  const terms = termsOf(premise)
  const asked = new Set(termsOf(question))
  const rests = standsIn(to, [question]) && !(contrast.changes.length === 1 && standsIn(from, [question])) &&
    terms.filter(term => asked.has(term)).length >= premiseTermsMin * terms.length
  if (!rests) return { reason: 'premise-not-in-question', detail: `The question has to take the premise for granted, with "${to}" and without "${from}".` }
  return {
    question,
    evidence,
    slices: { falseForm: falseFormOf(fact, contrast.changes) },
    checks: [
      check,
      ...contrast.checks.filter(({ name }) => name !== 'one-fact-apart'),
      { name: 'premise-contradicted', passed: true, detail: `The paper has "${from}" where the premise has "${to}".` }
    ]
  }
}
