/** Planted leaky items are found, and what only looks so is left alone: a smaller bench:partial-input. */
import t from 'tap'
import { measure } from '../bench/partial-input/measure.ts'
import { usual } from '../bench/partial-input/simulate.ts'

const draws = { replicates: 20, seed: 1 }
const small = { ...usual, items: 60 }

t.test('leaky items are told apart whatever the habits of guessing', async t => {
  for (const [name, guessing] of Object.entries({ chance: {}, fixed: { fixed: 1 }, first: { first: 0.8 } })) {
    const { auc, at } = measure({ ...small, families: 8, guessing }, draws)
    t.ok(auc! >= 0.99, `${name}: ${auc}`)
    t.ok(at['0.05'].found! >= 0.9, `${name}: ${at['0.05'].found}`)
    t.ok(at['0.05'].falseShare <= 0.05 && at['0.1'].falseShare <= 0.1, `${name}: ${at['0.05'].falseShare}`)
  }
})

t.test('a set without leaks has none flagged, where counting every asking flags a third', async t => {
  const fixed = measure({ ...small, leaky: 0, guessing: { fixed: 1 } }, draws)
  t.ok(fixed.at['0.05'].flaggedOfSound <= 0.001, String(fixed.at['0.05'].flaggedOfSound))
  t.ok(fixed.naive > 0.25, String(fixed.naive))
})

t.test('a hunch that all families share is not taken for knowing', async t => {
  for (const alternatives of [4, 2]) {
    const herd = measure({ ...small, alternatives, families: 12, guessing: { herd: 1 } }, draws)
    t.ok(herd.at['0.05'].falseShare <= 0.05, `${alternatives}: ${herd.at['0.05'].falseShare}`)
    const none = measure({ ...small, alternatives, families: 12, leaky: 0, guessing: { herd: 1 } }, draws)
    t.ok(none.at['0.05'].flaggedOfSound <= 0.01, `${alternatives}: ${none.at['0.05'].flaggedOfSound}`)
  }
})
