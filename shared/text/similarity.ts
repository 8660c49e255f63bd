/** Whether two texts say the same in nearly the same words. */
import { criticalTokens } from './facts.ts'
import { singular, wordsOf } from './tokens.ts'

/** What of a text is compared; made once where a text is compared with many. */
export interface Print { shingles: ReadonlySet<string>, polarity: string }

export function printOf (text: string): Print {
  return { shingles: shinglesOf(text), polarity: polarityOf(text) }
}

/** Share of word pairs both have among those either has (Jaccard), in [0, 1]; 1 for two equal texts. */
export function overlapOf (a: string, b: string): number {
  return sharedOf(shinglesOf(a), shinglesOf(b))
}

/**
 * Near-duplicates share at least `threshold` of their word pairs *and* claim the same: texts that
 * differ in a number, a negation or a direction (highest, lowest) are never duplicates.
 */
export function nearDuplicates (a: string, b: string, threshold = 0.7): boolean {
  return overlapOf(a, b) >= threshold && samePolarity(a, b)
}

/** As `nearDuplicates`, of texts whose prints are there. */
export function nearDuplicatePrints (a: Print, b: Print, threshold = 0.7): boolean {
  const [fewer, more] = [a.shingles.size, b.shingles.size].sort((x, y) => x - y) as [number, number]
  // The smaller can be no more than contained in the larger.
  if (fewer < threshold * more || a.polarity !== b.polarity) return false
  return sharedOf(a.shingles, b.shingles) >= threshold
}

/** Numbers, negations, directions and comparisons agree; names may differ in form. */
export function samePolarity (a: string, b: string): boolean {
  return polarityOf(a) === polarityOf(b)
}

function polarityOf (text: string): string {
  const { numbers, others } = criticalTokens(text)
  return [...numbers, ...others.filter(claim => !claim.startsWith('entity'))].join('|')
}

function sharedOf (one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1
  let common = 0
  for (const shingle of one) if (other.has(shingle)) common++
  return common / (one.size + other.size - common)
}

/** Pairs of neighbouring words; of one word, that word. */
function shinglesOf (text: string): Set<string> {
  const words = wordsOf(text).map(({ text }) => singular(text.normalize('NFKC').toLowerCase()))
  if (words.length < 2) return new Set(words)
  return new Set(words.slice(1).map((word, i) => `${words[i]} ${word}`))
}
