import t from 'tap'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import { canonicalJson, idOf, sha256 } from '../../../shared/contracts/hash.ts'
import type { Page } from '../../../shared/contracts/page.ts'
import type { ReviewedItem } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { choice, descriptive, document, documentHash, pair } from './fixtures.ts'
import { fakePeers, folder, generationId, image, ofPaper, openHouse, worldOf, type House, type World } from './house.ts'

const [yes, no] = pair()
const bad = descriptive({ answer: 'Various factors change settling speed.' }, 'bad')
const sound = [descriptive(), choice(), yes, no]
const asked = { source: { generationId } }

async function house (t: Parameters<typeof folder>[0], world: World): Promise<House> {
  const opened = await openHouse({ dir: await folder(t), peersUrl: await fakePeers(t, world) })
  t.teardown(opened.close)
  return opened
}

/** Opens the reviewing of the world's generation and waits for its end. */
async function reviewed (at: House) {
  const { id } = (await at.post('/reviewings', asked)).json()
  return (await at.get(`/reviewings/${id}?wait=20`)).json()
}

const benchmark = (reviewingId: string, own = {}) => (
  { name: 'Dust', reviewingIds: [reviewingId], verdicts: ['good', 'unreviewed'], ...own })

t.test('a reviewing', async t => {
  const other = ofPaper('other', [...sound, bad])
  const world = worldOf([...sound, bad, ...other.items], [document, other.document])
  const at = await house(t, world)

  const first = await at.post('/reviewings', asked)
  t.equal(first.statusCode, 202)
  const { id } = first.json()
  t.equal(first.headers.location, `/v1/reviewings/${id}`)
  const again = await at.post('/reviewings', { ...asked, recipe: { strategy: 'mechanical' } })
  t.match([again.statusCode, again.json().id], [200, id], 'the same input is the same reviewing')

  const done = (await at.get(`/reviewings/${id}?wait=20`)).json()
  t.match(done, { id, state: 'succeeded', progress: { done: 2, total: 2, failed: 0 }, problems: [], recipe: { strategy: 'mechanical' } })
  t.same(done.verdictCounts, { good: 0, fair: 0, poor: 0, error: 0, unreviewed: 10 })
  t.equal(done.ineligibleCount, 2)
  t.match((await at.get('/reviewings')).json(), { items: [{ id }], nextCursor: null })

  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await at.get(`/reviewed-items?reviewingId=${id}&limit=4${cursor && `&cursor=${cursor}`}`)
    const page: Page<ReviewedItem> = answer.json()
    seen.push(...page.items.map(({ item }) => item.id))
    cursor = page.nextCursor
  }
  t.same(seen.sort(), world.items.map(item => item.id).sort(), 'every item is reviewed, once')
  const failed = (await at.get(`/reviewed-items?reviewingId=${id}&eligible=false&kind=qa&verdict=unreviewed`)).json()
  t.same(failed.items.map((entry: { failedChecks: string[] }) => entry.failedChecks), [['concrete'], ['concrete']])

  const reviews = (await at.get(`/items/${bad.id}/reviews`)).json().items
  t.match(reviews, [{ itemId: bad.id, verdict: 'unreviewed', scores: null, reviewer: { type: 'checks' } }])
  const concrete = reviews[0].checks.find((check: { name: string }) => check.name === 'concrete')
  t.same(concrete, { name: 'concrete', passed: false, detail: 'The answer stays vague: "various factors".' })
})

