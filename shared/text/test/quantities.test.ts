import t from 'tap'
import { quantitiesIn, sameQuantities, tells, type Quantity } from '../quantities.ts'

const amount = (text: string): Quantity => quantitiesIn(text).find(({ bound }) => !bound)!

t.test('the same amount is the same however it is printed', async t => {
  const same = [
    ['95 m', '95.0 m'], ['1,000', '1000'], ['10 000', '10000'], ['12%', '12 percent'], ['12%', 'twelve per cent'],
    ['1.2 × 10^3', '1200'], ['24 ms', '24 milliseconds'], ['5–10', '5 to 10'], ['12.3%', '12%'], ['twenty-five h', '25 hours']
  ]
  for (const [one = '', other = ''] of same) t.ok(sameQuantities(one, other), `${one} and ${other}`)
  const others = [['95 m', '95 s'], ['12%', '13%'], ['12.3%', '12.4%'], ['<5 m', '5 m'], ['lamps', 'lamps'], ['24 ms', '24 s']]
  for (const [one = '', other = ''] of others) t.notOk(sameQuantities(one, other), `${one} and ${other}`)
})

t.test('a text tells an amount in words, as a share, rounded, in a range and beyond a bound', async t => {
  const telling = ['15%', 'fifteen percent', 'a share of 0.15', '14.9%', '10–20%', 'between 10 and 20%', 'more than 10%', 'up to 20%']
  for (const text of telling) t.ok(tells(`It rose by ${text} in rain.`, amount('15%')), text)
  for (const text of ['16%', 'from 10% to 20%', 'more than 20%', '14.2%', 'fifty percent']) {
    t.notOk(tells(`It rose by ${text} in rain.`, amount('15%')), text)
  }
})

t.test('a text as long as a paper takes no longer than its length', { timeout: 20_000 }, async t => {
  for (const piece of ['1', '1 000 ', 'two ', '1-', ' ']) t.type(quantitiesIn(piece.repeat(60_000)).length, 'number')
})
