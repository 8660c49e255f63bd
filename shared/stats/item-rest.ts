/** The classical look at an item: do models that are good at the others get it right? */

/**
 * Point-biserial correlation of each item with the mean of the model's other items.
 *
 * @param responses  rows are models, columns items; null where there is no answer
 * @returns          null where an item or the rest does not vary, or fewer than three models answered
 */
export function itemRestCorrelations (
  responses: ReadonlyArray<ReadonlyArray<0 | 1 | null>>
): Array<number | null> {
  const sums = responses.map(row => row.reduce<number>((sum, answer) => sum + (answer ?? 0), 0))
  const counts = responses.map(row => row.filter(answer => answer !== null).length)
  return (responses[0] ?? []).map((_, i) => {
    const pairs = responses.flatMap((row, j) => {
      const answer = row[i]
      if (answer === null || answer === undefined || counts[j]! < 2) return []
      return [[answer, (sums[j]! - answer) / (counts[j]! - 1)] as const]
    })
    return pairs.length < 3 ? null : correlationOf(pairs)
  })
}

function correlationOf (pairs: ReadonlyArray<readonly [number, number]>): number | null {
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length
  const [x, y] = [mean(0), mean(1)]
  let [xx, yy, xy] = [0, 0, 0]
  for (const [a, b] of pairs) {
    xx += (a - x) ** 2
    yy += (b - y) ** 2
    xy += (a - x) * (b - y)
  }
  return xx > 0 && yy > 1e-24 ? xy / Math.sqrt(xx * yy) : null
}
