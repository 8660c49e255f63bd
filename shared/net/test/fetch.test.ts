import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync, brotliCompressSync, deflateSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Problem } from '../../errors/problem.ts'
import { isPublicAddress, parseAllowed } from '../addresses.ts'
import { checkUrl } from '../check-url.ts'
import { fetchFile, type FetchRules } from '../fetch-file.ts'
import { hostVectors, innerAddresses, oddUrls, publicAddresses } from './vectors.ts'

async function serverFor (t: Test, listener: RequestListener) {
  const counts = { connections: 0 }
  const server = createServer(listener).on('connection', () => counts.connections++)
  // Every address of this machine, of both families.
  server.listen(0, '::')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { port: (server.address() as AddressInfo).port, counts }
}

async function read (address: string, rules: Partial<FetchRules>): Promise<string> {
  return await fetchFile(address, { timeoutMs: 10_000, bytesMax: 2 ** 20, ...rules }, async ({ content }) => {
    let text = ''
    for await (const chunk of content) text += chunk.toString('latin1')
    return text
  })
}

async function kindOf (reading: Promise<unknown>): Promise<string> {
  return await reading.then(() => 'read', (cause: unknown) => cause instanceof Problem ? cause.kind : String(cause))
}

t.test('addresses of houses, clouds and protocols are told from those of the internet', async t => {
  for (const address of innerAddresses) t.equal(isPublicAddress(address), false, address)
  for (const address of publicAddresses) t.equal(isPublicAddress(address), true, address)
  for (const text of ['', 'example.org', '1.2.3', '0x7f.1', '1.2.3.4.5', '01.2.3.4', ' 8.8.8.8', '8.8.8.8/8']) t.equal(isPublicAddress(text), false, text)
})

t.test('no vector reaches a server of this machine, whatever notation, name or scheme it uses', async t => {
  const sink = await serverFor(t, (_, response) => response.end('%PDF-secret'))
  // Every name leads here, and the sink's port is one that public hosts may be asked at.
  const rules = { ports: [80, 443, sink.port], resolve: async () => [{ address: '127.0.0.1', family: 4 }] }
  const urls = [
    ...hostVectors.flatMap(host => [`http://${host}:${sink.port}/`, `https://${host}:${sink.port}/a.pdf`]),
    ...oddUrls(sink.port)
  ]
  t.ok(urls.length >= 200, `${urls.length} vectors`)
  for (const url of urls) t.equal(await kindOf(read(url, rules)), 'url-forbidden', url)
  t.equal(sink.counts.connections, 0)
})

t.test('a redirect is checked like the address itself, at each of its steps', async t => {
  const sink = await serverFor(t, (_, response) => response.end('%PDF-secret'))
  const outer = await serverFor(t, (request, response) => {
    const to = new URL(request.url ?? '', 'http://outer').searchParams.get('to')
    const location = Buffer.from(to ?? `http://127.0.0.1:${outer.port}/again`).toString('latin1')
    response.writeHead(302, { location }).end()
  })
  const rules = { ports: [80, 443, sink.port], allowed: parseAllowed(`127.0.0.1:${outer.port}`) }
  const to = (url: string) => `http://127.0.0.1:${outer.port}/?to=${encodeURIComponent(url)}`
  for (const host of hostVectors) t.equal(await kindOf(read(to(`http://${host}:${sink.port}/`), { ...rules, resolve: async () => [{ address: '127.0.0.1', family: 4 }] })), 'url-forbidden', host)
  t.equal(await kindOf(read(to('file:///etc/passwd'), rules)), 'url-forbidden')
  t.equal(await kindOf(read(to(`//127.0.0.1:${sink.port}/`), rules)), 'url-forbidden')
  t.equal(await kindOf(read(to(to(`http://127.1:${sink.port}/`)), rules)), 'url-forbidden', 'the second step')
  t.equal(await kindOf(read(`http://127.0.0.1:${outer.port}/`, rules)), 'url-refused', 'an endless chain')
  t.equal(await kindOf(read(to('http://['), rules)), 'url-forbidden')
  t.equal(sink.counts.connections, 0)
})

t.test('a name that answers differently the second time gets nothing', async t => {
  const sink = await serverFor(t, (_, response) => response.end('%PDF-secret'))
  const outer = await serverFor(t, (request, response) => {
    if (request.url === '/paper') response.end('%PDF-open')
    else response.writeHead(302, { location: `http://rebinds.example:${sink.port}/` }).end()
  })
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return (answers[asked.length - 1] ?? ['127.0.0.1']).map(address => ({ address, family: 4 }))
  }
  const allowed = parseAllowed(`127.0.0.1:${outer.port},127.0.0.1:${sink.port}`)
  t.equal(await kindOf(read(`http://rebinds.example:${outer.port}/`, { allowed, resolve })), 'url-forbidden')
  t.same(asked, ['rebinds.example', 'rebinds.example'], 'one look-up a connection, and none besides')
  t.equal(sink.counts.connections, 0)
  t.equal(await read(`http://rebinds.example:${outer.port}/paper`, { allowed, resolve }), '%PDF-open', 'what is checked is what is connected to')
  const mixed = async () => ['93.184.216.34', '127.0.0.1'].map(address => ({ address, family: 4 }))
  t.equal(await kindOf(read(`http://mixed.example:${sink.port}/`, { ports: [sink.port], resolve: mixed })), 'url-forbidden')
  t.equal(await kindOf(read(`http://none.example:${sink.port}/`, { ports: [sink.port], resolve: async () => [] })), 'url-forbidden')
  t.equal(sink.counts.connections, 0)
})

