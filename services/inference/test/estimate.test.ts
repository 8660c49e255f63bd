import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import tap from 'tap'
import { createApp } from '../../../shared/app/app.ts'
import type { App } from '../../../shared/app/service.ts'
import { fakeVllm, type FakeOptions } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { weigh } from '../domain/estimate.ts'
import { unprobed } from '../domain/replica.ts'
import { engineRequests } from '../handlers/ask-engine.ts'
import { openBudgets } from '../handlers/budgets.ts'
import { countTokens } from '../handlers/count-tokens.ts'
import { observeRates } from '../handlers/observe-rates.ts'
import { estimateRoutes } from '../routes/estimate-routes.ts'
import { callOf, openParts } from './ledger-parts.ts'

const message = (content: unknown) => ({ model: 'fake-model', messages: [{ role: 'user', content }] })

async function door (t: Pick<typeof tap, 'teardown'> & Parameters<typeof temporaryFolder>[0], options: FakeOptions = {}) {
  const fake = await fakeVllm(options)
  t.teardown(fake.close)
  const { store } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const budgets = await openBudgets(store, () => {})
  t.teardown(budgets.close)
  const requests = engineRequests(() => undefined)
  t.teardown(requests.close)
  const rates = observeRates()
  const probe = { ...unprobed, models: [{ id: 'served', contextTokens: 1000 }, { id: 'fake-model', contextTokens: 1000 }] }
  const target = {
    replica: { upstream: { name: 'lab', baseUrl: fake.url, capabilities: [] }, probe, load: null, inFlight: 0 },
    served: 'fake-model'
  }
  const app = await createApp()
  t.teardown(async () => { await app.close() })
  await app.register(async plugin => {
    estimateRoutes(plugin as App, {
      budgets, rates, slots: async model => model === 'fake-model' ? 4 : null, count: async body => await countTokens(requests, target, body)
    })
  })
  const estimate = async (payload: object, headers = {}) =>
    (await app.inject({ method: 'POST', url: '/v1/estimates', payload, headers })).json()
  return { fake, budgets, rates, estimate }
}

tap.test('prompts are counted by the tokenizer of the model, and what may be written is bounded', async t => {
  const { fake, rates, estimate } = await door(t)
  const bodies = [{ ...message('Is 漢 a letter?'), max_tokens: 50 }, { ...message('x'.repeat(400)), max_tokens: 20, n: 3 }]
  const before = await estimate({ requests: bodies })
  t.equal(fake.journal.length, 2)
  t.ok(fake.journal.every(({ path }) => path === '/tokenize'))
  t.match(before.models, [{ model: 'fake-model', requests: 2, completionTokensMax: 110, countedBy: { tokenizer: 2, bytes: 0, caller: 0 }, secondsMax: { serial: null, parallel: null, slots: 4 } }])
  t.ok(before.models[0].promptTokens >= 104)
  for (let n = 0; n < 5; n++) rates.note(callOf({ model: 'fake-model', totalMs: 101.5, queueMs: 1.5 }))
  rates.note(callOf({ model: 'fake-model', source: 'record', totalMs: 1 }))
  t.match((await estimate({ requests: bodies })).models[0].secondsMax, { serial: 2.2, parallel: 0.55 })
  const [unbounded] = (await estimate({ requests: [message('hi')] })).models
  t.equal(unbounded.completionTokensMax, 1000 - unbounded.promptTokens, 'the rest of the context')
})

tap.test('where nobody tokenizes, bytes are counted, and it says so', async t => {
  const { fake, estimate } = await door(t, { behave: () => ({ status: 404 }) })
  const image = [{ type: 'text', text: 'What?' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]
  const asked = { requests: [message('x'.repeat(401)), message(image)] }
  const { models } = await estimate(asked)
  t.match(models, [{ promptTokens: 101 + 2 + 1024, countedBy: { tokenizer: 0, bytes: 2 } }])
  t.equal(fake.journal.length, 1, 'a tokenizer does not see images')
  t.match(weigh(message('x'), { tokens: null, contextTokens: null }), { promptTokens: 1, completionTokensMax: null })
  t.match(weigh({ ...message('x'), max_tokens: 500 }, { tokens: 800, contextTokens: 1000 }), { completionTokensMax: 200 })
})

tap.test('that a tokenizer failed is told apart from that there is none', async t => {
  const replies = [{ status: 503 }, { status: 429 }, { status: 500 }]
  const { estimate } = await door(t, { behave: (_, nth) => replies[nth] ?? 'ok' })
  for (const reply of replies) {
    const { models } = await estimate({ requests: [message('x'.repeat(401))] })
    const counted = { tokenizer: 0, bytes: 0, unanswered: 1 }
    t.match(models, [{ promptTokens: 101, countedBy: counted }], `${reply.status}`)
  }
  const { models } = await estimate({ requests: [message('x'.repeat(401))] })
  t.match(models, [{ countedBy: { tokenizer: 1, unanswered: 0 } }])
})

tap.test('counts of the caller are taken as they are, and budgets of the labels are held against them', async t => {
  const { budgets, estimate } = await door(t)
  await budgets.create({ caller: null, group: 'thesis', tokensMax: 1_000_000, requestsMax: null })
  const counts = (requests: number, more = {}) => ({ counts: [{ model: 'm', requests, promptTokens: 400, completionTokensMax: 100, ...more }] })
  const labels = { 'viva-group': 'thesis' }
  const { models, budgets: held } = await estimate(counts(2000), labels)
  const total = { requests: 2000, promptTokens: 800_000, completionTokensMax: 200_000 }
  t.match(models, [{ ...total, countedBy: { caller: 2000 } }])
  t.match(held, [{ isEnough: true }])
  const more = await estimate(counts(2001), labels)
  t.match(more, { budgets: [{ isEnough: false, remaining: { tokens: 1_000_000 } }] })
  t.match(await estimate({ counts: [{ model: 'm', promptTokens: 1 }] }, labels), { models: [{ completionTokensMax: null }], budgets: [{ isEnough: null }] })
  t.strictSame((await estimate(counts(1))).budgets, [])
  for (const wrong of [{}, { counts: [] }, { counts: [{ model: 'm', promptTokens: -1 }] }, { requests: [{}] }, { request: [] }]) {
    t.match(await estimate(wrong), { status: 400, type: /invalid-request$/ }, JSON.stringify(wrong))
  }
})

tap.test('llama.cpp is asked in its own words', async t => {
  const asked: unknown[] = []
  const server = createServer((request, reply) => {
    let text = ''
    request.on('data', piece => { text += String(piece) })
    request.on('end', () => {
      asked.push([request.url, JSON.parse(text)])
      reply.setHeader('content-type', 'application/json').end('{"tokens":[1,2,3]}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const requests = engineRequests(() => undefined)
  t.teardown(async () => { await requests.close(); server.close() })
  const upstream = { name: 'lab', baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, capabilities: [] }
  const probe = { ...unprobed, engine: 'llama.cpp' as const, models: [{ id: 'm', contextTokens: 2048 }] }
  const target = { replica: { upstream, probe, load: null, inFlight: 0 }, served: 'm' }
  t.same(await countTokens(requests, target, message('Is it?')), { tokens: 3, contextTokens: 2048 })
  const parts = message([{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }])
  t.same(await countTokens(requests, target, { ...parts, messages: [...message('first').messages, ...parts.messages] }), { tokens: 3, contextTokens: 2048 })
  t.same(asked, [['/tokenize', { content: 'Is it?', add_special: true }], ['/tokenize', { content: 'first\na\nb', add_special: true }]])
})
