import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { defineService } from '../../../shared/app/service.ts'
import { startServices } from '../../../shared/app/start.ts'
import { generationClient } from '../../../shared/clients/generation.ts'
import type { Bus } from '../../../shared/bus/bus.ts'
import type { Call } from '../../../shared/clients/call.ts'
import type { Document } from '../../../shared/contracts/document.ts'
import type { GenerationDiversity } from '../../../shared/contracts/diversity.ts'
import type { Generation } from '../../../shared/contracts/generation.ts'
import type { Item, Rejection } from '../../../shared/contracts/item.ts'
import type { Page } from '../../../shared/contracts/page.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { problemBody } from '../../../shared/errors/problem-body.ts'
import { embeddedStore } from '../../../shared/store/embedded.ts'
import { announceAgain, announceEnd } from '../handlers/announce.ts'
import { generation } from '../service.ts'
import { generationStore } from '../store.ts'
import { smallDocument } from './fixtures/document.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'

const documents = ['1', '2'].map(seed => smallDocument(seed))
const waiting = smallDocument('waiting').paperId
const broken = smallDocument('broken').paperId
const unknown = smallDocument('unknown').paperId
/** Whole when a generation is opened, gone when it begins. */
const deleted = smallDocument('deleted')

/** Parsing as generation sees it: two papers, one at work, one failed. */
function parsingWith (parts: { call?: Call, bus?: Bus }) {
  return defineService({
    name: 'parsing',
    config: Type.Object({}),
    summary: 'Papers of the test',
    async start ({ app, call, bus }) {
      Object.assign(parts, { call, bus })
      app.get('/v1/papers/:paperId', async request => {
        const { paperId } = request.params as { paperId: string }
        const document = documents.find(document => document.paperId === paperId)
        const job = { progress: { done: 1, total: 1, failed: 0 }, problems: [] }
        if (document !== undefined) return { id: paperId, state: 'succeeded', documentHash: document.documentHash, ...job }
        if (paperId === deleted.paperId) return { id: paperId, state: 'succeeded', documentHash: deleted.documentHash, ...job }
        if (paperId === waiting) return { id: paperId, state: 'running', documentHash: null, ...job }
        if (paperId === broken) return { ...job, id: paperId, state: 'failed', documentHash: null, problems: [problemBody(new Problem('paper-damaged', 'It ends in the middle.'))] }
        throw new Problem('paper-not-found', `There is no paper ${paperId}.`)
      })
      app.get('/v1/papers/:paperId/document', async request => {
        const { paperId } = request.params as { paperId: string }
        if (paperId === deleted.paperId) throw new Problem('paper-deleted', 'It was deleted.')
        return documents.find(document => document.paperId === paperId) as Document
      })
    }
  })
}

