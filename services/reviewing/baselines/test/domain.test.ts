import t from 'tap'
import type { Item } from '../../../../shared/contracts/item.ts'
import type { PartialAnswer } from '../../../../shared/contracts/partial-input.ts'
import { decoyRates, falseDiscoveryRates } from '../../../../shared/stats/false-discovery.ts'
import { choice, descriptive, document, pair } from '../../test/fixtures.ts'
import { conditionsFor } from '../domain/conditions.ts'
import { estimateOf } from '../domain/estimate.ts'
import { ordersOf } from '../domain/orders.ts'
import { numberRecall, tokenF1 } from '../domain/overlap.ts'
import { shownOf, withoutEvidence } from '../domain/prompt-values.ts'
import { proxyLine } from '../domain/card.ts'
import { chiSquareTail, evennessOf, seededRandom, type Places } from '../domain/evenness.ts'
import { proxiesOf } from '../domain/proxies.ts'
import { inOneGo } from '../../../../shared/text/in-one-go.ts'
import { settle, summaryOf, type AnsweredItem } from '../domain/report.ts'
import { swapsOf } from '../domain/swaps.ts'
import { verdictsOn } from '../domain/verdicts.ts'
import { saidOf, standsOf, type FamilyStand } from '../domain/votes.ts'

const near = (found: number | null | undefined, wanted: number) => Math.abs((found ?? NaN) - wanted) < 1e-9

t.test('false discovery rates are those of R', async t => {
  // p.adjust(c(.01, .04, .03, .005, .5), "BH"), and "BY"
  const p = [0.01, 0.04, 0.03, 0.005, 0.5]
  t.same(falseDiscoveryRates(p).map(q => +q.toFixed(6)), [0.025, 0.05, 0.05, 0.025, 0.5])
  t.same(falseDiscoveryRates(p, 'by').map(q => +q.toFixed(6)), [0.057083, 0.114167, 0.114167, 0.057083, 1])
  t.same(falseDiscoveryRates([]), [])
  t.throws(() => falseDiscoveryRates([1.5]), RangeError)
})

t.test('decoys count the discoveries that are none', async t => {
  t.same(decoyRates([{ p: 0.001, decoys: [1, 1, 1] }, { p: 0.001, decoys: [1, 1, 1] }]), [0, 0])
  const herd = [{ p: 0.001, decoys: [1] }, { p: 1, decoys: [0.001] }, { p: 0.0001, decoys: [1] }]
  t.same(decoyRates(herd).map(q => +q.toFixed(3)), [0.5, 1, 0], 'a wrong answer did as well as the weaker of two')
})

const answer = (index: number | null, own: Partial<PartialAnswer> = {}): PartialAnswer => ({
  condition: 'question-only', order: 0, outcome: index === null ? 'unparsable' : 'answered', index, reply: null, detail: null, requestHash: null, leftOut: [], ...own
})

t.test('a family has one vote, and a habit has none', async t => {
  const item = choice()
  const votes = (...answers: PartialAnswer[][]) =>
    standsOf([item], [saidOf(answers.map(own => ({ family: 'a', answers: own })), 'question-only')]).get('a')
  t.same(votes([answer(1), answer(1), answer(2)]), { vote: 0, share: 2 / 3 })
  t.same(votes([answer(1)], [answer(0), answer(0)]), { vote: 1, share: 1 / 3 }, 'its models vote together')
  t.equal(votes([answer(0), answer(1), answer(2)])!.vote, null, 'a position in cyclic orders')
  t.same(votes([answer(null), answer(1)]), { vote: 0, share: 0.5 }, 'no answer is no vote, and counts')
  t.equal(votes([answer(null, { outcome: 'error' }), answer(null, { outcome: 'skipped' })]), undefined)
  const [yes, no] = pair()
  const on = (ofYes: number[], ofNo: number[]) => standsOf([yes, no], [ofYes, ofNo].map(each =>
    saidOf([{ family: 'a', answers: each.map(index => answer(index)) }], 'question-only'))).get('a')!.vote
  t.same([on([0, 0], [0, 0]), on([0, 0], [1, 1]), on([1, 1], [0, 0]), on([0, 1], [1, 1])], [null, 0, 1, 0])
})

