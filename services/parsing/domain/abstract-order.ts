/** An abstract is told in an order: what is hard, what was done, what came of it. */
import { highlightKinds, type HighlightKind } from './highlight-keywords.ts'

/** How plainly a sentence's words speak for each list; 0 where they do not. */
export type Evidence = Record<HighlightKind, number>

/** What a sentence's place alone says: where in the abstract (0 to 1) each list is most at home. */
const homes: Record<HighlightKind, number> = { problem: 0, solution: 0.4, results: 1 }
const placeWeight = 2
/** Results announced in a first sentence would move everything after them. */
const evidenceMax = 4

/**
 * The list that each sentence belongs to: of all ways to cut the sentences into problem, then
 * solution, then results (any may be empty), the one that their words and places fit best. The
 * earliest cuts win among equal ones. Quadratic in the number of sentences.
 */
export function orderAbstract (sentences: readonly Evidence[]): HighlightKind[] {
  const count = sentences.length
  // fits[k][i]: how well the first i sentences fit list k.
  const fits = highlightKinds.map(kind => sentences.reduce<number[]>((sums, evidence, i) => {
    const place = count === 1 ? homes[kind] : i / (count - 1)
    const fit = Math.min(evidenceMax, evidence[kind]) + placeWeight * (1 - Math.abs(place - homes[kind]))
    return [...sums, sums[i]! + fit]
  }, [0]))
  const [problem, solution, results] = fits as [number[], number[], number[]]
  let best = { fit: -Infinity, first: 0, second: 0 }
  for (let first = 0; first <= count; first++) {
    for (let second = first; second <= count; second++) {
      const fit = problem[first]! + solution[second]! - solution[first]! + results[count]! - results[second]!
      if (fit > best.fit + 1e-9) best = { fit, first, second }
    }
  }
  return sentences.map((_, i) => i < best.first ? 'problem' : i < best.second ? 'solution' : 'results')
}
