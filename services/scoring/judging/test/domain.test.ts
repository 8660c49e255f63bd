import t from 'tap'
import { krippendorffAlpha } from '../../../../shared/stats/agreement-alpha.ts'
import { seededRandom } from '../../../../shared/testing/random.ts'
import type { Rubric } from '../../../../shared/contracts/rubric.ts'
import { fitReplies } from '../domain/fit-replies.ts'
import { intervalAlpha } from '../domain/interval-alpha.ts'
import { faultsOfRubric, normalisations, readPreference, readScores, scoresSchema, totalOf, totalRange } from '../domain/rubric.ts'
import { shippedRubrics } from '../domain/shipped-rubrics.ts'
import type { Unit } from '../domain/spec.ts'
import { correctedMean } from '../domain/summary/corrected.ts'
import { slopeOf } from '../domain/summary/length-bias.ts'
import { decided, panelSides, preferencesOf, type Side } from '../domain/summary/preferences.ts'
import { repeatsOf } from '../domain/summary/repeats.ts'
import { selfPreferenceOf } from '../domain/summary/self-preference.ts'
import { commonValues, judgedImages, shownQuestion, whySkipped } from '../domain/prompt-values.ts'
import { bankItem, ids } from '../../test/bank-items.ts'

const near = (found: number | null, wanted: number, within = 1e-12) =>
  found !== null && Math.abs(found - wanted) <= within
const { kmetbench, autopaperbench } = shippedRubrics

const own: Rubric = {
  name: 'own',
  criteria: [
    { name: 'exact', description: 'Exact?', min: 0, max: 10, higherIsBetter: true },
    { name: 'errors1', description: 'How many errors?', min: 0, max: 3, higherIsBetter: false }
  ]
}

t.test('a rubric is data: its faults are named, its totals keep their scale', async t => {
  t.same(totalRange(kmetbench), { min: 4, max: 20 })
  t.same(totalRange(autopaperbench), { min: 6, max: 30 })
  t.same([kmetbench, autopaperbench, own].flatMap(faultsOfRubric), [])
  t.equal(totalOf(own, { exact: 7, errors1: 1 }), 9, 'less is better: 0 + 3 - 1')
  const [first, second] = own.criteria as [Rubric['criteria'][0], Rubric['criteria'][0]]
  const wrong = faultsOfRubric({ name: 'x', criteria: [first, { ...second, name: 'exact' }, { ...first, name: 'total', min: 5, max: 5 }] })
  t.same(wrong.map(({ pointer }) => pointer), ['/1/name', '/2/name', '/2/max'])
  const range = totalRange(kmetbench)
  t.ok(near(normalisations.minMax(2504 / 139, range), 0.8758993, 5e-8), 'as K-MetBench\'s paper has it')
  t.ok(near(100 * normalisations.shareOfMax(2504 / 139, range)!, 90.0719, 5e-5), 'as its site has it')
  t.equal(normalisations.shareOfMax(1, { min: -1, max: 1 }), null)
  const schema = scoresSchema(kmetbench, 2048) as { required: string[], properties: Record<string, object> }
  t.equal(Object.keys(schema.properties)[0], 'errors', 'errors are listed before anything is scored')
  t.match(schema.properties.depth, { properties: { score: { type: 'integer', minimum: 1, maximum: 5 } } })
})

t.test('no score is rounded, clamped or filled in', async t => {
  const good = Object.fromEntries(kmetbench.criteria.map(({ name }) => [name, { reason: 'r', score: 3 }]))
  t.match(readScores({ errors: ['a'], ...good }, kmetbench), { scores: { depth: 3 }, errors: ['a'] })
  for (const score of [0, 6, 9, 3.9, '4', '4/5', null, NaN, -1]) {
    t.match(readScores({ errors: [], ...good, depth: { reason: 'r', score } }, kmetbench).faults, [/depth must be a whole number from 1 to 5/])
  }
  t.match(readScores(good, kmetbench).faults, [/list of errors/])
  t.match(readScores({ errors: [], ...good, bonus: 5 }, kmetbench).faults, [/bonus was not asked for/])
  const { depth, ...rest } = good
  t.match(readScores({ errors: [], ...rest }, kmetbench).faults, [/score of depth/, /reason for depth/])
  for (const value of [null, [], 'four', 4]) t.ok(readScores(value, kmetbench).faults)
  t.match(readPreference({ preference: 'A', reason: 'x' }), { preference: 'A' })
  t.ok(readPreference({ preference: 'C' }).faults)
})