t.test('the list of allowed hosts lets in what it names and nothing else', async t => {
  const { port } = await serverFor(t, (request, response) => response.end(JSON.stringify(request.headers)))
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const get = async (host: string, setting: string) => await kindOf(read(`http://${host}:${port}/`, { resolve, allowed: parseAllowed(setting) }))
  for (const [host, setting] of [
    ['mirror.lab', `Mirror.Lab.:${port}`], ['mirror', `mirror:${port}`], ['127.0.0.1', `127.0.0.0/8:${port}`], ['[::1]', `[::1]:${port}`],
    ['mirror.lab', `127.0.0.1:${port}`], ['mirror.lab.', `other.lab, mirror.lab:${port}`], ['[::ffff:127.0.0.1]', `127.0.0.1/32:${port}`]
  ] as const) t.equal(await get(host, setting), 'read', `${host} by ${setting}`)
  for (const [host, setting] of [
    ['mirror.lab', 'mirror.lab'], ['mirror.lab', `mirror.lab:${port + 1}`], ['a.mirror.lab', `mirror.lab:${port}`], ['127.0.0.1', `10.0.0.0/8:${port}`],
    ['127.0.0.1', `mirror.lab:${port}`], ['[::1]', `127.0.0.0/8:${port}`], ['mirror.lab', '']
  ] as const) t.equal(await get(host, setting), 'url-forbidden', `${host} by ${setting}`)
  for (const setting of ['http://mirror.lab', 'mirror.lab/8', '10.0.0.0/33', 'a b', '*', 'mirror.lab:99999', '[mirror]:80', 'fe80::1%eth0']) {
    t.throws(() => parseAllowed(setting), /^FETCH_ALLOW: /u, setting)
  }
  const sent = JSON.parse(await read(`http://mirror.lab:${port}/`, { resolve, allowed: parseAllowed(`mirror.lab:${port}`) }))
  t.same(Object.keys(sent).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'], 'nothing of the caller is told')
})

t.test('a file is bounded in bytes, also when they are inflated, and in time', async t => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20), { level: 9 })
  const served: Record<string, RequestListener> = {
    '/plain': (_, response) => response.end('%PDF-1'),
    '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('%PDF-2')),
    '/brotli': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('%PDF-3')),
    '/deflate': (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('%PDF-4')),
    '/bomb': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    '/twice': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb)),
    '/torn': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('%PDF-5').subarray(0, 12)),
    '/long': (_, response) => { response.writeHead(200, { 'content-length': 2 ** 40 }); response.write('%PDF-') },
    '/endless': (_, response) => { response.on('drain', () => response.write(Buffer.alloc(65_536))).write(Buffer.alloc(65_536 * 4)) },
    '/drip': (_, response) => { const timer = setInterval(() => response.write('%'), 50); response.on('close', () => clearInterval(timer)) },
    '/silent': () => undefined,
    '/broken': (_, response) => { response.writeHead(200, { 'content-length': 100 }); response.write('%PDF-'); setImmediate(() => response.destroy()) },
    '/headers': (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(32_768) }).end(),
    '/missing': (_, response) => response.writeHead(404).end('internal notes'),
    '/failing': (_, response) => response.writeHead(503).end('internal notes')
  }
  const { port } = await serverFor(t, (request, response) => { served[request.url ?? '']?.(request, response) })
  const rules = { allowed: parseAllowed(`127.0.0.1:${port}`), timeoutMs: 1_000 }
  const want: Record<string, string> = {
    '/bomb': 'body-too-large', '/twice': 'url-refused', '/torn': 'url-refused', '/long': 'body-too-large', '/endless': 'body-too-large', '/drip': 'url-timeout', '/silent': 'url-timeout', '/broken': 'url-unreachable', '/headers': 'url-unreachable', '/missing': 'url-refused', '/failing': 'url-unreachable'
  }
  for (const [nth, path] of ['/plain', '/gzip', '/brotli', '/deflate'].entries()) t.equal(await read(`http://127.0.0.1:${port}${path}`, rules), `%PDF-${nth + 1}`, path)
  await Promise.all(Object.entries(want).map(async ([path, kind]) => {
    const reading = read(`http://127.0.0.1:${port}${path}`, rules)
    await t.rejects(reading, { kind, message: /^(?!.*internal)/u }, path)
  }))
  t.equal(await kindOf(read('http://127.0.0.1:9/', { allowed: parseAllowed('127.0.0.1:9') })), 'url-unreachable')
  const nowhere = async () => { throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }) }
  t.equal(await kindOf(read('http://nowhere.example/', { resolve: nowhere })), 'url-unreachable')
  const own = new Error('the taker failed')
  await t.rejects(fetchFile(`http://127.0.0.1:${port}/plain`, { ...rules, bytesMax: 10 }, async () => { throw own }), own)
})

t.test('addresses of public hosts are brought into one form', async t => {
  for (const [given, normal] of [
    ['HTTP://Example.ORG./a.pdf#page=2', 'http://example.org/a.pdf'], ['https://ｅｘａｍｐｌｅ.org/', 'https://example.org/'],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example/x'], ['http://0x08080808/', 'http://8.8.8.8/'], ['https://example.org:443/a?b=c', 'https://example.org/a?b=c']
  ] as const) t.equal(checkUrl(given).href, normal)
  t.equal(checkUrl('http://example.org:8080/', { ports: [8080] }).port, '8080')
})
