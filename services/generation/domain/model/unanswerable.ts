/** Questions that fit the paper and that it does not answer; the reference says so. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import { claimFault, withoutMentions } from '../../../../shared/text/claim-guard.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { termsOf, wordsOf } from '../../../../shared/text/tokens.ts'
import type { SourceText } from '../source-text.ts'
import { answerChecks, answerCharsMax } from './answer-checks.ts'
import { distractorsSchema, originOf, placed } from './choice.ts'
import { quotesSchema } from './descriptive.ts'
import { grounded } from './grounded.ts'
import { notSaidIn } from './not-said.ts'
import { optionsFault } from './option-checks.ts'
import { descriptiveWriter, unansweredChoiceWriter } from './unanswered.ts'
import { questionFault } from './vqa.ts'
import { isFault, type Fault, type Judged, type Subject, type Writer } from './writer.ts'

interface UnanswerableDraft { quotes: string[], said: string, question: string, missing: string }
interface UnanswerableChoice extends Omit<UnanswerableDraft, 'said'> { options: string[], rationale: string }

const text = { type: 'string', minLength: 1, maxLength: 2000 }
const answerability = 'unanswerable'

export function unanswerableWriter (kind: 'qa' | 'vqa'): Writer {
  return descriptiveWriter(kind, {
    answerability,
    prompt: 'ask-unanswerable.v1',
    draftProperties: { quotes: quotesSchema, said: text, question: text, missing: text },
    judge: judgeDescription
  })
}

export const unanswerableChoiceWriter = unansweredChoiceWriter({
  answerability,
  prompt: 'ask-unanswerable-choice.v1',
  draftProperties: {
    quotes: quotesSchema, question: text, missing: text, options: distractorsSchema, rationale: text
  },
  judge: judgeChoice
})

function judgeDescription (draft: UnanswerableDraft, subject: Subject): Judged {
  const { material, place, ask } = subject
  const { document, language } = material
  const found = unanswered(draft, subject)
  if (isFault(found)) return found
  const { question, evidence, checks } = found
  const quotes = evidence.map(({ quote }) => quote)
  const loose = claimFault(draft.said, quotes, `${document.title} ${question}`)
  if (loose !== undefined) return { reason: 'not-in-evidence', detail: `What the paper does say: ${loose}` }
  const answer = `${notSaidIn(language)!.notSaid} ${draft.said.trim()}`
  const style = answerChecks({ question, answer, evidence, language, charsMax: answerCharsMax[place.aspect] })
  return isFault(style)
    ? style
    : {
        items: [{
          question, answer, evidence, answerability, slices: { ...ask.slices }, checks: [...checks, ...style]
        }]
      }
}

function judgeChoice (draft: UnanswerableChoice, subject: Subject): Judged {
  const { material: { source, language, recipe }, ask } = subject
  const options = draft.options.map(option => option.trim())
  const fault = optionsFault(options, { language, right: false })
  if (fault !== undefined) return fault
  const found = unanswered(draft, subject)
  if (isFault(found)) return found
  const { question, evidence, checks } = found
  return {
    items: [{
      question,
      ...placed(notSaidIn(language)!.notSaid, options, { seed: recipe.seed, question }),
      rationale: draft.rationale.trim(),
      evidence,
      answerability,
      slices: { ...ask.slices, notSaidOption: 'yes', distractors: originOf(options, source) },
      checks
    }]
  }
}

interface Unanswered { question: string, evidence: Evidence[], checks: Check[] }

function unanswered (draft: Pick<UnanswerableDraft, 'quotes' | 'question' | 'missing'>, subject: Subject): Unanswered | Fault {
  const { material: { source, language }, accepted } = subject
  const question = draft.question.trim()
  const fault = questionFault(question, language, accepted) ??
    answeredFault({ question, missing: draft.missing }, source)
  if (fault !== undefined) return fault
  const found = grounded({ question, answer: '', quotes: draft.quotes }, subject)
  if (isFault(found)) return found
  return {
    question,
    evidence: found.evidence,
    checks: [
      { ...found.check, detail: `${found.check.detail} It is where the answer would stand.` },
      { name: 'not-answered', passed: true, detail: `No passage or table row of the paper holds "${draft.missing}", and none covers the question.` }
    ]
  }
}

const missingWordsMax = 6
/** Share of the question's terms, weighted by rarity, that its nearest passage has at least. */
const coverageMin = 0.2
/** So much, and the passage may answer it. */
const coverageMax = 0.9

/** What is asked for must be named in the question, and stand nowhere in the paper: no passage, no row. */
export function answeredFault (
  { question, missing }: { question: string, missing: string }, source: SourceText
): Fault | undefined {
  const wanted = [...new Set(termsOf(missing))]
  const asked = [...new Set(termsOf(withoutMentions(question)))]
  const named = wanted.length > 0 && wanted.every(term => asked.includes(term))
  if (!named || wordsOf(missing).length > missingWordsMax) {
    return { reason: 'missing-not-named', detail: `"missing" names, in one to ${missingWordsMax} words of the question, what the paper does not give.` }
  }
  const texts = [...source.passages.map(({ text }) => text), ...source.rows.map(({ text }) => text)]
  const termSets = texts.map(text => new Set(termsOf(text)))
  const held = termSets.findIndex(terms => wanted.every(term => terms.has(term)))
  if (held >= 0) return { reason: 'answered', detail: `The paper has "${missing}": "${startOf(texts[held]!, 160)}".` }
  const total = asked.reduce((sum, term) => sum + source.idf(term), 0)
  const weightIn = (terms: ReadonlySet<string>) =>
    asked.reduce((sum, term) => sum + (terms.has(term) ? source.idf(term) : 0), 0)
  const coverage = termSets.reduce((most, terms) => Math.max(most, weightIn(terms) / total), 0)
  if (coverage > coverageMax) return { reason: 'answered', detail: 'One passage has nearly all that is asked.' }
  return coverage < coverageMin
    ? { reason: 'off-topic', detail: 'The question shares nearly nothing with the paper; it should fit it.' }
    : undefined
}
