import t from 'tap'
import type { Outcome, Prediction } from '../../../shared/contracts/run.ts'
import type { BenchmarkItem } from '../../../shared/contracts/benchmark.ts'
import { ceilingOf, secondReferences } from '../domain/ceiling.ts'
import { floorOf, otherReferences } from '../domain/floor.ts'
import { blankPrediction } from '../domain/plan.ts'
import { questionOf } from '../domain/question.ts'
import { readReply } from '../domain/read-reply.ts'
import { numberRecall, saidIn, termRecall } from '../domain/recall.ts'
import { scorePrediction } from '../domain/scored.ts'
import { sliceScores } from '../domain/slices.ts'
import { documentOf, itemOf, pairOf } from './fixtures.ts'

const runId = 'run_00000000000000000000000000000000'
const one = documentOf('one')
const two = documentOf('two')

function predicted (item: BenchmarkItem, reply: string | Outcome): Prediction {
  const blank = blankPrediction(runId, item)
  if (reply === 'error' || reply === 'skipped') return { ...blank, outcome: reply, detail: 'a reason' }
  const cut = reply.startsWith('cut: ')
  const finishReason = cut ? 'length' : 'stop'
  const refusal = reply === 'refused'
  const content = cut ? reply.slice(5) : reply
  return { ...blank, ...readReply(questionOf(item), { content, finishReason, refusal }) }
}

/** Scores of everything: metric → [value, n, papers]. */
function scoresOf (items: readonly BenchmarkItem[], replies: readonly string[]) {
  const others = otherReferences(items)
  const second = secondReferences(items)
  const between = ({ id, answer = '' }: BenchmarkItem) => ({
    floor: others.has(id) ? floorOf(answer, others.get(id)!) : null,
    ceiling: second.has(id) ? ceilingOf(answer, second.get(id)!) : null
  })
  const rows = items.map((item, index) =>
    scorePrediction(predicted(item, replies[index]!), item, between(item)))
  const slices = sliceScores(rows)
  const all = slices.find(({ dimension }) => dimension === 'all')!
  return {
    slices,
    outcomes: all.outcomes,
    of: (metric: string) => all.scores.find(score => score.metric === metric)!,
    value: (metric: string) => all.scores.find(score => score.metric === metric)!.value
  }
}

const pairs = [...pairOf(one, 'a'), ...pairOf(one, 'b'), ...pairOf(two, 'c')]
const right = ['Answer: Yes', 'Answer: No', 'Answer: Yes', 'Answer: No', 'Answer: Yes', 'Answer: No']

t.test('a perfect model', async t => {
  const scores = scoresOf(pairs, right)
  for (const metric of ['accuracy', 'accuracy.strict', 'accuracy.answered', 'responseRate', 'formatAdherence', 'pairAccuracy', 'mcc']) {
    t.equal(scores.value(metric), 1, metric)
  }
  t.equal(scores.value('yesRatio'), 0.5)
  t.equal(scores.value('accuracy.strict-minus-lenient'), 0)
  t.match(scores.of('accuracy'), { n: 6, clusters: 2 })
  t.match(scores.of('pairAccuracy'), { n: 3, clusters: 2 })
  const { interval } = scores.of('accuracy')
  t.ok(interval !== null && interval.low < 1 && interval.high === 1, 'its interval is no point')
  t.equal(scores.of('accuracy.lowest'), undefined, 'no bounds without errors')
})

t.test('a model that is always wrong', async t => {
  const scores = scoresOf(pairs, [...right].reverse())
  t.equal(scores.value('accuracy'), 0)
  t.equal(scores.value('pairAccuracy'), 0)
  t.equal(scores.value('mcc'), -1)
  const { interval } = scores.of('accuracy')
  t.ok(interval !== null && interval.low === 0 && interval.high > 0)
})

t.test('always yes: half right, no pair right, MCC undefined and not zero', async t => {
  const scores = scoresOf(pairs, pairs.map(() => 'Answer: Yes'))
  t.equal(scores.value('accuracy'), 0.5)
  t.equal(scores.value('pairAccuracy'), 0)
  t.equal(scores.value('yesRatio'), 1)
  t.equal(scores.value('mcc'), null)
  t.match(scores.of('mcc'), { n: 6, reason: /only one label/ })
})

