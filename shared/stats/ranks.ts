/** Ranks from 1, least first, with the five usual ways of ranking equals. */

/**
 * - `average`: equals share the mean of the ranks they take up (mid-ranks)
 * - `min`, `max`: the least or greatest of those
 * - `dense`: like `min`, and the next value is one further
 * - `ordinal`: equals in the order given
 */
export type TieMethod = 'average' | 'min' | 'max' | 'dense' | 'ordinal'

/**
 * @param values  finite
 * @returns       in the order of the values
 */
export function ranksOf (values: readonly number[], ties: TieMethod = 'average'): number[] {
  const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]! || a - b)
  const ranks = new Array<number>(values.length)
  let dense = 0
  for (let start = 0; start < order.length;) {
    let end = start
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++
    dense++
    for (let i = start; i < end; i++) {
      ranks[order[i]!] = rankOf(ties, { start, end, dense, own: i })
    }
    start = end
  }
  return ranks
}

interface Place { start: number, end: number, dense: number, own: number }

function rankOf (ties: TieMethod, { start, end, dense, own }: Place): number {
  switch (ties) {
    case 'average': return (start + 1 + end) / 2
    case 'min': return start + 1
    case 'max': return end
    case 'dense': return dense
    case 'ordinal': return own + 1
  }
}

/** Sizes of the groups of equals, groups of one included. */
export function tieSizes (values: readonly number[]): number[] {
  const sizes = new Map<number, number>()
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1)
  return [...sizes.values()]
}
