import t from 'tap'
import type { Item } from '../../../shared/contracts/item.ts'
import { checkUnit } from '../../../services/reviewing/domain/check-unit.ts'
import { choiceSlots, descriptiveSlots, sharesOf } from '../../../services/generation/domain/model/allotment.ts'
import { choiceWriter } from '../../../services/generation/domain/model/choice.ts'
import { falsePremiseChoiceWriter, falsePremiseWriter } from '../../../services/generation/domain/model/false-premise.ts'
import { unanswerableChoiceWriter, unanswerableWriter } from '../../../services/generation/domain/model/unanswerable.ts'
import type { ItemDraft, Material, Writer } from '../../../services/generation/domain/model/writer.ts'
import type { Place } from '../../../services/generation/domain/plan.ts'
import { resolveRecipe, type ModelRecipe } from '../../../services/generation/domain/recipe.ts'
import { materialOf as materialOfPaper } from '../../../services/generation/domain/model/material.ts'
import { smallDocument } from '../../../services/generation/test/fixtures/document.ts'
import { givenModel } from './given-model.ts'

const document = smallDocument('1')
const recipeOf = (own: object = {}) =>
  resolveRecipe({ strategy: 'model', model: 'writer', kinds: ['choice'], pairsPerFigureMax: 3, seed: 1, ...own }) as ModelRecipe
const materialOf = (language = 'en', of = document): Material =>
  materialOfPaper(of, { recipe: { ...recipeOf(), language }, vision: true })

const results: Place = { aspect: 'section', id: 's2' }
const table: Place = { aspect: 'table', id: 't1' }

function judged (writer: Writer, draft: object, { place = results, language = 'en', slices = {} }: { place?: Place, language?: string, slices?: Record<string, string> } = {}) {
  const ask = { values: {}, count: 1, figureIds: [], leftOut: [], slices }
  return writer.judge(draft as never, { place, ask, material: materialOf(language), accepted: [] })
}

function itemOf (...asked: Parameters<typeof judged>): ItemDraft {
  const verdict = judged(...asked)
  if (!('items' in verdict)) throw new Error(`${verdict.reason}: ${verdict.detail}`)
  return verdict.items[0]!
}

const reasonOf = (...asked: Parameters<typeof judged>) => {
  const verdict = judged(...asked)
  return 'items' in verdict ? 'none' : verdict.reason
}

const good = {
  quotes: ['Energy use in winter was 61% of the budget, and the range of the radar was 95 m.'],
  question: 'Which share of the budget was the energy use in winter?',
  right: '61%',
  distractors: ['12%', '18%', '93%'],
  rationale: 'The paper gives 61%; the others are shares of other things.'
}

t.test('options: one right, in an order of the seed, the rationale kept', async t => {
  const { choices = [], answerIndex = -1, rationale, slices } = itemOf(choiceWriter, good)
  t.same(choices.map(({ text }) => text).sort(), ['12%', '18%', '61%', '93%'])
  t.equal(choices[answerIndex]?.text, '61%')
  t.equal(rationale, good.rationale)
  t.match(slices, { distractors: 'of-the-paper' })
  const positions = new Set(Array.from({ length: 40 }, (_, i) =>
    itemOf(choiceWriter, { ...good, question: `${good.question.slice(0, -1)}${' '.repeat(i % 2)} in ${['all', 'every', 'each', 'any', 'one'][i % 5]} of the nights ${'abcdefgh'[i % 8]}?` }).answerIndex))
  t.equal(positions.size, 4, 'the right one stands anywhere')
})

t.test('cells of a table and rows of it are evidence', async t => {
  const item = itemOf(choiceWriter, {
    ...good, quotes: ['dense | 40 m'], question: 'Which range has the sensor in dense fog by the table?', right: '40 m', distractors: ['52 m', '61 m', '95 m']
  }, { place: table })
  t.match(item.evidence, [{ quote: 'dense', cell: { row: 1, column: 0 } }, { quote: '40 m', cell: { row: 1, column: 1 } }])
})

t.test('what is wrong with a choice is told', async t => {
  const cases: Array<[string, Partial<typeof good>]> = [
    ['options-alike', { distractors: ['61 %', '18%', '93%'] }],
    ['options-alike', { distractors: ['61.0%', '18%', '93%'] }],
    ['options-alike', { distractors: ['about 61 percent', '18%', '93%'] }],
    ['option-of-options', { distractors: ['12%', '18%', 'All of the above'] }],
    ['options-differ-in-form', { distractors: ['12%', '18%', 'a lot'] }],
    ['options-differ-in-form', { distractors: ['12%', '18%', '93 m'] }],
    ['options-differ-in-length', { distractors: ['12%', '18%', '93% of all nights in which the lamp was switched on'] }],
    ['right-option-longest', { right: '61% of the budget' }],
    ['not-in-evidence', { right: '62%' }],
    ['quote-not-found', { quotes: ['Energy use in winter was 62% of the budget.'] }],
    ['unknown-number', { question: 'Which share of the budget was the energy use in winter 1812?' }],
    // 93% of the nights stands in the abstract.
    ['distractor-supported', { quotes: good.quotes, question: 'In which share of the nights does the lamp find fog within the budget?' }]
  ]
  for (const [reason, draft] of cases) {
    t.equal(reasonOf(choiceWriter, { ...good, ...draft }), reason, JSON.stringify(draft))
  }
})

