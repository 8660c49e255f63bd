import type { Socket } from 'node:net'
import t from 'tap'
import { Agent, request } from 'undici'
import { engineRequests } from '../handlers/ask-engine.ts'
import { upstreamConnector } from '../handlers/connect-upstream.ts'
import { givenDirectory } from './given-directory.ts'
import { chat, fakeOf, givenService, serverOf, until } from './given-service.ts'

t.test('a server that is killed is down, and back as soon as it is', async t => {
  const fake = await fakeOf(t)
  const { port } = new URL(fake.url)
  const { call, view } = await givenService(t, { env: { INFERENCE_PROBE_INTERVAL_MS: '600000' } })
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
  const { directory } = await givenDirectory(t, { setting: `lab=${fake.url}` })
  t.match(await directory.targets('old', []), [{ served: 'old' }])
  await fake.close()
  await fakeOf(t, { port: Number(port), models: ['new'] })
  await until(async () => (await directory.models())[0]?.id, id => id === 'new')
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
  const { directory } = await givenDirectory(t, { setting: `hung=${hung},lab=${fake.url}`, settings: { probeTimeoutMs: 300 } })
  const started = performance.now()
  t.match(await directory.targets('fake-model', []), [{ replica: { upstream: { name: 'lab' } } }])
  t.ok(performance.now() - started < 290, 'the other one answers at once')
  await t.rejects(directory.targets('gone', []), { kind: 'upstream-unavailable', message: /hung is down: does not answer within/ })
  t.match(await directory.find('hung'), { watch: { replica: { probe: { state: 'down', models: [] } } } })
  await until(() => sockets.length, length => length >= 12)
  t.match(await directory.find('lab'), { watch: { replica: { probe: { state: 'up' } } } })
  t.ok(new Set(sockets.filter(socket => !socket.destroyed)).size <= 3, 'probes do not pile up')
})

t.test('a server that falls silent once stays up, twice is down', async t => {
  let silent = 0
  const url = await serverOf(t, (request, response) => {
    if (silent > 0) { if (request.url === '/v1/models') silent--; return }
    response.end(request.url === '/version' ? '{"version":"0.29.0"}' : '{"data":[{"id":"m"}]}')
  })
  const { directory } = await givenDirectory(t, { setting: `lab=${url}`, settings: { probeTimeoutMs: 100, probeIntervalMs: 50 } })
  const lab = async () => {
    const member = await directory.find('lab')
    return { state: member?.watch.replica.probe.state, lastFault: member?.watch.facts().lastFault ?? null }
  }
  t.match(await directory.targets('m', []), [{ served: 'm' }])
  silent = 1
  t.match(await until(lab, ({ lastFault }) => lastFault !== null), { state: 'up', lastFault: { detail: /does not answer/ } })
  silent = 2
  await until(lab, ({ state }) => state === 'down')
  t.pass('down after two')
})

t.test('what is no model server is said to be none, and may be told what it serves', async t => {
  const url = await serverOf(t, (request, response) => {
    if (request.method === 'GET') { response.writeHead(404, { 'content-type': 'text/html' }).end('<html>not here</html>'); return }
    response.end('{"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}')
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

t.test('a name that leads to a metadata address is not connected to', async t => {
  const requests = engineRequests(() => undefined)
  t.teardown(requests.close)
  for (const host of ['169.254.169.254', '[fe80::1]']) {
    const lab = { name: 'lab', baseUrl: `http://${host}`, capabilities: [] }
    t.match(await requests.ask(lab, { path: '/', timeoutMs: 5_000, bytesMax: 10 }), { fault: /link-local/, sure: true }, host)
  }
  const fake = await fakeOf(t)
  const { port } = new URL(fake.url)
  for (const [addresses, words] of [[['127.0.0.1', '169.254.169.254'], /link-local/], [['127.0.0.1'], null]] as const) {
    const agent = new Agent({
      connect: upstreamConnector(1000, (_, options, answer) => {
        if (options.all === true) answer(null, addresses.map(address => ({ address, family: 4 })))
        else answer(null, addresses.at(-1)!, 4)
      })
    })
    t.teardown(async () => { await agent.destroy() })
    const asked = request(`http://gpu.example:${port}/health`, { dispatcher: agent })
    if (words === null) t.equal((await asked).statusCode, 200)
    else await t.rejects(asked, { message: words })
  }
})

t.test('while the store is away, those of the environment serve, and stored ones stay as they were', async t => {
  const [one, two] = [await fakeOf(t, { models: ['one'] }), await fakeOf(t, { models: ['two'] })]
  const stored = new Map([['lab', { upstream: { name: 'lab', baseUrl: two.url, capabilities: [] }, draining: false, findings: [] }]])
  let state: 'away' | 'back' = 'away'
  let reads = 0
  const { directory } = await givenDirectory(t, {
    setting: `env=${one.url}`,
    async all () {
      reads++
      if (state === 'away') throw new Error('the disk is gone')
      return stored
    }
  })
  t.match(await directory.targets('one', []), [{ served: 'one' }])
  state = 'back'
  await until(async () => (await directory.models()).length, length => length === 2)
  state = 'away'
  const before = reads
  await until(() => reads, count => count > before + 2)
  t.match(await directory.targets('two', []), [{ served: 'two' }])
})
