import t from 'tap'
import { seededRandom } from '../../../../shared/testing/random.ts'
import { alternativeAnnotator } from '../domain/meta/alternative-annotator.ts'
import { biasOf } from '../domain/meta/bias.ts'
import type { HeldReply, Twice } from '../domain/meta/labelled.ts'
import { ceilingOf, holdJudge } from '../domain/meta/meta-evaluation.ts'
import { modelLevel, responseLevel, withinItem } from '../domain/meta/rank-agreement.ts'
import { inclusionProbabilities, labelSample, parts, systematic } from '../domain/meta/sample.ts'
import { shippedRubrics } from '../domain/shipped-rubrics.ts'

const near = (found: number | null, wanted: number, within = 1e-12) => found !== null && Math.abs(found - wanted) <= within
const rated = (total: number) => ({ values: [total / 4, total / 4, total / 4, total / 4], total })
const twice = (run: number, item: string, a: number, b: number, weight = 1): Twice => ({ run, item, cluster: item, weight, a, b })

t.test('order of models, of replies, and of the replies to one item', async t => {
  // Judge and people agree on the means of the two models and on nothing within the second item.
  const replies = [twice(0, 'a', 4, 8), twice(1, 'a', 12, 16), twice(0, 'b', 10, 10), twice(1, 'b', 9, 12)]
  t.match(modelLevel(replies), { tauB: 1, n: 2 }, 'means 7 and 10.5, 9 and 14')
  const { tauB, n } = responseLevel(replies)
  t.ok(near(tauB, 4 / 6) && n === 4, 'five of six pairs concordant')
  t.match(withinItem(replies), { accuracy: 0.5, pairs: 2, items: 2 })
  t.match(modelLevel(replies.slice(0, 1)), { tauB: null, reason: String })
  t.match(modelLevel([twice(0, 'a', 4, 8), twice(1, 'a', 4, 9)]), { tauB: null, reason: /same/ }, 'all equal: null and not 0')
  t.match(withinItem([twice(0, 'a', 1, 1), twice(0, 'b', 1, 1)]), { accuracy: null, reason: /two labelled replies/ })
})

t.test('weights are of means', async t => {
  const replies = [twice(0, 'a', 4, 8, 3), twice(0, 'b', 8, 8, 1), twice(1, 'a', 6, 9, 1)]
  t.match(modelLevel(replies), { tauB: 1 }, 'judge 5 and 6, people 8 and 9')
  t.match(modelLevel(replies.map(each => ({ ...each, weight: 1 }))), { tauB: null }, 'unweighted the judge has 6 and 6')
})

t.test('ties count as agreement, and the threshold is the best one', async t => {
  // People: a tie, a win, a tie. The judge never ties: its smallest differences are where people tie.
  const replies = [
    twice(0, 'a', 10, 9), twice(1, 'a', 11, 9), twice(0, 'b', 5, 4), twice(1, 'b', 15, 12), twice(0, 'c', 8, 8), twice(1, 'c', 6, 8)
  ]
  const found = withinItem(replies)
  t.ok(near(found.accuracy, 1 / 3))
  t.match(found, { tieThreshold: 2, pairs: 3, items: 3 })
  t.ok(near(found.calibrated, 1))
  // Items weigh alike, however many replies they have.
  const uneven = [twice(0, 'a', 1, 2), twice(1, 'a', 2, 1), ...[0, 1, 2].map(run => twice(run, 'b', run, run))]
  t.match(withinItem(uneven), { accuracy: 0.5, pairs: 4, items: 2 })
})

t.test('bias, limits of agreement, and a judge that uses less of the scale', async t => {
  const found = biasOf([twice(0, 'a', 10, 8), twice(0, 'b', 12, 12), twice(1, 'c', 9, 5), twice(1, 'd', 16, 18)], ['r0', 'r1'])
  t.equal(found.value, 1, 'differences 2, 0, 4, -2')
  t.ok(near(found.sd, Math.sqrt(20 / 3)))
  t.ok(near(found.upperLimit, 1 + 1.959964 * Math.sqrt(20 / 3), 1e-9))
  t.ok(found.slope! < 0 && found.low! < 1 && found.high! > 1)
  t.same(found.byRun, [{ runId: 'r0', value: 1, n: 2 }, { runId: 'r1', value: 1, n: 2 }])
  t.equal(biasOf([twice(0, 'a', 10, 8, 3), twice(0, 'b', 12, 12, 1)], ['r0']).value, 1.5)
  t.match(biasOf([], []), { value: null, n: 0 })
})

const raters = ['p', 'q', 'r']
const held = (i: number, judge: number, people: Array<number | null>): HeldReply => ({
  run: i % 3, item: `i${Math.floor(i / 3)}`, cluster: `c${i % 6}`, weight: 1, judge: rated(judge), people: people.map(total => total === null ? null : rated(total))
})

