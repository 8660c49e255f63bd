import t from 'tap'
import { question, runningInference } from './running-inference.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'

const labels = { 'viva-caller': 'scoring', 'viva-group': 'run 1' }
const recording = { ...labels, 'viva-replay': 'replay-or-record' }
const replaying = { ...labels, 'viva-replay': 'replay' }
const asked = (n: number) => ({
  ...question,
  messages: [{ role: 'user', content: `Question ${n}: is 漢 a letter?` }],
  ...n % 3 === 0 && { stream: true }
})

t.test('a run that was recorded is replayed byte for byte by another start, with every upstream down', async t => {
  const folder = temporaryFolder(t)
  const first = await runningInference(t, { folder, fakes: [{ reply: () => null }] })
  const bodies = Array.from({ length: 50 }, (_, n) => asked(n))
  const texts = await Promise.all(bodies.map(async body =>
    await (await first.ask(body, { headers: recording })).body.text()))
  t.equal(first.journal().length, 50)
  const before: any = await (await first.get('/v1/usage?group=run%201')).body.json()
  t.match(before.totals, { requests: 50, outcomes: { answered: 50 }, requestsWithoutUsage: 0 })
  await first.close()

  const second = await runningInference(t, { folder })
  await second.fake.close()
  const again = await Promise.all(bodies.map(async body => await second.ask(body, { headers: replaying })))
  t.strictSame(await Promise.all(again.map(async ({ body }) => await body.text())), texts)
  t.ok(again.every(({ headers }) => /^cmp_/.test(String(headers['viva-replayed']))))
  const after: any = await (await second.get('/v1/usage?group=run%201')).body.json()
  const { promptTokens, completionTokens } = before.totals
  t.match(after.totals, { requests: 100, replayed: 50, promptTokens, completionTokens }, 'nothing more is spent')
  const missing = await second.ask(asked(99), { headers: replaying })
  t.equal(missing.statusCode, 404)
  t.match(await missing.body.json(), { error: { type: 'not-recorded' } })
})

t.test('tokens of usage are those of the upstream, and equal calls at once reach it once', async t => {
  const slow = { slowMs: 1500 }
  const { ask, get, journal } = await runningInference(t, {
    fakes: [{ reply: () => null, behave: ({ body }) => body.temperature === 0 ? slow : 'ok' }]
  })
  const equal = Array.from({ length: 20 }, async () => await ask({ ...question, temperature: 0 }))
  const others = Array.from({ length: 30 }, async (_, n) => await ask({ ...asked(n), temperature: 1 }))
  const answers = await Promise.all([...equal, ...others])
  const texts = await Promise.all(answers.map(async ({ body }) => await body.text()))
  t.equal(new Set(texts.slice(0, 20)).size, 1)
  t.equal(journal().filter(({ body }) => body.temperature === 0).length, 1)
  const { totals }: any = await (await get('/v1/usage')).body.json()
  t.match(totals, { requests: 50, coalesced: 19, outcomes: { answered: 50 }, requestsWithoutUsage: 0 })
  t.equal(totals.completionTokens, journal().reduce((sum, { tokensSent }) => sum + tokensSent, 0))
})

t.test('a budget stops calls with 402, and what is recorded can still be had', async t => {
  const { ask, journal } = await runningInference(t)
  const made = await ask({ group: 'run 1', requestsMax: 1 }, { path: '/v1/budgets' })
  t.equal(made.statusCode, 201)
  t.equal((await ask(question, { headers: recording })).statusCode, 200)
  for (const stream of [false, true]) {
    const refused = await ask({ ...question, seed: 8, stream }, { headers: recording })
    t.equal(refused.statusCode, 402)
    t.match(await refused.body.json(), { error: { type: 'budget-exhausted', message: /group run 1/ } })
  }
  t.equal((await ask(question, { headers: recording })).statusCode, 200)
  t.equal((await ask({ ...question, seed: 8 })).statusCode, 200, 'others are not held')
  t.equal(journal().length, 2)
  const estimate = await ask({ requests: [question] }, { path: '/v1/estimates', headers: labels })
  t.match(await estimate.body.json(), {
    models: [{ requests: 1, countedBy: { tokenizer: 1 } }], budgets: [{ isEnough: false }]
  })
})
