/** The quotes of a draft that is no descriptive answer: found, about the place, and to the point. */
import type { Check, Evidence } from '../../../../shared/contracts/item.ts'
import { startOf } from '../../../../shared/text/start-of.ts'
import { evidenceNear } from '../near-figure.ts'
import { aboutFault } from './about.ts'
import { groundSurely } from './sure-quotes.ts'
import type { Fault, Subject } from './writer.ts'

const notNear: Fault = {
  reason: 'not-about-the-figure',
  detail: 'No quote is of the caption, of a sentence that names the figure, or of the one before or after it.'
}

interface Grounds { question: string, answer: string, quotes: readonly string[] }

/** Quotes that are none are dropped, and said to be; a draft without any other is turned down. */
export function grounded (
  grounds: Grounds, { material, place }: Subject
): { evidence: Evidence[], check: Check } | Fault {
  const { evidence: found, faults } = groundSurely(material.evidence, { ...grounds, place: place.id })
  const left = faults.map(({ quote, reason, detail }) => `“${startOf(quote, 80)}” (${reason}: ${detail})`)
  if (found.length === 0) {
    return { reason: `quote-${faults[0]?.reason ?? 'not-found'}`, detail: left.join(' ') }
  }
  const figure = material.document.figures.find(({ id }) => place.aspect === 'figure' && id === place.id)
  // What is said of a figure must follow from what is about it; other quotes carry nothing.
  const evidence = figure === undefined ? found : evidenceNear(figure, found, material.source)
  if (evidence.length === 0) return notNear
  const detail = left.length === 0
    ? 'Each quote is a slice of the paper, and among the best for question and answer.'
    : `Each quote is a slice of the paper, and among the best for question and answer; dropped: ${left.join(' ')}`
  return aboutFault(evidence, place, material.document) ??
    { evidence, check: { name: 'evidence-verbatim', passed: true, detail } }
}