t.test('what cannot be reviewed is a problem that says what to do', async t => {
  const world = worldOf(sound)
  world.generation.state = 'running'
  const at = await house(t, world)
  const problem = async (url: string, body?: object) => {
    const answer = await (body === undefined ? at.get(url) : at.post(url, body))
    return `${answer.statusCode} ${answer.json().type?.split('/').at(-1)}`
  }
  const unknown = (kind: Parameters<typeof idOf>[0]) => idOf(kind, 'unknown')
  t.equal(await problem('/reviewings', asked), '409 not-finished')
  t.equal(await problem('/reviewings', { source: { generationId: unknown('generation') } }), '404 generation-not-found')
  t.equal(await problem('/reviewings', { ...asked, recipe: { strategy: 'magic' } }), '400 invalid-request')
  t.equal(await problem('/reviewings', { ...asked, extra: 1 }), '400 invalid-request')
  t.equal(await problem(`/reviewings/${unknown('reviewing')}`), '404 reviewing-not-found')
  t.equal(await problem(`/reviewings/${unknown('reviewing')}/cancel`, {}), '404 reviewing-not-found')
  t.equal(await problem('/reviewings?cursor=7'), '400 invalid-cursor')
  t.equal(await problem('/reviewed-items?cursor=7'), '400 invalid-cursor')
  t.equal(await problem(`/items/${unknown('item')}/reviews`), '404 item-not-found')
  t.equal(await problem('/benchmarks', benchmark(unknown('reviewing'))), '404 reviewing-not-found')
  t.equal(await problem('/benchmarks', { ...benchmark(unknown('reviewing')), seed: null }), '400 invalid-request')
  t.equal(await problem(`/benchmarks/${unknown('benchmark')}`), '404 benchmark-not-found')
  t.equal(await problem(`/benchmarks/${unknown('benchmark')}/items`), '404 benchmark-not-found')
  t.equal(await problem(`/benchmarks/${unknown('benchmark')}/items.jsonl`), '404 benchmark-not-found')
})

t.test('a paper that cannot be read fails alone, and can be retried', async t => {
  const other = ofPaper('other', sound)
  const world = worldOf([...sound, ...other.items], [document, other.document])
  world.broken.set(other.document.paperId, new Problem('paper-deleted', 'It was deleted.'))
  const at = await house(t, world)

  const failed = await reviewed(at)
  t.match(failed, { state: 'failed', progress: { done: 1, total: 2, failed: 1 }, verdictCounts: { unreviewed: 4 } })
  t.match(failed.problems, [{ status: 410, detail: 'It was deleted.' }])
  const frozen = (await at.post('/benchmarks', benchmark(failed.id))).json()
  t.match(frozen.card.notes.join('\n'), '4 generated items are missing because their reviewing did not complete.')

  world.broken.clear()
  t.equal((await at.post(`/reviewings/${failed.id}/retry`)).statusCode, 202)
  t.match((await at.get(`/reviewings/${failed.id}?wait=20`)).json(), { state: 'succeeded', verdictCounts: { unreviewed: 8 } })
  const whole = (await at.post('/benchmarks', benchmark(failed.id))).json()
  t.not(whole.version, frozen.version)
  t.notMatch(whole.card.notes.join('\n'), 'missing')
})

t.test('two replicas that freeze at once freeze one benchmark', async t => {
  const world = worldOf(sound)
  const [dir, peersUrl] = [await folder(t), await fakePeers(t, world)]
  const replicas = [await openHouse({ dir, peersUrl }), await openHouse({ dir, peersUrl })]
  for (const { close } of replicas) t.teardown(close)
  const [one, other] = replicas as [House, House]
  const { id } = await reviewed(one)
  const made = await Promise.all([one, other, one, other].map(async at => await at.post('/benchmarks', benchmark(id))))
  t.same(made.map(({ statusCode }) => statusCode).sort(), [200, 200, 200, 201])
  t.equal(new Set(made.map(({ body }) => body)).size, 1)
  const path = `/benchmarks/${made[0]?.json().id}/items`
  t.equal((await other.get(path)).json().items.length, sound.length)
  t.equal((await one.get(`${path}.jsonl`)).body, (await other.get(`${path}.jsonl`)).body)
})

