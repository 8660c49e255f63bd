import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as soon } from 'node:timers/promises'
import tap, { type Test } from 'tap'
import { FormData, request } from 'undici'
import { silentLog } from '../../shared/app/log.ts'
import { serviceNames } from '../../shared/app/service.ts'
import { startServices } from '../../shared/app/start.ts'
import type { Env } from '../../shared/config/config.ts'
import type { Page } from '../../shared/contracts/page.ts'
import { problemBody } from '../../shared/errors/problem-body.ts'
import { Problem } from '../../shared/errors/problem.ts'
import { fakeVllm } from '../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../shared/testing/temporary-folder.ts'
import { freePort } from '../../shared/testing/free-port.ts'
import { api } from '../exam/api.ts'
import { startFrontDoor } from '../front-door/start.ts'
import { exampleBody, sampleWalk } from '../sample-walk.ts'
import { suite } from '../suite.ts'

const log = silentLog()
const sample = 'examples/sample-paper/sample-paper.pdf'

async function door (t: Test, env: Env): Promise<string> {
  const started = await startFrontDoor({ PORT: '0', ...env }, { log })
  t.teardown(started.close)
  return started.url
}

/** All five behind one address of which nothing is expected. */
const allAt = (url: string): Env => Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_URL`, url]))

/** A service that does as the test says. */
async function fake (t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Asked {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | FormData | (() => Readable)
}

/** Status, headers and bytes of an answer, without what differs from one asking to the next. */
async function answerTo (url: string, { path, method = 'GET', body: sent, headers: told = {} }: Asked) {
  const { statusCode, headers, body } = await request(url + path, {
    method: method as 'GET', headers: told, body: typeof sent === 'function' ? sent() : sent ?? null
  })
  const { date, connection, 'keep-alive': _, ...kept } = headers
  for (const name of Object.keys(kept)) if (name.startsWith('x-ratelimit-')) delete kept[name]
  const bytes = Buffer.from(await body.arrayBuffer())
  const text = bytes.toString('latin1')
    .replace(/"instance":"[^"]+"/, '"instance":"…"')
    // Each process watches model servers for itself.
    .replace(/"probedAt":"[^"]+"/g, '"probedAt":"…"').replace(/"known":\{[^}]*\}/g, '"known":"…"').replace(/"load":(null|\{[^}]*\})/g, '"load":null')
  const hash = createHash('sha256').update(text).digest('hex')
  return { statusCode, headers: kept, bytes: `${text.slice(0, 300)} ${hash}` }
}

tap.test('what the suite in one process answers, the door in front of five answers', async t => {
  const vllm = await fakeVllm({ models: ['tiny'], reply: () => 'Answer: Yes' })
  t.teardown(vllm.close)
  const env = { PORT: '0', UPSTREAMS: `lab=${vllm.url}`, DATA_DIR: temporaryFolder(t) }
  const urls: Record<string, string> = {}
  for (const name of ['parsing', 'inference', 'generation', 'reviewing', 'scoring']) {
    const [service] = suite.filter(each => each.name === name)
    const part = await startServices([service!], { ...env, ...urls }, { log })
    t.teardown(part.close)
    urls[`${name.toUpperCase()}_URL`] = part.url
  }
  const front = await door(t, urls)

  const ids = await sampleWalk(api(front), sample, exampleBody)
  // The same data, served by one process.
  const whole = await startServices(suite, env, { log })
  t.teardown(whole.close)

  const documents = JSON.parse(readFileSync('openapi/viva.json', 'utf8')) as { paths: Record<string, object> }
  const { paths } = documents
  const reads = Object.keys(paths).filter(path => 'get' in (paths[path] ?? {}) && path !== '/metrics')
    .map(path => path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name, ids)))
  t.ok(reads.length > 35)
  const json = { 'content-type': 'application/json' }
  const form = new FormData()
  form.append('file', new Blob(['no paper at all']), 'x.pdf')
  const cases: Asked[] = [
    ...reads.map(path => ({ path })),
    { path: '/openapi.json' }, { path: '/docs' }, { path: '/' }, { path: '/docs/static/swagger-ui.css' },
    { path: `/v1/papers/${ids.paper}/document`, method: 'HEAD' },
    { path: '/v1/items?limit=1' }, { path: '/v1/items?limit=0' }, { path: '/v1/items?limits=1' }, { path: '/v1/items?cursor=x' },
    { path: '/v1/dead-letters?limit=3&cursor=generation~gen' }, { path: '/v1/dead-letters?cursor=x' },
    { path: '/v1/dead-letters/none/retry', method: 'POST' },
    { path: '/v1/papers/pap_00000000000000000000000000000000' }, { path: '/v1/papers/..' }, { path: '/v1/papers/%2e%2e' },
    { path: '/v1/papers/%' }, { path: '/nowhere' }, { path: '/v1/papers/', headers: { accept: 'text/html' } }, { path: '/problems/x' },
    { path: '/v1/papers', method: 'PUT', body: 'x' }, { path: '/v1/items', method: 'POST', body: '{', headers: json },
    { path: '/v1/papers', method: 'POST', body: form }, { path: '/v1/papers', method: 'POST', body: '{}', headers: json },
    { path: '/v1/papers', method: 'POST' },
    { path: '/v1/runs', method: 'POST', body: '{"a": 1, "a": 2}', headers: json },
    { path: '/v1/runs', method: 'POST', body: '', headers: json }, { path: '/v1/runs', method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
    { path: '/v1/runs', method: 'POST', body: JSON.stringify({ benchmarkId: ids.benchmark, model: 'baseline/extractive' }), headers: json },
    { path: '/v1/runs', method: 'POST', body: ' '.repeat(1_100_000), headers: json },
    { path: '/v1/runs', method: 'POST', body: () => Readable.from([Buffer.alloc(2_000_000, ' ')]), headers: json },
    { path: `/v1/runs/${ids.run}/cancel`, method: 'POST' },
    { path: '/v1/metrics/rouge', method: 'POST', body: JSON.stringify({ pairs: Array(4000).fill({ prediction: 'a b c d e f g h i j k', references: ['a b'] }), types: ['rouge1'] }), headers: json },
    { path: '/v1/chat/completions', method: 'POST', body: JSON.stringify({ model: 'none', messages: [{ role: 'user', content: 'x' }] }), headers: json },
    { path: '/v1/chat/completions', method: 'POST', body: '{', headers: json }, { path: '/v1/chat/completions' },
    { path: '/v1/papers/x', method: 'DELETE' }
  ]
  for (const asked of cases) {
    const [expected, got] = await Promise.all([whole.url, front].map(async url => await answerTo(url, asked)))
    t.strictSame(got, expected, `${asked.method ?? 'GET'} ${asked.path}`)
  }
  const { headers } = await request(`${front}/v1/items`, { method: 'PUT' })
  t.equal(headers.allow, 'GET, HEAD')
  t.match(await (await request(`${front}/metrics`)).body.text(), /viva_http_request_duration_seconds_count\{.*route="\/v1\/papers\/:paperId"/)
  t.strictSame(await (await request(`${front}/openapi.json`)).body.json(), documents)
})

function valueOf (name: string, ids: Partial<Record<string, string>>): string {
  const others: Partial<Record<string, string>> = {
    page: '1', kind: 'not-found', format: 'openai', documentHash: ids.document, imageId: ids.image
  }
  return others[name] ?? ids[name.replace(/Id$/, '')] ?? 'x'
}

tap.test('a service that is away, silent or the door itself is a problem in the shape of its routes', async t => {
  const silent = await fake(t, () => {})
  const url = await door(t, { ...allAt(`http://127.0.0.1:${await freePort()}`), SCORING_URL: silent, DOOR_TIMEOUT_MS: '200' })
  const away = await request(`${url}/v1/papers`)
  t.equal(away.statusCode, 503)
  t.equal(away.headers['retry-after'], '1')
  t.match(away.headers['content-type'], 'application/problem+json')
  t.match(await away.body.json(), { type: '/problems/service-unavailable', detail: /PARSING_URL/ })
  const asOpenAi = await request(`${url}/v1/models`)
  t.equal(asOpenAi.statusCode, 503)
  t.match(await asOpenAi.body.json(), { error: { type: 'service-unavailable', code: 503 } })
  t.match(await (await request(`${url}/v1/runs`)).body.json(), { type: '/problems/service-timeout', status: 504 })
  t.match(await (await request(`${url}/v1/dead-letters`)).body.json(), { type: '/problems/service-unavailable' },
    'no shorter list')
  t.equal((await request(`${url}/health/live`)).statusCode, 200)
  t.equal((await request(`${url}/health/ready`)).statusCode, 503, 'it reaches none')
  t.equal((await request(`${url}/docs`)).statusCode, 200)

  const own = await fake(t, (incoming, response) => {
    void request(looping + incoming.url, { headers: { via: String(incoming.headers.via) } })
      .then(async ({ statusCode, body }) => {
        response.statusCode = statusCode
        response.end(await body.text())
      })
  })
  const looping = await door(t, allAt(own))
  t.match(await (await request(`${looping}/v1/papers`)).body.json(), { type: '/problems/service-invalid', detail: /PARSING_URL leads back/ })

  const inference = await startServices([suite[3]!], { PORT: '0', DATA_DIR: temporaryFolder(t) }, { log })
  t.teardown(inference.close)
  const swapped = await door(t, allAt(inference.url))
  const answerOf = async (path: string) => await (await request(swapped + path)).body.json()
  for (const path of ['/v1/papers', '/v1/dead-letters']) {
    t.match(await answerOf(path), { type: '/problems/service-invalid', detail: /PARSING_URL leads to a process that is not/ })
  }
  t.match(await answerOf('/v1/models'), { data: [] })
  t.strictSame(await answerOf('/health/ready'), { status: 'ready', services: ['inference'] })

  await t.rejects(startFrontDoor({ HOST: '0.0.0.0', PORT: '0' }, { log }), { message: /API_KEYS/ })
  await t.rejects(startFrontDoor({ PORT: '0', PARSING_URL: 'x', DOOR_TIMEOUT_MS: '1' }, { log }), { message: /DOOR_TIMEOUT_MS[^]*PARSING_URL|PARSING_URL[^]*DOOR_TIMEOUT_MS/ })
  await t.rejects(startFrontDoor({ PARSING_URL: 'http://u:sesame@h' }, { log }), { message: /PARSING_URL(?![^]*sesame)/ })
  await t.rejects(startFrontDoor({ PORT: new URL(url).port }, { log }), { message: /is busy/ })
})

