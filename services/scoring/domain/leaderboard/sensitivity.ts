/** How little would have to change for the first two of a leaderboard to change places. */
import type { Sensitivity } from '../../../../shared/contracts/leaderboard.ts'

export interface FirstTwo {
  first: { name: string, values: readonly number[] }
  second: { name: string, values: readonly number[] }
  /** Of the common items, as long as the values. */
  itemIds: readonly string[]
  clusters: readonly string[]
}

const itemsShownMax = 100
/** Sums of the same numbers in another order. */
const near = 1e-9

/**
 * Over the same items the order of two means is that of their sums: leaving out the items on which the
 * first gains most, one after the other, is the fewest there can be.
 *
 * @see Broderick, Giordano & Meager 2020, arXiv:2011.14999 (the question, which needs no approximation here)
 */
export function sensitivityOf ({ first, second, itemIds, clusters }: FirstTwo): Sensitivity {
  const differences = first.values.map((value, at) => value - second.values[at]!)
  const lead = differences.reduce((sum, value) => sum + value, 0)
  const order = differences.map((_, at) => at).filter(at => differences[at]! > 0)
    .sort((a, b) => differences[b]! - differences[a]! || a - b)
  const until = (reached: (left: number) => boolean) => {
    let left = lead
    for (let count = 0; count <= order.length; count++) {
      if (reached(left)) return count
      left -= differences[order[count]!] ?? 0
    }
    return null
  }
  const itemsToFlip = until(left => left < -near)
  const byPaper = new Map<string, number>()
  for (
    const [at, value] of differences.entries()
  ) byPaper.set(clusters[at]!, (byPaper.get(clusters[at]!) ?? 0) + value)
  return {
    first: first.name,
    second: second.name,
    n: differences.length,
    itemsToTie: until(left => left <= near),
    itemsToFlip,
    items: order.slice(0, Math.min(itemsToFlip ?? 0, itemsShownMax)).map(at => itemIds[at]!),
    papers: byPaper.size,
    papersThatFlip: byPaper.size < 2
      ? []
      : [...byPaper].filter(([, sum]) => lead - sum <= near).map(([paper]) => paper).sort()
  }
}
