import { readFileSync } from 'node:fs'
import t from 'tap'
import { clusterTest } from '../cluster-test.ts'
import { clusteredProportion } from '../clustered-proportion.ts'
import { drawsOf } from '../draws.ts'
import { maxT } from '../max-t.ts'
import { pairedDifference, replicateMeans, sumsByPaper } from '../paired-bootstrap.ts'
import { predictionPowered, type Judged } from '../prediction-powered.ts'
import { clopperPearsonInterval, wilsonInterval } from '../proportions.ts'
import { quantileOfSorted } from '../quantile.ts'
import { seededRandom } from '../../testing/random.ts'
import { movingClusters } from '../moving-clusters.ts'
import { rankConfidenceSets } from '../rank-confidence-sets.ts'
import { seededReplicates } from '../seeded-bootstrap.ts'
import { quantileBySelection } from '../select.ts'
import { signFlipTest } from '../sign-flip.ts'
import { wildBootstrap } from '../wild-bootstrap.ts'

/** Recorded from statsmodels, wildboottest, ppi-python, and enumerations written out in numpy. */
const reference = JSON.parse(readFileSync(new URL('study-reference.json', import.meta.url), 'utf8'))

function near (found: number | null, expected: number, within = 1e-9): boolean {
  return found !== null && Math.abs(found - expected) <= within
}

function observed (values: readonly number[], cluster: readonly number[]) {
  return values.map((value, i) => ({ value, cluster: String(cluster[i]) }))
}

t.test('the wild cluster bootstrap-t', async t => {
  t.test('gives the t of statsmodels and the p of all sign patterns', async t => {
    for (
      const { x, cluster, mean, se, t: statistic, p0, p_half: pHalf, wildboottest } of reference.wildBootstrap
    ) {
      const found = wildBootstrap(observed(x, cluster))
      if (!('mean' in found)) return t.fail(found.reason)
      t.ok(near(found.mean, mean))
      t.ok(near(found.error, se))
      t.ok(near(found.t, statistic))
      t.ok(near(found.pValue, p0))
      const half = wildBootstrap(observed(x, cluster), { hypothesis: 0.5 })
      t.ok(near('mean' in half ? half.pValue : NaN, pHalf))
      // It counts neither the pattern that was seen nor its mirror.
      t.ok(found.pValue - wildboottest < 2.01 / 2 ** found.clusters && found.pValue >= wildboottest)
    }
  })

  t.test('has as its interval the means that it does not reject', async t => {
    const { x, cluster } = reference.wildBootstrap[1]
    const found = wildBootstrap(observed(x, cluster))
    if (!('mean' in found)) return t.fail(found.reason)
    const { low, high } = found.interval as { low: number, high: number }
    t.ok(low < found.mean && found.mean < high)
    const p = (hypothesis: number) => {
      const at = wildBootstrap(observed(x, cluster), { hypothesis })
      return 'mean' in at ? at.pValue : NaN
    }
    t.ok(p(low - 1e-3) <= 0.05 && p(high + 1e-3) <= 0.05)
    t.ok(p(low + 1e-3) > 0.05 && p(high - 1e-3) > 0.05)
  })

  t.test('says that five clusters can reject nothing by signs, and does with Webb\'s weights', async t => {
    const five = observed([1, 1.1, 0.9, 1.2, 1.05], [0, 1, 2, 3, 4])
    t.match(wildBootstrap(five), { smallestP: 1 / 16, interval: { low: null, high: null }, reason: /Webb/ })
    const webb = wildBootstrap(five, { weights: 'webb', replicates: 999 })
    t.ok('mean' in webb && webb.pValue < 0.05 && webb.interval.low! > 0.5)
    t.same(wildBootstrap(five, { weights: 'webb', replicates: 999 }), webb)
  })

  t.test('is not defined for one cluster, nor for clusters that do not vary', async t => {
    t.match(wildBootstrap(observed([1, 0], [0, 0])), { reason: /One cluster/ })
    t.match(wildBootstrap(observed([1, 1, 1], [0, 1, 2])), { reason: /do not vary/ })
    t.throws(() => wildBootstrap(observed([NaN, 1], [0, 1])), RangeError)
  })
})

