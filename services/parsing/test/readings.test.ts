/** One paper read by two versions of the parser, which run beside each other while one is rolled out. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fileURLToPath } from 'node:url'
import type { DocumentVersion, Paper } from '../../../shared/contracts/paper.ts'
import { createGate, gatedStore } from '../../../shared/testing/gate.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { isNewer, readingKey } from '../domain/reading.ts'
import { runningService, type Replica } from './fixtures/running-service.ts'

const modules: Record<string, string> = {
  1: fileURLToPath(new URL('fixtures/scripted-parser.ts', import.meta.url)),
  2: fileURLToPath(new URL('fixtures/upgraded-parser.ts', import.meta.url))
}

async function replica (t: Test, version: string, options: Replica & { folder: string }) {
  const service = await runningService(modules[version]!, {}, { version, ...options })
  let closed = false
  const close = async () => { if (!closed) { closed = true; await service.close() } }
  t.teardown(close)
  const versions = async (id: string) => {
    const { items } = await (await service.get(`/${id}/documents`)).json() as { items: DocumentVersion[] }
    return items
  }
  const shown = async (id: string) => await (await service.get(`/${id}`)).json() as Paper
  return { ...service, close, versions, shown }
}

async function filesIn (folder: string): Promise<string[]> {
  const all = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  return all.filter(entry => entry.isFile()).map(({ name }) => name)
}

t.test('a paper sent again after an upgrade is parsed again, and what was made before stays', async t => {
  const folder = temporaryFolder(t)
  const bytes = '%PDF-fine\nUpgraded\n'
  const old = await replica(t, '1', { folder })
  const { id, documentHash: first } = await old.parsed(bytes)
  const before = await (await old.get(`/${id}/document`)).text()
  await old.close()

  const door = await replica(t, '2', { folder, works: false })
  t.equal((await door.upload(bytes)).status, 202)
  t.match(await door.shown(id), { state: /queued|running/, documentHash: first, title: 'Upgraded' }, 'the old document until the new one is there')
  const now = await replica(t, '2', { folder })
  const { state, documentHash: second } = await (await now.get(`/${id}?wait=60`)).json() as Paper
  t.equal(state, 'succeeded')
  t.not(second, first)
  t.equal(await (await now.get(`/${id}/document?documentHash=${first}`)).text(), before)
  t.match(await (await now.get(`/${id}/document`)).json(), { documentHash: second, parser: { version: '2' } })
  const [a, b] = await now.versions(id)
  t.same([a, b].map(each => each?.documentHash), [first, second].sort())
  t.match([a, b].find(each => each?.current), { documentHash: second, parser: { engine: 'scripted', version: '2' }, pages: 1, figures: 1 })
  const paged = await (await now.get(`/${id}/documents?limit=1`)).json() as { items: DocumentVersion[], nextCursor: string }
  t.match(await (await now.get(`/${id}/documents?cursor=${paged.nextCursor}`)).json(), { items: [{ documentHash: b?.documentHash }], nextCursor: null })

  const again = await Promise.all(Array.from({ length: 5 }, async () => await now.upload(bytes)))
  t.same(again.map(({ status }) => status), [200, 200, 200, 200, 200])
  t.same((await (await now.get('')).json() as { items: Paper[] }).items.map(each => each.id), [id], 'one paper, whatever its readings')

  const rolledBack = await replica(t, '1', { folder, works: false })
  t.equal((await rolledBack.upload(bytes)).status, 200)
  t.match(await now.shown(id), { state: 'succeeded', documentHash: first }, 'the reading asked for last is shown')
  t.equal((await now.versions(id)).length, 2)

  t.equal((await now.send('DELETE', `/${id}`)).status, 204)
  t.same(await filesIn(folder), [], 'a deletion takes every version')
  t.equal((await now.get(`/${id}/documents`)).status, 410)
  t.equal((await now.upload(bytes)).status, 202)
  t.match(await (await now.get(`/${id}?wait=60`)).json(), { state: 'succeeded', documentHash: second })
  t.equal((await now.versions(id)).length, 1)
})

t.test('a reading that fails leaves the document of the one before', async t => {
  const folder = temporaryFolder(t)
  const bytes = '%PDF-fine\nBroken by the upgrade\n'
  const old = await replica(t, '1', { folder })
  const { id, documentHash } = await old.parsed(bytes)
  await old.close()
  const now = await replica(t, '2', { folder })
  t.match(await now.parsed(bytes), { id, state: 'failed', documentHash, problems: [{ type: /paper-damaged$/ }] })
  t.equal((await now.get(`/${id}/document`)).status, 200)
  t.equal((await now.send('POST', `/${id}/retry`)).status, 202)
})

t.test('a process that dies, or a deletion that comes, before the new job is open leaves nothing half', async t => {
  const folder = temporaryFolder(t)
  const bytes = '%PDF-fine\nHalf asked\n'
  const old = await replica(t, '1', { folder })
  const { id, documentHash } = await old.parsed(bytes)
  const gate = createGate()
  const wrap: Replica['wrap'] = ({ store, blobs }) => ({ store: gatedStore(store, ['jobs-paper', 'insert'], gate), blobs })
  const asking = await replica(t, '2', { folder, works: false, wrap })
  gate.arm()
  const asked = asking.upload(bytes)
  await gate.reached
  t.match(await old.shown(id), { state: 'succeeded', documentHash }, 'as before, though the new reading is noted')
  t.match(await (await old.get('')).json(), { items: [{ id, state: 'succeeded' }] })
  t.equal((await old.send('DELETE', `/${id}`)).status, 204)
  gate.open()
  t.equal((await asked).status, 409)
  t.equal((await old.get(`/${id}`)).status, 410)
  t.same(await filesIn(folder), [])
  t.equal((await old.upload(bytes)).status, 202)
})

t.test('readings are told apart by engine, recognition, declared format and version', async t => {
  const own = { engine: 'own', ocr: false, version: '1' }
  const keys = [
    readingKey(own, 'pdf'), readingKey({ ...own, ocr: true }, 'pdf'), readingKey({ ...own, engine: 'grobid' }, 'pdf'),
    readingKey({ ...own, version: '2' }, 'pdf'), readingKey(own, 'text'), readingKey(own, 'markdown')
  ]
  t.same(keys, ['own.1', 'own+ocr.1', 'grobid.1', 'own.2', 'own+text.1', 'own+markdown.1'])
  t.equal(readingKey(own, 'jats'), 'own.1')
  t.equal(isNewer({ ...own, version: '10' }, '9'), true)
  t.equal(isNewer(own, '1'), false)
})
