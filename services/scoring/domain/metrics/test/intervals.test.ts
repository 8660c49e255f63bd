import t from 'tap'
import { matthews } from '../../../../../shared/stats/mcc.ts'
import { intervalOfMean, type ItemValue } from '../interval-of-mean.ts'
import { intervalOfStatistic } from '../interval-of-statistic.ts'

/** Items by paper: [[1, 0], [1]] is two papers. */
function items (...papers: number[][]): ItemValue[] {
  return papers.flatMap((values, i) => values.map(value => ({ value, cluster: `paper ${i}` })))
}
const proportion = { proportion: true }
const near = (a: number, b: number) => Math.abs(a - b) < 1e-9

t.test('the interval of a mean over papers', async t => {
  t.test('is t with P - 1 degrees of freedom on CR2', async t => {
    const { value, n, clusters, interval } = intervalOfMean(
      items([1, 1, 0], [0], [1, 0], [1, 1], [0, 1, 1, 1]), proportion)
    t.same({ n, clusters }, { n: 12, clusters: 5 })
    t.ok(near(value!, 2 / 3))
    // Residual sums 0, -2/3, -1/3, 2/3, 1/3; 1 - n_c/n = 3/4, 11/12, 5/6, 5/6, 2/3.
    const variance = (4 / 9 / (11 / 12) + 1 / 9 / (5 / 6) + 4 / 9 / (5 / 6) + 1 / 9 / (2 / 3)) / 144
    t.ok(near(interval!.high, Math.min(1, 2 / 3 + 2.7764451051977987 * Math.sqrt(variance))))
    t.ok(near(interval!.low, 2 / 3 - 2.7764451051977987 * Math.sqrt(variance)))
    t.match(interval, { method: 't, 4 df, CR2', note: '', level: 0.95 })
  })

  t.test('says below five papers that it is conditional on them', async t => {
    const { interval } = intervalOfMean(items([1, 0], [1], [0, 1], [0]), proportion)
    t.equal(interval!.note, 'conditional on these papers')
  })

  t.test('is exact with the papers as n where all is right, or all wrong', async t => {
    const right = intervalOfMean(items([1, 1, 1], [1], [1], [1, 1], [1]), proportion).interval!
    t.ok(near(right.low, 0.025 ** (1 / 5)))
    t.equal(right.high, 1)
    t.match(right, { method: 'Clopper-Pearson, n = 5 papers', note: /number of papers as n/ })
    const wrong = intervalOfMean(items([0, 0], [0]), proportion).interval!
    t.equal(wrong.low, 0)
    t.ok(near(wrong.high, 1 - Math.sqrt(0.025)))
    t.match(wrong.note, 'conditional on these papers')
  })

  t.test('is exact too where each paper has the same share, as of a constant answer', async t => {
    const papers = items([1, 0], [0, 1, 1, 0], [1, 0], [1, 0])
    const { value, interval } = intervalOfMean(papers, proportion)
    t.equal(value, 0.5)
    t.match(interval!.method, 'Clopper-Pearson, n = 4 papers')
    // Beta(2, 3) at .025.
    t.ok(near(interval!.low, 0.06758598648854294))
    const thirds = intervalOfMean(items([1, 0, 0], [0, 1, 0], [1, 0, 0]), proportion)
    t.match(thirds.interval!.method, 'Clopper-Pearson, n = 3 papers')
  })

  t.test('of one paper is over its items, says so, and counts a pair once', async t => {
    const pairs = items([1, 1, 1, 1, 0, 0]).map((item, i) => ({ ...item, pairId: `${i >> 1}` }))
    const counted = intervalOfMean(pairs, proportion)
    t.match(counted.interval, { method: 'Wilson, n = 3 independent items', note: /one paper/ })
    t.equal(counted.n, 6)
    const single = intervalOfMean(items([1, 1, 1, 1, 0, 0]), proportion)
    t.match(single.interval!.method, 'Wilson, n = 6')
    const width = ({ low, high }: { low: number, high: number }) => high - low
    t.ok(width(counted.interval!) > width(single.interval!))
  })

  t.test('of values that are no proportion may leave 0 to 1, and is null where nothing varies', async t => {
    const wide = intervalOfMean(items([0.1, 0.9], [0.05]), { proportion: false })
    t.ok(wide.interval!.low < 0)
    const flat = intervalOfMean(items([0.3], [0.3]), { proportion: false })
    t.match(flat, { value: 0.3, interval: null, reason: /do not vary over papers/ })
    t.match(intervalOfMean(items([0.3, 0.3]), { proportion: false }).reason, 'over items')
    t.match(intervalOfMean(items([0.3]), { proportion: false }).reason, 'one independent item')
    const one = intervalOfMean(items([1, 2, 3]), { proportion: false })
    t.ok(near(one.interval!.high, 2 + 4.302652729749464 / Math.sqrt(3)))
  })

  t.test('of values that are all at a limit of theirs is no point and not missing', async t => {
    const kind = (low: number, high: number) => ({ proportion: false, range: [low, high] as const })
    const none = intervalOfMean(items([0, 0], [0], [0]), kind(0, 100))
    t.match(none.interval, { low: 0, method: 'Clopper-Pearson, n = 3 papers', note: /conditional/ })
    t.ok(near(none.interval!.high, 100 * (1 - 0.025 ** (1 / 3))))
    const gap = intervalOfMean(items([-1], [-1]), kind(-1, 1)).interval!
    t.ok(gap.low === -1 && near(gap.high, -1 + 2 * (1 - Math.sqrt(0.025))))
    const one = intervalOfMean(items([1, 1]), kind(0, 1)).interval!
    t.match(one, { high: 1, method: 'Clopper-Pearson, n = 2 independent items', note: /one paper/ })
    t.equal(intervalOfMean(items([0.3], [0.3]), kind(0, 1)).interval, null, 'between its limits nothing is exact')
    t.equal(intervalOfMean(items([0], [0]), kind(0, Infinity)).interval, null, 'nor without a limit')
  })

  t.test('of nothing is null with a reason, and of what is no number an error', async t => {
    t.same(intervalOfMean([], proportion),
      { value: null, n: 0, clusters: 0, interval: null, reason: 'no observations' })
    t.throws(() => intervalOfMean(items([2]), proportion), RangeError)
    t.throws(() => intervalOfMean(items([NaN]), { proportion: false }), RangeError)
  })
})

