/** How sure a reply says it is: one line `Confidence: N`, N a whole number from 0 to 100, read strictly. */
import { withoutReasoning } from '../../../shared/answers/reasoning.ts'
import type { Confidence } from '../../../shared/contracts/run.ts'

/** Any line that sets out to state one, however it does it. */
const stating = /^[ \t*_#>`-]*confidence\b.*$/gimu
const asAsked = /^Confidence: (\d{1,3})[ \t]*$/u

/**
 * What the answer states, thinking and scratchpad left out. A reply that states two is not read: which
 * of them it stands by is not for us to say.
 */
export function readConfidence (reply: string): Confidence {
  const lines = statementsIn(reply)
  if (lines.length === 0) return { value: null, violation: 'missing' }
  if (lines.length > 1) return { value: null, violation: 'multiple' }
  const [, digits] = asAsked.exec(lines[0]!.text) ?? []
  if (digits === undefined) return { value: null, violation: 'malformed' }
  const value = Number(digits)
  return value <= 100 ? { value } : { value: null, violation: 'out-of-range' }
}

/**
 * The reply with a blank in place of each character of such lines: an answer is read around them, and
 * offsets in code points stay what they are.
 */
export function withoutConfidence (reply: string): string {
  const parts: string[] = []
  let done = 0
  for (const { text, from, to } of statementsIn(reply)) {
    parts.push(reply.slice(done, from), text.replaceAll(/[^\n]/gu, ' '))
    done = to
  }
  return [...parts, reply.slice(done)].join('')
}

/** UTF-16 offsets, half-open. */
function statementsIn (reply: string): Array<{ text: string, from: number, to: number }> {
  const stretches = withoutReasoning(reply) ?? []
  return stretches.flatMap(([start, end]) => [...reply.slice(start, end).matchAll(stating)]
    .map(({ 0: text, index }) => ({ text, from: start + index, to: start + index + text.length })))
}