t.test('generation', async t => {
  const parts: { call?: Call, bus?: Bus } = {}
  const suite = await startServices([parsingWith(parts), generation], { PORT: '0', DATA_DIR: temporaryFolder(t), LOG_LEVEL: 'silent' })
  t.teardown(suite.close)
  const heard: string[] = []
  await parts.bus?.consume('generation.finished', { durable: 'test', concurrency: 1, deliveriesMax: 1 }, async ({ generationId }) => { heard.push(generationId) })
  const paperIds = documents.map(({ paperId }) => paperId).sort()
  const send = async (path: string, body?: unknown) => await fetch(`${suite.url}/v1${path}`, {
    method: 'POST', ...body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  })
  const get = async <T>(path: string) => await (await fetch(`${suite.url}/v1${path}`)).json() as T

  const response = await send('/generations', { paperIds })
  const opened = await response.json() as Generation
  const done = await get<Generation>(`/generations/${opened.id}?wait=60`)

  t.test('a new one is 202 with a Location, and gives items of each paper', async t => {
    t.equal(response.status, 202)
    t.equal(response.headers.get('location'), `/v1/generations/${opened.id}`)
    t.match(done, { state: 'succeeded', paperIds, documentHashes: paperIds.map(paperId => documents.find(each => each.paperId === paperId)!.documentHash), recipe: { strategy: 'extractive', seed: 1, review: { strategy: 'mechanical' } } })
    t.equal(done.progress.done, done.progress.total)
    t.ok(done.itemCount > 10 && done.rejectionCount > 0)
    t.equal((await send('/generations', { paperIds, recipe: { seed: 1 } })).status, 200, 'the same again is the same')
    t.equal((await send('/generations', { paperIds: paperIds.toReversed(), recipe: { seed: 1 } })).status, 200, 'in any order')
    t.match(await get('/generations?limit=10'), { items: [{ id: opened.id }], nextCursor: null })
  })

  t.test('items are paged in the order of the papers, found by id, and exported', async t => {
    const all: Item[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page<Item> = await get(`/items?generationId=${opened.id}&limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`)
      all.push(...page.items)
      cursor = page.nextCursor
    }
    t.equal(all.length, done.itemCount)
    t.equal(new Set(all.map(({ id }) => id)).size, all.length)
    const papers = all.map(({ source }) => 'paperId' in source ? source.paperId : '')
    t.same([...new Set(papers)], paperIds)
    t.equal(papers.lastIndexOf(paperIds[0] ?? ''), papers.indexOf(paperIds[1] ?? '') - 1)
    t.same(await get(`/items/${all[0]?.id}`), all[0])
    const binary = await get<Page<Item>>(`/items?paperId=${paperIds[1]}&kind=binary&limit=200`)
    t.equal(binary.items.filter(({ answerIndex }) => answerIndex === 0).length * 2, binary.items.length)
    const lines = await (await fetch(`${suite.url}/v1/generations/${opened.id}/items.jsonl`)).text()
    t.same(lines.trim().split('\n').map(line => JSON.parse(line)), all)
    const rejections = await get<Page<Rejection>>(`/generations/${opened.id}/rejections`)
    t.equal(rejections.items.length, done.rejectionCount)
  })

  t.test('its end is told until it is acknowledged', async t => {
    while (heard.length === 0) await new Promise(resolve => { setImmediate(resolve) })
    t.same([...new Set(heard)], [opened.id])
    const { itemCount } = done
    t.equal((await send(`/generations/${opened.id}/acknowledge`, { itemCount })).status, 204)
    if (parts.call === undefined) return t.fail('a way to call')
    await generationClient(parts.call).acknowledgeGeneration(opened.id, itemCount)
    t.match(await generationClient(parts.call).getGeneration(opened.id), { state: 'succeeded' })
  })

  t.test('a cap chooses when all is made, and says how diverse its choice is', async t => {
    const { id } = await (await send('/generations', { paperIds, recipe: { counts: { itemsPerPaper: 5 }, review: false } })).json() as Generation
    t.match(await get(`/generations/${id}?wait=60`), { state: 'succeeded', itemCount: 10 })
    const { items } = await get<Page<Item>>(`/items?generationId=${id}&limit=200`)
    t.ok(items.every(({ slices }) => slices['questionClass'] !== undefined))
    const rejections = await get<Page<Rejection>>(`/generations/${id}/rejections?limit=200`)
    const left = rejections.items.filter(({ reason }) => reason === 'not-selected')
    t.equal(left.length + items.length, done.itemCount, 'all the others are rejections')
    const diversity = await get<GenerationDiversity>(`/generations/${id}/diversity`)
    t.match(diversity, {
      generationId: id,
      papers: 2,
      items: 10,
      selection: { papers: 2, chosen: 10, of: done.itemCount, draws: 100 },
      byPaper: paperIds.map(paperId => ({ paperId, items: 5 }))
    })
    t.equal(diversity.measures.supportRate.n, 10)
    const { random } = diversity.selection!
    t.equal(random.supportRate.value, diversity.measures.supportRate.value)
    t.match(await get(`/generations/${opened.id}/diversity`), { items: done.itemCount, selection: null, byPaper: [{}, {}] }, 'where nothing was left out there is nothing to compare')
    t.match(await get(`/generations/gen_${'0'.repeat(32)}/diversity`), { type: /generation-not-found$/ })
  })

  t.test('a paper deleted since is told of, and the others go on without it', async t => {
    const made = async (papers: string[], counts?: object) => {
      const { id } = await (await send('/generations', { paperIds: papers, recipe: { seed: 3, review: false, ...counts && { counts } } })).json() as Generation
      const ended = await get<Generation>(`/generations/${id}?wait=60`)
      const { items } = await get<Page<Rejection>>(`/generations/${id}/rejections?limit=200`)
      return { ended, gone: items.filter(({ reason }) => reason === 'paper-deleted').map(({ paperId, kind }) => [paperId, kind]) }
    }
    for (const counts of [undefined, { itemsPerPaper: 5 }]) {
      const { ended, gone } = await made([deleted.paperId, paperIds[0]!], counts)
      t.equal(ended.state, 'succeeded')
      t.ok(ended.itemCount > 3)
      t.same(gone, [[deleted.paperId, 'qa'], [deleted.paperId, 'binary']])
    }
    t.match(await made([deleted.paperId]), { ended: { state: 'failed', itemCount: 0, problems: [{ type: /paper-deleted$/ }] } })
  })

  t.test('an estimate makes nothing', async t => {
    const before = (await get<Page<Generation>>('/generations')).items.length
    const estimate = await (await send('/generations?dryRun=true', { paperIds, recipe: { kinds: ['binary'] } })).json()
    const none = { modelCalls: 0, promptTokens: 0, completionTokensMax: 0 }
    t.same(estimate, { tasks: 6, ...none, least: none, most: none, review: { least: none, most: none } })
    t.equal((await get<Page<Generation>>('/generations')).items.length, before)
  })

  t.test('pairs and choices in another language than the paper are refused before a model is asked', async t => {
    const ask = async (recipe: object, query = '') => await send(`/generations${query}`, {
      paperIds, recipe: { strategy: 'model', model: 'nobody', ...recipe }
    })
    for (const query of ['', '?dryRun=true']) {
      const refused = await ask({ kinds: ['qa', 'binary', 'choice'], language: 'ko' }, query)
      t.equal(refused.status, 400)
      t.match(await refused.json(), {
        type: /invalid-request$/,
        detail: /binary and choice are made in the language of their paper alone.*ask for qa and vqa only/,
        errors: [{ pointer: '/recipe/kinds' }, { pointer: '/paperIds/0', detail: /is in "en"/ }, { pointer: '/paperIds/1' }]
      })
    }
    const others: object[] = [{ kinds: ['qa', 'vqa'], language: 'ko' }, { kinds: ['binary', 'choice'], language: 'en' }, { kinds: ['choice'] }]
    for (const recipe of others) {
      t.notMatch(await (await ask(recipe)).json(), { detail: /made in the language/ }, JSON.stringify(recipe))
    }
  })

  t.test('papers that cannot be used are all named', async t => {
    const early = await send('/generations', { paperIds: [paperIds[0], waiting] })
    t.equal(early.status, 409)
    t.match(await early.json(), { type: /not-finished$/, errors: [{ pointer: '/paperIds/1', detail: waiting }] })
    const failed = await send('/generations', { paperIds: [broken, unknown, waiting] })
    t.equal(failed.status, 422)
    const body = await failed.json() as { errors: unknown[] }
    t.match(body, { type: /paper-damaged$/, errors: [{ detail: broken }, { detail: unknown }, { detail: waiting }] })
    t.equal(body.errors.length, 3)
  })

  t.test('what is not there, or makes no sense, is a typed problem', async t => {
    const none = '0'.repeat(32)
    t.match(await get(`/generations/gen_${none}`), { type: /generation-not-found$/ })
    t.match(await get(`/items/itm_${none}`), { type: /item-not-found$/ })
    t.match(await get('/items?cursor=x'), { type: /invalid-cursor$/ })
    t.match(await (await send('/generations', { paperIds: [] })).json(), { type: /invalid-request$/ })
    t.match(await (await send('/generations', { paperIds: [paperIds[0], paperIds[0]] })).json(), { type: /invalid-request$/ })
    t.match(await (await send('/generations', { paperIds, recipe: { seed: null } })).json(), { type: /invalid-request$/ })
    t.match(await (await send('/generations', { paperIds, recipe: { strategy: 'model', model: 'm', tokensMax: 1e13 } })).json(), { type: /invalid-request$/, errors: [{ pointer: '/recipe/tokensMax' }] })
    t.match(await (await send(`/generations/${opened.id}/retry`)).json(), { type: /conflict$/ })
    t.match(await (await send(`/generations/${opened.id}/cancel`)).json(), { state: 'succeeded' })
  })
})

