import t from 'tap'
import { smallDocument } from './fixtures/document.ts'
import { givenModel } from './given-model.ts'

t.test('a model that does as it is told gives every item that is asked for', async t => {
  const { made, fake } = await givenModel(t, { documents: [smallDocument('1')] })
  const { generation, items, rejections } = await made({ kinds: ['qa', 'vqa'], counts: { vqaPerFigure: 2 } })

  t.match(generation, { state: 'succeeded', vision: true, itemCount: 11, rejectionCount: 0, outcome: { wanted: 11, made: 11, calls: 8 } })
  t.same(rejections, [])
  t.same(items.map(({ place }) => place), ['abstract', 'abstract', 'abstract', 's1', 's2', 'f1', 'f1', 'f2', 'f2', 'f3', 'f3'])
  t.equal(fake.journal.length, 8)
  for (const item of items) {
    t.ok(item.evidence.length > 0)
    t.match(item.provenance, { strategy: 'model', model: 'writer', seed: 1, sampleIndex: 0, requestHash: /^cmp_/, promptHash: /^[0-9a-f]{64}$/ })
  }
})
