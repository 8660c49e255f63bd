import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { request } from 'undici'
import { createApp } from '../../../shared/app/app.ts'
import type { App } from '../../../shared/app/service.ts'
import { sha256 } from '../../../shared/contracts/hash.ts'
import { fakeVllm, type FakeOptions } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { UpstreamView } from '../domain/upstream-view.ts'
import { engineRequests } from '../handlers/ask-engine.ts'
import { upstreamRequests } from '../handlers/ask-upstream.ts'
import { routes } from '../routes.ts'
import { upstreamRoutes } from '../upstream-routes.ts'
import { givenDirectory } from './given-directory.ts'

type Test = Pick<typeof t, 'teardown' | 'name'>

async function fakeOf (t: Test, options: FakeOptions = {}) {
  const fake = await fakeVllm(options)
  t.teardown(fake.close)
  return fake
}

/** A server that is no vLLM. */
async function serverOf (t: Test, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
interface Asked { body?: object, role?: string }

/** The service's routes on a real socket, with keys of each role. */
async function givenService (t: Test, given: Parameters<typeof givenDirectory>[1] = {}) {
  const parts = await givenDirectory(t, given)
  const key = (role: 'reader' | 'writer' | 'admin') => ({ name: role, role, hash: Buffer.from(sha256(role), 'hex') })
  const app = await createApp({ keys: [key('reader'), key('writer'), key('admin')] })
  const requests = upstreamRequests({ INFERENCE_CONNECT_TIMEOUT_MS: 1000, INFERENCE_REPLY_TIMEOUT_MS: 5000, INFERENCE_IDLE_TIMEOUT_MS: 5000 }, parts.secret)
  await app.register(async scope => {
    const live = (name: string) => name === 'known' ? { limit: 8, breaker: 'closed' } : null
    upstreamRoutes(scope as App, { ...parts, live })
  })
  await app.register(async scope => { routes(scope as App, { requests, directory: parts.directory }) })
  const url = await app.listen({ port: 0 })
  t.teardown(async () => { await app.close(); await requests.close() })
  const call = async (method: Method, path: string, { body, role = 'admin' }: Asked = {}) => {
    const answer = await request(url + path, {
      method,
      headers: { authorization: `Bearer ${role}`, ...body && { 'content-type': 'application/json' } },
      ...body && { body: JSON.stringify(body) }
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as any }
  }
  const view = async (name: string) => (await call('GET', `/v1/upstreams/${name}`)).body as UpstreamView
  return { ...parts, call, view }
}

/** Asks until it holds; the test's own time limit ends it otherwise. */
async function until<T> (ask: () => T | Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (holds(answer)) return answer
    await new Promise(resolve => { setTimeout(resolve, 5) })
  }
}

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello?' }] })

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
      name: 'lab', source: 'store', baseUrl: fake.url, aliases: { 'gpt-4.1': 'org/model' }, weight: 2, slots: null, draining: false, state: 'up', engine: 'vllm', engineVersion: '0.29.0', foundCapabilities: ['structured-output'], inFlight: 0, limit: null, breaker: null, warnings: []
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
      { id: 'gpt-4.1', object: 'model', root: 'org/model', owned_by: 'lab', max_model_len: 8192, capabilities: ['structured-output'], available: true },
      { id: 'mine', parent: 'org/model' },
      { id: 'org/model', root: 'org/model', parent: null }
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
  const { call } = await givenService(t, { secret: name => name === 'UPSTREAM_LAB_KEY' ? 'hunter2' : undefined })
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
  const file = join(temporaryFolder(t), 'inference.db')
  const before = await givenService(t, { file })
  await before.call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: two.url } })
  await before.close()
  const { call, close } = await givenService(t, { file, setting: `lab=${one.url}` })
  t.match(await call('GET', '/v1/upstreams'), { body: { items: [{ name: 'lab', source: 'environment', baseUrl: one.url, warnings: [/stored upstream lab does not count/] }] } })
  t.match(await call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: one.url } }), { status: 200 })
  t.match(await call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: two.url } }), { status: 409 })
  t.match(await call('PATCH', '/v1/upstreams/lab', { body: { slots: 3 } }), { status: 409, body: { detail: /only draining/ } })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 409, body: { detail: /UPSTREAMS/ } })
  t.match(await call('PATCH', '/v1/upstreams/lab', { body: { draining: true } }), { status: 200, body: { draining: true, source: 'environment' } })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('one') }), { status: 503, body: { error: { message: /lab is being drained/ } } })
  await close()
  const after = await givenService(t, { file, setting: `lab=${one.url}` })
  t.match(await after.view('lab'), { draining: true }, 'remembered over a restart')
  t.match((await after.call('PATCH', '/v1/upstreams/lab', { body: { draining: false } })).body, { draining: false })
  t.match(await after.call('POST', '/v1/chat/completions', { body: chat('one') }), { status: 200 })
})

