/** Two replicas of parsing on one store file and one folder of blobs, stopped at the worst moments. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fileURLToPath } from 'node:url'
import { paperIdOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Paper } from '../../../shared/contracts/paper.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { folderBlobs } from '../../../shared/blobs/folder.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { openBlobUses } from '../blob-uses.ts'
import { createGate, gatedStore } from '../../../shared/testing/gate.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { Doc, Index } from '../../../shared/store/store.ts'
import { runningService, type Replica } from './fixtures/running-service.ts'

const scripted = fileURLToPath(new URL('fixtures/scripted-parser.ts', import.meta.url))

type Wrap = NonNullable<Replica['wrap']>

async function replica (t: Test, folder: string, options: Replica = {}) {
  const service = await runningService(scripted, {}, { folder, ...options })
  let closed = false
  const close = async () => { if (!closed) { closed = true; await service.close() } }
  t.teardown(close)
  return { ...service, close }
}

async function filesIn (folder: string): Promise<string[]> {
  const all = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  return all.filter(entry => entry.isFile()).map(({ name }) => name)
}

t.test('a late DELETE takes nothing of a paper that has come back', async t => {
  const folder = temporaryFolder(t)
  const first = await replica(t, folder)
  const moments = [['tasks', 'findMany'], ['jobs-paper', 'delete'], ['blob-uses', 'findMany']] as const
  for (const [nth, [collection, method]] of moments.entries()) {
    const gate = createGate()
    const wrap: Wrap = ({ store, blobs }) => ({ store: gatedStore(store, [collection, method], gate), blobs })
    const late = await replica(t, folder, { works: false, wrap })
    await t.test(`held at ${method} of ${collection}`, async t => {
      const bytes = `%PDF-fine\nBack ${nth}\n`
      const { id, documentHash } = await first.parsed(bytes)
      gate.arm()
      const deleting = late.send('DELETE', `/${id}`)
      await gate.reached
      t.equal((await first.send('DELETE', `/${id}`)).status, 204)
      t.equal((await first.get(`/${id}`)).status, 410)
      t.equal((await first.upload(bytes)).status, 202)
      t.match(await (await first.get(`/${id}?wait=60`)).json(), { state: 'succeeded' })
      gate.open()
      t.ok([204, 410].includes((await deleting).status))
      for (const { get } of [first, late]) {
        t.match(await (await get(`/${id}`)).json(), { id, state: 'succeeded', documentHash, title: `Back ${nth}` })
        t.equal(await (await get(`/${id}/source`)).text(), bytes)
        t.equal((await get(`/${id}/document?documentHash=${documentHash}`)).status, 200)
        t.equal((await get(`/${id}/figures/f1/image`)).status, 200)
        t.match(await (await get('')).json(), { items: [{ id }], nextCursor: null })
      }
      t.equal((await late.send('DELETE', `/${id}`)).status, 204)
      t.same(await filesIn(folder), [], 'and is deleted whole another time')
    })
  }
})

t.test('a paper deleted while another replica stores what parsing gave leaves nothing behind', async t => {
  const folder = temporaryFolder(t)
  const gate = createGate()
  let puts = 0
  const wrap: Wrap = ({ store, blobs }) => ({
    store,
    blobs: {
      ...blobs,
      async put (...asked) {
        const stored = await blobs.put(...asked)
        puts += 1
        // The file, the figure, and then the document.
        if (puts === 2) gate.arm()
        await gate.pass()
        return stored
      }
    }
  })
  const parsing = await replica(t, folder, { wrap })
  const other = await replica(t, folder, { works: false })
  const { id } = await (await parsing.upload('%PDF-fine\nGone\n')).json() as Paper
  await gate.reached
  t.equal((await other.send('DELETE', `/${id}`)).status, 204)
  gate.open()
  await parsing.close()
  t.equal((await other.get(`/${id}`)).status, 410)
  t.same(await filesIn(folder), [])
})

t.test('a paper deleted while an upload of it is accepted elsewhere is deleted or there, and never half', async t => {
  const folder = temporaryFolder(t)
  const gate = createGate()
  const wrap: Wrap = ({ store, blobs }) => ({ store: gatedStore(store, ['jobs-paper', 'insert'], gate), blobs })
  const uploading = await replica(t, folder, { wrap })
  const other = await replica(t, folder, { works: false })
  const bytes = '%PDF-fine\nHalf\n'
  const id = paperIdOf(Buffer.from(bytes))
  gate.arm()
  const upload = uploading.upload(bytes)
  await gate.reached
  t.equal((await other.send('DELETE', `/${id}`)).status, 204)
  gate.open()
  t.equal((await upload).status, 409, 'refused, to be tried again')
  t.equal((await other.get(`/${id}`)).status, 410)
  t.same(await filesIn(folder), [])
  t.match(await uploading.parsed(bytes), { id, state: 'succeeded', title: 'Half' })
})

t.test('a blob that comes back just after a deletion found it gone stays', async t => {
  const folder = temporaryFolder(t)
  const store = await embeddedStore(join(folder, 'parsing.db'))
  t.teardown(store.close)
  const blobs = await folderBlobs(join(folder, 'blobs'))
  const bytes = Buffer.from('one figure')
  const uses = await openBlobUses(store, blobs)
  const deleting = await openBlobUses(store, {
    ...blobs,
    async find (id) {
      const found = await blobs.find(id)
      await uses.put(bytes, { life: { paperId: 'another', life: 0 } })
      return found
    }
  })
  await deleting.dropUnused(sha256(bytes))
  t.equal(await blobs.has(sha256(bytes)), true)
})

t.test('a DELETE that was cut short is finished by the next one', async t => {
  const folder = temporaryFolder(t)
  let fails = ''
  const fail = async (what: string) => {
    if (fails === what) throw new Problem('store-unavailable', 'It is away.')
  }
  const wrap: Wrap = ({ store, blobs }) => ({
    blobs: { ...blobs, async delete (id) { await fail('disk'); await blobs.delete(id) } },
    store: {
      ...store,
      async collection<T extends Doc> (name: string, indexes?: readonly Index[]) {
        const collection = await store.collection<T>(name, indexes)
        if (name !== 'papers') return collection
        return {
          ...collection,
          async update (...asked: Parameters<typeof collection.update>) {
            const changed = await collection.update(...asked)
            await fail('answer')
            return changed
          }
        }
      }
    }
  })
  const service = await replica(t, folder, { wrap })
  for (const cause of ['disk', 'answer']) {
    const { id } = await service.parsed(`%PDF-fine\nCut short ${cause}\n`)
    fails = cause
    t.equal((await service.send('DELETE', `/${id}`)).status, 503, cause)
    t.equal((await service.get(`/${id}`)).status, 410)
    fails = ''
    t.equal((await service.send('DELETE', `/${id}`)).status, 204)
    t.same(await filesIn(folder), [], 'nothing of it stays on the disk')
  }
})

t.test('what one replica parses, another shows, cancels, takes up again and deletes', async t => {
  const folder = temporaryFolder(t)
  const asked = await replica(t, folder, { works: false })
  const works = await replica(t, folder)
  const { id } = await (await asked.upload('%PDF-hang\n')).json() as Paper
  const running = async () => (await (await asked.get(`/${id}`)).json() as Paper).state === 'running'
  while (!await running()) await new Promise(resolve => setImmediate(resolve))
  t.equal((await asked.send('POST', `/${id}/cancel`)).status, 200)
  t.match(await (await asked.get(`/${id}?wait=60`)).json(), { id, state: 'cancelled' })
  t.equal((await asked.send('POST', `/${id}/retry`)).status, 202)
  t.equal((await asked.send('DELETE', `/${id}`)).status, 204)
  t.equal((await works.get(`/${id}`)).status, 410)
  t.match(await works.parsed('%PDF-fine\nNext\n'), { state: 'succeeded' }, 'the parser of the deleted one is free')
  t.notOk((await filesIn(folder)).includes(sha256('%PDF-hang\n')))
})