t.test('a proportion over papers', async t => {
  t.test('is Wilson\'s where items are independent, and far wider where those of a paper are alike', async t => {
    const items = Array.from({ length: 400 }, (_, i) => i)
    const alone = observed(items.map(i => i % 4 === 0 ? 0 : 1), items)
    const found = clusteredProportion(alone)
    const wilson = wilsonInterval({ successes: 300, trials: 400 })
    if ('reason' in found) return t.fail(found.reason)
    t.ok(near(found.interval.low, wilson.low, 1e-3) && near(found.interval.high, wilson.high, 1e-3))
    const alike = clusteredProportion(alone.map(({ value }, i) => ({ value, cluster: `${value} ${i % 10}` })))
    t.ok(!('reason' in alike) && alike.effectiveN < 20 && alike.interval.high - alike.interval.low > 0.3)
  })

  t.test('on the border is exact with the number of papers as n, and of one paper nothing', async t => {
    const found = clusteredProportion(observed([1, 1, 1, 1], [0, 0, 1, 2]))
    t.match(found, { effectiveN: 3, interval: clopperPearsonInterval({ successes: 3, trials: 3 }) })
    t.match(clusteredProportion(observed([1, 0], [0, 0])), { reason: /One cluster/ })
    t.throws(() => clusteredProportion(observed([2], [0])), RangeError)
  })
})

t.test('max-T', async t => {
  const { differences, cluster, t: statistics, p, adjusted } = reference.maxT
  const hypotheses = differences.map((values: number[], i: number) => ({ name: String(i), values }))
  const names = cluster.map(String)

  t.test('steps down over all sign patterns as written out in numpy', async t => {
    const found = maxT(hypotheses, names)
    if ('reason' in found) return t.fail(found.reason)
    t.same(found.family, ['0', '1', '2', '3'])
    for (const [i, test] of found.tests.entries()) {
      if ('reason' in test) return t.fail(test.reason)
      t.ok(near(test.t, statistics[i]))
      t.ok(near(test.pValue, p[i]))
      t.ok(near(test.adjusted, adjusted[i]))
    }
  })

  t.test('leaves out of the family what cannot be tested, and says so', async t => {
    const none = { name: 'none', values: cluster.map(() => null) }
    const equal = { name: 'equal', values: cluster.map(() => 1) }
    const found = maxT([hypotheses[0], none, equal], names)
    if ('reason' in found) return t.fail(found.reason)
    t.same(found.family, ['0'])
    t.match(found.tests, [{ name: '0' }, { reason: /No item/ }, { reason: /do not vary/ }])
    t.match(maxT(hypotheses, names.map(() => 'one')), { reason: /One cluster/ })
  })
})

/** Models with true differences of `gap` over papers that suit some of them better than others. */
function simulatedScores (
  seed: number, { models, papers, gap }: { models: number, papers: number, gap: number }
) {
  const draws = drawsOf(seed)
  const scores = Array.from({ length: models }, () => new Array<number>())
  const paper: string[] = []
  for (let p = 0; p < papers; p++) {
    const own = scores.map((_, model) => -gap * model + 0.3 * draws.normal())
    for (let item = 0; item < 5 + draws.below(11); item++) {
      paper.push(`p${p}`)
      const all = draws.normal()
      for (const [model, row] of scores.entries()) row.push(own[model]! + all + draws.normal())
    }
  }
  return { scores, paper }
}

