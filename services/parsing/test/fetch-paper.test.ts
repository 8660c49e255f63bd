import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { paperIdOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { runningService } from './fixtures/running-service.ts'

const scripted = fileURLToPath(new URL('fixtures/scripted-parser.ts', import.meta.url))
const bytes = '%PDF-fine\nFetched\n'

t.test('papers by their address', async t => {
  let connections = 0
  const sink = createServer((_, response) => response.end(bytes)).on('connection', () => connections++)
  const mirror = createServer((request, response) => {
    if (request.url === '/papers/my%20paper.pdf') response.end(bytes)
    else if (request.url === '/moved') response.writeHead(301, { location: '/papers/my%20paper.pdf' }).end()
    else if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes))
    else if (request.url === '/inside') response.writeHead(302, { location: `http://127.0.0.1:${portOf(sink)}/` }).end()
    else if (request.url === '/page') response.end('<!doctype html><title>Abstract</title>')
    else if (request.url === '/empty') response.end()
    else if (request.url === '/large') response.end(Buffer.concat([Buffer.from('%PDF-fine\n'), Buffer.alloc(2 ** 20)]))
    else response.writeHead(404).end('notes of the house')
  })
  const portOf = (server: typeof sink) => (server.address() as AddressInfo).port
  for (const server of [sink, mirror]) {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => { server.closeAllConnections(); server.close() })
  }
  const at = (path: string) => `http://127.0.0.1:${portOf(mirror)}${path}`
  const service = await runningService(scripted, { FETCH_ALLOW: `127.0.0.1:${portOf(mirror)}`, PARSING_UPLOAD_MB: 1 })
  t.teardown(service.close)
  const { fetchUrl, upload, get } = service
  const kindOf = async (response: Response) => {
    t.match(response.headers.get('content-type'), 'application/problem+json')
    return ((await response.json()) as { type: string }).type.split('/').at(-1)
  }

  t.test('what an address gives is the paper that an upload of its bytes is', async t => {
    const response = await fetchUrl({ url: at('/papers/my%20paper.pdf') })
    t.equal(response.status, 202)
    const { id, fileName } = await response.json() as Paper
    t.equal(response.headers.get('location'), `/v1/papers/${id}`)
    t.equal(id, paperIdOf(Buffer.from(bytes)))
    t.equal(fileName, 'my paper.pdf')
    t.match(await (await get(`/${id}?wait=60`)).json(), { state: 'succeeded', title: 'Fetched', bytes: bytes.length })
    t.equal(await (await get(`/${id}/source`)).text(), bytes)
    for (const again of [await upload(bytes), await fetchUrl({ url: at('/moved') }), await fetchUrl({ url: at('/gzip'), fileName: '../other.pdf' })]) {
      t.equal(again.status, 200)
      t.match(await again.json(), { id, fileName: 'my paper.pdf' })
    }
  })

  t.test('what is no public host is not asked, and nothing is told of it', async t => {
    for (const url of [
      `http://127.0.0.1:${portOf(sink)}/a.pdf`, `http://localhost:${portOf(mirror)}/`, 'http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd', at('/inside'), 'no address', `http://[::1]:${portOf(mirror)}/`
    ]) {
      const response = await fetchUrl({ url })
      t.equal(response.status, 422, url)
      t.equal(await kindOf(response), 'url-forbidden')
    }
    t.equal(connections, 0)
    const missing = await fetchUrl({ url: at('/missing') })
    t.equal(missing.status, 502)
    t.notMatch(await missing.text(), /notes of the house/u)
  })

  t.test('what is no paper is refused as an upload is, and leaves nothing', async t => {
    const page = await fetchUrl({ url: at('/page') })
    t.equal(page.status, 415)
    t.match(await page.json(), { type: /not-a-paper$/, detail: /address of the PDF/ })
    t.equal(await kindOf(await fetchUrl({ url: at('/empty') })), 'paper-empty')
    t.equal(await kindOf(await fetchUrl({ url: at('/large') })), 'body-too-large')
    t.equal(await service.blobs.has(sha256('<!doctype html><title>Abstract</title>')), false)
  })

  t.test('a body that is no address says what to send', async t => {
    for (const body of [{}, [], null, 7, { url: 7 }, { url: '' }, { url: at('/moved'), name: 'x' }, { url: 'x'.repeat(3_000) }, { url: at('/moved'), fileName: null }]) {
      const response = await fetchUrl(body)
      t.equal(response.status, 400, JSON.stringify(body).slice(0, 60))
      t.equal(await kindOf(response), 'invalid-request')
    }
  })

  t.test('the API documents show both ways', async t => {
    const { paths } = await (await fetch(`${service.url}/openapi.json`)).json() as { paths: Record<string, any> }
    const { content } = paths['/v1/papers'].post.requestBody
    t.match(content['multipart/form-data'].schema, { properties: { file: { type: 'string', format: 'binary' } } })
    t.match(content['application/json'].schema, { properties: { url: { type: 'string' } }, required: ['url'] })
  })
})
