/** Numbers with the unit that a later one says for all: "from 0.31 to 0.33 V", "1.4 and 10.7%". */
import { numbersIn, type Fact } from '../../../shared/text/facts.ts'

export function measuredIn (text: string): Fact[] {
  const facts = numbersIn(text)
  for (let i = facts.length - 2; i >= 0; i--) {
    const [fact, next] = [facts[i], facts[i + 1]]
    if (fact?.unit !== '' || next?.unit === undefined || next.unit === '') continue
    if (!/^(?: to | and |, and |, | or )$/u.test(text.slice(fact.end, next.start))) continue
    facts[i] = { ...fact, unit: next.unit, kind: next.kind }
  }
  return facts
}
