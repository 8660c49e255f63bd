import t from 'tap'
import { setTimeout } from 'node:timers/promises'
import type { Benchmark, BenchmarkItem } from '../../../../shared/contracts/benchmark.ts'
import { canonicalJson } from '../../../../shared/contracts/hash.ts'
import type {
  PartialInputAnswers, PartialInputBaseline, PartialInputItem
} from '../../../../shared/contracts/partial-input.ts'
import { Problem } from '../../../../shared/errors/problem.ts'
import { fakeSolver, type Habits } from '../../../../shared/testing/fake-solver.ts'
import { fakePeers, folder, generationId, openHouse, worldOf, type House } from '../../test/house.ts'
import { givenItems } from './given-items.ts'

const names = ['gemma-a', 'llama-a', 'mistral-a', 'phi-4.5', 'qwen-a']
const habits: Record<string, Habits> = Object.fromEntries(names.map((name, i) => (
  [name, { family: name, skill: 1, fixed: i % 2 === 0 ? 0.6 : 0, first: 0.3 }])))
const path = '/partial-input-baselines'

async function house (t: Parameters<typeof folder>[0], given = givenItems({ count: 6, leaky: 3 })) {
  const world = worldOf(given.items, [given.document])
  world.models = names.map(id => ({ id, capabilities: id === 'phi-4.5' ? [] : ['vision'] }))
  world.reply = fakeSolver(given.known, habits)
  const dir = await folder(t)
  const peersUrl = await fakePeers(t, world)
  const at = await openHouse({ dir, peersUrl })
  t.teardown(at.close)
  return { at, world, given, dir, peersUrl, reviewingId: await reviewed(at) }
}

async function reviewed (at: House): Promise<string> {
  const { id } = (await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'mechanical' } })).json()
  await at.get(`/reviewings/${id}?wait=30`)
  return id
}

async function asked (at: House, reviewingId: string, own: object = {}): Promise<PartialInputBaseline> {
  const opened = await at.post(path, { source: { reviewingId }, models: names, ...own })
  if (opened.statusCode >= 300) throw new Error(opened.body)
  return (await at.get(`${path}/${opened.json().id}?wait=30`)).json()
}

async function itemsOf (at: House, { id }: { id: string }): Promise<PartialInputItem[]> {
  return (await at.get(`${path}/${id}/items?limit=200`)).json().items
}

