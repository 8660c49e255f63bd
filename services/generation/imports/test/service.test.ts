import { join } from 'node:path'
import t from 'tap'
import { folderBlobs } from '../../../../shared/blobs/folder.ts'
import type { BankImport } from '../../../../shared/contracts/bank.ts'
import { embeddedStore } from '../../../../shared/store/embedded.ts'
import type { JobRecord } from '../../../../shared/tasks/tasks.ts'
import { temporaryFolder } from '../../../../shared/testing/temporary-folder.ts'
import { generationStore } from '../../store.ts'
import { bankStore } from '../bank-store.ts'
import { bankThread } from '../bank-thread.ts'
import type { ImportSpec } from '../parts.ts'
import { readImport } from '../read-import.ts'
import { startBanks, told } from './bank-service.ts'

const row = (id: number, answer: unknown, more: object = {}) => ({
  id, question: { text: `다음 중 옳은 것은? ${id}`, image: null }, choices: ['가', '나', '다', '라'].map(text => ({ text: `${text} ${id}` })), answer, ...more
})
const bank = JSON.stringify([row(1, 1), row(2, 4), row(3, 9), row(4, 2)])

t.test('imports over HTTP', async t => {
  const { ask, get, send, ended } = await startBanks(t)

  t.test('a new one is 202 with a Location; the same bytes and options are the same import', async t => {
    const first = await send(bank, { licence: 'CC-BY-4.0', release: 'restricted' }, 'C:\\up\\기상.json')
    t.equal(first.status, 202)
    t.equal(first.location, `/v1/imports/${first.body.id}`)
    const { record, rows, items } = await ended(first.body.id)
    t.match(record, { state: 'succeeded', name: '기상.json', container: 'json', format: 'kmetbench', answerBase: 1, answerBaseBy: 'detected', rowCount: 4, itemCount: 3 })
    t.strictSame(record.rowCounts, { accepted: 3, repaired: 0, flagged: 0, rejected: 1 })
    t.strictSame(record.noteCounts, [{ code: 'answer-out-of-range', rows: 1 }])
    t.strictSame(told(rows), ['accepted', 'accepted', 'rejected answer-out-of-range', 'accepted'])
    t.match(rows[2], { row: 3, sourceId: '3', itemId: null, raw: /"answer":9/ })
    t.match(items[0], { kind: 'choice', source: { bankId: record.id, row: 1 }, place: 'row-1', answerIndex: 0, language: 'ko', evidence: [], provenance: { rule: 'kmetbench', arguments: { licence: 'CC-BY-4.0', release: 'restricted' } } })
    const again = await send(bank, { licence: 'CC-BY-4.0', release: 'restricted' })
    t.equal(again.status, 200)
    t.equal(again.body.id, first.body.id)
    const other = await send(bank, { licence: 'MIT' })
    t.not(other.body.id, first.body.id, 'other options are another import')
    t.not((await ended(other.body.id)).items[0]!.id, items[0]!.id)
  })

  t.test('rows are paged, by state and by note; items are a list and a file', async t => {
    const { body: { id } } = await send(bank)
    await ended(id)
    const page = await get(`/imports/${id}/rows?limit=3`)
    t.strictSame(page.items.map(({ row }: any) => row), [1, 2, 3])
    t.match(await get(`/imports/${id}/rows?limit=3&cursor=${page.nextCursor}`), { items: [{ row: 4 }], nextCursor: null })
    t.match(await get(`/imports/${id}/rows?state=rejected`), { items: [{ row: 3 }], nextCursor: null })
    t.match(await get(`/imports/${id}/rows?note=answer-out-of-range`), { items: [{ row: 3 }], nextCursor: null })
    t.strictSame((await get(`/imports/${id}/rows?note=image-defect`)).items, [])
    const listed = await get(`/items?importId=${id}&limit=2`)
    t.equal(listed.items.length, 2)
    const rest = await get(`/items?importId=${id}&limit=2&cursor=${listed.nextCursor}`)
    t.match(rest, { items: [{ place: 'row-4' }], nextCursor: null })
    const lines = await (await ask(`/imports/${id}/items.jsonl`)).text()
    t.strictSame(lines.trim().split('\n').map(line => JSON.parse(line)), [...listed.items, ...rest.items])
    t.strictSame(await get(`/items/${listed.items[0].id}`), listed.items[0])
    const all = await get<{ items: BankImport[] }>('/imports?limit=200')
    t.ok(all.items.some(each => each.id === id))
  })

  t.test('JSON has the bank as text', async t => {
    const reply = await ask('/imports', { content: 'question,A,B,answer\nIs it hot?,yes it is,no,B\n', fileName: 'a.csv', options: { name: 'Weather' } })
    t.equal(reply.status, 202)
    const { id } = await reply.json() as BankImport
    t.match(await ended(id), { record: { name: 'Weather', container: 'csv', format: 'table' }, items: [{ answerIndex: 1 }] })
  })

  t.test('what makes no sense is a typed problem at once', async t => {
    const none = '0'.repeat(32)
    t.match(await get(`/imports/imp_${none}`), { status: 404, type: /import-not-found$/ })
    t.match(await get(`/imports/imp_${none}/rows`), { status: 404 })
    t.match(await get(`/bank-images/${'0'.repeat(64)}`), { status: 404, type: /image-not-found$/ })
    t.match((await send('')).body, { status: 422, type: /bank-damaged$/ })
    t.match((await send('<!doctype html><p>')).body, { status: 415, type: /not-a-bank$/ })
    t.match((await send(Buffer.from([1, 2, 0, 3, 4]))).body, { status: 415 })
    t.match((await send('%PDF-1.7 …')).body, { status: 415, detail: /paperId/ })
    t.match((await send(bank, { answerBase: 2 } as never)).body, { status: 400, errors: [{ pointer: '/body/options/answerBase' }] })
    t.match(await (await ask('/imports', {})).json(), { status: 400 })
    t.match(await (await ask('/imports', { content: 'x', paperId: `pap_${none}` })).json(), { status: 400 })
    t.match(await get('/imports?cursor=x'), { type: /invalid-cursor$/ })
    t.match(await get('/items?cursor=imp_x'), { type: /invalid-cursor$/ })
  })

  t.test('a bank that tells no base fails and says what to declare; declared, it is read', async t => {
    const unclear = JSON.stringify([row(1, 1), row(2, 2), row(3, 3)])
    const { body: { id } } = await send(unclear)
    const { record, rows } = await ended(id)
    t.match(record, { state: 'failed', rowCount: 0, problems: [{ type: /answer-base-unclear$/, detail: /answerBase 0 or 1/ }] })
    t.strictSame(rows, [])
    for (const answerBase of [0, 1]) {
      const { body } = await send(unclear, { answerBase })
      const read = await ended(body.id)
      t.match(read.record, { state: 'succeeded', answerBase, answerBaseBy: 'declared' })
      const places = [1, 2, 3].map(number => number - answerBase)
      t.strictSame(read.items.map(({ answerIndex }) => answerIndex), places)
    }
  })
})

