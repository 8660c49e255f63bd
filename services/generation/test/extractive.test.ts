import t from 'tap'
import { Value } from 'typebox/value'
import type { Document } from '../../../shared/contracts/document.ts'
import type { Recipe } from '../../../shared/contracts/generation.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import { Item } from '../../../shared/contracts/item.ts'
import { namedIn } from '../../../shared/text/figure-mentions.ts'
import { codePointSlice } from '../../../shared/text/normalise.ts'
import { supportOf } from '../../../shared/text/support.ts'
import { answerFault } from '../domain/answer-rules.ts'
import { claimsOf } from '../domain/claims.ts'
import { groundworkOf, itemsFor } from '../domain/extractive.ts'
import { aspectsOf } from '../domain/abstract-parts.ts'
import { foilsOf } from '../domain/foils.ts'
import { measuredIn } from '../domain/measured.ts'
import { planOf } from '../domain/plan.ts'
import { sourceTextOf } from '../domain/source-text.ts'
import { stockOf } from '../domain/stock.ts'
import { smallDocument } from './fixtures/document.ts'

const recipe: Recipe = { strategy: 'extractive', kinds: ['qa', 'binary'], pairsPerFigureMax: 3, seed: 1, review: false }
const generationId = `gen_${'0'.repeat(32)}`

function made (document: Document, changes: Partial<Recipe> = {}) {
  const order = { document, recipe: { ...recipe, ...changes }, generationId }
  const groundwork = groundworkOf(order)
  const all = planOf(document, order.recipe).map(place => itemsFor(place, groundwork))
  return {
    items: all.flatMap(({ items }) => items),
    rejections: all.flatMap(({ rejections }) => rejections),
    groundwork
  }
}

function textAt (document: Document, { target }: Item['evidence'][number]): string {
  if (target.type === 'abstract') return document.abstract?.text ?? ''
  if (target.type === 'figure') return document.figures.find(({ id }) => id === target.id)?.caption ?? ''
  return document.sections.flatMap(({ paragraphs }) => paragraphs).find(({ id }) => id === target.id)?.text ?? ''
}

t.test('a small paper', async t => {
  const document = smallDocument()
  const { items, rejections } = made(document)
  const binary = items.filter(({ kind }) => kind === 'binary')

  t.test('gives items of the contract, with evidence that is a slice of the paper', async t => {
    t.ok(items.length >= 9)
    for (const item of items) {
      t.ok(Value.Check(Item, item), item.question)
      t.ok(item.evidence.length > 0)
      t.ok(item.checks.every(({ passed }) => passed))
      for (const evidence of item.evidence) {
        const { charStart, charEnd, quote } = evidence
        t.equal(codePointSlice(textAt(document, evidence), charStart, charEnd), quote)
      }
    }
    t.equal(new Set(items.map(({ id }) => id)).size, items.length)
  })

  t.test('is asked the three fixed questions, answered by its abstract', async t => {
    const [problem, solution, results] = items.filter(({ place }) => place === 'abstract')
    t.match(problem, { question: 'What is the main research problem or objective addressed in this paper?', answer: /^Fog on roads is a problem/ })
    t.match(solution, { question: 'What are the key methods and approaches used in this research?', answer: /^We present a lamp/ })
    t.match(results, { question: 'What are the main findings and contributions of this paper?', answer: /93% of the nights\.$/ })
  })

  t.test('has a section summarised by sentences in their order, and the thanks left alone', async t => {
    const [item] = items.filter(({ place }) => place === 's1')
    t.equal(item?.question, 'Summarize the contents of this section')
    const starts = item?.evidence.map(({ charStart }) => charStart) ?? []
    t.ok(starts.length >= 3)
    t.same(starts, [...starts].sort((a, b) => a - b))
    t.notOk(planOf(document, recipe).some(({ id }) => id === 's3'))
  })

  t.test('has pairs of one yes and one no that differ in one fact', async t => {
    t.ok(binary.length >= 6)
    for (const yes of binary.filter(({ answerIndex }) => answerIndex === 0)) {
      const pair = binary.filter(({ pairId }) => pairId === yes.pairId)
      const no = pair.find(({ answerIndex }) => answerIndex === 1)
      t.equal(pair.length, 2)
      t.same(no?.evidence, yes.evidence)
      const [words, others] = [yes.question.split(' '), no?.question.split(' ') ?? []]
      let [first, last] = [0, 0]
      while (words[first] === others[first]) first++
      while (words.at(-1 - last) === others.at(-1 - last)) last++
      t.ok(words.length - first - last <= 2 && others.length - first - last <= 2, `${yes.question} / ${no?.question}`)
      t.match(yes.question, /Figure \d|the paper/)
    }
  })

  t.test('has nothing asked of a figure without a checkable sentence, and says so', async t => {
    t.notOk(items.some(({ place }) => place === 'f3'))
    t.match(rejections.find(({ place }) => place === 'f3'), { kind: 'binary', reason: 'no-fit-sentence', detail: /too-short 1/ })
  })

  t.test('gives the same bytes again, and other pairs by another seed', async t => {
    t.equal(canonicalJson(made(document).items), canonicalJson(items))
    const questions = new Set([1, 2, 3, 4, 5].map(seed => canonicalJson(made(document, { seed }).items)))
    t.ok(questions.size > 1)
  })

  t.test('has no open question about a figure written without a model', async t => {
    const { items, rejections } = made(document, { kinds: ['vqa'] })
    t.same(items, [])
    t.match(rejections[0], { kind: 'vqa', reason: 'needs-a-model' })
  })

  t.test('asks nothing about a figure of which the source has no picture, and says so', async t => {
    const figures = document.figures.map(figure => ({ ...figure, imageId: null, width: 0, height: 0 }))
    const { items, rejections } = made({ ...document, figures }, { kinds: ['vqa', 'binary'] })
    t.same(items, [])
    t.same(rejections.map(({ place, kind, reason }) => [place, kind, reason]),
      figures.flatMap(({ id }) => [[id, 'vqa', 'no-picture'], [id, 'binary', 'no-picture']]))
  })
})

