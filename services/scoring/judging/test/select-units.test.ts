import t from 'tap'
import { canonicalJson, hashingList, sha256 } from '../../../../shared/contracts/hash.ts'
import type { Prediction } from '../../../../shared/contracts/run.ts'
import { inTurns } from '../../../../shared/tasks/in-turns.ts'
import { blankPrediction } from '../../domain/plan.ts'
import { benchmarkOf, documentOf, itemOf } from '../../test/fixtures.ts'
import { selectUnits } from '../handlers/select-units.ts'

const runId = `run_${'a'.repeat(32)}`
const document = documentOf('many')
const items = Array.from({ length: 20_000 }, (_, i) => itemOf(document, { kind: 'qa', question: `What hardens alloy ${i}?`, answer: 'Heat.' }))
const itemById = new Map(items.map(item => [item.id, item]))
const frozen = { benchmark: benchmarkOf([document], []), items, itemById }
const said = (item: typeof items[number]): Prediction =>
  ({ ...blankPrediction(runId, item), outcome: 'answered', reply: `Heating hardens it. ${'It is so. '.repeat(60)}` })

t.test('while many units are selected and hashed, other work of the process has its turns', async t => {
  let turns = 0
  let working = true
  const other = () => {
    turns++
    if (working) setImmediate(other)
  }
  const seen: Record<string, number> = {}
  const half = items.slice(0, items.length / 2).map(said)
  const store = {
    async * predictionsOf () {
      seen.begun = turns
      yield half
      seen.placed = turns
    }
  }
  setImmediate(other)
  const request = { runIds: [runId], form: 'scores' }
  const { units, hash } = await selectUnits({ benchmarks: { get: async () => frozen }, store } as never, request as never, 'bmk')
  working = false
  const after = turns
  t.ok(seen.begun! < seen.placed! - 1, `turns while the predictions are placed: ${seen.placed! - seen.begun!}`)
  t.ok(after - seen.placed! > 2, `turns while the missing are filled in and all are hashed: ${after - seen.placed!}`)
  t.equal(hash, sha256(canonicalJson(units)), 'the hash is that of all units at once')
  t.match(units.at(-1), { itemId: items.at(-1)!.id, outcomes: ['error'] }, 'an item that was never asked is an error')
})

t.test('a list hashed element by element has the hash of its canonical JSON', async t => {
  for (const list of [[], [undefined, null], [{ b: 1, a: '\ud800' }, [2, 'x']]]) {
    t.equal(await inTurns(hashingList(list)), sha256(canonicalJson(list)), canonicalJson(list))
  }
})
