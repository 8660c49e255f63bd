import t from 'tap'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { chat, fakeOf, givenService, until } from './given-service.ts'

t.test('an upstream is added, seen, used, changed and removed', async t => {
  const fake = await fakeOf(t, { models: ['org/model'], loras: ['mine'] })
  const { call, view } = await givenService(t)
  t.match(await call('GET', '/v1/upstreams'), { status: 200, body: { items: [], nextCursor: null } })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('org/model') }), { status: 404, body: { error: { message: /POST \/v1\/upstreams/ } } })

  const lab = { name: 'lab', baseUrl: `${fake.url}/v1/`, aliases: { 'gpt-4.1': 'org/model' }, weight: 2 }
  const added = await call('POST', '/v1/upstreams', { body: lab })
  t.match(added, {
    status: 201,
    headers: { location: '/v1/upstreams/lab' },
    body: {
      name: 'lab', source: 'store', baseUrl: fake.url, aliases: { 'gpt-4.1': 'org/model' }, weight: 2, slots: null, draining: false, state: 'up', engine: 'vllm', engineVersion: '0.29.0', foundCapabilities: ['structured-output'], inFlight: 0, warnings: []
    }
  })
  t.match(added.body.served, [{ id: 'org/model', parent: null, contextTokens: 8192 }, { id: 'mine', parent: 'org/model' }])
  t.match(await call('POST', '/v1/upstreams', { body: lab }), { status: 200, body: { name: 'lab' } }, 'the same again')
  t.match(await call('POST', '/v1/upstreams', { body: { ...lab, weight: 3 } }),
    { status: 409, headers: { 'content-type': /problem\+json/ }, body: { type: '/problems/conflict' } })

  const models = await call('GET', '/v1/models')
  t.match(models.body, {
    object: 'list',
    data: [
      { id: 'org/model', root: 'org/model', parent: null },
      { id: 'mine', parent: 'org/model' },
      { id: 'gpt-4.1', object: 'model', root: 'org/model', owned_by: 'lab', max_model_len: 8192, capabilities: ['structured-output'], available: true }
    ]
  })
  t.match((await call('GET', '/v1/models/org/model')).body, { id: 'org/model', object: 'model' })
  t.match((await call('GET', '/v1/models/org%2Fmodel')).body, { id: 'org/model' })
  t.match(await call('GET', '/v1/models/none/such'), { status: 404, body: { error: { type: 'model-not-found' } } })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('gpt-4.1') }), { status: 200 })
  t.equal(fake.journal[0]?.body.model, 'org/model', 'the server hears the name it knows')

  t.match((await call('PATCH', '/v1/upstreams/lab', { body: { slots: 3, weight: null, capabilities: ['vision'] } })).body,
    { slots: 3, weight: 1, capabilities: ['vision'], aliases: { 'gpt-4.1': 'org/model' } })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 204 })
  t.match(await call('GET', '/v1/upstreams/lab'), { status: 404, body: { type: '/problems/upstream-not-found' } })
  t.match(await call('PATCH', '/v1/upstreams/lab', { body: { slots: 3 } }), { status: 404 })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 404 })
  t.equal((await view('lab')).name, undefined)
})

t.test('readers see upstreams, admins change them, and nobody sees a key', async t => {
  const fake = await fakeOf(t, { apiKey: 'hunter2' })
  process.env.UPSTREAM_LAB_KEY = 'hunter2'
  t.teardown(() => { delete process.env.UPSTREAM_LAB_KEY })
  const { call } = await givenService(t)
  const lab = { name: 'lab', baseUrl: fake.url }
  for (const role of ['reader', 'writer']) {
    t.match(await call('POST', '/v1/upstreams', { body: lab, role }), { status: 403, body: { type: '/problems/forbidden' } })
    t.equal((await call('PATCH', '/v1/upstreams/lab', { body: { draining: true }, role })).status, 403)
    t.equal((await call('DELETE', '/v1/upstreams/lab', { role })).status, 403)
    t.equal((await call('POST', '/v1/upstreams/lab/probe', { role })).status, 403)
    t.equal((await call('GET', '/v1/upstreams', { role })).status, 200)
  }
  t.match((await call('POST', '/v1/upstreams', { body: lab })).body, { state: 'down', detail: /key/ })
  t.match((await call('PATCH', '/v1/upstreams/lab', { body: { apiKeyEnv: 'UPSTREAM_OTHER_KEY' } })).body, { state: 'down', warnings: [/UPSTREAM_OTHER_KEY is not set/] })
  const changed = await call('PATCH', '/v1/upstreams/lab', { body: { apiKeyEnv: 'UPSTREAM_LAB_KEY' } })
  t.match(changed.body, { state: 'up', apiKeyEnv: 'UPSTREAM_LAB_KEY' })
  t.notMatch(JSON.stringify(changed.body), /hunter2/)
})