t.test('a key that is a mark, a year of a citation or the number of a part is none', async t => {
  const said = '3) Energy use of the lamp in winter (Klavans and Boyack, 2006) was 61 kWh as in Section 4 [42].'
  const [first, results] = document.sections
  const own = { ...results!, paragraphs: [{ ...results!.paragraphs[0]!, text: said }] }
  const paper = { ...document, documentHash: `doc_${'3'.repeat(32)}`, sections: [first!, own] }
  const reasonFor = (right: string, distractors: string[], question = `Which number completes this statement of the paper: “${said.replace(right, '…').slice(0, -1)}”?`) => {
    const verdict = choiceWriter.judge({ quotes: [said], question, right, distractors, rationale: 'So it says.' } as never, {
      place: { aspect: 'section', id: 's2' }, ask: { values: {}, count: 1, figureIds: [], leftOut: [], slices: {} }, material: materialOf('en', paper), accepted: []
    })
    return 'items' in verdict ? 'none' : verdict.reason
  }
  t.equal(reasonFor('2006', ['1725', '1866', '1999']), 'trivial-fact')
  t.equal(reasonFor('[42]', ['[57]', '[61]', '[77]']), 'trivial-fact')
  t.equal(reasonFor('42', ['57', '63', '77']), 'trivial-fact')
  t.equal(reasonFor('3', ['5', '7', '9']), 'trivial-fact')
  t.equal(reasonFor('2006', ['1725', '1866', '1999'], 'When was the energy use of the lamp in winter described?'), 'trivial-fact')
  t.equal(reasonFor('61 kWh', ['72 kWh', '83 kWh', '94 kWh']), 'none')
})

t.test('shares are those of the recipe, and the option alone tells nothing', async t => {
  const sections = Array.from({ length: 50 }, (_, i) => ({ ...document.sections[1]!, id: `s${i + 2}` }))
  const large = { ...document, sections }
  const recipe = recipeOf({ counts: { choicesPerPlace: 2 }, unanswerableShare: 0.1, falsePremiseShare: 0.05 })
  const slots = [...choiceSlots(large, recipe).values()].flat()
  const count = (slot: string) => slots.filter(one => one === slot).length
  t.equal(slots.length, 108, 'two of each section, figure and table')
  t.same([count('unanswerable'), count('false-premise')], [11, 5])
  const shown = slots.length - count('plain')
  t.equal((count('unanswerable') + count('false-premise')) / shown, 0.25, 'right as often as any of four options')
  t.same([...choiceSlots(large, recipe)], [...choiceSlots(large, recipe)])

  const all = { ...recipeOf({ unanswerableShare: 0.2, falsePremiseShare: 0.1 }), seed: 4 }
  const total = (answerability: 'unanswerable' | 'false-premise') =>
    [...descriptiveSlots(large, all, { kind: 'qa', answerability }).values()].reduce((sum, n) => sum + n, 0)
  t.same([total('unanswerable'), total('false-premise')], [15, 8], 'of 53 answered and these: 20 and 10 in a hundred')
  t.throws(() => recipeOf({ unanswerableShare: 0.4, falsePremiseShare: 0.2 }), { message: /at most 0.5 together/ })
})

const unasked = {
  quotes: ['The error of the lamp increased by 12% in rain, as shown in Figure 2.'],
  said: 'The error of the lamp increased by 12% in rain.',
  question: 'How strong was the hail when the error of the lamp rose in rain?',
  missing: 'hail'
}

t.test('unanswerable questions', async t => {
  t.match(itemOf(unanswerableWriter('qa'), unasked), {
    answerability: 'unanswerable', answer: `The paper does not say. ${unasked.said}`, evidence: [{ quote: unasked.quotes[0] }]
  })
  const cases: Array<[string, Partial<typeof unasked>]> = [
    ['answered', { question: 'How large was the error of the lamp in snow?', missing: 'error' }],
    ['missing-not-named', { missing: 'wind' }],
    ['off-topic', { question: 'Who won the hail festival of Vienna?' }],
    ['not-in-evidence', { said: 'The error of the lamp increased by 13% in rain.' }],
    ['quote-not-found', { quotes: ['The error of the lamp fell by 12% in rain.'] }]
  ]
  for (const [reason, draft] of cases) t.equal(reasonOf(unanswerableWriter('qa'), { ...unasked, ...draft }), reason, JSON.stringify(draft))
  const { choices = [], answerIndex = -1, answerability } = itemOf(unanswerableChoiceWriter, { ...unasked, options: ['12%', '18%', '61%'], rationale: 'No hail.' })
  t.same([choices.length, choices[answerIndex]?.text, answerability], [4, 'The paper does not say.', 'unanswerable'])
  t.equal(reasonOf(unanswerableWriter('qa'), unasked, { language: 'ko' }), 'language')
  t.equal(unanswerableWriter('qa').asksOf(results, materialOf('xx'), { tokens: 500 }) instanceof Array, false)
})

