import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import tap from 'tap'
import { Type } from 'typebox'
import { sha256 } from '../../contracts/hash.ts'
import { Problem } from '../../errors/problem.ts'
import { createApp, type AppOptions } from '../app.ts'
import { parseApiKeys } from '../auth.ts'
import { createDrain } from '../drain.ts'
import { openPrivateSocket } from '../private-socket.ts'

const json = { 'content-type': 'application/json' }

async function echo (t: Pick<typeof tap, 'teardown'>, options: AppOptions = {}) {
  const app = await createApp(options)
  t.teardown(async () => { await app.close() })
  app.post('/things', {
    schema: {
      operationId: 'makeThing',
      summary: 'Make a thing',
      body: Type.Object({
        n: Type.Integer(), s: Type.Optional(Type.String()), d: Type.Integer({ default: 4 })
      }, { additionalProperties: false })
    }
  }, async ({ body }) => body)
  app.get('/things/:id', {
    schema: {
      operationId: 'getThing',
      params: Type.Object({ id: Type.String({ pattern: '^[a-z]+$' }) }),
      querystring: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 9, default: 5 }) })
    }
  }, async ({ params, query }) => ({ ...params, ...query }))
  app.get('/boom', { schema: { operationId: 'boom' } }, async () => { throw new Error('secret path /etc/x') })
  app.delete('/things/:id.json', { schema: { operationId: 'deleteThing' } }, async () => ({}))
  return app
}