t.test('the end of a generation', async t => {
  const heard = async (at: House, review: NonNullable<World['generation']['recipe']['review']>, world: World) => {
    world.generation.recipe.review = review
    await at.bus.publish('generation.finished', { generationId })
    await at.bus.close()
    t.equal(world.asked.at(-1), `/v1/generations/${generationId}/acknowledge`, 'generation need not tell it again')
    return (await at.get('/reviewings')).json().items
  }

  t.test('opens a reviewing with the recipe it was given', async t => {
    const world = worldOf(sound)
    const at = await house(t, world)
    const [opened] = await heard(at, { strategy: 'mechanical' }, world)
    t.equal((await at.post('/reviewings', asked)).json().id, opened.id)
  })

  t.test('opens none when the recipe says so', async t => {
    const world = worldOf(sound)
    t.same(await heard(await house(t, world), false, world), [])
  })

  t.test('opens none where there are no items', async t => {
    const world = worldOf([])
    t.same(await heard(await house(t, world), { strategy: 'mechanical' }, world), [])
  })

  t.test('after a retry has more items and gets a reviewing of its own', async t => {
    const world = worldOf(sound.slice(0, 2))
    const at = await house(t, world)
    const before = await reviewed(at)
    world.items = sound
    world.generation.itemCount = sound.length
    const after = await reviewed(at)
    t.not(after.id, before.id)
    t.equal(after.verdictCounts.unreviewed, 4)
  })
})