t.test('a drained upstream ends what is under way, gets nothing new, and can then be removed', async t => {
  const fake = await fakeOf(t, { behave: (_, nth) => nth === 0 ? 'never' : 'ok' })
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
  await fake.close()
  t.match(await underWay, { status: 503 })
  t.match(await call('DELETE', '/v1/upstreams/lab'), { status: 204 })
})

t.test('a server that is killed is down, and back as soon as it is', async t => {
  const fake = await fakeOf(t)
  const { port } = new URL(fake.url)
  const { call, view } = await givenService(t, { settings: { probeIntervalMs: 100_000 } })
  await call('POST', '/v1/upstreams', { body: { name: 'lab', baseUrl: fake.url } })
  await fake.close()
  t.match(await view('lab'), { state: 'up' }, 'nobody has looked')
  t.match((await call('POST', '/v1/upstreams/lab/probe')), { status: 503, body: { detail: /nothing listens/ } })
  t.match(await view('lab'), { state: 'down', detail: /nothing listens/, load: null, lastFault: { detail: /nothing listens/ }, served: [{ id: 'fake-model' }] })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('fake-model') }), { status: 503, headers: { 'retry-after': '2' }, body: { error: { type: 'upstream-unavailable', message: /lab is down/ } } })
  t.match((await call('GET', '/v1/models')).body.data, [{ id: 'fake-model', available: false }], 'known, and away')
  await fakeOf(t, { port: Number(port), models: ['fake-model', 'new-model'], version: '0.32.0' })
  await until(async () => await view('lab'), ({ state }) => state === 'up')
  t.match(await view('lab'), { engineVersion: '0.32.0', detail: null })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('new-model') }), { status: 200 })
})

t.test('a server that comes back with another model is seen to', async t => {
  const fake = await fakeOf(t, { models: ['old'] })
  const { port } = new URL(fake.url)
  const { call, directory } = await givenService(t, { setting: `lab=${fake.url}` })
  t.match(await directory.targets('old', []), [{ served: 'old' }])
  await fake.close()
  await fakeOf(t, { port: Number(port), models: ['new'] })
  await until(async () => (await call('GET', '/v1/models')).body.data[0].id as string, id => id === 'new')
  await t.rejects(directory.targets('old', []), { kind: 'model-not-found', message: /new/ })
})

t.test('an unknown model makes servers be asked once more, and not again and again', async t => {
  const fake = await fakeOf(t)
  const { directory } = await givenDirectory(t, { setting: `lab=${fake.url}`, settings: { probeIntervalMs: 100_000, refreshIntervalMs: 100_000 } })
  await directory.models()
  const lists = () => fake.probes.filter(({ path }) => path === '/v1/models').length
  for (let nth = 0; nth < 20; nth++) await t.rejects(directory.targets('later', []), { kind: 'model-not-found', message: /later/ })
  t.ok(lists() <= 2, `${lists()} lists`)
  fake.script({ steps: ['lora_add:later'] })
  t.match(await until(async () => await directory.targets('later', []).catch(() => null), found => found !== null), [{ served: 'later' }])
  t.ok(lists() <= 4, `${lists()} lists`)
})

t.test('a hung server is down in time and delays nobody', async t => {
  const sockets: Socket[] = []
  const hung = await serverOf(t, request => { sockets.push(request.socket) })
  const fake = await fakeOf(t)
  const { directory, view } = await givenService(t, { setting: `hung=${hung},lab=${fake.url}`, settings: { probeTimeoutMs: 300 } })
  const started = performance.now()
  t.match(await directory.targets('fake-model', []), [{ replica: { upstream: { name: 'lab' } } }])
  t.ok(performance.now() - started < 290, 'the other one answers at once')
  await t.rejects(directory.targets('gone', []), { kind: 'upstream-unavailable', message: /hung is down: does not answer within/ })
  t.match(await view('hung'), { state: 'down', engine: null, served: [] })
  await until(() => sockets.length, length => length >= 12)
  t.equal((await view('lab')).state, 'up')
  t.ok(new Set(sockets.filter(socket => !socket.destroyed)).size <= 3, 'probes do not pile up')
})

t.test('a server that falls silent once stays up, twice is down', async t => {
  let silent = 0
  const url = await serverOf(t, (request, response) => {
    if (silent > 0) { if (request.url === '/v1/models') silent--; return }
    response.end(request.url === '/version' ? '{"version":"0.29.0"}' : '{"data":[{"id":"m"}]}')
  })
  const { directory, view } = await givenService(t, { setting: `lab=${url}`, settings: { probeTimeoutMs: 100, probeIntervalMs: 50 } })
  t.match(await directory.targets('m', []), [{ served: 'm' }])
  silent = 1
  t.match(await until(async () => await view('lab'), ({ lastFault }) => lastFault !== null), { state: 'up', lastFault: { detail: /does not answer/ } })
  silent = 2
  await until(async () => await view('lab'), ({ state }) => state === 'down')
  t.pass('down after two')
})