t.test('the interval of a statistic that is no mean', async t => {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  t.test('equals, for a mean of papers of equal size, that of the mean', async t => {
    const papers = [[1, 0], [1, 1], [0, 0], [1, 0], [1, 1]]
    const jackknife = intervalOfStatistic(papers, { statistic: mean }).interval!
    const robust = intervalOfMean(items(...papers), { proportion: false }).interval!
    t.ok(near(jackknife.low, robust.low) && near(jackknife.high, robust.high))
  })

  t.test('stays within its range, and is null with a reason where it cannot be told', async t => {
    const mcc = (answers: readonly (readonly [said: boolean, truth: boolean])[]) => matthews({
      truePositives: answers.filter(([said, truth]) => said && truth).length,
      falsePositives: answers.filter(([said, truth]) => said && !truth).length,
      trueNegatives: answers.filter(([said, truth]) => !said && !truth).length,
      falseNegatives: answers.filter(([said, truth]) => !said && truth).length
    })
    const right = [[true, true], [false, false]] as const
    const mixed = [[true, true], [true, false], [false, false]] as const
    const kind = { statistic: mcc, range: [-1, 1] as const }
    const found = intervalOfStatistic([right, mixed, right], kind)
    t.equal(found.interval!.high, 1)
    t.match(intervalOfStatistic([right, right], kind), { value: 1, interval: null, reason: /vary/ })
    t.match(intervalOfStatistic([right], kind), { value: 1, interval: null, reason: /one paper/ })
    t.match(intervalOfStatistic([[[true, true]]], kind), { value: null, reason: 'not defined' })
    t.match(intervalOfStatistic([], kind), { value: null, n: 0, reason: 'no observations' })
    const fragile = intervalOfStatistic([[[true, true]] as const, [[false, false]] as const], kind)
    t.match(fragile, { value: 1, interval: null, reason: /left out/ })
  })
})