tap.test('bodies and answers stream, and a caller who leaves ends the work behind', async t => {
  const seen: Array<{ request: IncomingMessage, response: ServerResponse }> = []
  let arrived = () => {}
  const behind = await fake(t, (request, response) => { seen.push({ request, response }); arrived() })
  const next = async () => {
    await new Promise<void>(resolve => { arrived = resolve })
    return seen.at(-1)!
  }
  const url = await door(t, allAt(behind))

  // A file of 64 MiB, of which the second half is sent when the first has arrived.
  const half = Buffer.alloc(32 * 2 ** 20, 'x')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let coming = next()
  socket.write(`POST /v1/papers HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${2 * half.length}\r\n\r\n`)
  socket.write(half)
  const upload = (await coming).request
  let bytes = 0
  for await (const chunk of upload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes === half.length) socket.write(half)
  }
  t.equal(bytes, 2 * half.length)
  t.equal(upload.headers['content-type'], 'multipart/form-data; boundary=b')
  seen.at(-1)?.response.end('{}')
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
  socket.destroy()

  coming = next()
  const asking = request(`${url}/v1/chat/completions`, { method: 'POST', body: '{}' })
  const events = await coming
  events.response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  const { body, headers } = await asking
  t.equal(headers['content-type'], 'text/event-stream')
  const parts = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  t.equal(String((await parts.next()).value), 'data: 1\n\n', 'the first part is here before the second is made')
  const left = once(events.response, 'close')
  body.destroy()
  await left
  t.pass('and who leaves a stream ends it')

  coming = next()
  const controller = new AbortController()
  const polling = request(`${url}/v1/runs/run_${'0'.repeat(32)}?wait=60`, { signal: controller.signal })
  const poll = await coming
  const ended = once(poll.response, 'close')
  controller.abort()
  await t.rejects(polling)
  await ended
  t.pass('so does who leaves a long poll')

  coming = next()
  const cutting = request(`${url}/v1/papers`).then(async ({ body }) => await body.text())
  const cut = await coming
  cut.response.writeHead(200, { 'content-length': '100' }).write('half')
  await soon()
  cut.response.destroy()
  await t.rejects(cutting, 'an answer that breaks off does not end as if it were whole')
})

