import t from 'tap'
import { smallDocument } from './fixtures/document.ts'
import { givenModel } from './given-model.ts'

t.test('pairs come out half and half, on every figure that gives one', async t => {
  const { made } = await givenModel(t, { documents: [smallDocument('1')] })
  const { generation, items, rejections } = await made({ kinds: ['binary'], counts: { pairsPerFigure: 2 }, samplesMax: 4 })
  t.equal(generation.state, 'succeeded')
  console.log(JSON.stringify(rejections, null, 1), JSON.stringify(items.map(i => [i.place, i.question, i.answerIndex, i.slices]), null, 1))
  t.ok(items.length > 0)
})