t.test('a reply that does not fit loses its middle, and says so', async t => {
  t.same(fitReplies(['short', 'also'], { tokens: 100 }), { texts: ['short', 'also'], leftOut: [] })
  const long = `BEGIN ${'x'.repeat(5000)} END`
  const { texts, leftOut } = fitReplies([long], { tokens: 200 })
  t.match(texts[0], /^BEGIN x+\n\[… \d+ characters of the reply are left out here.*\]\nx+ END$/)
  t.match(leftOut, [/^\d+ of 5010 characters in the middle of the reply$/])
  t.ok(Buffer.byteLength(texts[0]!) <= 800)
  const two = fitReplies(['short', long], { tokens: 200 })
  t.equal(two.texts[0], 'short', 'the short one is whole')
  t.match(two.leftOut, [/in the middle of reply 2/])
  t.ok(fitReplies(['漢'.repeat(1000)], { tokens: 100 }).texts[0]!.includes('left out here'), 'of any script')
})

t.test('alpha from sums is Krippendorff\'s, and its error is the jackknife\'s', async t => {
  const { whole } = seededRandom(3)
  const units = Array.from({ length: 40 }, (_, i) => (
    { cluster: `p${i % 7}`, ratings: [whole(1, 5), whole(1, 5), i % 3 === 0 ? null : whole(1, 5)] }))
  const reference = krippendorffAlpha(units.map(({ ratings }) => (
    { ratings: ratings.map(rating => rating === null ? null : rating - 1) })), { level: 'interval', values: [1, 2, 3, 4, 5] })
  const found = intervalAlpha(units)
  t.ok('value' in found && 'value' in reference && near(found.value, reference.value))
  t.match(found, { n: 40, clusters: 7 })
  t.match(intervalAlpha([{ ratings: [3, 3], cluster: 'a' }, { ratings: [3, 3], cluster: 'b' }]), { reason: /the same/ })
  t.match(intervalAlpha([{ ratings: [3, null], cluster: 'a' }]), { reason: /two or more/ })
})

t.test('repeats: share identical, deviation within, drift', async t => {
  const unit = (cluster: string, ...totals: Array<number | null>) => ({
    unit: { ...blank, cluster }, ratings: [totals.map(total => total === null ? null : { values: [], total })]
  })
  const found = repeatsOf([unit('a', 10, 12), unit('b', 8, 8), unit('c', 9, null)], { judge: 0, name: 'j' })
  t.match(found, { n: 2, identical: 0.5, drift: { value: 1, n: 2 } })
  t.equal(found.sdWithin, 1, 'variances 2 and 0')
  t.match(repeatsOf([unit('a', 10)], { judge: 0, name: 'j' }), { n: 0, identical: null, drift: null })
})

t.test('the slope on length is within items, where there are several runs', async t => {
  const row = (item: string, x: number, y: number) => ({ item, cluster: item, x, y })
  const rows = [row('a', 1, 10), row('a', 3, 14), row('b', 1, 2), row('b', 3, 4)]
  t.match(slopeOf(rows, 'items'), { slope: 1.5, n: 4, clusters: 2 }, '(2 · 2 + 2 · 1) / (2 · 2)')
  t.match(slopeOf([row('a', 1, 1), row('b', 2, 5)], 'items'), { slope: null, reason: /do not vary/ })
  t.equal(slopeOf([row('a', 1, 1), row('b', 2, 5)], 'all').slope, 4)
})

t.test('self-preference is the interaction, its p over all ways to give judges their families', async t => {
  const table = { judgeFamilies: ['q', 'l'], modelFamilies: ['q', 'l'], n: 9 }
  const found = selfPreferenceOf({ ...table, cells: [[14, 10], [9, 13]] })
  t.equal(found.value, 4, 'residuals are ±2')
  t.match(found, { p: 0.5, leastP: 0.5 })
  t.match(selfPreferenceOf({ ...table, cells: [[14, 12], [10, 8]] }), { value: 0, p: 1 }, 'a mild judge and a good model are no self-preference')
  t.match(selfPreferenceOf({ ...table, judgeFamilies: ['q', 'q'], cells: [[1, 2], [3, 4]] }), { value: null, reason: /two families/ })
  t.match(selfPreferenceOf({ ...table, judgeFamilies: ['q', 'unknown:x'], cells: [[1, 2], [3, 4]] }), { value: null, reason: /not known/ })
})