t.test('items that can be told without their paper are found, cited and left out', async t => {
  const { at, world, reviewingId, given } = await house(t)
  const early: Benchmark = (await at.post('/benchmarks', { name: 'early', reviewingIds: [reviewingId], verdicts: ['unreviewed'] })).json()
  t.same(early.card.partialInput, [])
  t.match(early.card.notes.join(), /No partial-input baseline was run/)
  t.same(early.card.proxies?.map(({ name, n, chance }) => [name, n, chance]),
    [['longest-choice', 6, 0.25], ['choice-like-question', 6, 0.25], ['commonest-position', 6, 0.25]])
  const request = { name: 'b', reviewingIds: [reviewingId], verdicts: ['unreviewed'], leaveOut: ['needs-no-paper'] }
  t.match((await at.post('/benchmarks', request)).json(), { status: 409, detail: /No partial-input baseline/ })

  const conditions = ['question-only', 'evidence-alone']
  const families = { 'phi-4.5': 'phi' }
  const baseline = await asked(at, reviewingId, { conditions, families })
  t.match(baseline, { state: 'succeeded', itemCount: 6, callCount: 6 * 3 * 4 * 5, conditions: [...conditions, 'full'] })
  t.equal(world.calls.length, baseline.callCount)
  t.ok(world.calls.every(({ headers }) => headers['viva-replay'] === 'replay-or-record' && headers['viva-group'] === baseline.id))
  const found = await itemsOf(at, baseline)
  const leaks = new Set(given.items.filter((_, i) => given.known[i]!.leaky).map(({ id }) => id))
  for (const { itemId, needsPaper, needsImage, evidenceSufficient } of found) {
    if (leaks.has(itemId)) {
      t.match(needsPaper, { verdict: 'no', families: 5, right: 5 })
      t.ok(Math.abs(needsPaper!.reached.p! - 0.25 ** 5) < 1e-12)
    } else t.not(needsPaper!.verdict, 'no')
    t.equal(needsImage, null, 'it names no figure')
    t.equal(evidenceSufficient!.verdict, 'yes')
  }
  const row = baseline.report!.rows.find(({ condition }) => condition === 'question-only')!
  t.match(row, { kind: 'choice', items: 6, papers: 1, families: 5, chance: 0.25, majority: 2 / 6, outcomes: { answered: 120, error: 0 } })
  t.ok(row.accuracy!.value! > 0.5 && row.lessThanFull!.value! > 0.2)

  const frozen: Benchmark = (await at.post('/benchmarks', request)).json()
  t.match(frozen, { partialInputBaselineIds: [baseline.id], leaveOut: ['needs-no-paper'], card: { itemCount: 3, leftOut: { 'needs-no-paper': 3 } } })
  t.match(frozen.card.partialInput, [{
    id: baseline.id,
    reviewingId,
    asked: 3,
    verdicts: { needsPaper: { no: 0 }, evidenceSufficient: { yes: 3 } }
  }])
  const items: BenchmarkItem[] = (await at.get(`/benchmarks/${frozen.id}/items`)).json().items
  t.ok(items.every(({ slices }) => slices.evidenceSufficient === 'yes' && slices.needsPaper === 'undetermined'))
  t.match((await at.post('/benchmarks', { ...request, leaveOut: undefined, partialInputBaselineIds: [] })).json(), { card: { itemCount: 6, partialInput: [] } })
  const other = { ...request, partialInputBaselineIds: [`pib_${'1'.repeat(32)}`] }
  t.match((await at.post('/benchmarks', other)).json(), { status: 404 })

  const calls = world.calls.length
  const ofFrozen = await at.post(path, { source: { benchmarkId: frozen.id }, models: ['phi-4.5'], conditions: ['question-only'], orders: 2 })
  t.match((await at.get(`${path}/${ofFrozen.json().id}?wait=30`)).json(), { state: 'succeeded', itemCount: 3 })
  t.equal(world.calls.length, calls + 3 * 2 * 2)
})

t.test('each condition shows what it says, in cyclic orders', async t => {
  const { at, world, reviewingId } = await house(t, givenItems({ count: 1, leaky: 0, pairs: 2 }))
  const baseline = await asked(at, reviewingId, { models: ['gemma-a', 'phi-4.5'], families: { 'phi-4.5': 'gemma' } })
  t.match(baseline, { state: 'succeeded', models: [{ family: 'gemma', vision: true }, { family: 'gemma', vision: false }] })
  t.same(baseline.report!.families, ['gemma'])
  const sent = (condition: string, word: string) => world.calls.filter(({ headers, body }) =>
    headers['viva-purpose'] === `partial-input-${condition}` && JSON.stringify(body.messages).includes(word) && body.model === 'gemma-a')
  const text = (condition: string, word: string) => JSON.stringify(sent(condition, word)[0]!.body.messages)
  const fact = 'settled at 100 mm/s in the tube'
  t.match(text('closed-book', 'did grain number 0'), /Dust in dry air/)
  t.notMatch(text('closed-book', 'did grain number 0'), fact)
  t.notMatch(text('question-only', 'did grain number 0'), /Dust in dry air/)
  t.notMatch(text('choices-only', 'mm/s, run 0'), /At which speed/)
  t.match(text('choices-only', 'mm/s, run 0'), /The question is not shown/)
  t.match(text('evidence-alone', 'did grain number 0'), fact)
  t.notMatch(text('evidence-alone', 'did grain number 0'), /Dust settles faster/)
  t.match(text('evidence-withheld', 'did grain number 0'), /Dust settles faster/)
  t.notMatch(text('evidence-withheld', 'did grain number 0'), fact)
  t.match(text('full', 'did grain number 0'), fact)
  const images = (condition: string) => sent(condition, 'Figure 1').map(({ body }) =>
    (body.messages[0].content as Array<{ type: string }>).filter(({ type }) => type === 'image_url').length)
  t.same(images('full'), [1, 1, 1, 1])
  t.type(sent('image-withheld', 'Figure 1')[0]!.body.messages[0].content, 'string')
  t.match(text('caption-only', 'Figure 1'), /Run 1\./)
  t.same(images('image-swapped'), [1, 1, 1, 1])
  const firsts = sent('full', 'did grain number 0').map(({ body }) => /A\. (\d+)/.exec(JSON.stringify(body.messages))![1])
  t.equal(new Set(firsts).size, 4, 'every choice comes first once')
  const answers: PartialInputAnswers[] = (await at.get(`${path}/${baseline.id}/answers?limit=200`)).json().items
  const blind = answers.filter(({ model }) => model === 'phi-4.5').flatMap(({ answers }) => answers)
  t.ok(blind.some(({ outcome, detail }) => outcome === 'skipped' && /takes no images/.test(detail!)))
  t.ok(blind.every(({ outcome, condition }) => outcome === 'answered' || ['full', 'image-swapped', 'evidence-withheld'].includes(condition)))
  const verdicts = await itemsOf(at, baseline)
  t.ok(verdicts.every(({ needsPaper }) => needsPaper!.verdict === 'undetermined' && /1 of at least 5 families/.test(needsPaper!.reason)))
})

