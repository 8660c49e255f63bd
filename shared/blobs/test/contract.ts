/** What every adapter of Blobs does. An adapter's own test calls this with a way to open it. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { sha256 } from '../../contracts/hash.ts'
import type { Blobs } from '../blobs.ts'

interface Adapter {
  name: string
  /** Opens blobs of their own, empty. */
  open: () => Promise<Blobs>
}

const unknown = '0'.repeat(64)

export async function blobsContract (t: Test, { name, open }: Adapter): Promise<void> {
  await t.test(`blobs of ${name}: keeping and finding`, async t => {
    const blobs = await open()
    await t.test('bytes come back under the sha256 of what they are', async t => {
      const bytes = Buffer.from('%PDF-1.7 é\0\xff')
      t.same(await blobs.put(bytes), { id: sha256(bytes), bytes: bytes.length })
      t.same(await blobs.find(sha256(bytes)), bytes)
      t.ok(await blobs.has(sha256(bytes)))
    })
    await t.test('a stream of many chunks is the same blob as its bytes at once', async t => {
      const chunks = Array.from({ length: 50 }, (_, i) => Buffer.alloc(10_000 + i, i))
      const whole = Buffer.concat(chunks)
      const fromStream = await blobs.put(Readable.from(chunks))
      t.same(fromStream, await blobs.put(whole))
      const stream = await blobs.stream(fromStream.id)
      t.same(stream && await buffer(stream), whole)
    })
    await t.test('nothing at all is a blob too', async t => {
      const { id, bytes } = await blobs.put(Readable.from([]))
      t.equal(bytes, 0)
      t.same(await blobs.find(id), Buffer.alloc(0))
    })
    await t.test('twenty who store the same at once all succeed', async t => {
      const bytes = Buffer.alloc(100_000, 'same')
      const stored = await Promise.all(Array.from({ length: 20 }, async () => await blobs.put(bytes)))
      t.equal(new Set(stored.map(({ id }) => id)).size, 1)
      t.same(await blobs.find(sha256(bytes)), bytes)
    })
    await t.test('a deleted blob is gone, deleting it again changes nothing, storing brings it back', async t => {
      const { id } = await blobs.put(Buffer.from('short-lived'))
      await blobs.delete(id)
      await blobs.delete(id)
      t.equal(await blobs.has(id), false)
      t.equal(await blobs.find(id), undefined)
      await blobs.put(Buffer.from('short-lived'))
      t.ok(await blobs.has(id))
    })
  })
  await t.test(`blobs of ${name}: what is refused`, async t => await refusals(t, await open()))
}

async function refusals (t: Test, blobs: Blobs): Promise<void> {
  await t.test('an unknown id is undefined, also as a stream', async t => {
    t.equal(await blobs.find(unknown), undefined)
    t.equal(await blobs.stream(unknown), undefined)
    t.equal(await blobs.has(unknown), false)
    await blobs.delete(unknown)
  })
  await t.test('what is no sha256 is unknown, whatever it would be as a path', async t => {
    const { id } = await blobs.put(Buffer.from('bait'))
    const wrong = ['', '.', '../'.repeat(21) + 'x', `../${id.slice(3)}`, id.toUpperCase(), `${id}\n`, `${id}/`,
      id.slice(1), `${id}0`, '/etc/passwd', `${id.slice(0, 63)}\0`, 7, null, { $ne: null }, [id]]
    for (const name of wrong as string[]) {
      t.equal(await blobs.find(name), undefined, JSON.stringify(name))
      t.equal(await blobs.stream(name), undefined)
      t.equal(await blobs.has(name), false)
      await blobs.delete(name)
    }
    t.ok(await blobs.has(id))
  })
  await t.test('a stream over the limit is body-too-large and leaves nothing', async t => {
    const chunks = [Buffer.alloc(600, 1), Buffer.alloc(600, 2)]
    const source = Readable.from(chunks)
    await t.rejects(blobs.put(source, 1_000), { name: 'Problem', kind: 'body-too-large' })
    t.equal(await blobs.has(sha256(Buffer.concat(chunks))), false)
    t.ok(source.destroyed, 'its source is let go')
  })
  await t.test('exactly the limit is allowed', async t => {
    t.same((await blobs.put(Readable.from([Buffer.alloc(1_000, 3)]), 1_000)).bytes, 1_000)
    await t.rejects(blobs.put(Buffer.alloc(1_001, 3), 1_000), { name: 'Problem', kind: 'body-too-large' })
  })
  await t.test('a stream that fails rejects with its own error and leaves nothing', async t => {
    const broken = Readable.from((function * () {
      yield Buffer.from('half')
      throw new Error('the client went away')
    })())
    await t.rejects(blobs.put(broken), { message: 'the client went away' })
    t.equal(await blobs.has(sha256('half')), false)
  })
}
