import t from 'tap'
import { answersTo } from '../../shared/testing/bank-answers.ts'
import { rawBank } from '../../shared/testing/raw-bank.ts'
import { miskeyedFound } from '../bench/banks/miskeyed.ts'

const models = { models: 20, families: 5, seed: 1 }

t.test('wrong keys are found as well as by who knows the abilities, and far better than by correlation', t => {
  const found = [1, 2].map(seed => miskeyedFound(rawBank({ total: 600, seed }), { ...models, seed }))
  for (const { wrongKeys, found: ours, oracle, correlation, chance } of found) {
    t.ok(wrongKeys > 20)
    t.ok(ours.area >= oracle.area - 0.03, `PR-AUC ${ours.area.toFixed(3)}, with abilities known ${oracle.area.toFixed(3)}`)
    t.ok(ours.area > 0.75 && ours.precision > 0.65, `precision@k ${ours.precision.toFixed(3)}`)
    t.ok(ours.area > correlation.area + 0.1 && correlation.area > chance, `by correlation ${correlation.area.toFixed(3)}`)
  }
  t.end()
})

t.test('what is planted miskeyed is a wrong key, and no copy is', t => {
  const bank = rawBank({ total: 400, seed: 3 })
  const { wrong } = answersTo(bank, models)
  const isWrong = new Map(bank.items.map(({ id }, at) => [id, wrong[at]!]))
  const of = (...plants: string[]) =>
    bank.planted.filter(({ plant }) => plants.includes(plant)).map(({ id }) => isWrong.get(id))
  t.ok(of('miskeyed').length > 5 && of('miskeyed').every(Boolean))
  t.notOk(of('copy', 'permuted', 'retyped', 'paraphrase').some(Boolean))
  const turned = of('turned', 'swapped')
  t.ok(turned.some(Boolean) && !turned.every(Boolean), 'half of those who turn a question forget its key')
  t.end()
})
