import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import tap, { type Test } from 'tap'
import { HouseConfig, readConfigs } from '../../config/config.ts'
import { Problem } from '../../errors/problem.ts'
import { problemBody } from '../../errors/problem-body.ts'
import { freePort } from '../../testing/free-port.ts'
import { httpCall } from '../http-call.ts'
import { replicasOf, watchReplicas } from '../peers.ts'

async function serve (t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address where nobody listens. */
async function nowhere (): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

function callTo (t: Test, ...addresses: string[]) {
  const urls = { parsing: addresses.join(','), generation: 'http://g', reviewing: 'http://r', inference: 'http://i', scoring: 'http://s' }
  const { call, close } = httpCall({ here: [], socketPath: () => '', urls })
  t.teardown(close)
  return call
}

tap.test('replicas are asked in turn; one that was away waits until its time is over', t => {
  let now = 0
  const replicas = replicasOf('http://a, http://b:80/,https://c,http://a', () => now)
  t.equal(replicas.addresses.length, 3, 'each once')
  t.strictSame(replicas.order(), ['http://a', 'http://b', 'https://c'])
  t.strictSame(replicas.order(), ['http://b', 'https://c', 'http://a'])
  replicas.leaveOut('https://c')
  t.strictSame(replicas.order(), ['http://a', 'http://b', 'https://c'], 'still the last resort')
  now = 4_000
  replicas.leaveOut('http://a')
  replicas.leaveOut('http://b')
  t.equal(replicas.order()[0], 'https://c', 'of those that are away, the one away for longest')
  now = 5_000
  t.equal(replicas.order()[0], 'https://c')
  t.strictSame([replicas.order()[0], replicas.order()[0]], ['https://c', 'https://c'])
  now = 9_000
  t.equal(new Set([0, 1, 2].map(() => replicas.order()[0])).size, 3, 'all are back')
  t.end()
})

tap.test('a replica that stands still is noticed without a request of ours', async t => {
  const replicas = replicasOf('http://still,http://alive')
  const single = replicasOf('http://only')
  const probed = new Set<string>()
  await new Promise<void>(resolve => {
    const stop = watchReplicas([replicas, single], async address => {
      probed.add(address)
      if (probed.size === 2) { stop(); setImmediate(resolve) }
      return address !== 'http://still'
    }, 1)
  })
  t.strictSame([...probed], ['http://still', 'http://alive'], 'there is no choice where there is one')
  t.strictSame([0, 1, 2].map(() => replicas.order()[0]), Array(3).fill('http://alive'))
})

tap.test('addresses that cannot be are named at the start', t => {
  const good = readConfigs([HouseConfig], { PARSING_URL: 'http://a:1,http://b:2' })[0]
  t.equal(good.PARSING_URL, 'http://a:1,http://b:2')
  const many = Array.from({ length: 17 }, (_, at) => `http://h${at}`).join(',')
  for (const bad of ['a', 'ftp://a', 'http://a,', 'http://a,b', 'http://a/base', 'http://me:secret@a', 'http://a?x', many]) {
    t.throws(() => readConfigs([HouseConfig], { SCORING_URL: bad }), /SCORING_URL must be 1 to 16 addresses/, bad)
  }
  t.end()
})

tap.test('who cannot be reached is passed over, whatever the method', async t => {
  const asked: string[] = []
  const alive = await serve(t, ({ method }, response) => { asked.push(String(method)); response.end('{"ok":true}') })
  const call = callTo(t, await nowhere(), alive)
  t.strictSame(await call.json('parsing', '/v1/x', { body: { a: 1 } }), { ok: true })
  t.strictSame(await call.json('parsing', '/v1/x'), { ok: true })
  t.strictSame(asked, ['POST', 'GET'])
  await t.rejects(callTo(t, await nowhere(), await nowhere()).json('parsing', '/v1/x'), { message: /cannot be reached/ })
})

tap.test('who shuts down has done nothing: the next one is asked, and the farewell is heard when there is none', async t => {
  const bye = problemBody(new Problem('shutting-down', 'bye'))
  let farewells = 0
  const leaving = await serve(t, (_, response) => {
    farewells += 1
    response.statusCode = 503
    response.end(JSON.stringify(bye))
  })
  const alive = await serve(t, (_, response) => { response.end('{"ok":true}') })
  const call = callTo(t, leaving, alive)
  t.strictSame(await call.json('parsing', '/v1/x', { method: 'POST', body: {} }), { ok: true })
  for (let times = 0; times < 3; times++) await call.json('parsing', '/v1/x')
  t.equal(farewells, 1, 'and not asked again at once')
  await t.rejects(callTo(t, leaving).json('parsing', '/v1/x'), { message: 'bye' })
  const busy = problemBody(new Problem('store-unavailable', 'no store'))
  const sick = await serve(t, (_, response) => {
    response.statusCode = 503
    response.end(JSON.stringify(busy))
  })
  await t.rejects(callTo(t, sick, alive).json('parsing', '/v1/x', { body: {} }), { message: 'no store' },
    'any other 503 is the answer')
})

tap.test('an answer that is lost is asked for again only where twice is once', async t => {
  const asked: string[] = []
  const cutting = await serve(t, ({ method, socket }) => { asked.push(String(method)); socket.destroy() })
  const alive = await serve(t, (_, response) => { response.end('{"ok":true}') })
  t.strictSame(await callTo(t, cutting, alive).json('parsing', '/v1/x'), { ok: true })
  await t.rejects(callTo(t, cutting, alive).json('parsing', '/v1/x', { body: {} }), { message: /cannot be reached/ })
  t.strictSame(asked, ['GET', 'POST'])
})

tap.test('a silent replica uses up a share of the time of a GET, and all of it when alone', async t => {
  const silent = await serve(t, () => {})
  const alive = await serve(t, (_, response) => { response.end('{"ok":true}') })
  const patient = { timeoutMs: 4_500 }
  t.strictSame(await callTo(t, silent, alive).json('parsing', '/v1/x', patient), { ok: true })
  await t.rejects(callTo(t, silent).json('parsing', '/v1/x', { timeoutMs: 200 }), { message: /did not answer in time/ })
})

tap.test('a key of services that is refused is not taken for that of the caller', async t => {
  const refusing = await serve(t, (_, response) => {
    response.statusCode = 401
    response.end(JSON.stringify(problemBody(new Problem('unauthorized', 'This key is not one of this service.'))))
  })
  const call = callTo(t, refusing)
  await t.rejects(call.json('parsing', '/v1/x'), { name: 'Problem', kind: 'service-invalid', message: /SERVICE_KEY/ })
  await t.rejects(call.json('parsing', '/v1/x', { headers: { authorization: 'Bearer k' } }), { name: 'Problem', kind: 'unauthorized' })
})