t.test('a false member that the paper supports is never made', async t => {
  const source = sourceTextOf(smallDocument())
  const own = source.sentences.find(({ text }) => text.startsWith('As shown in Figure 1'))
  const foilOf = (to: string) => ({ kind: 'number' as const, text: `the range of the sensor decreased from 80 m to ${to} m when the fog became dense`, from: '35', to, sign: 0 as const })
  if (own === undefined) return t.fail('the sentence is there')
  t.match(supportOf(foilOf('40'), source, own), /dense 40 m/, 'a row of a table says so')
  t.equal(supportOf(foilOf('33'), source, own), undefined)
  for (const { pairs } of made(smallDocument()).groundwork.figures.values()) {
    for (const { foil, sentence } of pairs) t.equal(supportOf(foil, source, sentence), undefined, foil.text)
  }
})

t.test('a sentence that cannot stand alone is refused, with the reason', async t => {
  const faults: Array<[string, string]> = [
    ['This increases the range of the lamp in the fog by 20%.', 'dangling-reference'],
    ['The lamp gave these values in all nights of the year.', 'dangling-reference'],
    ['Then it reaches a range of 52 m in the clear air.', 'dangling-reference'],
    ['The values shown below reach a range of 52 m in air.', 'dangling-reference'],
    ['Distribution of the range of the lamp in dense fog.', 'no-finite-verb'],
    ['The lamp may reach a range of 52 m in clear air.', 'hedged'],
    ['The lamp works.', 'too-short'],
    [`The lamp reaches ${'a very '.repeat(20)}long range in clear air.`, 'too-long'],
    ['The lamp reaches the range that Table 3 gives for air.', 'points-elsewhere'],
    ['The error is \u{1D465} + \u{1D466} in the fog at night.', 'broken-text'],
    ['The proteins12 are found in the drops of the fog.', 'broken-text'],
    ['The range (see the lens is 52 m in clear air.', 'unbalanced-brackets'],
    ['Is the range of the lamp 52 m in clear air?', 'not-a-sentence'],
    ['The dashed line marks the range of 52 m in clear air.', 'legend'],
    ['The right panel shows the range of the lamp in fog.', 'legend'],
    ['Clear nights are shown in dark blue for all the lamps.', 'legend'],
    ['With 20 lamps in the fog, it is 52 m long on average.', 'dangling-reference'],
    ['The difference between the two has shrunk to 4 m.', 'dangling-reference'],
    ['Lamps of both towns were then moved to the harbour road.', 'dangling-reference'],
    ['The lamp is bright at night, the road is wet in rain.', 'comma-splice'],
    ['Ranges of the lamp were measured and trials were performed.', 'procedure'],
    ['The authors present results for three lamps in clear air.', 'meta'],
    ['The range ofthe lamp is 52 m in the clear air.', 'broken-text'],
    ['The loss of range in the rst hour of the night is 4 m.', 'broken-text'],
    ['The wells of the plate are seeded with 1.2 × 104 cells in the night.', 'exponent-uncertain'],
    ['The lamps were introduced into the fog for 2 hours each.', 'procedure'],
    ['The town has five lamps.', 'too-short'],
    ['The range of the lamp is 52 m in fog, less than half as much.', 'dangling-reference'],
    ['33 lamps were lit – the majority stood in the harbour.', 'list-or-clause-mark'],
    ['and the range of the lamp is 52 m in clear', 'not-a-sentence']
  ]
  for (const [sentence, fault] of faults) t.match(claimsOf(sentence, new Set())[0], { fault }, sentence)
})