t.test('people\'s labels take the judge\'s bias off, by their inclusion probabilities where these differ', async t => {
  const answer = (judge: number, human: number | null, place: string) => {
    const [cluster = '', probability] = place.split('@')
    return { judge, human, cluster, probability: probability === undefined ? null : Number(probability) }
  }
  const range = { min: 4, max: 20 }
  const drawn = [answer(10, 8, 'a@0.5'), answer(12, 11, 'b@0.25'), answer(14, null, 'a'), answer(16, null, 'b')]
  const found = correctedMean(drawn, range)
  t.ok(near(found.value, 13 - (2 * 2 + 4 * 1) / 6), 'mean of the judge less its weighted bias')
  t.match(found, { method: 'inverse-probability', labelled: 2, unlabelled: 2, low: Number, high: Number })
  t.match(found, { low: 4, high: 20 }, 'two papers say little, and no total lies beyond the scale')
  const { whole } = seededRandom(5)
  const many = Array.from({ length: 200 }, (_, i) => {
    const human = whole(4, 20)
    return answer(human + 3, i < 40 ? human : null, `p${i % 10}`)
  })
  const powered = correctedMean(many, range)
  const judge = many.reduce((sum, each) => sum + each.judge, 0) / many.length
  t.match(powered, { method: 'prediction-powered', judgeBias: 3, labelled: 40, unlabelled: 160 })
  t.ok(Math.abs(powered.value! - (judge - 3)) < Math.abs(powered.value! - judge))
  t.match(correctedMean([answer(1, 1, 'a@0.5'), answer(1, 1, 'b@0.2'), answer(2, 2, 'b')], range), { value: null, reason: /some labels/i })
  t.match(correctedMean([answer(1, 1, 'a'), answer(2, null, 'a')], range), { value: null, reason: String })
})

const blank: Unit = {
  itemId: 'i', predictionIds: ['p'], cluster: 'c', pairId: null, outcomes: ['answered'], lengths: [1], replyHashes: [null], correct: [null], runs: [0]
}

t.test('a flipped pair is a tie, and the place that decided is found out', async t => {
  t.same(decided([1, 1]), { side: 1, flipped: false })
  t.same(decided([1, -1]), { side: 0, flipped: true }, 'each time the one shown first')
  t.same(decided([1, 0]), { side: 0, flipped: false }, 'one tie, one preference: no win')
  t.equal(decided([1, null]), null, 'half a pair is none')
  const unit = (i: number, ...orders: Array<Side | null>) => ({
    unit: { ...blank, itemId: `i${i}`, cluster: `c${i}`, lengths: [100, 50] }, ratings: [[orders]]
  })
  const counted = { outcomes: {} as never, cutReplies: 0 }
  const units = [unit(0, 1, 1), unit(1, 1, -1), unit(2, -1, -1), unit(3, 1, null), unit(4, 0, 0)]
  const found = preferencesOf(units, { runIds: ['a', 'b'], judge: { name: 'j', place: 0 }, counted, orders: 2 })
  t.match(found, { pairs: 4, incomplete: 1, ties: 2, flips: 1 })
  t.match(found, { flipRate: { value: 0.25 }, score: { value: 0, n: 4 } })
  t.same(found.wins.map(({ count }) => count), [1, 1])
  t.equal(found.longer.value, 0.5)
  t.equal(found.firstShown.value, (0.5 + 1 + 0.5 + 1) / 4, 'as shown: 1 and 0, 1 and 1, 0 and 1, 1')
  t.same(panelSides([{ ...units[0]!, ratings: [[[1, 1]], [[1, -1]]] }]).map(({ value }) => value), [0.5])
})

t.test('a judge sees choices that are images under the letters that the model saw', t => {
  const [first, second] = ids
  const item = bankItem(1, { images: [{ imageId: ids[2]! }], choices: [{ text: '', imageId: first! }, { text: 'second', imageId: second! }, { text: 'none' }], answerIndex: 1 })
  const shown = shownQuestion(item, { formulation: 'implicit', choiceOrder: [2, 1, 0] })
  const asked = { reference: 'answer', images: 'with', rubric: shippedRubrics.kmetbench } as const
  const { question, reference, figures } = commonValues(item, null, { asked, shown })
  t.equal(question, `${item.question}\nA. none\nB. second (an image)\nC. (an image)`)
  t.match(reference, 'The right answer: B. second')
  t.equal(figures, 'Image 1 (attached).\nChoice B (attached).\nChoice C (attached).')
  t.strictSame(judgedImages(item, null, shown), [ids[2], second, first], 'in the order in which they are named')
  t.equal(whySkipped(item, null, { spec: asked, vision: true }), undefined)
  t.match(whySkipped(item, null, { spec: asked, vision: false }), /takes no images/)
  const withheld = { ...asked, images: 'withheld' } as const
  t.equal(whySkipped(item, null, { spec: withheld, vision: false }), undefined)
  t.match(commonValues(item, null, { asked: withheld, shown }).figures, /Choice C \(not shown\)/)
  t.end()
})