const stand = (right: boolean, wrong: number | null): FamilyStand =>
  ({ vote: right ? 0 : wrong, share: right ? 1 : 0 })
const familiesOf = (right: number, of: number, wrong: number | null = null) =>
  new Map(Array.from({ length: of }, (_, i) => [`f${i}`, stand(i < right, wrong)]))
const unit = (part: number, full: number, of = 5) => (
  { alternatives: 4, stands: new Map([['closed-book' as const, familiesOf(part, of)], ['full' as const, familiesOf(full, of)]]) })

t.test('verdicts need five families, and say what they rest on', async t => {
  const found = verdictsOn('needsPaper', [unit(5, 5), unit(0, 5), unit(0, 5), unit(0, 5)])
  t.same(found.map(each => each!.verdict), ['no', 'yes', 'yes', 'yes'])
  t.match(found[0], { condition: 'closed-book', families: 5, right: 5, lost: { p: 1 } })
  t.ok(near(found[0]!.reached.p, 4 ** -5) && near(found[0]!.reached.q, 4 ** -4))
  t.ok(near(found[1]!.lost.p, 2 ** -5))
  t.match(verdictsOn('needsPaper', [unit(4, 4, 4)]), [{ verdict: 'undetermined', reason: /4 of at least 5/ }])
  t.match(verdictsOn('needsPaper', [unit(0, 0)]), [{ verdict: 'undetermined' }], 'unanswerable with the paper too')
  t.same(verdictsOn('needsImage', [unit(5, 5)]), [null], 'a question that does not arise')
  t.match(verdictsOn('needsPaper', [unit(9, 20, 20), unit(20, 20, 20)]), [{ verdict: 'undetermined', reason: /too few to call it found/ }, { verdict: 'no' }], 'above chance is not enough: most families must find it')
  const wrong = { alternatives: 2, stands: new Map([['closed-book' as const, familiesOf(0, 8, 1)], ['full' as const, familiesOf(8, 8)]]) }
  const right = { alternatives: 2, stands: new Map([['closed-book' as const, familiesOf(8, 8)], ['full' as const, familiesOf(8, 8)]]) }
  t.match(verdictsOn('needsPaper', [right, wrong]), [{ verdict: 'undetermined', reason: /share hunches/ }, {}])
  t.equal(verdictsOn('needsPaper', [right])[0]!.verdict, 'no')
  const few = { ...right, stands: new Map([['closed-book' as const, familiesOf(5, 5)]]) }
  t.same(verdictsOn('evidenceSufficient', [few]), [null])
  t.match(verdictsOn('needsPaper', [few]), [{ verdict: 'no', lost: { p: null } }], 'one item alone, p = 1/32')
  const four = { ...right, stands: new Map([['closed-book' as const, familiesOf(4, 5)]]) }
  t.match(verdictsOn('needsPaper', [few, four, four]), [{ verdict: 'undetermined' }, {}, {}], 'among others it is not enough')
})

t.test('orders are cyclic, and every choice comes first once', async t => {
  const item = choice({ choices: Array.from({ length: 5 }, (_, i) => ({ text: String(i) })) })
  t.same(ordersOf(item, { max: 20, seed: 1 }).sort(), [0, 1, 2, 3, 4])
  t.equal(new Set(ordersOf(item, { max: 2, seed: 1 })).size, 2)
  const starts = Array.from({ length: 40 }, (_, seed) => ordersOf(item, { max: 1, seed })[0])
  t.equal(new Set(starts).size, 5, 'the seed draws where they begin')
  t.same(ordersOf(descriptive(), { max: 4, seed: 1 }), [0])
})

t.test('conditions apply where they take something away', async t => {
  const [yes] = pair()
  const all = ['closed-book', 'question-only', 'choices-only', 'caption-only', 'image-swapped', 'evidence-withheld'] as const
  t.same(conditionsFor(yes, all), ['closed-book', 'question-only', 'caption-only', 'image-swapped', 'evidence-withheld', 'full'])
  t.same(conditionsFor(choice(), all), ['closed-book', 'question-only', 'choices-only', 'evidence-withheld', 'full'])
  t.same(conditionsFor({ ...choice(), source: { bankId: 'b', row: 1 } }, all), ['question-only', 'choices-only'])
})