t.test('a sentence becomes a claim without its references', async t => {
  const claims: Array<[string, string]> = [
    ['As shown in Fig. 2, the lamp reaches a range of 52 m.', 'the lamp reaches a range of 52 m'],
    ['However, the lamp reaches a range of 52 m (Figure 2).', 'the lamp reaches a range of 52 m'],
    ['We found that our lamp reaches a range of 52 m [3, 4].', "the authors' lamp reaches a range of 52 m"],
    ['Figure 2 shows that the lamp reaches a range of 52 m.', 'the lamp reaches a range of 52 m'],
    ['The lamp reaches a range of 52 m, suggesting that this may hold.', 'the lamp reaches a range of 52 m'],
    ['The lamp reaches a range of 52 m (Smith et al., 2010).', 'the lamp reaches a range of 52 m'],
    ['The lamp thus reaches a range of 52 metres.53–55', 'the lamp reaches a range of 52 metres'],
    ['The lamp (red squares) reaches a range of 52 m.', 'the lamp reaches a range of 52 m'],
    ['Figure 2 compares the lamp at a range of 52 m.', 'Figure 2 compares the lamp at a range of 52 m'],
    ['Lamps reach a range of 52 m in clear air.', 'lamps reach a range of 52 m in clear air']
  ]
  for (const [sentence, text] of claims) {
    t.match(claimsOf(sentence, new Set(['lamp', 'figure'])), [{ claim: { text } }], sentence)
  }
  t.match(claimsOf('The range of the lamp is long at night, and the range of the camera rose to 52 m.', new Set())[1],
    { claim: { text: 'the range of the camera rose to 52 m' } }, 'a clause with a subject of its own')
})

t.test('foils change one fact, and keep a sentence from contradicting itself', async t => {
  const stock = stockOf(sourceTextOf(smallDocument()))
  const foils = (text: string) => foilsOf({ text }, stock).map(({ kind, to }) => `${kind} ${to}`)
  const falling = foilsOf({ text: 'the range of the sensor decreased from 80 m to 35 m' }, stock)
    .filter(({ kind }) => kind === 'number').map(({ text }) => text.match(/\d+/gu)?.map(Number) ?? [])
  t.ok(falling.length > 0)
  for (const [from = 0, to = 0] of falling) t.ok(from > to, `decreased from ${from} to ${to}`)
  t.notOk(foils('the range was more than 52 m in clear air').some(foil => foil.startsWith('number')), 'a bound may hold for a wrong value')
  t.notOk(foils('the study began in 1998 with the lamp').some(foil => foil.startsWith('number')))
  t.ok(foils('the old sensor was slower than the lamp').includes('comparative faster'))
  t.ok(foils('the sensor was not affected by fog').includes('negation was'))
  t.ok(foils('the error increased significantly in rain').includes('direction decreased'))
  t.notOk(foils('the lamp keeps a very high accuracy of 61% in rain').some(foil => foil.startsWith('percentage')), 'another value would contradict the word')
  t.notOk(foils('the lamp is better than the camera at 52 m').some(foil => foil.startsWith('number')), 'it may be better at another range too')
  t.notOk(foils('the range fell, with a higher error, in rain').some(foil => foil.startsWith('comparative')), 'only the main clause')
  const found = foilsOf({ text: 'the lamp has a range of 52 m with 35 m of fog' }, stock).filter(({ kind }) => kind === 'number')
  t.ok(found.length > 0 && found.every(({ text }) => text.endsWith('with 35 m of fog')), 'what was found is changed, not its condition')
  t.notOk(foils('the ranges are identical for 12 and 35 m of fog').some(foil => foil.startsWith('number')), 'nor a condition beside another')
  const sides = foilsOf({ text: 'the lamp reached a range of 52 m in clear air' }, stock).map(({ larger }) => larger)
  t.ok(sides.includes(true) && sides.includes(false), 'numbers on either side are there to choose from')
  t.same(measuredIn('from 80 to 35 m').map(({ unit }) => unit), ['m', 'm'])
})

