import t from 'tap'
import { smallDocument } from './fixtures/document.ts'
import { givenModel } from './given-model.ts'

t.test('pairs come out half and half, on every figure that gives one', async t => {
  const { made } = await givenModel(t, { documents: [smallDocument('1')] })
  const { generation, items, rejections } = await made({ kinds: ['qa', 'vqa', 'choice'], counts: { vqaPerFigure: 3, choicesPerPlace: 2 }, samplesMax: 4, unanswerableShare: 0.2, falsePremiseShare: 0.2 })
  t.equal(generation.state, 'succeeded')
  console.log(JSON.stringify(generation.outcome), JSON.stringify(rejections.map(r => [r.place, r.kind, r.reason, r.detail]), null, 1), JSON.stringify(items.filter(i => i.kind === 'choice' || i.answerability).map(i => [i.place, i.question, i.answer, i.choices?.map(c => c.text), i.answerIndex, i.answerability, i.slices]), null, 1))
  t.ok(items.length > 0)
})