t.test('withheld evidence stands nowhere in the prompt', async t => {
  const room = { contextTokens: 4000, maxTokens: 500, otherText: '' }
  for (const item of [choice(), descriptive(), pair()[0]]) {
    const quote = item.evidence[0]!.quote
    const shown = (condition: 'full' | 'evidence-withheld') => shownOf(item, { condition, first: 0, document, room }).values.material!
    t.ok(shown('full').includes(quote), item.kind)
    t.notOk(shown('evidence-withheld').includes(quote), item.kind)
  }
  t.same(withoutEvidence(document, { evidence: [] }), document)
  const { values, images } = shownOf(choice(), { condition: 'choices-only', first: 2, document, room })
  t.match(values, { question: /not shown/, choices: 'A. 20 %\nB. 8 %\nC. 12 %', letters: 'A, B, C', material: /Nothing of the paper/ })
  t.equal(images, 'none')
})

t.test('another figure is of another paper where there is one', async t => {
  const of = (name: string, figureId: string, paper: string): Item => (
    { ...choice(), id: name, figureIds: [figureId], source: { paperId: paper, documentHash: `doc ${paper}` } })
  const swaps = swapsOf([of('a', 'f1', 'x'), of('b', 'f2', 'x'), of('c', 'f1', 'y')], 1)
  t.same(swaps.get('a'), [{ paperId: 'y', documentHash: 'doc y', figureId: 'f1' }])
  t.same(swaps.get('c')!.map(({ paperId }) => paperId), ['x', 'x'])
  t.same(swapsOf([of('a', 'f1', 'x')], 1).get('a'), [])
  t.same(swapsOf([of('a', 'f1', 'x'), of('b', 'f2', 'x')], 1).get('a')!.map(({ figureId }) => figureId), ['f2'])
})

t.test('open answers have overlap and no verdict', async t => {
  t.equal(tokenF1('The speed fell by half', 'speed fell'), 2 * 2 / (3 + 2))
  t.equal(tokenF1('', 'speed'), 0)
  t.equal(numberRecall('It was 5 and 1,024', 'From 5 to 1024 at 20'), 2 / 3)
  t.equal(numberRecall('5', 'none'), null)
  const item = descriptive()
  const reply = item.answer!
  const answers: AnsweredItem['answers'] = ['a', 'b', 'c', 'd', 'e'].map(family => (
    { family, answers: [answer(null, { outcome: 'answered', reply: 'No idea.' }), answer(null, { outcome: 'answered', reply, condition: 'full' })] }))
  const steps = settle([summaryOf({ item, itemHash: '', answers }, ['question-only', 'full'])], { conditions: ['question-only', 'full'], families: ['a'], fdr: 'bh' })
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const { report, items } = step.value
  t.match(report.rows, [{ condition: 'question-only', accuracy: null, tokenF1: { value: 0 }, numberRecall: { value: 0 }, lessThanFull: { value: 1 } }, { condition: 'full', tokenF1: { value: 1 } }])
  t.match(items, [{ needsPaper: { verdict: 'undetermined', reason: /open answer/ }, needsImage: null }])
})

t.test('cheap proxies ask nobody', async t => {
  const items = Array.from({ length: 12 }, (_, i) => choice({
    id: `i${i}`, question: 'How fast did the dust settle?', choices: [{ text: 'Slow' }, { text: i < 9 ? 'As fast as dust can' : 'Fast' }, { text: 'Not' }], answerIndex: 1
  }))
  const found = inOneGo(proxiesOf([...items, ...pair(), descriptive()]))
  const of = (name: string) => found.find(each => each.name === name)!
  t.match(of('longest-choice'), { kind: 'choice', n: 12, rate: (9 + 3 / 2) / 12, chance: 1 / 3, interval: { over: 'items' } })
  t.equal(of('choice-like-question').rate, 1)
  t.match(of('commonest-position'), { rate: 1, counts: { 2: 12 }, interval: { over: 'exact', high: 1 } })
  t.match(of('commonest-answer'), { kind: 'binary', n: 2, rate: 0.5, counts: { No: 1, Yes: 1 } })
  t.match(of('answer-in-question'), { kind: 'qa', n: 1, chance: null })
  t.match(of('commonest-position').evenness, { method: 'simulated', n: 12, df: 2, verdict: 'undetermined' }, 'whatever p is')
  t.match(of('true-member-first'), { n: 1, rate: 1, evenness: { method: 'exact', verdict: 'undetermined' } })
  t.same(inOneGo(proxiesOf([])), [])
})

