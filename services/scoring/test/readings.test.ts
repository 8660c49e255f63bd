import t from 'tap'
import type { Prediction } from '../../../shared/contracts/run.ts'
import { rejectsPremise, saysNotSaid } from '../domain/abstention.ts'
import { readConfidence, withoutConfidence } from '../domain/confidence.ts'
import { blankPrediction } from '../domain/plan.ts'
import { questionOf } from '../domain/question.ts'
import { readReply } from '../domain/read-reply.ts'
import { repeatedRuns } from '../domain/repeats.ts'
import { carried, matchItems } from '../domain/rescore.ts'
import { inOneGo } from '../../../shared/text/in-one-go.ts'
import { conditionOf, documentOf, itemsOf } from './fixtures.ts'

const runId = 'run_00000000000000000000000000000000'
const items = itemsOf(documentOf('one'))
const choice = items.find(({ kind }) => kind === 'choice')!

t.test('a confidence is one line in the form asked for, in the answer and not in the thinking', async t => {
  const cases: Array<[string, number | null, string?]> = [
    ['Confidence: 70\nAnswer: A', 70], ['Confidence: 0', 0], ['Confidence: 100 \nAnswer: A', 100],
    ['Answer: A', null, 'missing'], ['Confidence: 101', null, 'out-of-range'], ['Confidence: 70%', null, 'malformed'],
    ['**Confidence:** 70', null, 'malformed'], ['Confidence: .7', null, 'malformed'], ['confidence: 70', null, 'malformed'],
    ['Confidence: 70\nConfidence: 80', null, 'multiple'],
    ['<think>Confidence: 20</think>\nConfidence: 90\nAnswer: A', 90], ['<think>Confidence: 20', null, 'missing'],
    ['I have much confidence in it.\nConfidence: 55', 55]
  ]
  for (const [reply, value, violation] of cases) {
    t.strictSame(readConfidence(reply), { value, ...violation !== undefined && { violation } }, reply)
  }
  const reply = '𝛼 is it.\nConfidence: 𝟕\nAnswer: A'
  t.equal([...withoutConfidence(reply)].length, [...reply].length, 'offsets in code points stay')
  t.match(withoutConfidence(reply), /^𝛼 is it\.\n {13}\nAnswer: A$/u)
  const hostile = `${' '.repeat(200_000)}*`.repeat(5)
  const began = performance.now()
  readConfidence(hostile)
  t.ok(performance.now() - began < 2_000, 'a megabyte of blanks is read in time')
})

t.test('with a confidence asked for, the form has it before the answer', async t => {
  const read = (content: string) =>
    readReply(questionOf(choice), { content, finishReason: 'stop', refusal: false }, { confidence: 'verbal' })
  t.match(read('Confidence: 70\nAnswer: B'), { outcome: 'answered', lenient: { index: 1 }, strict: { index: 1 } })
  t.match(read('Answer: B\nConfidence: 70'), { outcome: 'answered', lenient: { index: 1 }, strict: { index: null, violation: 'not-last-line' } })
  t.match(read('B\nConfidence: 70'), { outcome: 'answered', lenient: { index: 1 } }, 'it is no part of the answer')
})

t.test('abstaining is told from answering', async t => {
  for (const abstains of ['The text does not explicitly state who paid.', 'This is not mentioned in the paper.', 'There is no information in the abstract about funding.', 'It cannot be determined from the given text.']) t.ok(saysNotSaid(abstains), abstains)
  for (const answers of ['The alloy does not crack.', 'No crack was seen after heating.', 'The method is not given more than 450 K.', 'The authors report that hardness does not rise.']) t.notOk(saysNotSaid(answers), answers)
  t.ok(rejectsPremise('The question incorrectly assumes that the alloy melted.'))
})

t.test('a prediction from before orders and finish reasons were kept is carried as far as it can be', async t => {
  const question = questionOf(choice, { permutationSeed: 5 })
  const { reader: _, ...reading } = readReply(question, { content: 'Answer: A', finishReason: 'stop', refusal: false })
  const old: Prediction = { ...blankPrediction(runId, choice), ...reading }
  const to = { runId: 'run_11111111111111111111111111111111', item: choice }
  const permuted = carried(old, { ...to, condition: conditionOf({ permutationSeed: 5 }) })
  t.equal(permuted.lenient!.index, old.lenient!.index, 'what was shown is not known: its reading stays')
  t.equal(permuted.reader, undefined)
  t.not(permuted.id, old.id)
  const cut = carried({ ...old, outcome: 'truncated' }, { ...to, condition: conditionOf() })
  t.match(cut, { outcome: 'truncated', reader: 3, runId: to.runId })
  const kept = { ...old, choiceOrder: question.order, reader: 3 }
  const again = carried(kept, { ...to, condition: conditionOf({ permutationSeed: 5 }) })
  t.equal(again.lenient!.index, old.lenient!.index)
})

t.test('items are known again by their prompt, whatever their id and their answer', async t => {
  const other = items.map((item, at) => ({ ...item, id: `itm_${String(at).padStart(32, '0')}`, answerIndex: 1 }))
  const { sourceOf, unasked } = matchItems({ source: items, target: other }, conditionOf())
  t.strictSame(other.map(({ id }) => sourceOf.get(id)), items.map(({ id }) => id))
  t.equal(unasked.length, 0)
  const reworded = [{ ...choice, question: 'Which gas?' }, { ...choice, choices: [{ text: 'argon' }, { text: 'neon' }, { text: 'helium' }] }]
  t.equal(matchItems({ source: items, target: reworded }, conditionOf()).unasked.length, 2)
  const requoted = [{ ...choice, evidence: [{ ...choice.evidence[0]!, quote: 'another' }] }]
  t.equal(matchItems({ source: items, target: requoted }, conditionOf()).unasked.length, 0)
  t.equal(matchItems({ source: items, target: requoted }, conditionOf({ contentMode: 'oracle' })).unasked.length, 1, 'there it is the prompt')
})

t.test('repeats: one, none in common, and limits of a share', async t => {
  const binary = items.filter(({ kind }) => kind === 'binary')
  const [a, b] = binary.map(({ id }) => id) as [string, string]
  const of = (...worths: Array<[number | null, number | null]>) =>
    inOneGo(repeatedRuns(binary, worths.map(([x, y]) =>
      ({ runId, worths: new Map([[a, x], [b, y]]) })))).kinds[0]!
  t.match(of([1, 0]), { items: 2, repeats: 1, mean: 0.5, withinItemVariance: null, reason: /One repeat/ })
  t.match(of([1, null], [null, 1]), { items: 0, leftOut: 2, mean: null, perRepeat: [null, null], withinItemVariance: null, reason: /No item/ })
  const { interval, withinItemVariance } = of([1, 0], [0, 0])
  t.equal(withinItemVariance, 0.25)
  t.ok(interval === null || (interval.low >= 0 && interval.high <= 1))
  t.match(of([1, 0], [1, 0]), { icc: 1, sdOfRepeats: 0, unstable: 0 }, 'all of the variance is between items')
  t.match(of([1, 0], [0, 1]), { icc: 0, unstable: 2 }, 'none of it is')
  t.match(of([1, 1], [0, 0]), { icc: 0, sdOfRepeats: Math.SQRT1_2 })
  t.match(of([1, 1], [1, 1]), { icc: null, reason: /Nothing varies/ })
  const uneven = of([1, 0], [1, 0], [1, 0], [0, 0])
  t.equal(uneven.icc, (9 / 32 - 1 / 32) / (9 / 32 - 1 / 32 + 1 / 8), 'one-way: between / (between + within)')
})
