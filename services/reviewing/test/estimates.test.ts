import t from 'tap'
import { characters, fakeReviewer } from '../../../shared/testing/fake-reviewer.ts'
import { estimateTokens } from '../../../shared/text/content-budget.ts'
import { choice, descriptive, pair } from './fixtures.ts'
import { fakePeers, folder, generationId, openHouse, worldOf, type World } from './house.ts'

const all = [descriptive(), choice(), ...pair()]
const recipe = { strategy: 'model', model: 'm', confirmModel: 'n', maxRounds: 2, seed: 1 }

async function house (t: Parameters<typeof folder>[0], world: World) {
  const at = await openHouse({ dir: await folder(t), peersUrl: await fakePeers(t, world) })
  t.teardown(at.close)
  return at
}

/** Of every prompt that was sent, as an estimate counts it. */
function tokensSent ({ calls }: World): number {
  return calls.reduce((sum, { body: { messages: [{ content }] } }) => {
    const parts: Array<{ type: string, text?: string }> = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return sum + parts.reduce((own, { type, text = '' }) => own + (type === 'text' ? estimateTokens(text) : 1500), 0)
  }, 0)
}

const near = (a: number, b: number) => Math.abs(a / b - 1) < 0.02

t.test('a dry run says what a reviewing asks at least, about and at most, and opens nothing', async t => {
  const world = worldOf(all)
  const at = await house(t, world)
  const ask = async (own: object, query = '') =>
    (await at.post(`/reviewings${query}`, { source: { generationId }, recipe: { ...recipe, ...own } })).json()
  const { least, most, ...about } = await ask({}, '?dryRun=true')
  t.equal(world.calls.length, 0)
  t.same((await at.get('/reviewings')).json().items, [])
  t.match(about, { tasks: 3, secondsMax: 12, modelCalls: 4 * 3 + 3, completionTokensMax: 15 * 1024 })
  t.match(least, { modelCalls: 8, completionTokensMax: 8 * 1024 })
  // Two members each: as made, after two rewritings and two shortenings, and confirmed; three tries of each.
  t.match(most, { modelCalls: 4 * 6 * 3 + 3 * 4 })
  t.ok(least.promptTokens < about.promptTokens && about.promptTokens < most.promptTokens)

  for (const [quality, own] of [[5, {}], [3, { seed: 2 }]] as const) {
    world.calls.length = 0
    world.reply = fakeReviewer(characters.constant(quality))
    const { id } = await ask(own)
    await at.get(`/reviewings/${id}?wait=30`)
    const isLeast = quality === 5
    const [calls, tokens] = [world.calls.length, tokensSent(world)]
    t.ok(isLeast ? calls === least.modelCalls : calls > about.modelCalls)
    t.ok(calls <= most.modelCalls && tokens <= most.promptTokens)
    if (isLeast) t.ok(near(least.promptTokens, tokens), `${least.promptTokens} for ${tokens}`)
  }
  t.equal((await ask({ maxRounds: 0 }, '?dryRun=true')).modelCalls, 8, 'nothing is rewritten then')

  const byChecks = await at.post('/reviewings?dryRun=true', { source: { generationId } })
  const nothing = { modelCalls: 0, promptTokens: 0, completionTokensMax: 0 }
  t.match(byChecks.json(), { tasks: 1, ...nothing, least: nothing, most: nothing })
  t.match(await ask({ model: 'nobody' }, '?dryRun=true'), { status: 404, type: /model-not-found$/ })
  world.generation.state = 'running'
  t.match(await ask({}, '?dryRun=true'), { type: /not-finished$/ })
})

t.test('a dry run of a partial-input baseline counts what each model can be shown, and opens nothing', async t => {
  const world = worldOf(all)
  world.models = [{ id: 'gemma-a', capabilities: ['vision'] }, { id: 'phi-4', capabilities: [] }]
  world.reply = () => 'A'
  const at = await house(t, world)
  const { id: reviewingId } = (await at.post('/reviewings', { source: { generationId } })).json()
  await at.get(`/reviewings/${reviewingId}?wait=30`)
  const path = '/partial-input-baselines'
  const request = { source: { reviewingId }, models: ['gemma-a', 'phi-4'], orders: 2 }
  const { least, most, ...about } = (await at.post(`${path}?dryRun=true`, request)).json()
  t.equal(world.calls.length, 0)
  t.same((await at.get(path)).json().items, [])
  const { id, callCount, itemCount } = (await at.post(path, request)).json()
  await at.get(`${path}/${id}?wait=30`)
  t.equal(about.tasks, 2 * itemCount)
  const [calls, tokens] = [world.calls.length, tokensSent(world)]
  t.ok(least.modelCalls < most.modelCalls && most.modelCalls < callCount, 'a figure is asked about')
  t.equal(calls, least.modelCalls, 'there is no other figure to swap it for')
  t.ok(near(least.promptTokens, tokens), `${least.promptTokens} for ${tokens}`)
  t.match((await at.post(`${path}?dryRun=true`, { ...request, models: ['nobody'] })).json(), { type: /model-not-found$/ })
})