t.test('no answer, a refusal and a cut reply count as wrong; error and skipped do not count', async t => {
  // Right, unparsable, right but cut, right | error, skipped.
  const replies = ['Answer: Yes', 'Hard to tell.', 'cut: Answer: Yes\nExplanation: the', 'Answer: No', 'error', 'skipped']
  const scores = scoresOf(pairs, replies)
  t.match(scores.outcomes, { answered: 2, unparsable: 1, refused: 0, truncated: 1, error: 1, skipped: 1 })
  t.match(scores.of('accuracy'), { value: 0.5, n: 4, clusters: 1 })
  t.match(scores.of('accuracy.answered'), { value: 1, n: 2 })
  t.match(scores.of('responseRate'), { value: 0.5, n: 4 })
  t.match(scores.of('pairAccuracy'), { value: 0, n: 2 }, 'a pair with an error or skipped member is left out')
  t.match(scores.of('accuracy.lowest'), { value: 2 / 5, n: 5 })
  t.match(scores.of('accuracy.highest'), { value: 3 / 5, n: 5 })
  t.equal(scores.of('pairAccuracy.lowest'), undefined, 'no bounds: the pair in error has a skipped member')
  const broken = scoresOf(pairs, ['Answer: Yes', 'error', 'Answer: No', 'error', 'Answer: Yes', 'Answer: No'])
  t.match(broken.of('pairAccuracy'), { value: 1, n: 1 })
  t.match(broken.of('pairAccuracy.lowest'), { value: 1 / 3, n: 3 })
  t.match(broken.of('pairAccuracy.highest'), { value: 2 / 3, n: 3 }, 'a pair with a wrong member is wrong')
})

t.test('an answer in another form than asked counts leniently and not strictly', async t => {
  const scores = scoresOf(pairs.slice(0, 4), ['Answer: Yes', 'Answer: No', 'Yes, it did.', 'Answer: No'])
  t.equal(scores.value('accuracy'), 1)
  t.equal(scores.value('accuracy.strict'), 0.75)
  t.equal(scores.value('accuracy.strict-minus-lenient'), -0.25)
  t.equal(scores.value('formatAdherence'), 0.75)
})

t.test('skipped only: null with a reason, never zero', async t => {
  const scores = scoresOf(pairs, pairs.map(() => 'skipped'))
  for (const score of scores.slices[0]!.scores) {
    t.match(score, { value: null, n: 0, clusters: 0, interval: null }, score.metric)
    t.match(score.reason, /6 skipped, 0 error/, score.metric)
  }
})

const open = [
  itemOf(one, { kind: 'qa', question: 'A?', answer: 'the cat sat on the mat' }),
  itemOf(two, { kind: 'qa', question: 'B?', answer: 'one two three four' })
]

t.test('open questions: an answer that is the reference scores one, none zero', async t => {
  const scores = scoresOf(open, ['the cat sat on the mat', ''])
  t.match(scores.outcomes, { answered: 1, unparsable: 1, refused: 0, truncated: 0, error: 0, skipped: 0 })
  for (const type of ['rouge1', 'rouge2', 'rougeL']) {
    t.match(scores.of(`${type}.fmeasure`), { value: 0.5, n: 2, clusters: 2 })
    t.match(scores.of(`${type}.fmeasure.answered`), { value: 1, n: 1 })
  }
  t.ok(Math.abs(scores.value('bleu.sentence')! - 50) < 1e-9)
  // Six of six tokens predicted, ten in the references: precision 1, brevity exp(1 - 10/6).
  t.ok(Math.abs(scores.value('bleu.corpus')! - 100 * Math.exp(1 - 10 / 6)) < 1e-9)
  t.match(scores.of('lengthRatio'), { value: 1, n: 1 })
  t.equal(scores.value('responseRate'), 0.5)
})

t.test('open questions: values by hand', async t => {
  // "the cat": 2 of 2 tokens predicted, 2 of 6 referred, F = 2 · 1 · ⅓ / (4/3) = ½.
  // One bigram of one and of five: F = ⅓.
  const scores = scoresOf(open.slice(0, 1), ['the cat'])
  t.ok(Math.abs(scores.value('rouge1.fmeasure')! - 1 / 2) < 1e-12)
  t.ok(Math.abs(scores.value('rouge2.fmeasure')! - 1 / 3) < 1e-12)
  t.ok(Math.abs(scores.value('lengthRatio')! - 1 / 3) < 1e-12)
})

t.test('open questions in error: ROUGE-L is bounded as accuracy is', async t => {
  const scores = scoresOf(open, ['the cat sat on the mat', 'error'])
  t.match(scores.of('rougeL.fmeasure'), { value: 1, n: 1 })
  t.match(scores.of('rougeL.fmeasure.lowest'), { value: 0.5, n: 2, interval: null })
  t.match(scores.of('rougeL.fmeasure.highest'), { value: 1, n: 2 })
})