t.test('what an upstream may not be is pointed at', async t => {
  const { call } = await givenService(t)
  const wrongs: Array<[object, string]> = [
    [{ name: 'lab' }, '/body/baseUrl'],
    [{ name: '../x', baseUrl: 'http://gpu' }, '/body/name'],
    [{ name: 'lab', baseUrl: 'http://me:hunter2@gpu' }, '/body/baseUrl'],
    [{ name: 'lab', baseUrl: 'http://169.254.169.254/' }, '/body/baseUrl'],
    [{ name: 'lab', baseUrl: 'http://gpu', apiKeyEnv: 'MONGO_URL' }, '/body/apiKeyEnv'],
    [{ name: 'lab', baseUrl: 'http://gpu', apiKeyEnv: 'GITHUB_TOKEN' }, '/body/apiKeyEnv'],
    [{ name: 'lab', baseUrl: 'http://gpu', aliases: { a: 'b', b: 'a' } }, '/body/aliases/a'],
    [{ name: 'lab', baseUrl: 'http://gpu', slots: 1.5 }, '/body/slots'],
    [{ name: 'lab', baseUrl: 'http://gpu', key: 'hunter2' }, '/body/key']
  ]
  for (const [body, pointer] of wrongs) {
    const answer = await call('POST', '/v1/upstreams', { body })
    t.match(answer, { status: 400, body: { type: '/problems/invalid-request', errors: [{ pointer }] } }, pointer)
    t.notMatch(JSON.stringify(answer.body), /hunter2/)
  }
  t.match((await call('GET', '/v1/upstreams')).body, { items: [] })
  t.match(await call('PATCH', '/v1/upstreams/lab', { body: {} }), { status: 400 })
})

t.test('what the environment names wins, and only its draining changes', async t => {
  const [one, two] = [await fakeOf(t, { models: ['one'] }), await fakeOf(t, { models: ['two'] })]
  const folder = temporaryFolder(t)
  const before = await givenService(t, { folder })
  await before.call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: two.url } })
  await before.close()
  const { call, close } = await givenService(t, { folder, setting: `lab=${one.url}` })
  t.match(await call('GET', '/v1/upstreams'), { body: { items: [{ name: 'lab', source: 'environment', baseUrl: one.url, warnings: [/stored upstream lab does not count/] }] } })
  t.match(await call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: one.url } }), { status: 200 })
  t.match(await call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: two.url } }), { status: 409 })
  t.match(await call('PATCH', '/v1/upstreams/lab', { body: { slots: 3 } }), { status: 409, body: { detail: /only draining/ } })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 409, body: { detail: /UPSTREAMS/ } })
  t.match(await call('PATCH', '/v1/upstreams/lab', { body: { draining: true } }), { status: 200, body: { draining: true, source: 'environment' } })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('one') }), { status: 503, body: { error: { message: /lab is being drained/ } } })
  await close()
  const after = await givenService(t, { folder, setting: `lab=${one.url}` })
  t.match(await after.view('lab'), { draining: true }, 'remembered over a restart')
  t.match((await after.call('PATCH', '/v1/upstreams/lab', { body: { draining: false } })).body, { draining: false })
  t.match(await after.call('POST', '/v1/chat/completions', { body: chat('one') }), { status: 200 })
})

t.test('a drained upstream ends what is under way, gets nothing new, and can then be removed', async t => {
  const fake = await fakeOf(t, { behave: (_, nth) => nth === 0 ? { slowMs: 1500 } : 'ok' })
  const other = await fakeOf(t)
  const { call, view } = await givenService(t)
  await call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: fake.url } })
  const underWay = call('POST', '/v1/chat/completions', { body: chat('fake-model') })
  await fake.arrived(0)
  await call('POST', '/v1/upstreams', { body: { name: 'other', baseUrl: other.url } })
  t.match(await view('lab'), { inFlight: 1 })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 409, body: { detail: /1 calls are under way/ } })
  await call('PATCH', '/v1/upstreams/lab', { body: { draining: true } })
  for (let nth = 0; nth < 3; nth++) t.equal((await call('POST', '/v1/chat/completions', { body: chat('fake-model') })).status, 200)
  t.equal(fake.journal.length, 1, 'nothing new')
  t.equal(other.journal.length, 3)
  t.equal(fake.journal[0]?.endedBy, undefined, 'what was under way still is')
  t.match(await underWay, { status: 200 })
  t.match(await until(async () => await view('lab'), ({ inFlight }) => inFlight === 0), { draining: true, state: 'up' })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 204 })
})

