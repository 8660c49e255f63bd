import t from 'tap'
import { documentOf, conditionOf, itemOf, pairOf } from '../../test/fixtures.ts'
import { drawItems } from '../domain/draw.ts'

const document = documentOf('one')
const drawn = (...given: Parameters<typeof drawItems>): string[] => {
  const steps = drawItems(...given)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
const singles = Array.from({ length: 60 }, (_, at) =>
  itemOf(document, { kind: 'choice', question: `Which? ${at}`, choices: [{ text: 'a' }, { text: 'b' }], answerIndex: 0, slices: { part: at < 40 ? 'one' : 'two' } }))
const pairs = Array.from({ length: 20 }, (_, at) => pairOf(document, `p${at}`)).flat()
const items = [...singles, ...pairs]
const all = { itemIds: null, kinds: null, stratifyBy: null }
const drawing = { ...all, seed: 1, itemsMax: 2000, condition: conditionOf() }

t.test('the same seed draws the same, another one something else', async t => {
  const asked = { ...drawing, itemsMax: 30 }
  t.strictSame(drawn(items, asked), drawn([...items].reverse(), asked), 'whatever the order they come in')
  t.notSame(drawn(items, asked), drawn(items, { ...asked, seed: 2 }))
  t.equal(drawn(items, asked).length, 30)
})

t.test('pairs are drawn whole, and stand half of the sitting apart', async t => {
  const partner = new Map(pairs.map(({ id, pairId }) => [id, pairId]))
  for (let seed = 0; seed < 50; seed++) {
    const order = drawn(items, { ...drawing, seed, itemsMax: 41 })
    const places = new Map<string, number[]>()
    for (const [at, id] of order.entries()) {
      const pairId = partner.get(id)
      if (pairId !== undefined) places.set(pairId, [...places.get(pairId) ?? [], at])
    }
    const apart = [...places.values()].map(([first = 0, second = NaN]) => second - first)
    t.ok(apart.every(distance => distance >= order.length / 4), `seed ${seed}: ${Math.min(...apart)} of ${order.length}`)
  }
})

t.test('each stratum has its share', async t => {
  const part = new Map(singles.map(({ id, slices }) => [id, slices.part]))
  for (let seed = 0; seed < 50; seed++) {
    const some = drawn(singles, { ...drawing, seed, itemsMax: 15, stratifyBy: 'part' })
    const ones = some.filter(id => part.get(id) === 'one').length
    t.ok(ones >= 9 && ones <= 11, `seed ${seed}: ${ones} of 15, for two thirds`)
  }
})

t.test('every item is drawn about as often', async t => {
  const counts = new Map<string, number>()
  const seeds = 600
  for (let seed = 0; seed < seeds; seed++) {
    for (const id of drawn(items, { ...drawing, seed, itemsMax: 25, stratifyBy: 'aspect' })) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const shares = items.map(({ id }) => (counts.get(id) ?? 0) / seeds)
  t.ok(Math.min(...shares) > 0.15 && Math.max(...shares) < 0.37, `${Math.min(...shares)} to ${Math.max(...shares)} for .25`)
})