tap.test('headers of one connection and claims about the caller stay outside; keys pass', async t => {
  const seen: IncomingMessage[] = []
  const behind = await fake(t, (request, response) => {
    seen.push(request)
    response.writeHead(200, { connection: 'x-private', 'x-private': '1', 'x-kept': '2', 'x-ratelimit-limit': '7' }).end('{}')
  })
  const url = await door(t, allAt(behind))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /v1/papers?limit=2 HTTP/1.1\r\nhost: viva.example\r\nconnection: close, x-secret\r\nx-secret: 1\r\nte: trailers\r\nexpect: 100-continue\r\n' +
    'upgrade: h2c\r\nx-forwarded-for: 6.6.6.6\r\nforwarded: for=6.6.6.6\r\nauthorization: Bearer k\r\nviva-purpose: p\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  t.match(text, /x-kept: 2/)
  t.notMatch(text, /x-private|x-ratelimit-limit: 7/)
  const { headers, url: path } = seen[0]!
  t.equal(path, '/v1/papers?limit=2')
  t.match(headers, { authorization: 'Bearer k', 'viva-purpose': 'p', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'viva.example', via: /^1.1 viva-/ })
  for (const name of ['x-secret', 'te', 'expect', 'upgrade', 'forwarded']) t.notOk(name in headers, name)
})

