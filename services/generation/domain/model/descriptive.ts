/** Judging what all descriptive drafts have: an answer in prose, and quotes that it rests on. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import { valueFault } from '../../../../shared/text/claim-guard.ts'
import { paperLanguage } from '../../../../shared/text/language.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { aboutFault } from './about.ts'
import { answerChecks, answerCharsMax } from './answer-checks.ts'
import { groundSurely } from './sure-quotes.ts'
import type { Fault, Judged, Material, Subject } from './writer.ts'

export const quotesSchema = {
  type: 'array', minItems: 1, maxItems: 8, items: { type: 'string', minLength: 1, maxLength: 4000 }
}

interface Descriptive { question: string, answer: string, quotes: readonly string[] }

/** Quotes that are none are dropped, and said to be; a draft without any other is turned down. */
export function judgeDescriptive (
  { question, answer: written, quotes }: Descriptive, { place, material, ask }: Subject
): Judged {
  const answer = written.trim()
  const otherLanguage = paperLanguage(material.document) !== material.language
  const grounds = { question, answer, quotes, place: place.id, otherLanguage }
  const { evidence, faults } = groundSurely(material.evidence, grounds)
  const left = faults.map(({ quote, reason, detail }) => `“${startOf(quote, 80)}” (${reason}: ${detail})`)
  const [first] = faults
  if (evidence.length === 0) return { reason: `quote-${first?.reason ?? 'not-found'}`, detail: left.join(' ') }
  const checks = answerChecks({
    question, answer, evidence, language: material.language, charsMax: answerCharsMax[place.aspect]
  })
  if (!Array.isArray(checks)) return checks
  const elsewhere = place.aspect === 'section' ? aboutFault(evidence, place, material.document) : undefined
  if (elsewhere !== undefined) return elsewhere
  const values = otherLanguage ? valueCheck(answer, evidence, material) : []
  if (!Array.isArray(values)) return values
  const detail = left.length === 0
    ? 'Each quote is a slice of the paper.'
    : `Each quote is a slice of the paper; dropped: ${left.join(' ')}`
  return {
    items: [{
      question,
      answer,
      evidence,
      checks: [{ name: 'evidence-verbatim', passed: true, detail }, ...values, ...checks]
    }]
  }
}

/** A translation shares no word with its quotes, but it shares its numbers, units and names. */
function valueCheck (
  answer: string, evidence: readonly Evidence[], { document: { title } }: Material
): Check[] | Fault {
  const detail = valueFault(answer, evidence.map(({ quote }) => quote), title)
  return detail === undefined
    ? [{ name: 'values-quoted', passed: true, detail: 'In another language than the paper: its numbers, units and names stand in the quotes, which are of the place asked about. Nothing else of it was checked by code.' }]
    : { reason: 'value-not-quoted', detail }
}
