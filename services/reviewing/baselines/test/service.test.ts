import t from 'tap'
import type { PartialInputAnswers, PartialInputBaseline, PartialInputItem } from '../../../../shared/contracts/partial-input.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { fakeSolver, type Habits } from '../../../../shared/testing/fake-solver.ts'
import { fakePeers, folder, generationId, openHouse, worldOf, type House } from '../../test/house.ts'
import { givenItems } from './given-items.ts'

const names = ['llama-a', 'qwen-a', 'gemma-a', 'mistral-a', 'phi-4']
const habits: Record<string, Habits> = Object.fromEntries(names.map((name, i) => (
  [name, { family: name, skill: 1, fixed: i % 2 === 0 ? 0.6 : 0, first: 0.3 }])))

async function house (t: Parameters<typeof folder>[0], given = givenItems({ count: 16, leaky: 8, pairs: 2 })) {
  const world = worldOf(given.items, [given.document])
  world.models = names.map((id, i) => ({ id, capabilities: i < 4 ? ['vision'] : [] }))
  world.reply = fakeSolver(given.known, habits)
  const dir = await folder(t)
  const peersUrl = await fakePeers(t, world)
  const at = await openHouse({ dir, peersUrl })
  t.teardown(at.close)
  const { id: reviewingId } = (await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'mechanical' } })).json()
  await at.get(`/reviewings/${reviewingId}?wait=30`)
  return { at, world, reviewingId, given, dir, peersUrl }
}

async function ended (at: House, id: string): Promise<PartialInputBaseline> {
  return (await at.get(`/partial-input-baselines/${id}?wait=30`)).json()
}

async function itemsOf (at: House, id: string): Promise<PartialInputItem[]> {
  return (await at.get(`/partial-input-baselines/${id}/items?limit=200`)).json().items
}

t.test('items that can be told without their paper are found, and nothing else is', async t => {
  const { at, world, reviewingId, given } = await house(t)
  const opened = await at.post('/partial-input-baselines', { source: { reviewingId }, models: names })
  t.equal(opened.statusCode, 202, opened.body)
  const baseline = await ended(at, opened.json().id)
  t.match(baseline, { state: 'succeeded', problems: [] })
  console.error(JSON.stringify(baseline.report?.rows.map(r => [r.kind, r.condition, r.items, r.families, r.accuracy?.value, r.chance, r.majority, r.lessThanFull?.value, r.outcomes])), baseline.report?.verdicts, world.calls.length, baseline.callCount)
  const items = await itemsOf(at, baseline.id)
  console.error(JSON.stringify(items[0]), JSON.stringify(items.find(i => i.kind === 'binary')), given.items.length)
  const answers: PartialInputAnswers[] = (await at.get(`/partial-input-baselines/${baseline.id}/answers`)).json().items
  console.error(JSON.stringify(answers[0]?.answers.slice(0, 3)))
  t.ok(Problem)
})
