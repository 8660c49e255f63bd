import t from 'tap'
import { maxT } from '../max-t.ts'
import { wildBootstrap } from '../wild-bootstrap.ts'

function observed (values: readonly number[], cluster: readonly string[]) {
  return values.map((value, i) => ({ value, cluster: cluster[i]! }))
}

/** Of clusters' sums with all signs, in turn: what p each would have as the one seen, by its own t. */
function pOfAllSigns (sums: readonly number[], sizes: readonly number[]): number[] {
  const n = sizes.reduce((all, size) => all + size, 0)
  const squares = Array.from({ length: 2 ** sums.length }, (_, signs) => {
    const turned = sums.map((sum, g) => (signs >> g) % 2 === 0 ? sum : -sum)
    const mean = turned.reduce((all, sum) => all + sum, 0) / n
    return mean ** 2 / turned.reduce((all, sum, g) => all + (sum - sizes[g]! * mean) ** 2, 0)
  })
  return squares.map(seen => squares.filter(square => square >= seen * (1 - 1e-9)).length / squares.length)
}

t.test('the least p that can be reached', async t => {
  // Rows of items by paper; those of paper 1 and, but for rounding, of paper 3 add up to 0.
  const papers = [[0.4, 0.5], [1, -1], [0.3], [0.1, 0.2, -0.3], [0.9, 0.2, 0.1], [0.7]]
  const other = [[0.2, 0.1], [1, 0.5], [0.4], [0.3, 0.2, 0.1], [null, null, null], [0.6]]
  const cluster = papers.flatMap((own, paper) => own.map(() => String(paper)))
  const turned = <T extends number | null>(rows: T[][], signs: number) => rows.flatMap((own, paper) =>
    own.map(value => value === null || (signs >> paper) % 2 === 0 ? value : -value))
  const signs = Array.from({ length: 2 ** papers.length }, (_, at) => at)

  t.test('of a wild bootstrap does not count clusters that say nothing, and its interval is as before', async t => {
    const found = signs.map(at => {
      const each = wildBootstrap(observed(turned(papers, at), cluster))
      if (!('mean' in each)) throw new Error(each.reason)
      return each
    })
    const least = Math.min(...pOfAllSigns([0.9, 0, 0.3, 0, 1.2, 0.7], papers.map(own => own.length)))
    t.equal(least, 1 / 8)
    t.equal(Math.min(...found.map(each => each.pValue)), least)
    t.ok(found.every(each => each.smallestP === least))
    // Under means other than 0 all six papers move.
    t.ok(found[0]!.interval.low! < 0 && found[0]!.interval.high! > found[0]!.mean)
    const shifted = wildBootstrap(observed(turned(papers, 0), cluster), { hypothesis: 0.1 })
    t.match(shifted, { smallestP: 1 / 32 })
  })

  t.test('of max-T is each hypothesis\'s own, and the family\'s is the least of them', async t => {
    const sizes = [[2, 2, 1, 3, 3, 1], [2, 2, 1, 3, 0, 1]]
    const least = [
      Math.min(...pOfAllSigns([0.9, 0, 0.3, 0, 1.2, 0.7], sizes[0]!)),
      Math.min(...pOfAllSigns([0.3, 1.5, 0.4, 0.6, 0, 0.6], sizes[1]!))
    ]
    t.same(least, [1 / 8, 1 / 16])
    const reached = [1, 1]
    for (const at of signs) {
      const found = maxT([
        { name: 'a', values: turned(papers, at) }, { name: 'b', values: turned(other, at) }
      ], cluster)
      if ('reason' in found) return t.fail(found.reason)
      t.equal(found.smallestP, 1 / 16)
      for (const [i, test] of found.tests.entries()) {
        if ('reason' in test) continue
        t.equal(test.smallestP, least[i])
        t.ok(test.adjusted >= test.pValue && test.pValue >= test.smallestP)
        reached[i] = Math.min(reached[i]!, test.pValue)
      }
    }
    t.same(reached, least)
    t.match(maxT([{ name: 'none', values: cluster.map(() => null) }], cluster), { smallestP: null })
  })

  t.test('is not below what drawn signs can give, where few of many clusters move', async t => {
    const values = Array.from({ length: 20 }, (_, paper) => paper < 3 ? 1 + paper / 7 : 0)
    const cluster = values.map((_, paper) => String(paper))
    const found = wildBootstrap(observed(values, cluster), { replicates: 999 })
    t.ok('mean' in found && !found.exact && found.pValue === found.smallestP)
    t.ok('mean' in found && Math.abs(found.smallestP - 0.25) < 0.05)
  })
})
