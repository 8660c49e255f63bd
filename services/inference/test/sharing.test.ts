/** Who pays for an upstream call that several have asked for. */
import t from 'tap'
import type { FakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { question, runningInference } from './running-inference.ts'

const spentOf = ({ journal }: FakeVllm) => journal.reduce((sum, { promptTokens, tokensMade }) =>
  sum + (promptTokens ?? 0) + tokensMade, 0)

t.test('who asked pays, and once, also where it leaves and others go on', async t => {
  const ways = [
    { name: 'whole', path: '/v1/chat/completions', asked: question },
    { name: 'stream', path: '/v1/chat/completions', asked: { ...question, stream: true } },
    { name: 'structured', path: '/v1/structured-completions', asked: { ...question, schema: { type: 'array' }, repairTurns: 0 } }
  ]
  for (const { name, path, asked } of ways) {
    const { ask, get, fake } = await runningInference(t, { upstream: { capabilities: ['structured-output'] }, fakes: [{ reply: () => '[1, 2, 3]' }] })
    for (const group of ['starts', 'joins']) await ask({ group, tokensMax: 100_000 }, { path: '/v1/budgets' })
    const headers = (group: string) => ({ 'viva-group': group, 'viva-replay': 'record' })
    const leaving = new AbortController()
    const first = ask(asked, { path, headers: headers('starts'), fake: 'slow_first:1500', signal: leaving.signal })
    await fake.arrived(0)
    const second = ask(asked, { path, headers: headers('joins') })
    // Round trips, in which the second one comes in.
    for (let trip = 0; trip < 5; trip++) await (await get('/v1/models')).body.dump()
    leaving.abort()
    await t.rejects(first)
    const { statusCode, body } = await second
    await body.dump()
    t.equal(statusCode, 200, name)
    t.equal(fake.journal.length, 1, name)
    const { rows } = await (await get('/v1/usage')).body.json() as { rows: object[] }
    t.match(rows, [
      { group: 'joins', coalesced: 1, outcomes: { answered: 1 }, promptTokens: null, completionTokens: null },
      { group: 'starts', coalesced: 0, outcomes: { cancelled: 1 }, promptTokens: Number, requestsWithoutUsage: 0 }
    ], name)
    const { items: budgets } = await (await get('/v1/budgets')).body.json() as { items: Array<{ group: string, spent: object, reserved: object }> }
    const of = (wanted: string) => budgets.find(({ group }) => group === wanted)
    const none = { tokens: 0, requests: 0 }
    t.match(of('starts'), { spent: { tokens: spentOf(fake), requests: 1 }, reserved: none }, name)
    t.match(of('joins'), { spent: none, reserved: none }, name)
  }
})

t.test('who joins a call that fails is counted as one who joined it', async t => {
  for (const stream of [false, true]) {
    const { ask, get, fake } = await runningInference(t)
    const headers = (group: string) => ({ 'viva-group': group, 'viva-timeout-ms': '500' })
    const asked = { ...question, stream }
    const first = ask(asked, { headers: headers('starts'), fake: 'never' })
    await fake.arrived(0)
    const second = ask(asked, { headers: headers('joins') })
    const answers = await Promise.all([first, second])
    for (const { statusCode, body } of answers) {
      await body.dump()
      t.equal(statusCode, 504)
    }
    t.equal(fake.journal.length, 1)
    const { rows } = await (await get('/v1/usage')).body.json() as { rows: object[] }
    t.match(rows, [
      { group: 'joins', coalesced: 1, outcomes: { failed: 1 }, requestsWithoutUsage: 0 },
      { group: 'starts', coalesced: 0, outcomes: { failed: 1 }, requestsWithoutUsage: 1 }
    ])
  }
})