t.test('rank confidence sets', async t => {
  t.test('hold all true ranks of equal models at once about 95 % of the time', async t => {
    let held = 0
    for (let seed = 0; seed < 150; seed++) {
      const { scores, paper } = simulatedScores(seed, { models: 5, papers: 12, gap: 0 })
      const found = rankConfidenceSets(scores, paper, { replicates: 300, seed })
      if ('reason' in found) return t.fail(found.reason)
      if (found.sets.every(({ simultaneous }) => simultaneous.best === 1 && simultaneous.worst === 5)) held++
    }
    t.ok(held >= 135 && held <= 149, `${held} of 150`)
  })

  t.test('tell clear orders, the marginal ones not wider than the simultaneous ones', async t => {
    const { scores, paper } = simulatedScores(3, { models: 4, papers: 30, gap: 1 })
    const found = rankConfidenceSets(scores, paper)
    if ('reason' in found) return t.fail(found.reason)
    t.same(found.sets.map(({ simultaneous }) => simultaneous),
      [1, 2, 3, 4].map(rank => ({ best: rank, worst: rank })))
    const { scores: close, paper: same } = simulatedScores(4, { models: 6, papers: 30, gap: 0.15 })
    const sets = rankConfidenceSets(close, same)
    if ('reason' in sets) return t.fail(sets.reason)
    for (const { marginal, simultaneous } of sets.sets) {
      t.ok(marginal.best >= simultaneous.best && marginal.worst <= simultaneous.worst)
    }
  })

  t.test('claim nothing that the exact sign-flip over clusters that differ does not', async t => {
    const alone = Array.from({ length: 9 }, (_, item) => String(item))
    const found = rankConfidenceSets([[1, 1, 1, 1, 0, 0, 0, 0, 0], alone.map(() => 0)], alone)
    if ('reason' in found) return t.fail(found.reason)
    const open = { best: 1, worst: 2 }
    t.match(found.sets, [0, 1].map(() => ({ marginal: open, simultaneous: open })))
    t.equal(found.fewMoving, 1)
  })

  t.test('count signs as the exact test does, and with no common unit a little above it', async t => {
    const { next: random } = seededRandom(8)
    for (const [unit, count] of [[1, 12], [1 / 3, 9], [null, 11]] as const) {
      const sums = Array.from({ length: count }, () =>
        unit === null ? random() - 0.3 : unit * (Math.floor(6 * random()) - 2))
      const exact = signFlipTest([...sums, 0, 0]).twoSided
      const { p, moving } = movingClusters([...sums, 0, 0])
      t.equal(moving, sums.filter(sum => sum !== 0).length)
      t.ok(unit === null ? p >= exact && p < exact + 0.01 : near(p, exact), `${p} for ${exact}`)
    }
    t.same(movingClusters([0, 0]), { moving: 0, smallestP: 1, p: 1 })
    t.match(movingClusters(Array.from({ length: 41 }, () => 1)), { moving: 41, p: 0 })
  })

  t.test('leave open what no item compares, and do not exist for one model or one paper', async t => {
    const apart = rankConfidenceSets([[1, 0, null, null], [null, null, 1, 0]], ['a', 'b', 'c', 'd'])
    t.match(
      apart, {
        undecided: 1,
        sets: [{ simultaneous: { best: 1, worst: 2 } }, { simultaneous: { best: 1, worst: 2 } }]
      }
    )
    t.match(rankConfidenceSets([[1, 0]], ['a', 'b']), { reason: /One model/ })
    t.match(rankConfidenceSets([[1, 0], [0, 1]], ['a', 'a']), { reason: /One cluster/ })
  })
})

t.test('prediction-powered means', async t => {
  t.test('of independent answers are those of ppi-python', async t => {
    for (const { y, f, g, mean, ci, plain } of reference.ppi) {
      const answers: Judged[] = [
        ...y.map((human: number, i: number) => ({ human, judge: f[i], cluster: `l${i}` })),
        ...g.map((judge: number, i: number) => ({ human: null, judge, cluster: `u${i}` }))
      ]
      const tuned = predictionPowered(answers, { error: 'independent' })
      const one = predictionPowered(answers, { error: 'independent', lambda: 1 })
      if ('reason' in tuned || 'reason' in one) return t.fail('there is an estimate')
      t.ok(near(tuned.mean, mean))
      t.ok(near(tuned.interval.low, ci[0]))
      t.ok(near(tuned.interval.high, ci[1]))
      t.ok(near(one.interval.low, plain[0]))
      t.ok(near(one.interval.high, plain[1]))
    }
  })

  t.test('do not exist for labels of one paper, for equal labels or where all are labelled', async t => {
    const of = (rows: Array<[number | null, string]>) =>
      predictionPowered(rows.map(([human, cluster], i) => ({ human, cluster, judge: i % 5 })))
    t.match(of([[1, 'a'], [2, 'a'], [null, 'b'], [null, 'c']]), { reason: /one paper/ })
    t.match(of([[3, 'a'], [3, 'b'], [3, 'c'], [3, 'd'], [null, 'c'], [null, 'd']]), { reason: /do not vary/ })
    t.match(of([[3, 'a'], [2, 'b']]), { reason: /No answer is without/ })
    t.match(of([[3, 'a'], [null, 'b']]), { reason: /Fewer than two/ })
    t.throws(() => of([[NaN, 'a']]), RangeError)
  })
})