tap.test('a body is taken at its word', async t => {
  const app = await echo(t)
  const post = async (payload: string, headers: Record<string, string> = json) =>
    await app.inject({ method: 'POST', url: '/things', payload, headers })

  t.strictSame((await post('{"n":7}')).json(), { n: 7, d: 4 }, 'defaults are filled in')
  for (const wrong of ['{"n":null}', '{"n":"7"}', '{"n":true}', '{"n":7,"extra":1}', '{}', '{"n":[7]}']) {
    const answer = await post(wrong)
    t.equal(answer.statusCode, 400, wrong)
    t.match(answer.json(), { type: '/problems/invalid-request', errors: [{ pointer: /^\/body/ }] })
    t.match(answer.headers['content-type'], 'application/problem+json')
  }
  t.match((await post('{"N":7}')).json(), {
    detail: '/body/n is missing; /body/N is not a known property.', errors: [{ pointer: '/body/n' }, { pointer: '/body/N' }]
  }, 'a misspelt name is told beside the missing one')
  t.match((await post('{"n":1,"n":2}')).json(), { type: '/problems/invalid-json', detail: /twice/ })
  t.match((await post('{"n":1,"\\u006e":2}')).json(), { detail: /twice/ }, 'however the key is written')
  t.match((await post('{"n":1,"__proto__":{"x":1}}')).json(), { status: 400 })
  t.match((await post('{"n":1,"s":"{\\"n\\":1,\\"n\\":2}"}')).statusCode, 200, 'a string is not looked into')
  t.match((await post('{"n":1,"s":"\\ud83d"}')).json(), { type: '/problems/invalid-json', detail: /half of a character/ })
  t.equal((await post('{"n":1,"s":"\\ud83d\\ude00 \\\\ud83d"}')).statusCode, 200, 'a whole one may be escaped')
  t.match((await post('{"n":1')).json(), { type: '/problems/invalid-json' })
  t.match((await post('{"n":1e400}')).json(), { type: '/problems/invalid-json', detail: /too large/ }, 'which would become null')
  t.equal((await post('{"n":1e3,"s":"1e400"}')).statusCode, 200)
  for (const text of ['"', '\\\\', '\\"', '\\\\\\"', 'a\\"b\\"']) {
    const same = `{"s":"${text.replace(/^"$/, '')}","n":1,"s":"x"}`
    t.match((await post(same)).json(), { detail: /twice/ }, `after ${text}`)
  }
  const many = Array.from({ length: 40 }, (_, at) => `"k${at}":1,`).join('')
  for (const key of ['k3', 'k39']) t.match((await post(`{${many}"${key}":2}`)).json(), { detail: /"k39?" stands twice/ })
  t.match((await post('{"n":1,"s":{"constructor":{"prototype":1}}}')).json(), { type: '/problems/invalid-json' })
  const latin = await app.inject({ method: 'POST', url: '/things', payload: Buffer.from('{"n":1,"s":"\xe9"}', 'latin1'), headers: json })
  t.match(latin.json(), { type: '/problems/invalid-json', detail: /UTF-8/ }, 'and not U+FFFD')
  t.match((await post('{"n":1,"s":"é漢🙂"}')).json(), { s: 'é漢🙂' })
  t.equal((await post('\ufeff{"n":1}')).statusCode, 200)
  t.match((await post('')).json(), { type: '/problems/invalid-json' })
  t.match((await post(`{"n":${'['.repeat(70)}`)).json(), { detail: /64 levels/ })
  t.match((await post('n=7', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode, 415)
  t.match((await post('{"n":7}', { 'content-type': 'text/plain' })).statusCode, 415, 'no text past the schema')
  t.match((await post('{"n":7}', { 'content-type': 'application/json; charset=utf-16' })).statusCode < 500, true)
  t.match((await post(`{"n":1,"s":"${'x'.repeat(1100000)}"}`)).json(), { type: '/problems/body-too-large', status: 413 })
})

tap.test('query and path are converted, and bounded', async t => {
  const app = await echo(t)
  t.strictSame((await app.inject('/things/a?limit=3')).json(), { id: 'a', limit: 3 })
  for (const wrong of ['/things/a?limit=0', '/things/a?limit=x', '/things/A', '/things/%00', '/things/%zz', `/things/${'a'.repeat(400)}`]) {
    const answer = await app.inject(wrong)
    t.ok(answer.statusCode === 400 || answer.statusCode === 404, `${wrong}: ${answer.statusCode}`)
    t.match(answer.headers['content-type'], 'application/problem+json', wrong)
  }
})

tap.test('a query parameter that the operation does not know is refused, not passed over', async t => {
  const app = await echo(t)
  for (const query of ['limt=3', 'limit=3&extra=1', 'limit[$ne]=1', '__proto__=1']) {
    const answer = await app.inject(`/things/a?${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.json(), { type: '/problems/invalid-request', errors: [{ pointer: /^\/querystring\// }] }, query)
  }
  t.equal((await app.inject('/boom?x=1')).statusCode, 400, 'nor where there are none at all')
})

tap.test('a wrong method is 405 with Allow, an unknown path 404', async t => {
  const app = await echo(t)
  const put = await app.inject({ method: 'PUT', url: '/things/a' })
  t.equal(put.statusCode, 405)
  t.equal(put.headers.allow, 'GET, HEAD')
  t.match(put.json(), { type: '/problems/method-not-allowed' })
  t.equal((await app.inject({ method: 'POST', url: '/things/a.json', payload: {} })).statusCode, 405)
  t.match((await app.inject('/nowhere')).json(), { type: '/problems/not-found', status: 404 })
  const query = await app.inject({ method: 'QUERY' as 'POST', url: '/things/a' })
  t.equal(query.statusCode, 405, 'whatever its body lacks')
  t.equal((await app.inject({ method: 'PUT', url: '/things/a', payload: 'x', headers: { 'content-type': 'text/x' } })).statusCode, 405)
})

tap.test('a bug is a 500 that tells nothing', async t => {
  const app = await echo(t)
  const answer = await app.inject('/boom')
  t.equal(answer.statusCode, 500)
  t.notMatch(answer.body, /secret|etc|Error/)
  t.match(answer.json(), { type: '/problems/internal', instance: /^[0-9a-f-]{36}$/ })
})

tap.test('a slow body and slow headers are cut with 408', async t => {
  const app = await echo(t, { requestTimeoutMs: 300, headersTimeoutMs: 200 })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as { port: number }
  for (const start of ['POST /things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"n"', 'GET /thi']) {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', chunk => { received += String(chunk) })
    socket.write(start)
    await once(socket, 'close')
    t.match(received, /^HTTP\/1.1 408 [^]*application\/problem\+json[^]*request-timeout/)
  }
})

tap.test('who is cut keeps no connection by leaving its half open', async t => {
  const app = await echo(t, { requestTimeoutMs: 300, headersTimeoutMs: 200 })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as { port: number }
  const accepted = once(app.server, 'connection')
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.resume()
  socket.on('error', () => {})
  t.teardown(() => { socket.destroy() })
  socket.write('POST /things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"n"')
  const [theirs] = await accepted as [ReturnType<typeof connect>]
  await once(theirs, 'close')
  t.ok(theirs.destroyed)
})

tap.test('who hangs up in the middle of a body is no bug', async t => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => { lines.push(line) } })
  const app = await echo(t, { log })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"n"')
  const [incoming] = await once(app.server, 'request') as [IncomingMessage]
  const closed = once(incoming, 'close')
  socket.destroy()
  await closed.catch(() => {})
  await app.inject('/things/a')
  t.notMatch(lines.join(''), /"level":50/)
})

tap.test('the log names a fault of a model server, and says nothing it said', async t => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => { lines.push(line) } })
  const app = await echo(t, { log })
  const parse = () => { try { return JSON.parse('MARKER') } catch (cause) { return cause } }
  const faults = [
    new Problem('upstream-invalid', 'It said: MARKER'), new Problem('upstream-invalid', 'No JSON.', { cause: parse() }),
    new Problem('upstream-unavailable', 'Away.', { cause: new Error('ECONNREFUSED') })
  ]
  for (const [nth, fault] of faults.entries()) app.get(`/fault/${nth}`, async () => { throw fault })
  for (const nth of faults.keys()) await app.inject(`/fault/${nth}`)
  t.equal(lines.length, 3)
  t.match(lines[0], /"kind":"upstream-invalid"/)
  t.notMatch(lines.join(''), /MARKER/)
  t.match(lines[2], /ECONNREFUSED/)
})

tap.test('what is not HTTP gets an answer it can read', async t => {
  const app = await echo(t)
  await app.listen({ port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', chunk => { received += String(chunk) })
  socket.write('HELLO\r\n\r\n')
  await once(socket, 'close')
  t.match(received, /^HTTP\/1.1 400 [^]*problem\+json/)
})

tap.test('keys: none is 401, a reader may not write, an unknown one is 401', async t => {
  const keys = parseApiKeys(`ann:reader:${sha256('ann-secret')},bob:writer:${sha256('bob-secret')}`)
  const app = await echo(t, { keys })
  const ask = async (method: 'GET' | 'POST', token?: string) => await app.inject({
    method,
    url: method === 'GET' ? '/things/a' : '/things',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...method === 'POST' && { payload: { n: 1 } }
  })
  const missing = await ask('GET')
  t.equal(missing.statusCode, 401)
  t.equal(missing.headers['www-authenticate'], 'Bearer')
  t.equal((await ask('GET', 'wrong')).statusCode, 401)
  t.equal((await ask('GET', 'ann-secret')).statusCode, 200)
  t.equal((await ask('POST', 'ann-secret')).statusCode, 403)
  t.equal((await ask('POST', 'bob-secret')).statusCode, 200)
  t.equal((await app.inject('/openapi.json')).statusCode, 200, 'the documents are open')
  t.equal((await app.inject('/docs/')).statusCode, 200, 'and so is their page, for a browser sends no key with it')
  t.equal((await app.inject('/docs/static/swagger-ui.css')).statusCode, 200)
  t.equal((await app.inject('/docsx')).statusCode, 401)
  t.throws(() => parseApiKeys('x:owner:12'), /entry 1/)
})

tap.test('the rate is limited with 429 and Retry-After', async t => {
  const app = await echo(t, { ratePerMinute: 2 })
  for (const expected of [200, 200, 429]) {
    t.equal((await app.inject('/things/a')).statusCode, expected)
  }
  const limited = await app.inject('/things/a')
  t.match(limited.json(), { type: '/problems/too-many-requests' })
  t.ok(Number(limited.headers['retry-after']) > 0)
})

tap.test('the private door skips keys and rate limit, and only this user can open it', async t => {
  const keys = parseApiKeys(`ann:reader:${sha256('ann-secret')}`)
  const app = await echo(t, { keys, ratePerMinute: 1 })
  await app.ready()
  const door = await openPrivateSocket(app)
  const { Agent, request } = await import('undici')
  const agent = new Agent({ connect: { socketPath: door.path } })
  for (let i = 0; i < 3; i++) {
    const { statusCode, body } = await request('http://peer/things/a', { dispatcher: agent })
    t.equal(statusCode, 200)
    await body.dump()
  }
  await agent.close()
  await door.close()
})

tap.test('draining turns new requests away, lets running ones end, and keeps health open', async t => {
  const app = await createApp()
  t.teardown(async () => { await app.close() })
  const drain = createDrain(app)
  const gate = withResolvers()
  const entered = withResolvers()
  app.get('/slow', async () => { entered.resolve(undefined); await gate.promise; return { ok: true } })
  app.get('/health/live', async () => ({ status: 'live' }))
  const running = app.inject('/slow').then(answer => answer)
  await entered.promise
  const drained = drain.begin(10_000)
  const refused = await app.inject('/slow')
  t.equal(refused.statusCode, 503)
  t.match(refused.json(), { type: '/problems/shutting-down' })
  t.ok(refused.headers['retry-after'])
  t.equal((await app.inject('/health/live')).statusCode, 200)
  gate.resolve(undefined)
  t.equal((await running).statusCode, 200)
  await drained
})

/** Promise.withResolvers, which Node 20 lacks. */
function withResolvers () {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise(_resolve => { resolve = _resolve })
  return { promise, resolve }
}

tap.test('the documents name every route, hoist named schemas, and the page loads under its policy', async t => {
  const app = await echo(t)
  const document = (await app.inject('/openapi.json')).json()
  t.match(document, { openapi: '3.1.0', components: { schemas: { Problem: { type: 'object' } } } })
  t.match(document.paths['/things'].post.responses['4XX'].content['application/problem+json'].schema,
    { $ref: '#/components/schemas/Problem' })
  const { parameters } = document.paths['/things/{id}'].get
  t.match(parameters.find((each: { name: string }) => each.name === 'limit'), { required: false }, 'what has a default may be left out')
  t.strictSame(document.paths['/things'].post.requestBody.content['application/json'].schema.required, ['n'])
  const page = await app.inject('/docs/')
  t.equal(page.statusCode, 200)
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, /default-src 'self'/)
  t.notMatch(policy, /upgrade-insecure-requests/)
})
