/** Judging what all descriptive drafts have: an answer in prose, and quotes that it rests on. */
import { answerChecks, answerCharsMax } from './answer-checks.ts'
import { ground } from './ground.ts'
import type { Judged, Subject } from './writer.ts'

export const quotesSchema = {
  type: 'array', minItems: 1, maxItems: 8, items: { type: 'string', minLength: 1, maxLength: 2000 }
}

interface Descriptive { question: string, answer: string, quotes: readonly string[] }

/** Quotes that the paper does not have are dropped; a draft without any other is none. */
export function judgeDescriptive (
  { question, answer: written, quotes }: Descriptive, { place, material, ask }: Subject
): Judged {
  const answer = written.trim()
  const { evidence, faults } = ground(material.source, quotes)
  if (evidence.length === 0) return { reason: 'quote-not-found', detail: faults.join(' ') }
  const checks = answerChecks({
    question, answer, evidence, language: material.language, charsMax: answerCharsMax[place.aspect]
  })
  if (!Array.isArray(checks)) return checks
  const verbatim = faults.length === 0
    ? 'Each quote is a slice of the paper.'
    : `Each quote is a slice of the paper; left out: ${faults.join(' ')}`
  return {
    items: [{
      question,
      answer,
      evidence,
      slices: { ...ask.slices },
      checks: [{ name: 'evidence-verbatim', passed: true, detail: verbatim }, ...checks]
    }]
  }
}