t.test('a benchmark', async t => {
  const other = ofPaper('other', sound)
  const world = worldOf([...sound, bad, ...other.items], [document, other.document])
  const at = await house(t, world)
  const { id: reviewingId } = await reviewed(at)

  const created = await at.post('/benchmarks', benchmark(reviewingId))
  t.equal(created.statusCode, 201)
  const made = created.json()
  const path = `/benchmarks/${made.id}`
  t.equal(created.headers.location, `/v1${path}`)
  t.match(made, { name: 'Dust', seed: 1, kinds: null, verdicts: ['good', 'unreviewed'] })
  t.same(made.papers.map((paper: { title: string }) => paper.title).sort(), ['Dust in dry air', 'other'])
  t.same(made.card.leftOut, { 'failed-check:concrete': 1 })
  t.match(made.card, { itemCount: 8, pairCount: 2, paperCount: 2 })

  const repeated = await at.post('/benchmarks', benchmark(reviewingId, { verdicts: ['unreviewed', 'good'] }))
  t.same([repeated.statusCode, repeated.json()], [200, made], 'the same content is the same benchmark')
  for (const name of ['a\u0000b', 'two\nlines']) {
    const refused = await at.post('/benchmarks', benchmark(reviewingId, { name }))
    t.match([refused.statusCode, refused.json().detail], [400, /name/], JSON.stringify(name))
  }
  const empty = await at.post('/benchmarks', benchmark(reviewingId, { verdicts: undefined }))
  t.match([empty.statusCode, empty.json().detail], [422, /None of the 9 reviewed items qualifies: 9 by verdict/])

  t.test('needs nobody once it is frozen', async t => {
    world.documents = []
    world.items = []
    const before = world.asked.length
    const jsonl = await at.get(`${path}/items.jsonl`)
    t.match(jsonl.headers['content-type'], 'application/x-ndjson')
    const lines = jsonl.body.trim().split('\n')
    const items = (await at.get(`${path}/items?limit=200`)).json().items
    t.same(items.map(canonicalJson), lines, 'list and file agree')
    t.same((await at.get(path)).json(), made)
    t.match((await at.get('/benchmarks')).json(), { items: [made], nextCursor: null })
    const page = (await at.get(`${path}/items?limit=3`)).json()
    t.same((await at.get(`${path}/items?limit=200&cursor=${page.nextCursor}`)).json().items, items.slice(3))
    const documents = made.papers.map((paper: { documentHash: string }) => paper.documentHash)
    t.equal(made.version, sha256(canonicalJson({ name: 'Dust', documents, items: sha256(jsonl.body) })))
    t.same((await at.get(`${path}/documents/${documentHash}`)).json(), document)
    const figure = await at.get(`${path}/figures/${document.figures[0]!.imageId}`)
    t.same([figure.headers['content-type'], figure.rawPayload], ['image/png', image])
    t.equal(world.asked.length, before, 'no other service was asked')
  })

  t.test('is published without pair ids, and as a table', async t => {
    t.notMatch((await at.get(`${path}/exports/jsonl`)).body, 'pairId')
    t.equal((await at.get(`${path}/exports/jsonl`)).body.trim().split('\n').length, 8)
    t.match((await at.get(`${path}/exports/xml`)).json(), { status: 404, detail: /there is jsonl/ })
    t.equal((await at.get(`${path}/exports/constructor`)).statusCode, 404)
    t.match((await at.get(`${path}/exports/openai-batch`)).json(), { status: 400, detail: /model=NAME/ })
    t.equal((await at.get(`${path}/exports/inspect?contentMode=all`)).statusCode, 400)
    const folder = await at.get(`${path}/exports/inspect?contentMode=none`)
    t.match(folder.headers, { 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${made.id}-inspect-none-6144.zip"` })
    const n = made.card.itemCount
    const measures = { supportRate: { papers: 2, n } }
    t.match(made.card, { agreement: null, diversity: { papers: 2, items: n, measures, selections: [] } })
    t.match(made.card, { sources: [{ licence: 'unknown' }, {}], rejections: { 'no-checkable-fact': 1, short: 1 }, method: { generations: [{ id: generationId }], reviewings: [{ recipe: { strategy: 'mechanical' }, prompts: [] }] }, limits: [/not independent/, /With 2 of/] })
    t.match((await at.get(`${path}/exports/jsonl`)).body, made.card.canary)
    t.match((await at.get(`${path}/items.csv`)).body, /^"id","kind"[^]*\r\n$/)
    t.equal((await at.get(`${path}/documents/${idOf('document', 'x')}`)).statusCode, 404)
    t.equal((await at.get(`${path}/figures/..%2f..%2fetc`)).statusCode, 404)
  })
})

interface Kept { store: Store, blobs: Blobs }

/** Lets `writes` writes through and then none, as a process that is killed there. */
function dyingAfter (writes: number): (parts: Kept) => Kept {
  const count = () => { if (writes-- <= 0) throw new Problem('store-unavailable', 'Killed.') }
  return ({ store, blobs }) => ({
    blobs: { ...blobs, put: async (...given) => { count(); return await blobs.put(...given) } },
    store: {
      ...store,
      async collection<T extends Doc> (...given: Parameters<Store['collection']>) {
        const real = await store.collection<T>(...given) as Collection<T>
        // What is written at every start is not part of a freeze.
        if (!given[0].startsWith('benchmark')) return real
        return {
          ...real,
          insert: async (doc: T) => { count(); return await real.insert(doc) },
          insertMissing: async (docs: readonly T[]) => { count(); return await real.insertMissing(docs) }
        }
      }
    }
  })
}

t.test('a freeze that is killed at any write leaves no benchmark, and is finished by the next', async t => {
  const world = worldOf(sound)
  const peersUrl = await fakePeers(t, world)
  const calm = await house(t, world)
  const { id: reviewingId } = await reviewed(calm)
  const wanted = (await calm.post('/benchmarks', benchmark(reviewingId))).json()
  const wantedItems = (await calm.get(`/benchmarks/${wanted.id}/items.jsonl`)).body

  const dir = await folder(t)
  const before = await openHouse({ dir, peersUrl })
  t.equal((await reviewed(before)).id, reviewingId)
  await before.close()
  let deaths = 0
  for (let status = 503; status !== 201; deaths++) {
    const at = await openHouse({ dir, peersUrl, wrap: dyingAfter(deaths) })
    t.equal((await at.get(`/benchmarks/${wanted.id}`)).statusCode, 404)
    t.same((await at.get('/benchmarks')).json().items, [])
    const answer = await at.post('/benchmarks', benchmark(reviewingId))
    status = answer.statusCode
    if (status === 201) t.same(answer.json(), wanted)
    await at.close()
  }
  t.equal(deaths, 6, 'document, figure, lines, items and benchmark were each the last write once')
  const after = await openHouse({ dir, peersUrl })
  t.teardown(after.close)
  t.equal((await after.post('/benchmarks', benchmark(reviewingId))).statusCode, 200)
  t.equal((await after.get(`/benchmarks/${wanted.id}/items.jsonl`)).body, wantedItems)
  t.equal((await after.get(`/benchmarks/${wanted.id}/items`)).json().items.length, 4)
})