t.test('a model that cannot be asked leaves errors, never answers, until a retry', async t => {
  const { at, world, reviewingId } = await house(t, givenItems({ count: 2, leaky: 1 }))
  world.broken.set('qwen-a', new Problem('upstream-refused', 'No.'))
  const own = { conditions: ['question-only'] }
  const failed = await asked(at, reviewingId, own)
  t.match(failed, { state: 'failed', progress: { done: 8, failed: 2, total: 10 } })
  const row = failed.report!.rows.find(({ condition }) => condition === 'question-only')!
  t.match(row, { families: 4, outcomes: { error: 8, answered: 32 } })
  t.match((await itemsOf(at, failed))[0], { needsPaper: { verdict: 'undetermined', families: 4 } })
  t.match((await at.post('/benchmarks', { name: 'b', reviewingIds: [reviewingId], verdicts: ['unreviewed'], partialInputBaselineIds: [failed.id] })).json(), { status: 409, detail: /is failed/ })
  world.broken.clear()
  t.equal((await at.post(`${path}/${failed.id}/retry`)).statusCode, 202)
  const mended = (await at.get(`${path}/${failed.id}?wait=30`)).json()
  t.match(mended, { state: 'succeeded', report: { rows: [{ families: 5, outcomes: { error: 0, answered: 40 } }] } })
  t.equal((await at.post(path, { source: { reviewingId }, models: names, ...own })).statusCode, 200, 'the same request is the same baseline')
})

t.test('stopped in its midst and started again, it comes to the same', async t => {
  const given = givenItems({ count: 3, leaky: 1 })
  const own = { conditions: ['question-only'] }
  const { at, world, reviewingId, peersUrl } = await house(t, given)
  const calm = await asked(at, reviewingId, own)
  const wanted = canonicalJson([calm.report, await itemsOf(at, calm)])
  const dir = await folder(t)
  const dying = await openHouse({ dir, peersUrl })
  await reviewed(dying)
  const before = world.calls.length
  await dying.post(path, { source: { reviewingId }, models: names, ...own })
  while (world.calls.length < before + 20) await setTimeout(2)
  await dying.close()
  const after = await openHouse({ dir, peersUrl })
  t.teardown(after.close)
  const again = (await after.get(`${path}/${calm.id}?wait=30`)).json()
  t.equal(canonicalJson([again.report, await itemsOf(after, again)]), wanted)
  t.ok(world.calls.length - before < calm.callCount + 8 * 8 * 2, 'no more than what was in flight is asked again')
})

t.test('what means nothing is refused', async t => {
  const { at, world, reviewingId } = await house(t, givenItems({ count: 1, leaky: 0 }))
  const post = async (own: object) =>
    (await at.post(path, { source: { reviewingId }, models: names, ...own })).json()
  t.match(await post({ models: ['nobody'] }), { status: 404, detail: /There is m, n, gemma-a/ })
  t.match(await post({ families: { nobody: 'x' } }), { status: 400, errors: [{ pointer: '/families' }] })
  t.match(await post({ kinds: ['qa'] }), { status: 422, detail: /None of the 1 items/ })
  t.match(await post({ contextTokens: 1024, sampling: { maxTokens: 1000 } }), { status: 400, errors: [{ pointer: '/contextTokens' }] })
  t.match((await at.get(`${path}/pib_${'0'.repeat(32)}`)).json(), { status: 404, type: /partial-input-baseline-not-found$/ })
  t.equal(world.calls.length, 0)
})
