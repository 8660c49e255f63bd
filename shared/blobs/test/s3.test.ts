import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sha256 } from '../../contracts/hash.ts'
import { engineOrSkip } from '../../testing/engines.ts'
import { startS3, type S3Server } from '../../testing/s3-server.ts'
import { s3Blobs } from '../s3.ts'
import { timeouts } from '../s3-faults.ts'
import { blobsContract } from './contract.ts'

const unavailable = { name: 'Problem', kind: 'store-unavailable', retryAfterSeconds: 5 }
const mebibyte = 2 ** 20

const path = await engineOrSkip(t, 'versitygw')
if (path !== undefined) {
  const server = await startS3(path)
  t.teardown(async () => { await server.stop() })
  await server.makeBucket('viva')
  const settings = { ...server.keys, S3_URL: `${server.url}/viva/contract` }
  let folders = 0
  await blobsContract(t, { name: 'S3', open: async () => await s3Blobs(settings, String(folders++)) })
  await t.test('what is in the bucket', async t => { await objects(t, server) })
  await t.test('a store that is gone', async t => { await outage(t, server) })
  await t.test('something else where the store should be', async t => { await impostor(t, server) })
  await t.test('starting', async t => { await starting(t, server) })
}

async function objects (t: Test, server: S3Server): Promise<void> {
  const blobs = await s3Blobs({ ...server.keys, S3_URL: `${server.url}/viva/house` }, 'parsing')
  const { id } = await blobs.put(Buffer.from('one'))
  const fileOf = (id: string): string => join(server.folder, 'viva', 'house', 'parsing', id.slice(0, 2), id)

  await t.test('a blob lies under prefix, service and the start of its id', async t => {
    t.same(await readdir(join(server.folder, 'viva', 'house', 'parsing', id.slice(0, 2))), [id])
  })
  await t.test('one service does not see what another stored', async t => {
    const other = await s3Blobs({ ...server.keys, S3_URL: `${server.url}/viva/house` }, 'scoring')
    t.equal(await other.has(id), false)
  })
  await t.test('bytes that rotted in the store are an error and never an answer', async t => {
    const { id } = await blobs.put(Buffer.from('the score is 0.81'))
    await writeFile(fileOf(id), 'the score is 0.91')
    await t.rejects(blobs.find(id), { kind: 'store-unavailable', message: /other bytes/ })
    await t.rejects(buffer(await blobs.stream(id) as Readable), { message: /other bytes/ })
  })
  await t.test('128 MiB pass through with flat memory, and leave no file behind', async t => {
    const before = new Set(await readdir(tmpdir()))
    const piece = randomBytes(mebibyte)
    const start = process.memoryUsage().arrayBuffers
    let peak = 0
    const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage().arrayBuffers) }, 5)
    const { id, bytes } = await blobs.put(Readable.from((function * () {
      for (let i = 0; i < 128; i++) yield piece
    })()), 128 * mebibyte)
    let read = 0
    for await (const chunk of await blobs.stream(id) as Readable) read += (chunk as Uint8Array).length
    clearInterval(timer)
    t.same([bytes, read], [128 * mebibyte, 128 * mebibyte])
    // 256 when the upload is held anywhere, half as much for the answer; 30 to 60 are not yet collected.
    t.ok(peak - start < 110 * mebibyte, `${((peak - start) / mebibyte).toFixed(1)} MiB of buffers`)
    const left = (await readdir(tmpdir())).filter(name => /^viva-[0-9a-f]{8}-/.test(name) && !before.has(name))
    t.same(left, [])
  })
}

async function outage (t: Test, server: S3Server): Promise<void> {
  const short = { ...timeouts, callMs: 400, idleMs: 400 }
  const blobs = await s3Blobs({ ...server.keys, S3_URL: `${server.url}/viva` }, 'outage', short)
  const { id } = await blobs.put(Buffer.from('before'))

  for (const state of ['cut', 'mute'] as const) {
    await t.test(`${state}, every call is store-unavailable, and works again afterwards`, async t => {
      server.gate(state)
      await Promise.all([
        t.rejects(blobs.put(Buffer.from(state)), unavailable, 'put'),
        t.rejects(blobs.put(Readable.from([Buffer.from(state)])), unavailable, 'put of a stream'),
        t.rejects(blobs.find(id), unavailable, 'find'),
        t.rejects(blobs.stream(id), unavailable, 'stream'),
        t.rejects(blobs.has(id), unavailable, 'has'),
        t.rejects(blobs.delete(id), unavailable, 'delete')
      ])
      server.gate('open')
      t.equal(await blobs.has(sha256(state)), false, 'nothing of it is there')
      t.same(await blobs.find(id), Buffer.from('before'))
      t.same((await blobs.put(Buffer.from(`after ${state}`))).id, sha256(`after ${state}`))
    })
  }
  await t.test('a connection lost between two calls costs nothing', async t => {
    await blobs.has(id)
    server.gate('open')
    t.same((await blobs.put(Readable.from([Buffer.from('again')]))).id, sha256('again'))
  })
  await t.test('while a blob is read, the reader learns of it', async t => {
    const { id } = await blobs.put(Buffer.alloc(32 * mebibyte, 1))
    for (const state of ['cut', 'mute'] as const) {
      const stream = await blobs.stream(id) as Readable
      await t.rejects(async () => {
        await buffer(stream.on('data', () => { server.gate(state) }))
      }, unavailable, state)
      server.gate('open')
    }
  })
}