t.test('an import that a process died in is read again, and comes to the same', async t => {
  const folder = temporaryFolder(t)
  const thread = bankThread({ timeoutMs: 60_000 })
  t.teardown(thread.close)
  const blobs = await folderBlobs(join(folder, 'blobs'))
  const { signal } = new AbortController()
  const lines = Array.from({ length: 1_200 }, (_, at) => JSON.stringify(row(at, at % 3 === 0 ? 4 : 1)))
  const long = Buffer.from(lines.join('\n'))
  const { id: contentHash } = await blobs.put(long)
  const spec: ImportSpec = { fileName: 'a', contentHash, container: 'jsonl', options: {}, paperId: null }
  const job = { _id: `imp_${'1'.repeat(32)}`, spec } as JobRecord<ImportSpec>
  async function house (name: string) {
    const store = await embeddedStore(join(folder, name))
    t.teardown(async () => { await store.close() })
    const items = await generationStore(store)
    const banks = await bankStore(store)
    const kept = async () => ({
      summary: await banks.findSummary(job._id),
      rows: await banks.listRows(job._id, { limit: 2_000 }),
      items: await items.listItems({ importId: job._id, limit: 2_000 })
    })
    return { kept, parts: { items, banks, blobs, thread, parsing: {} as never } }
  }
  const whole = await house('whole.db')
  await readImport(whole.parts, job, signal)
  const died = await house('died.db')
  let batches = 0
  const dying = {
    ...died.parts.items,
    async insertBankItems (...given: Parameters<typeof died.parts.items.insertBankItems>) {
      await died.parts.items.insertBankItems(...given)
      if (++batches === 2) throw new Error('the process dies here')
    }
  }
  await t.rejects(readImport({ ...died.parts, items: dying }, job, signal), { message: /dies here/ })
  const half = await died.kept()
  t.match([half.summary, half.rows.items.length, half.items.items.length], [undefined, 500, 1_000])
  await readImport(died.parts, job, signal)
  t.strictSame(await died.kept(), await whole.kept())
  t.equal((await died.kept()).summary?.itemCount, 1_200)
})