const premised = {
  quotes: unasked.quotes,
  fact: 'The error of the lamp increased by 12% in rain.',
  premise: 'The error of the lamp increased by 15% in rain.',
  question: 'Why did rain increase the lamp error by 15%?'
}

t.test('questions on a false premise', async t => {
  t.match(itemOf(falsePremiseWriter('qa'), premised), {
    answerability: 'false-premise', answer: `The premise of the question is wrong. ${premised.fact}`, slices: { falseForm: 'number' }
  })
  const cases: Array<[string, Partial<typeof premised>]> = [
    ['not-in-evidence', { fact: premised.premise, premise: premised.fact }],
    ['not-minimal', { premise: 'Snow made the camera 15% worse.' }],
    ['premise-not-in-question', { question: 'Why did rain increase the lamp error so much?' }],
    ['premise-not-in-question', { question: 'Why did rain increase the lamp error by 15% and not by 12%?' }]
  ]
  for (const [reason, draft] of cases) {
    t.equal(reasonOf(falsePremiseWriter('qa'), { ...premised, ...draft }), reason, JSON.stringify(draft))
  }
  const { choices = [], answerIndex = -1 } = itemOf(falsePremiseChoiceWriter, { ...premised, options: ['By design', 'By chance', 'By error'], rationale: 'It was 12%.' })
  t.equal(choices[answerIndex]?.text, 'The paper does not say.')
})

t.test('however few items there are, half have an answer', async t => {
  const shares = [[0.25, 0.25], [0.5, 0], [0, 0.5], [0.1, 0.3], [0, 0]] as const
  for (const [unanswerableShare, falsePremiseShare] of shares) {
    for (let all = 0; all < 60; all++) {
      const { unanswerable, 'false-premise': falsePremise } = sharesOf(all, { unanswerableShare, falsePremiseShare })
      const told = `${unanswerable} and ${falsePremise} of ${all}`
      t.ok(unanswerable >= 0 && falsePremise >= 0 && 2 * (unanswerable + falsePremise) <= all, told)
      const off = [unanswerable - unanswerableShare * all, falsePremise - falsePremiseShare * all]
      t.ok(Math.abs(off[0]! + off[1]!) <= 0.5 + 1e-9, `${told}: together nearest to the shares`)
      t.ok(off.every(one => Math.abs(one) <= 1), told)
    }
  }
})

t.test('in Korean the reference and the option are Korean', async t => {
  const text = '비가 올 때 램프의 오차는 12% 증가하였으며 센서의 도달 거리는 35 m로 감소하였다.'
  const section = document.sections[1]!
  const paragraphs = [{ ...section.paragraphs[0]!, text }]
  const korean = { ...document, sections: [{ ...section, paragraphs }] }
  const material = materialOf('ko', korean)
  const ask = { values: {}, count: 1, figureIds: [], leftOut: [], slices: {} }
  const verdict = unanswerableWriter('qa').judge({
    quotes: [text], said: '램프의 오차는 12% 증가하였다.', question: '비가 올 때 램프의 습도는 얼마인가?', missing: '습도'
  } as never, { place: results, ask, material, accepted: [] })
  t.match(verdict, { items: [{ answer: '논문은 이를 밝히지 않는다. 램프의 오차는 12% 증가하였다.' }] })
  const choice = unanswerableChoiceWriter.judge({
    quotes: [text], question: '비가 올 때 램프의 습도는 얼마인가?', missing: '습도', options: ['12%', '35%', '61%'], rationale: '습도는 없다.'
  } as never, { place: results, ask, material, accepted: [] })
  t.ok('items' in choice && choice.items[0]?.choices?.some(({ text }) => text === '논문은 이를 밝히지 않는다.'))
})

t.test('through the service: every kind comes about, is marked, and passes review', async t => {
  const { made } = await givenModel(t, { documents: [document] })
  const { generation, items } = await made({
    kinds: ['qa', 'vqa', 'choice'], counts: { vqaPerFigure: 2, choicesPerPlace: 2 }, samplesMax: 4, unanswerableShare: 0.2, falsePremiseShare: 0.1
  })
  t.equal(generation.state, 'succeeded')
  const kindsOf = (answerability?: Item['answerability']) =>
    [...new Set(items.filter(item => item.answerability === answerability).map(({ kind }) => kind))].sort()
  t.same(kindsOf(), ['choice', 'qa', 'vqa'])
  t.same(kindsOf('unanswerable'), ['choice', 'qa', 'vqa'])
  t.ok(kindsOf('false-premise').length >= 1)
  const failed = items.filter(({ place }) => place !== 'abstract').flatMap(item => checkUnit([item], document).flat().filter(({ passed }) => !passed).map(check => `${item.question}: ${check.detail}`))
  t.same(failed, [])
})
