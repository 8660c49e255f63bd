/**
 * What can be said where some answers are missing and nobody knows why: the score were all of them
 * wrong, and were all of them right. Whatever they would have been, it lies between.
 *
 * @see Manski 2003, Partial Identification of Probability Distributions
 */
import type { Range } from './proportions.ts'

/** Counts of items, whole, not negative. */
export interface Answered { right: number, wrong: number, missing: number }

export interface Bounds extends Range {
  n: number
  /** Of those that are not missing; null where all are. */
  answeredOnly: number | null
  /** high - low: the share that is missing. */
  width: number
}

/**
 * Of the share of right answers on these items; it says nothing yet of other items.
 *
 * @returns null for no items
 * @throws RangeError for what are no counts
 */
export function partialBounds ({ right, wrong, missing }: Answered): Bounds | null {
  const counts = [right, wrong, missing]
  if (!counts.every(count => Number.isInteger(count) && count >= 0)) {
    throw new RangeError(`Counts are whole and not negative, got ${counts.join(', ')}`)
  }
  const n = right + wrong + missing
  if (n === 0) return null
  const answered = right + wrong
  return {
    n,
    low: right / n,
    high: (right + missing) / n,
    answeredOnly: answered === 0 ? null : right / answered,
    width: missing / n
  }
}

/** What is known of two scores: the difference of two that are both within bounds. */
export function boundsOfDifference (first: Range, second: Range): Range {
  return { low: first.low - second.high, high: first.high - second.low }
}

export interface Order {
  /** Best and worst rank each may have, whatever the missing answers are; null for no items. */
  ranks: Array<{ best: number, worst: number } | null>
  /** Pairs whose bounds overlap, so that who is ahead is not known. */
  undecided: Array<[number, number]>
}

/** The ranking that bounds allow: a ranking may be given only if no pair is undecided. */
export function orderOfBounds (all: ReadonlyArray<Range | null>): Order {
  const undecided: Array<[number, number]> = []
  const ranks = all.map((own, i) => {
    if (own === null) return null
    let [best, worst] = [1, 1]
    for (const [j, other] of all.entries()) {
      if (other === null || i === j) continue
      if (other.low > own.high) best++
      if (other.high >= own.low && !isSame(own, other)) worst++
      const open = other.low <= own.high && own.low <= other.high
      if (j > i && open && !isSame(own, other)) undecided.push([i, j])
    }
    return { best, worst }
  })
  return { ranks, undecided }
}

/** Two that are known, and equal, share a rank. */
function isSame (a: Range, b: Range): boolean {
  return a.low === a.high && b.low === b.high && a.low === b.low
}