t.test('seeded draws', async t => {
  t.test('are the same for the same seed, uniform and normal', async t => {
    const [one, same, other] = [drawsOf(42), drawsOf(42), drawsOf(43)]
    const list = Array.from({ length: 20_000 }, one.next)
    t.same(list.slice(0, 100), Array.from({ length: 100 }, same.next))
    t.not(list[0], other.next())
    // Pinned: published numbers depend on them.
    t.same(
      Array.from(
        { length: 4 }, () => drawsOf(42).below(1_000)
      ), new Array(4).fill(Math.floor(list[0]! * 1_000))
    )
    t.ok(near(list.reduce((sum, value) => sum + value, 0) / list.length, 0.5, 0.01))
    const normals = Array.from({ length: 20_000 }, other.normal)
    t.ok(near(normals.reduce((sum, value) => sum + value * value, 0) / normals.length, 1, 0.05))
    t.ok(near(normals.filter(value => Math.abs(value) < 1.96).length / normals.length, 0.95, 0.01))
  })

  t.test('make the percentile interval that K-MetBench prints for 62 of 82, to within an item', async t => {
    const units = Array.from({ length: 82 }, (_, i) => [i < 62 ? 1 : 0])
    const { sorted } = seededReplicates(units, 'mean', { replicates: 1_000, draws: drawsOf(42) })
    t.ok(near(sorted[25]!, 54 / 82, 1.01 / 82))
    t.ok(near(sorted[974]!, 69 / 82, 1.01 / 82))
  })

  t.test('resample the same papers for all models', async t => {
    const paper = ['a', 'a', 'b', 'c', 'c', 'd']
    const sums = sumsByPaper([[1, 0, 1, 1, 0, 0], [2, 1, 2, 2, 1, 1]], paper)
    const [first, second] = replicateMeans(sums, 200, drawsOf(1))
    t.ok(first!.every((value, b) => Math.abs(second![b]! - value - 1) < 1e-12))
    const found = pairedDifference(second!, first!, { difference: 1 })
    t.ok(near(found.low, 1))
    t.ok(near(found.high, 1))
    t.ok(near(found.pValue, 2 / 201))
  })
  t.test('give the quantiles of sorting, without sorting', async t => {
    const draws = drawsOf(9)
    for (const kinds of [1, 3, 1_000]) {
      const values = Float64Array.from({ length: 501 }, () => draws.below(kinds) / 7)
      const sorted = values.slice().sort()
      for (const share of [0, 0.025, 0.5, 0.9751, 1]) {
        t.equal(quantileBySelection(values, share), quantileOfSorted(sorted, share))
      }
    }
    t.throws(() => quantileBySelection(new Float64Array(0), 0.5), RangeError)
  })
})

t.test('where all clusters say the same the sign-flip test is exact however many there are', t => {
  const alike = (count: number, value: number) => Array.from({ length: count }, (_, at) => ({ value, cluster: `c${at}` }))
  for (const count of [5, 24, 25, 40]) t.match(clusterTest(alike(count, 1)), { kind: 'sign-flip', pValue: 2 ** (1 - count), clusters: count })
  t.match(clusterTest(alike(40, 0)), { kind: 'none', pValue: 1 })
  t.end()
})

t.test('Wilson\'s interval holds the share itself, to the last digit', async t => {
  for (let trials = 1; trials <= 300; trials++) {
    const [none, all] = [0, trials].map(successes => wilsonInterval({ successes, trials }))
    if (none!.low > 0 || all!.high < 1) t.fail(`${trials} trials: ${none!.low}, ${all!.high}`)
  }
  t.pass()
})
