/** Quotes of drafts, looked for in the paper; none whose number the paper's text has lost. */
import type { Evidence } from '../../../../shared/contracts/item.ts'
import { groundEvidence, type EvidenceSource, type Grounds } from '../../../../shared/text/evidence.ts'
import { lostExponent } from '../../../../shared/text/powers.ts'

interface QuoteFault { reason: string, detail: string, quote: string }

/** As `groundEvidence`; slices with a power of ten that lost its exponent's place are faults too. */
export function groundSurely (
  source: EvidenceSource, grounds: Grounds
): { evidence: Evidence[], faults: QuoteFault[] } {
  const { evidence, faults } = groundEvidence(source, grounds)
  const unsure = evidence.flatMap(({ quote }) => {
    const detail = exponentFault(quote)
    return detail === undefined ? [] : [{ reason: 'exponent-uncertain', detail, quote }]
  })
  return {
    evidence: evidence.filter(({ quote }) => lostExponent(quote) === undefined),
    faults: [...faults, ...unsure]
  }
}

/** Why a text's number cannot be trusted: 10⁴ that stands as 104. */
export function exponentFault (text: string): string | undefined {
  const lost = lostExponent(text)
  return lost === undefined ? undefined : `"${lost}" is probably a power of ten whose exponent lost its place; rest on other words.`
}
