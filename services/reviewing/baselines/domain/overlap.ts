/** How much of a reference an open answer has: overlap, no verdict of right or wrong. */
import { numbersIn } from '../../../../shared/text/facts.ts'
import { termsOf } from '../../../../shared/text/tokens.ts'

function counted (words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** F1 of the bags of terms (stop words left out), in [0, 1]; 0 where either has none. */
export function tokenF1 (answer: string, reference: string): number {
  const [a, b] = [termsOf(answer), termsOf(reference)]
  const other = counted(b)
  let shared = 0
  for (const [term, times] of counted(a)) shared += Math.min(times, other.get(term) ?? 0)
  return shared === 0 ? 0 : 2 * shared / (a.length + b.length)
}

/** Share of the reference's numbers that the answer has; null where it has none. */
export function numberRecall (answer: string, reference: string): number | null {
  const wanted = numbersIn(reference).map(({ value }) => value)
  if (wanted.length === 0) return null
  const given = new Set(numbersIn(answer).map(({ value }) => value))
  return wanted.filter(value => given.has(value)).length / wanted.length
}