t.test('chi-square has its published quantiles', async t => {
  const upper5 = { 1: 3.841459, 2: 5.991465, 3: 7.814728, 5: 11.070498, 19: 30.143527, 20: 31.410433 }
  for (const [df, x] of Object.entries(upper5)) t.ok(Math.abs(chiSquareTail(x, Number(df)) - 0.05) < 1e-6, `${df}`)
  t.equal(chiSquareTail(0, 3), 1)
})

t.test('where right answers stand is told from 100 items on, by simulation where cells are small', async t => {
  const over = (...places: Places[]) => inOneGo(evennessOf(places, seededRandom(1)))
  const of = (choices: number, counts: number[]) => over({ choices, counts })
  const found = of(4, [40, 20, 20, 20])
  t.match(found, { method: 'chi-square', n: 100, statistic: 12, df: 3, verdict: 'uneven' })
  t.ok(near(found.p!, 0.007383160505), 'chi-square of 12 on 3')
  t.match(of(4, [39, 20, 20, 20]), { n: 99, verdict: 'undetermined' })
  t.match(of(4, [26, 25, 25, 24]), { verdict: 'no-sign' })
  const small = of(2, [4, 0])
  t.match(small, { method: 'simulated', draws: 9999, verdict: 'undetermined' })
  t.ok(Math.abs(small.p! - 0.125) < 0.015, `${small.p} for 2 of 16 ways`)
  t.same(of(2, [4, 0]), small, 'the same again')
  const mixed = over({ choices: 4, counts: [60, 20, 20, 20] }, { choices: 3, counts: [1, 1, 0] })
  t.match(mixed, { method: 'simulated', n: 122, df: 5, verdict: 'uneven' })
  t.match(over(), { n: 0, p: null, verdict: 'undetermined' })

  const random = seededRandom(7)
  const placed = (n: number) => Array.from({ length: n }, () => Math.floor(random() * 4))
  const flagged = Array.from({ length: 400 }, () => placed(200))
    .filter(places => of(4, [0, 1, 2, 3].map(at => places.filter(one => one === at).length)).verdict === 'uneven').length
  t.ok(flagged >= 8 && flagged <= 34, `${flagged} of 400 even sets are held to be uneven; 20 are to be expected`)
})

t.test('of pairs the order is tested: which member stands first', async t => {
  const pairs = (count: number, first: (i: number) => boolean) => Array.from({ length: count }, (_, i) => {
    const [yes, no] = pair([{}, {}], `pair ${i}`)
    return first(i) ? [yes, no] : [no, yes]
  }).flat()
  const order = (count: number, first: (i: number) => boolean) =>
    inOneGo(proxiesOf(pairs(count, first))).find(({ name }) => name === 'true-member-first')!
  t.match(order(120, i => i % 4 > 0), { n: 120, rate: 0.75, counts: { first: 90, second: 30 }, evenness: { method: 'exact', n: 120, verdict: 'uneven' } })
  t.match(order(120, i => i % 2 > 0), { rate: 0.5, evenness: { p: 1, verdict: 'no-sign' } })
  t.match(order(99, () => true).evenness, { verdict: 'undetermined' })
  t.match(proxyLine(order(120, i => i % 4 > 0)), /75\.0 % of 120; chance 50\.0 %.*uneven \(exact binomial, p < \.001; n = 120\)/)
  t.match(proxyLine(order(9, () => true)), /undetermined, as below 100 it always is/)
})

t.test('a mean is over papers where there are enough of them', async t => {
  const of = (papers: number, value: (i: number) => number) =>
    estimateOf(Array.from({ length: 20 }, (_, i) => (
      { value: value(i), paper: String(i % papers), unit: String(i) })))
  t.match(of(10, i => i % 3 === 0 ? 1 : 0), { value: 0.35, over: 'papers' })
  t.equal(of(4, i => i % 2).over, 'items')
  const all = of(10, () => 1)
  t.match(all, { value: 1, high: 1, over: 'exact' })
  t.ok(near(all.low, 0.025 ** (1 / 10)), 'ten papers, all right')
  t.same(estimateOf([]), { value: null, low: null, high: null, over: null })
})