/** A login page, the console of the store on the next port: 200 to whatever is asked. */
async function impostor (t: Test, { url, keys }: S3Server): Promise<void> {
  let answer: RequestListener = (_, response) => { response.end('<html>Log in</html>') }
  const page = createServer((request, response) => { request.resume(); answer(request, response) }).listen(0, '127.0.0.1')
  await once(page, 'listening')
  t.teardown(() => { page.closeAllConnections(); page.close() })
  const settings = { ...keys, S3_URL: `http://127.0.0.1:${(page.address() as AddressInfo).port}/viva` }

  await t.test('is refused at the start', async t => {
    const message = /^Cannot start: .*Check the host and port of S3_URL/
    await t.rejects(s3Blobs(settings, 'parsing'), { message })
    const html = answer
    answer = (_, response) => { response.writeHead(307, { location: url }).end() }
    await t.rejects(s3Blobs(settings, 'parsing'), { message })
    answer = html
  })
  await t.test('later, stores nothing, has nothing and deletes nothing', async t => {
    const html = answer
    answer = (_, response) => { response.end('<ListBucketResult><Name>viva</Name></ListBucketResult>') }
    const blobs = await s3Blobs(settings, 'parsing')
    answer = html
    const id = sha256('it')
    const calls: Array<Promise<unknown>> = [blobs.put(Buffer.from('it')), blobs.put(Readable.from([Buffer.from('it')])), blobs.find(id),
      blobs.stream(id), blobs.has(id), blobs.delete(id)]
    await Promise.all(calls.map(async call => {
      await t.rejects(call, { ...unavailable, message: /not as an object store/ })
    }))
  })
}

async function starting (t: Test, server: S3Server): Promise<void> {
  const good = { ...server.keys, S3_URL: `${server.url}/viva` }
  const cases: Array<[string, object, RegExp]> = [
    ['without the bucket, names the command that makes it', { S3_URL: `${server.url}/nothing` }, /NoSuchBucket.*s3 mb s3:\/\/nothing/],
    ['with an unknown key', { AWS_ACCESS_KEY_ID: 'other' }, /HTTP 40\d\).*Check AWS_ACCESS_KEY_ID/],
    ['with a wrong secret', { AWS_SECRET_ACCESS_KEY: 'a wrong one' }, /SignatureDoesNotMatch.*Check AWS_ACCESS_KEY_ID/],
    ['with half of the keys', { AWS_ACCESS_KEY_ID: undefined }, /one is set and the other not/],
    ['with another region', { AWS_REGION: 'eu-west-1' }, /AWS_REGION/],
    ['where nothing listens', { S3_URL: 'http://127.0.0.1:1/viva' }, /cannot be reached \(ECONNREFUSED\)/],
    ['with keys in the URL', { S3_URL: 'http://me:hidden@127.0.0.1/viva' }, /S3_URL is not of the form/],
    ['with no bucket in the URL', { S3_URL: server.url }, /S3_URL is not of the form/],
    ['with a path that climbs', { S3_URL: `${server.url}/viva/..%2fx` }, /S3_URL is not of the form/]
  ]
  for (const [name, change, message] of cases) {
    await t.test(`${name} is refused, without a secret`, async t => {
      const fault: Error = await s3Blobs({ ...good, ...change }, 'parsing').then(() => new Error('started'), cause => cause)
      t.match(fault.message, message)
      t.match(fault.message, /^Cannot start: /)
      t.notMatch(JSON.stringify([fault.message, fault.stack, fault.cause ?? '']), /only for tests|a wrong one|hidden/)
    })
  }
}