tap.test('dead letters of all services are one list, asked for with the key of the caller', async t => {
  const urls: Record<string, string> = {}
  const letter = (id: string) => ({ id, kind: 'k', jobId: 'j', attempts: 3, problem: problemBody(new Problem('internal', 'x')) })
  for (const [at, name] of serviceNames.entries()) {
    const own = Array.from({ length: at }, (_, nth) => `${name}-${nth}`)
    urls[`${name.toUpperCase()}_URL`] = await fake(t, ({ url = '', headers }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x')
      if (headers.authorization !== 'Bearer k') {
        response.statusCode = 401
        return response.end(JSON.stringify(problemBody(new Problem('unauthorized', 'no key'))))
      }
      const retried = /\/([^/]+)\/retry$/.exec(pathname)?.[1]
      if (retried !== undefined) {
        response.statusCode = own.includes(retried) ? 202 : 404
        return response.end(JSON.stringify(own.includes(retried) ? { id: retried } : problemBody(new Problem('dead-letter-not-found', 'none'))))
      }
      const after = searchParams.get('cursor')?.split('~')[1] ?? ''
      const found = own.filter(id => id > after).slice(0, Number(searchParams.get('limit'))).map(letter)
      const items = [...found.map(each => ({ service: name, ...each })), { service: 'of another', ...letter('z') }]
      response.end(JSON.stringify({ items, nextCursor: null }))
    })
  }
  const url = await door(t, urls)
  const headers = { authorization: 'Bearer k' }
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await request(`${url}/v1/dead-letters?limit=3${cursor && `&cursor=${cursor}`}`, { headers })
    const page = await body.json() as Page<{ id: string, service: string }>
    ids.push(...page.items.map(({ id, service }) => `${service} ${id}`))
    cursor = page.nextCursor
  }
  t.strictSame(ids, serviceNames.flatMap((name, at) => Array.from({ length: at }, (_, nth) => `${name} ${name}-${nth}`)))
  t.equal((await request(`${url}/v1/dead-letters`)).statusCode, 401)
  const retry = async (id: string) =>
    (await request(`${url}/v1/dead-letters/${id}/retry`, { method: 'POST', headers })).statusCode
  t.strictSame([await retry('scoring-3'), await retry('none')], [202, 404])
})
