import t from 'tap'
import { bm25Of } from '../bm25.ts'
import { centralityOf } from '../central.ts'
import { factsIn, sameFacts } from '../facts.ts'
import { codePointOffset, codePointSlice, normalise, normalised } from '../normalise.ts'
import { splitSentences } from '../sentences.ts'
import { nearDuplicates } from '../similarity.ts'
import { singular, termsOf, wordsOf } from '../tokens.ts'

t.test('normalising folds what typesetting varies, and leads back', async t => {
  t.equal(normalised('  e\uFB03cient\u00A0“self\u00AD-test” — 10²  '), 'efficient "self-test" - 10^2')
  t.equal(normalised('cafe\u0301'), normalised('caf\u00E9'))
  t.equal(normalised('\u1112\u1161\u11AB'), '\uD55C', 'conjoining jamo compose')
  const original = 'A \uD835\uDC65\n e\uFB03 B'
  const { text, offsets } = normalise(original)
  t.equal(text, 'A x effi B')
  t.equal(offsets.length, text.length + 1)
  t.equal(original.slice(offsets[text.indexOf('B')]), 'B')
  t.equal(normalised(text), text, 'idempotent')
  t.equal(codePointOffset(original, original.indexOf('B')), Array.from(original).indexOf('B'))
  t.equal(codePointSlice(original, 2, 3), '\uD835\uDC65')
  t.same(normalise(''), { text: '', offsets: [0] })
})

t.test('sentences', async t => {
  const cases: Array<[string, string[]]> = [
    ['We see it in Fig. 3. The rest follows.', ['We see it in Fig. 3.', 'The rest follows.']],
    ['Smith et al. Nature found it. Others, e.g. Lee, did not.', ['Smith et al. Nature found it.', 'Others, e.g. Lee, did not.']],
    ['It was 3.5 mm wide. It grew, i.e. Vitamin A helped.', ['It was 3.5 mm wide.', 'It grew, i.e. Vitamin A helped.']],
    ['J. R. Smith wrote Eq. (3) and No. 5. Is that so? Yes!', ['J. R. Smith wrote Eq. (3) and No. 5.', 'Is that so?', 'Yes!']],
    ['We compare A vs. B. A is better.', ['We compare A vs. B.', 'A is better.']],
    ['Cells grew.12,13 The next day they died.', ['Cells grew.12,13', 'The next day they died.']],
    ['1. First point. 2. Second point.', ['1. First point.', '2. Second point.']],
    ['No heading\n\nA new paragraph', ['No heading', 'A new paragraph']],
    ['정확도는 92.1%였다. 이 방법은 빠르다.결과는 좋다.', ['정확도는 92.1%였다.', '이 방법은 빠르다.', '결과는 좋다.']],
    ['结果很好。方法很快。', ['结果很好。', '方法很快。']],
    ['He said “stop.” Then he left.', ['He said “stop.”', 'Then he left.']],
    ['', []]
  ]
  for (const [text, expected] of cases) {
    const sentences = splitSentences(text)
    t.same(sentences.map(sentence => sentence.text), expected, text.slice(0, 30))
    for (const { text: slice, start, end } of sentences) t.equal(text.slice(start, end), slice)
  }
  const long = 'a.b '.repeat(50_000) + '. '.repeat(50_000)
  const before = performance.now()
  splitSentences(long)
  t.ok(performance.now() - before < 2000, 'linear in the length of the text')
})

t.test('words and terms', async t => {
  t.same(wordsOf("Don't use IL-6 at 3.5 mm.").map(({ text }) => text), ["Don't", 'use', 'IL-6', 'at', '3.5', 'mm'])
  t.same(termsOf('The studies of time-dependent classes'), ['study', 'time', 'dependent', 'class'])
  t.same(termsOf('기상 모델은'), ['기상', '모델', '델은'])
  t.equal(singular('analysis'), 'analysis')
})

t.test('facts have their kind, span, value and unit', async t => {
  const text = 'In Paris IL-6 rose by 1,024 mg to 12.5% in 30 patients, not 3 °C higher than −4 K (p53, 3D).'
  const facts = factsIn(text)
  for (const fact of facts) t.equal(text.slice(fact.start, fact.end), fact.text)
  t.same(facts.map(({ kind, text }) => `${kind} ${text}`), ['entity Paris', 'entity IL-6', 'direction rose', 'number 1,024',
    'percentage 12.5', 'number 30', 'negation not', 'number 3', 'comparative higher', 'number −4', 'entity p53', 'entity 3D'])
  t.same(facts.filter(({ value }) => value !== undefined).map(({ value, unit }) => [value, unit]),
    [[1024, 'mg'], [12.5, '%'], [30, 'patient'], [3, '°C'], [-4, 'K']])
  t.same(factsIn('between 5–10 mm and 2 × 10^3 cells').map(({ value, unit }) => [value, unit]), [[5, ''], [10, 'mm'], [2, '×10^3cell']])
  t.same(factsIn('정확도가 12% 증가하지 않았다').map(({ kind }) => kind), ['percentage', 'direction', 'negation'])
  t.ok(sameFacts('A rose by 5 mm', 'A rose by 5  mm'))
  for (const other of ['A fell by 5 mm', 'A rose by 5 cm', 'A rose by 6 mm', 'A never rose by 5 mm', 'In B A rose by 5 mm']) {
    t.notOk(sameFacts('A rose by 5 mm', other), other)
  }
})

t.test('near-duplicates claim the same', async t => {
  const a = 'Which of the tested models has the highest accuracy on the public test set?'
  t.ok(nearDuplicates(a, 'Which of the tested models has the highest accuracy on the public test sets'))
  t.notOk(nearDuplicates(a, a.replace('highest', 'lowest')), 'the other end is another question')
  t.notOk(nearDuplicates('It has 30 layers in all of the blocks', 'It has 31 layers in all of the blocks'))
  t.notOk(nearDuplicates(a, 'What colour is the second curve?'))
})

t.test('BM25 ranks the passage that shares rare terms first', async t => {
  const bm25 = bm25Of(['the cell grows in water', 'the cell dies in salt', 'nothing here', 'cell cell cell'])
  t.same(bm25.rank('Does the cell die in salt?', 2), [1, 3])
  t.same(bm25.rank('zebra', 5), [])
  const [score] = bm25Of(['alpha beta', 'gamma']).scores('alpha')
  const expected = Math.log(1 + 1.5 / 1.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 1.5))
  t.ok(Math.abs((score ?? 0) - expected) < 1e-12, 'as computed by hand')
})

t.test('the sentence that shares most with the others is most central', async t => {
  const sentences = ['Rain falls on the northern hills.', 'Rain and snow fall on hills and valleys.', 'Snow lies in the valleys.', 'Prices rose.']
  const weights = centralityOf(sentences)
  t.equal(weights.indexOf(Math.max(...weights)), 1)
  t.equal(weights.indexOf(Math.min(...weights)), 3)
  t.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9)
  t.same(centralityOf([]), [])
  t.same(centralityOf(['One.']), [1])
})