t.test('the end of a generation that went on after its end was heard is news again', async t => {
  const documents = await embeddedStore(join(temporaryFolder(t), 'generation.db'))
  t.teardown(documents.close)
  const store = await generationStore(documents)
  const told: string[] = []
  const publish = async (_: string, event: { generationId: string }) => { told.push(event.generationId) }
  const bus = { publish } as unknown as Bus
  const parts = { bus, store }
  const generationId = `gen_${'0'.repeat(32)}`
  const make = async (placeIndex: number) => {
    const item = { id: `itm_${placeIndex}`, kind: 'qa', source: {} } as unknown as Item
    await store.insertItems({ generationId, paperIndex: 0, placeIndex }, [item])
  }
  await make(0)
  await announceEnd(parts, generationId, { review: true })
  await store.acknowledge(generationId, 1)
  await announceEnd(parts, generationId, { review: true })
  t.same(await store.listUnacknowledged(), [], 'nothing new')
  await make(1)
  await announceEnd(parts, generationId, { review: true })
  await store.acknowledge(generationId, 1)
  t.same(await store.listUnacknowledged(), [generationId], 'a late word on the first end is none on the second')
  await announceAgain(parts)
  t.equal(told.length, 4)
  await store.acknowledge(generationId, 2)
  t.same(await store.listUnacknowledged(), [])

  const away = { publish: async () => { throw new Problem('service-unavailable', 'No bus.') } } as unknown as Bus
  await make(2)
  await t.resolves(announceEnd({ ...parts, bus: away }, generationId, { review: true }), 'a bus that is away fails nothing')
  t.same(await store.listUnacknowledged(), [generationId])
})