t.test('the alternative annotator test, by hand and at its ends', async t => {
  // Against p: others say 10 and 12. Judge 11: distance 1. p 8: √((4 + 16) / 2) = √10. The judge is nearer.
  const one = Array.from({ length: 30 }, (_, i) => held(i, 11, [8, 10, 12]))
  const found = alternativeAnnotator(one, { raters, epsilon: 0.2 })
  const [p, q, r] = found.raters
  t.match(p, { judge: 1, human: 0, p: 0, n: 30, over: 'papers' })
  t.match(q, { judge: 0, human: 1, p: 1 }, 'q is 2 from 8 and 12, the judge √5')
  t.match(r, { judge: 1, human: 0 }, 'r is √10 from 8 and 10, the judge √5')
  t.match(found, { passes: true, winningRate: 2 / 3, advantage: 2 / 3 })
  const { whole, chance } = seededRandom(11)
  const truth = Array.from({ length: 90 }, () => whole(6, 18))
  const noisy = (x: number) => x + whole(-2, 2)
  const good = truth.map((x, i) => held(i, x, [noisy(x), noisy(x), noisy(x)]))
  const bad = truth.map((x, i) => held(i, chance(0.5) ? 4 : 20, [noisy(x), noisy(x), noisy(x)]))
  t.match(alternativeAnnotator(good, { raters, epsilon: 0.2 }), { passes: true, winningRate: 1 })
  t.match(alternativeAnnotator(bad, { raters, epsilon: 0.2 }), { passes: false, winningRate: 0 })
  t.match(alternativeAnnotator(good, { raters: ['p', 'q'], epsilon: 0.2 }), { passes: null, reason: /3 raters/ })
  t.match(alternativeAnnotator(good.slice(0, 20), { raters, epsilon: 0.2 }), { passes: null, reason: /30 replies/ })
})

t.test('a whole evaluation of a biased judge: its order is right, its level is not, and people are the ceiling', async t => {
  const { whole } = seededRandom(7)
  const truth = Array.from({ length: 60 }, (_, i) => 6 + i % 3 * 3 + whole(0, 3))
  const replies = truth.map((x, i) => held(i, Math.min(20, x + 2), [x, x + whole(-1, 1), i % 2 === 0 ? null : x + whole(-1, 1)]))
  const holding = { judge: 'j', rubric: shippedRubrics.kmetbench, runIds: ['r0', 'r1', 'r2'], raters, epsilon: 0.2 }
  const found = holdJudge(replies, holding)
  t.match(found, { n: 60, modelLevel: { tauB: 1, n: 3 }, alternativeAnnotator: { raters: [{ n: 60 }, { n: 60 }, { n: 30 }] } })
  t.ok(found.bias.value! > 1.5 && found.bias.low! > 1.5)
  t.ok(found.responseLevel.tauB! > 0.85)
  const total = found.scales.at(-1)!
  t.ok(total.alpha.value! < 0.8 && total.iccA1.value! < 0.8, 'absolute agreement sees the bias')
  const ceiling = ceilingOf(replies, holding)
  t.match(ceiling, { raterPairs: 3, modelLevel: 1 })
  t.ok(ceiling.scales.at(-1)!.alpha.value! > total.alpha.value!)
  t.match(ceilingOf(replies.map(each => ({ ...each, people: [each.people[0]!, null, null] })), holding), { responseLevel: null, reason: /two raters/ })
})

t.test('parts are whole and systematic choices have the probabilities they say', async t => {
  t.same(parts(10, [3, 4, 3]), [3, 4, 3])
  t.same(parts(11, [3, 4, 3]).reduce((a, b) => a + b), 11)
  const probabilities = inclusionProbabilities([0, 1, 1, 2, 16], 2)
  t.equal(probabilities[4], 1, 'the one that is too large is certain')
  t.ok(near(probabilities.reduce((sum, p) => sum + p, 0), 2))
  t.ok(probabilities[0]! > 0, 'none is impossible')
  const draws = 20_000
  const counts = probabilities.map(() => 0)
  for (let i = 0; i < draws; i++) for (const at of systematic(probabilities, i / draws)) counts[at]!++
  counts.forEach((count, i) => t.ok(near(count / draws, probabilities[i]!, 1e-3)))
  t.same(inclusionProbabilities([1, 2], 5), [1, 1])
})

t.test('a sample has runs of every tier, items of every difficulty and category, and says its probabilities', async t => {
  const runIds = Array.from({ length: 12 }, (_, i) => `run${i}`)
  const { next } = seededRandom(2)
  const replies = runIds.flatMap((_, run) => Array.from({ length: 40 }, (_, i) => (
    { predictionId: `${run}/${i}`, run, itemId: `i${String(i).padStart(2, '0')}`, category: i % 4 === 0 ? 'vqa' : 'qa', total: 4 + run + i / 10 + next() * (i % 5) })))
  const asked = { runs: 6, items: 10, category: 'kind', design: 'probability' as const, seed: 1 }
  const found = labelSample({ runIds, replies }, asked)
  t.same(found.runs.map(({ tier, probability }) => [tier, probability]), [['low', 0.5], ['low', 0.5], ['mid', 0.5], ['mid', 0.5], ['top', 0.5], ['top', 0.5]])
  t.same(['hard', 'mid', 'easy'].map(name => found.items.filter(({ difficulty }) => difficulty === name).length), [3, 4, 3])
  t.ok(found.items.some(({ category }) => category === 'vqa'))
  t.match(found, { missing: 0, predictions: { length: 60 } })
  for (const { itemId, inclusionProbability } of found.predictions) {
    t.equal(inclusionProbability, 0.5 * found.items.find(item => item.itemId === itemId)!.probability!)
  }
  t.same(labelSample({ runIds, replies }, asked), found, 'the same again')
  t.notSame(labelSample({ runIds, replies }, { ...asked, seed: 2 }).items, found.items)
  const extreme = labelSample({ runIds, replies }, { ...asked, design: 'high-sd' })
  t.ok(extreme.items.every(({ probability }) => probability === null))
  t.equal(extreme.items.filter(({ category }) => category === 'vqa').length, 5, 'both categories alike')
  const few = labelSample({ runIds: ['a'], replies: replies.filter(({ run }) => run === 0).slice(0, 2) }, asked)
  t.match(few, { runs: { length: 1 }, items: { length: 2 }, predictions: { length: 2 } })
})