t.test('what is no model server is said to be none, and may be told what it serves', async t => {
  const url = await serverOf(t, (request, response) => {
    if (request.method === 'GET') { response.writeHead(404, { 'content-type': 'text/html' }).end('<html>not here</html>'); return }
    response.end('{"choices":[]}')
  })
  const html = await serverOf(t, (_, response) => { response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>') })
  const endless = await serverOf(t, (_, response) => {
    const piece = Buffer.alloc(65536, 'x')
    const pour = () => { while (response.write(piece)); response.once('drain', pour) }
    pour()
  })
  const { call } = await givenService(t)
  for (const [name, baseUrl, detail] of [['none', url, /really a model server/], ['html', html, /really a model server/], ['endless', endless, /more than 4194304 bytes/]] as const) {
    t.match((await call('POST', '/v1/upstreams', { body: { name, baseUrl } })).body, { state: 'down', detail }, name)
  }
  t.match((await call('PATCH', '/v1/upstreams/none', { body: { models: ['told'] } })).body, { state: 'up', engine: 'other' })
  t.match(await call('POST', '/v1/chat/completions', { body: chat('told') }), { status: 200 })
})

t.test('a sleeping engine gets nothing, and the problem says how it is woken', async t => {
  const fake = await fakeOf(t)
  const { call, view } = await givenService(t, { setting: `lab=${fake.url}` })
  await view('lab')
  fake.script({ steps: ['sleep'] })
  await until(async () => await view('lab'), ({ state }) => state === 'sleeping')
  t.match(await call('POST', '/v1/chat/completions', { body: chat('fake-model') }), { status: 503, body: { error: { message: /lab is asleep.*wake_up/ } } })
  t.equal(fake.journal.length, 0)
  fake.script({ steps: ['wake'] })
  await until(async () => (await call('POST', '/v1/chat/completions', { body: chat('fake-model') })).status, status => status === 200)
})

t.test('the load is read while there are calls, and is none when it cannot be', async t => {
  const fake = await fakeOf(t, { engines: 2, behave: () => 'never' })
  const { directory } = await givenDirectory(t, { setting: `lab=${fake.url}`, settings: { probeIntervalMs: 100_000, scrapeIntervalMs: 20 } })
  await directory.models()
  const [replica] = directory.replicas()
  await until(() => replica?.load, load => load !== null)
  t.match(replica?.load, { running: 0, waiting: 0, kvUsage: 0 })
  const scrapes = () => fake.probes.filter(({ path }) => path === '/metrics').length
  const idle = scrapes()
  t.ok(idle <= 2, 'idle: with the probe only')
  await directory.targets('fake-model', [])
  await until(scrapes, count => count > idle + 3)
  fake.script({ steps: ['metrics:noise'] })
  const before = replica?.load?.at ?? 0
  await until(() => replica?.load?.at ?? 0, at => at > before + 50)
  t.equal(replica?.load?.running, 0, 'another model\'s 9999 do not count')
  fake.script({ steps: ['metrics:nan'] })
  await until(() => replica?.load, load => load?.running === null)
  for (const fault of ['500', 'huge']) {
    fake.script({ steps: [`metrics:${fault}`] })
    const read = scrapes()
    await until(scrapes, count => count > read + 1)
    t.match(await directory.targets('fake-model', []), [{ served: 'fake-model' }], fault)
  }
})

t.test('what a model can do is asked, kept, and seen by others', async t => {
  const fake = await fakeOf(t, { reply: () => null, reasoning: true, models: ['m'] })
  const file = join(temporaryFolder(t), 'inference.db')
  const { call, close } = await givenService(t, { setting: `lab=${fake.url}`, file })
  t.match((await call('GET', '/v1/models/m')).body, { capabilities: ['structured-output'] })
  const probed = await call('POST', '/v1/upstreams/lab/probe?model=m')
  t.match(probed, { status: 200, body: { findings: [{ model: 'm', vision: true, reasoning: true, structuredOutput: true, embeddings: true }] } })
  t.equal(fake.journal.length, 4)
  t.match((await call('GET', '/v1/models/m')).body, { capabilities: ['embeddings', 'reasoning', 'structured-output', 'vision'] })
  t.match(await call('POST', '/v1/upstreams/lab/probe?model=x'), { status: 404, body: { type: '/problems/model-not-found', detail: /serves: m/ } })
  await close()
  const after = await givenService(t, { setting: `lab=${fake.url}`, file })
  t.match((await after.call('GET', '/v1/models/m')).body, { capabilities: ['embeddings', 'reasoning', 'structured-output', 'vision'] })
})

t.test('two processes on one store see each other\'s changes, and lose none of them', async t => {
  const fake = await fakeOf(t)
  const file = join(temporaryFolder(t), 'inference.db')
  const [one, two] = [await givenService(t, { file }), await givenService(t, { file })]
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

t.test('a name that leads to a metadata address is not connected to', async t => {
  const requests = engineRequests(() => undefined)
  t.teardown(requests.close)
  for (const host of ['169.254.169.254', '[fe80::1]']) {
    const lab = { name: 'lab', baseUrl: `http://${host}`, capabilities: [] }
    t.match(await requests.ask(lab, { path: '/', timeoutMs: 5_000, bytesMax: 10 }), { fault: /link-local/, sure: true }, host)
  }
})