t.test('recall: a wrong number, sign or unit is missed, a wrong word costs one term', async t => {
  const reference = saidIn('Yield rose by 12.5 % to 3 mm after 1,200 s at −4 °C in two alloys.')
  const numbers = (reply: string) => numberRecall(reference, saidIn(reply))
  t.equal(numbers('12.5% and 3 mm, 1200 s, −4°C'), 1)
  t.equal(numbers('12.5% and 3 mm, 1200 s, 4 °C'), 0.75, 'sign')
  t.equal(numbers('12.5 mm and 3 mm, 1200 s, −4 °C'), 0.75, 'unit')
  t.equal(numbers('112.5 % and 33 mm'), 0, 'no part of a number')
  t.equal(numbers(''), 0)
  t.equal(numberRecall(saidIn('No number.'), saidIn('7')), null, 'nothing to find is no data')
  t.equal(termRecall(saidIn('The heated alloys'), saidIn('An alloy is heated.')), 1)
  t.equal(termRecall(saidIn('heated alloys'), saidIn('cold alloys')), 0.5)
})

t.test('floor: what another place of the same paper would score; the ceiling is null and says why', async t => {
  const items = [
    itemOf(one, { kind: 'qa', place: '1', question: 'A?', answer: 'the cat sat on 4 mats' }),
    itemOf(one, { kind: 'qa', place: '1', question: 'A again?', answer: 'the cat sat on 4 mats' }),
    itemOf(one, { kind: 'qa', place: '2', question: 'B?', answer: 'the dog ran' }),
    itemOf(two, { kind: 'qa', place: '1', question: 'C?', answer: 'the cat sat on 4 mats' })
  ]
  const others = otherReferences(items)
  t.strictSame(items.map(({ id }) => others.get(id)), [
    ['the dog ran'], ['the dog ran'], ['the cat sat on 4 mats', 'the cat sat on 4 mats'], undefined
  ], 'never of the same place, never of another paper')
  const scores = scoresOf(items, ['x', 'x', 'error', 'x'])
  // One token of three and of six: F = 2 · ⅓ · ⅙ / ½ = 2/9.
  t.match(scores.of('rouge1.fmeasure.floor'), { n: 2, clusters: 1 }, 'of the items that count, and have another')
  t.ok(Math.abs(scores.value('rouge1.fmeasure.floor')! - 2 / 9) < 1e-12)
  t.match(scores.of('numberRecall.floor'), { value: 0, n: 2 })
  t.match(scores.of('rougeL.fmeasure.ceiling'), { value: null, n: 0, reason: /second/ })
})

t.test('ceiling: what another answer to the same question would score, where there is one', async t => {
  const ask = (document: typeof one, question: string, answer: string) =>
    itemOf(document, { kind: 'qa', place: '1', question, answer })
  const items = [
    ask(one, 'What sat?', 'the cat sat on mats'), ask(one, 'What  sat?', 'the cat sat down'),
    ask(one, 'What ran?', 'the dog ran'),
    itemOf(one, { kind: 'qa', place: '2', question: 'What sat?', answer: 'the dog' }), ask(two, 'What sat?', 'the bird'),
    ask(two, 'Who?', 'a man'), ask(two, 'who?', 'a man')
  ]
  const second = secondReferences(items)
  t.strictSame(items.map(({ id }) => second.get(id)), [['the cat sat down'], ['the cat sat on mats'], ...Array(5)],
    'never of another place, paper or question, nor the same words again')
  // Three tokens of five and of four: F = 2 · 3 / 9.
  const { of } = scoresOf(items, items.map(() => 'x'))
  t.match(of('rougeL.fmeasure.ceiling'), { n: 2, clusters: 1 })
  t.ok(Math.abs(of('rougeL.fmeasure.ceiling').value! - 2 / 3) < 1e-12)
})

t.test('slices: all first, then by dimension and paper, each with its own n', async t => {
  const { slices } = scoresOf(pairs, right)
  t.strictSame(slices.map(({ dimension, value, scores }) => [dimension, value, scores[0]!.n]), [
    ['all', 'all', 6], ['aspect', 'figure', 6], ...[[one.paperId, 4], [two.paperId, 2]].sort().map(([paperId, n]) => ['paper', paperId, n])
  ])
})