t.test('what a model can do is asked, kept, and seen by others', async t => {
  const fake = await fakeOf(t, { reply: () => null, reasoning: true, models: ['m'] })
  const folder = temporaryFolder(t)
  const { call, close } = await givenService(t, { setting: `lab=${fake.url}`, folder })
  t.match((await call('GET', '/v1/models/m')).body, { capabilities: ['structured-output'] })
  const probed = await call('POST', '/v1/upstreams/lab/probe?model=m')
  t.match(probed, { status: 200, body: { findings: [{ model: 'm', vision: true, reasoning: true, structuredOutput: true, embeddings: true }] } })
  t.equal(fake.journal.length, 4)
  t.match((await call('GET', '/v1/models/m')).body, { capabilities: ['embeddings', 'reasoning', 'structured-output', 'vision'] })
  t.match(await call('POST', '/v1/upstreams/lab/probe?model=x'), { status: 404, body: { type: '/problems/model-not-found', detail: /serves: m/ } })
  await close()
  const after = await givenService(t, { setting: `lab=${fake.url}`, folder })
  t.match((await after.call('GET', '/v1/models/m')).body, { capabilities: ['embeddings', 'reasoning', 'structured-output', 'vision'] })
})

t.test('two processes on one store see each other\'s changes, and lose none of them', async t => {
  const fake = await fakeOf(t)
  const folder = temporaryFolder(t)
  const [one, two] = [await givenService(t, { folder }), await givenService(t, { folder })]
  t.match((await two.call('GET', '/v1/upstreams')).body, { items: [] })
  const lab = { name: 'lab', baseUrl: fake.url }
  const answers = await Promise.all([one, two, one, two].map(async ({ call }) => (await call('POST', '/v1/upstreams', { body: lab })).status))
  t.strictSame(answers.sort(), [200, 200, 200, 201], 'one of them has added it')
  await Promise.all([one.call('PATCH', '/v1/upstreams/lab', { body: { slots: 3 } }), two.call('PATCH', '/v1/upstreams/lab', { body: { weight: 2 } })])
  t.match(await until(async () => await one.view('lab'), ({ weight }) => weight === 2), { slots: 3, weight: 2 })
  t.match(await two.call('POST', '/v1/chat/completions', { body: chat('fake-model') }), { status: 200 })
  await one.call('PATCH', '/v1/upstreams/lab', { body: { draining: true } })
  await until(async () => (await two.call('POST', '/v1/chat/completions', { body: chat('fake-model') })).status, status => status === 503)
  await one.call('DELETE', '/v1/upstreams/lab')
  await until(async () => (await two.call('GET', '/v1/upstreams')).body.items.length as number, length => length === 0)
})

t.test('what a server told is known after a restart without it, with its age, until it tells something else', async t => {
  const folder = temporaryFolder(t)
  const fake = await fakeOf(t, { models: ['seeing'], version: '0.12.0' })
  const { port } = new URL(fake.url)
  const setting = `lab=${fake.url}`
  const before = await givenService(t, { folder, setting })
  await before.call('POST', '/v1/upstreams/lab/probe?model=seeing')
  t.match(await before.view('lab'), { state: 'up', known: { from: 'probe', at: /^20/ } })
  const told = (await before.call('GET', '/v1/models')).body.data
  await before.close()
  await fake.close()

  const after = await givenService(t, { folder, setting })
  t.match((await after.call('GET', '/v1/models')).body.data, [{ id: 'seeing', available: false, capabilities: told[0].capabilities }])
  t.ok(told[0].capabilities.includes('structured-output'), told[0].capabilities)
  t.match(await after.view('lab'), { state: 'down', engineVersion: '0.12.0', served: [{ id: 'seeing' }], known: { from: 'store', at: /^20/ } })
  t.match(await after.call('POST', '/v1/chat/completions', { body: chat('seeing') }), { status: 503, body: { error: { message: /lab is down/ } } })
  t.match(await after.call('POST', '/v1/chat/completions', { body: chat('other') }), { status: 404 }, 'what it did not serve is unknown')
  await fakeOf(t, { port: Number(port), models: ['other'], version: '0.32.0' })
  await until(async () => await after.view('lab'), ({ state }) => state === 'up')
  t.match(await after.view('lab'), { engineVersion: '0.32.0', served: [{ id: 'other' }], known: { from: 'probe' } })
})