t.test('mentions are read as they are printed', async t => {
  t.same([...namedIn('Figs. 2–4 and Table 1').figures].sort(), ['2', '3', '4'])
  t.same([...namedIn('see Figure S1a and Fig. 3(b)').figures], ['S1', '3'])
  t.same([...namedIn('그림 3은').figures], ['3'])
})

t.test('what says nothing by itself is no part of an answer', async t => {
  const faults: Array<[string, string]> = [
    ['This section describes the lamp and the fog on the road.', 'meta'],
    ['It measures the density of the fog with the light of a lamp.', 'dangling-reference'],
    ['The lamp could be likely to be better than the camera in fog.', 'hedged'],
    ['The ranges of the lamp and the camera are shown in Figure 2.', 'points-elsewhere'],
    ['The lamp measures fog from the light that comes back', 'not-a-sentence'],
    ['The activities against the bacteria the bacteria were consistent.', 'broken-text'],
    ['The sensor counted 1.5 × 108 drops in the dense fog of the night.', 'exponent-uncertain'],
    ['Copyright 2017 is held by the authors of the lamp and sensor.', 'boilerplate'],
    ['With more drops, its range falls from 52 m to 35 m.', 'dangling-reference'],
    ['Range of the lamp and density of the water in the fog.', 'no-finite-verb'],
    ['75.0% and the range measured with 40 lamps is 74 m.', 'not-a-sentence'],
    ['Section 2 describes the lamp and the density of fog.', 'points-elsewhere']
  ]
  for (const [sentence, fault] of faults) t.equal(answerFault(sentence), fault, sentence)
  t.equal(answerFault('The lamp measures fog from the light that comes back.'), undefined)
})

t.test('an abstract goes from the problem over the way taken to the findings', async t => {
  t.same(aspectsOf([
    'Fog on roads remains a problem for sensors.',
    'Most cameras lose range in dense air.',
    'We present a lamp that measures fog.',
    'The lamp was tested in forty nights.',
    'Results show that the lamp finds fog in 93% of the nights.',
    'Fog is found earlier than with a camera, which indicates a gain.'
  ]), ['problem', 'problem', 'solution', 'solution', 'results', 'results'])
})

t.test('a sentence that leans on the one before it comes only beside it', async t => {
  const [first] = smallDocument().sections
  if (first === undefined) return t.fail('a section')
  const text = 'The lamp measures the density of fog in the air. This density grows with the number of small drops. Its camera needs a long time for one image of fog. Drops of fog scatter the light of the lamp in air. The density of the fog decides how far the lamp is seen. A road in fog is seen by the light of a lamp.'
  const section = { ...first, paragraphs: [{ id: 's1p1', text, page: 1, box: [0, 0, 1, 1] }] }
  const { items } = made(smallDocument('lean', { sections: [section], figures: [] }), { kinds: ['qa'] })
  const answer = items.find(({ place }) => place === 's1')?.answer ?? ''
  t.ok(answer.length > 100)
  t.notMatch(answer, /Its camera/)
  if (answer.includes('This density')) t.match(answer, /fog in the air\. This density/)
})

t.test('a Korean paper is asked in Korean', async t => {
  const text = '안개는 작은 물방울이 많은 공기이다. 센서는 안개 속에서 빛을 많이 잃는다. 도로의 가로등은 밤마다 빛을 내고 안개를 비춘다. 물방울에서 돌아오는 빛은 안개의 밀도를 담고 있다. 가로등 센서는 안개의 밀도를 적은 비용으로 잴 수 있다. 그림 1에서 센서의 정확도는 92.1%로 나타났다.'
  const base = smallDocument()
  const [first] = base.sections
  if (first === undefined) return t.fail('a section')
  const section = { ...first, paragraphs: [{ id: 's1p1', text, page: 1, box: [0, 0, 1, 1] }] }
  const { items } = made(smallDocument('ko', { language: 'ko', sections: [section], figures: [], tables: [] }))
  t.match(items.find(({ place }) => place === 's1'), { question: '이 절의 내용을 요약하시오', language: 'ko' })
})
