import t from 'tap'
import type { Estimate } from '../../../shared/contracts/generation.ts'
import { fakeAuthor, manners, type AuthorAsked, type Manner } from '../../../shared/testing/fake-author.ts'
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { smallDocument } from '../../../services/generation/test/fixtures/document.ts'
import { itemAuthors } from '../../../shared/testing/fake-item-authors.ts'
import { givenModel } from './given-model.ts'

const both = { kinds: ['qa', 'vqa'], counts: { vqaPerFigure: 2 } }
const promptOf = ({ body }: { body: unknown }) => JSON.stringify(body)

t.test('generation with a model', async t => {
  const mannerOf = ({ model, seed, fields }: AuthorAsked): Manner => {
    if (model !== 'second-time') return manners.find(manner => manner === model) ?? 'good'
    return seed > 1 ? 'good' : fields.includes('question') ? 'truncated' : 'lazy'
  }
  const { made, fake, send, get } = await givenModel(t, {
    documents: [smallDocument('1')], author: { mannerOf }, fake: { models: ['writer', 'second-time', 'thrifty', ...manners] }
  })

  t.test('a model that does as it is told', async t => {
    const estimate = await (await send('/generations?dryRun=true', {
      paperIds: [smallDocument('1').paperId], recipe: { strategy: 'model', model: 'writer', ...both }
    })).json() as Estimate
    t.match(estimate, { tasks: 6, modelCalls: 12, completionTokensMax: 12 * 1024, secondsMax: null })
    t.match(estimate, {
      least: { modelCalls: 8, completionTokensMax: 8 * 1024 },
      most: { modelCalls: 3 * 8, completionTokensMax: 2 * 3 * 8 * 1024 }
    })
    const { least, most } = estimate.review!
    t.equal(least.modelCalls, 2 * 11, 'two reviews of each of 11 items')
    t.equal(most.modelCalls, 11 * ((2 + 3 + 2) * 3 + 3 + 2), 'reviews thrice, rewritings and shortenings')
    t.ok(least.promptTokens > estimate.least.promptTokens, 'reviewing costs more than writing')
    const unreviewed = await (await send('/generations?dryRun=true', {
      paperIds: [smallDocument('1').paperId], recipe: { strategy: 'model', model: 'writer', ...both, review: false }
    })).json() as Estimate
    t.match(unreviewed.review, { least: { modelCalls: 0 }, most: { modelCalls: 0, promptTokens: 0 } })
    t.equal(fake.journal.length, 0, 'an estimate asks nothing')

    const { generation, items, rejections } = await made(both)
    t.match(generation, {
      state: 'succeeded', vision: true, itemCount: 10, rejectionCount: 1, outcome: { wanted: 11, made: 11, calls: 8 }
    }, 'gives every item that is asked for')
    t.match(rejections, [{ place: 'f3', reason: 'duplicate' }], 'but what it asks again of another figure, in the same words and from the same sentence')
    t.same(items.map(({ place }) => place), ['abstract', 'abstract', 'abstract', 's1', 's2', 'f1', 'f1', 'f2', 'f2', 'f3'])
    t.equal(fake.journal.length, 8)
    // The fake counts 256 for an image, however small.
    const text = generation.outcome!.promptTokens - 3 * 256
    t.ok(text < estimate.least.promptTokens && text > estimate.least.promptTokens * 0.9, 'the least is about right where each first reply does')
    t.ok(text < estimate.promptTokens && estimate.promptTokens < estimate.most.promptTokens)
    for (const item of items) {
      t.ok(item.evidence.length > 0)
      t.match(item.provenance, { strategy: 'model', model: 'writer', seed: 1, sampleIndex: 0, requestHash: /^cmp_/, promptHash: /^[0-9a-f]{64}$/ })
    }
    for (const entry of fake.journal) t.match(promptOf(entry), 'Fog on roads is a problem', 'the abstract is in every prompt')
    t.equal(fake.journal.filter(entry => promptOf(entry).includes('image_url')).length, 3, 'figures go along')
    t.equal(new Set(items.filter(({ kind }) => kind === 'vqa').map(({ place, question }) => place + question)).size, 5)

    t.equal((await made(both)).generation.id, generation.id, 'the same again is the same')
    t.equal(fake.journal.length, 8)
    t.equal((await get<{ totals: { requests: number } }>(`/usage?group=${generation.id}`)).totals.requests, 8)
  })

  t.test('a model that does not: each draft is a rejection with its reason, and the end says how short it is', async t => {
    const wanted: Array<[Manner, Array<string | RegExp>]> = [
      ['lazy', [/^(?:quote-|meta|duplicate|no-question)/]], ['malformed', ['unparsable']], ['refusing', ['refused']], ['hostile', [/^(?:quote-|no-question)/]]
    ]
    for (const [manner, reasons] of wanted) {
      const { generation, items, rejections } = await made({ ...both, model: manner, samplesMax: 2 })
      t.match(generation, { state: 'succeeded', itemCount: 0, outcome: { wanted: 11, made: 0, calls: 16 } }, manner)
      t.same(items, [])
      const found = new Set(rejections.map(({ reason }) => reason))
      t.ok(found.delete('short'), manner)
      t.same(rejections.filter(({ reason }) => reason === 'short').map(({ detail }) => detail.slice(0, 6)).sort(), [
        '0 of 1', '0 of 1', '0 of 1', '0 of 1', '0 of 1', '0 of 2', '0 of 2', '0 of 2'
      ])
      for (const reason of found) t.ok(reasons.some(each => new RegExp(each).test(reason)), `${manner}: ${reason}`)
      if (manner === 'lazy') t.match(promptOf(fake.journal.find(entry => promptOf(entry).includes('Turned down'))!), 'Turned down; do better', 'the next sample is told why')
    }
  })

  t.test('a second sample tops up what the first left open', async t => {
    const { generation, items, rejections } = await made({ ...both, model: 'second-time', counts: { vqaPerFigure: 3 } })
    t.match(generation.outcome, { wanted: 14, made: 14 })
    const samples = items.filter(({ place }) => place === 'f1').map(({ provenance }) => provenance.sampleIndex)
    t.same(new Set(samples), new Set([0, 1]), 'complete elements of a cut reply are kept')
    t.ok(items.filter(({ kind }) => kind === 'qa').every(({ provenance }) => provenance.sampleIndex === 1 && provenance.seed === 2))
    t.ok(rejections.length > 0 && rejections.every(({ reason }) => reason !== 'short'))
  })

  t.test('a budget stops cleanly', async t => {
    const { generation, items, rejections } = await made({ ...both, model: 'thrifty', tokensMax: 4_500 })
    t.equal(generation.state, 'succeeded')
    t.ok(generation.outcome!.made < generation.outcome!.wanted)
    t.ok(items.length > 0)
    t.ok(rejections.some(({ reason }) => reason === 'budget'))
    const { totals } = await get<{ totals: { promptTokens: number, completionTokens: number } }>(`/usage?group=${generation.id}`)
    const spent = totals.promptTokens + totals.completionTokens
    t.ok(spent <= 4_500, `${spent} tokens`)
    t.ok(spent > 4_500 - 2_500, 'and is used up')
    t.same((await get<{ items: unknown[] }>('/budgets?limit=10')).items, [], 'its budget ends with it')
  })

  t.test('a recipe that cannot be carried out is refused before anything is opened', async t => {
    const paperIds = [smallDocument('1').paperId]
    const refused = async (recipe: object) => {
      const response = await send('/generations', { paperIds, recipe: { strategy: 'model', model: 'writer', ...recipe } })
      return { status: response.status, body: await response.json() as { type: string, detail: string } }
    }
    t.match(await refused({ model: 'nobody' }), { status: 404, body: { type: /model-not-found$/, detail: /writer/ } })
    t.match(await refused({ review: { strategy: 'model', model: 'nobody' } }), { status: 404, body: { type: /model-not-found$/, detail: /"nobody"/ } }, 'before anything is written')
    t.match(await refused({ contextTokens: 1024 }), { status: 400, body: { detail: /no room for the paper/ } })
    t.match(await refused({ kinds: ['qa'], language: 'sw' }), { status: 400, body: { detail: /fixed questions/ } })
  })
})

t.test('without vision figures are asked about from their words, and the items say so', async t => {
  const { made, fake } = await givenModel(t, { documents: [smallDocument('1')], capabilities: ['structured-output'] })
  const { generation, items, rejections } = await made({ kinds: ['vqa'], counts: { vqaPerFigure: 1 } })
  t.equal(generation.vision, false)
  t.equal(items.length + rejections.filter(({ reason }) => reason === 'duplicate').length, 3)
  t.ok(items.every(({ slices }) => slices['image'] === 'withheld'))
  for (const entry of fake.journal) t.match(promptOf(entry), 'is not shown to you')
})

t.test('a section too long for one prompt is summarised in parts that are merged', async t => {
  const document = smallDocument('1')
  const [introduction] = document.sections
  const text = (i: number) => `Night ${i} had fog of density ${i} in the valley, and the lamp measured it from the light that came back to it. `
  const paragraphs = Array.from({ length: 60 }, (_, i) => ({
    ...introduction!.paragraphs[0]!, id: `long${i}`, text: `${text(i)}${text(i + 100)}`.trim()
  }))
  const long = { ...document, sections: [{ ...introduction!, paragraphs }] }
  const { made, fake } = await givenModel(t, { documents: [long] })
  const { items } = await made({ kinds: ['qa'], contextTokens: 3072, sampling: { maxTokens: 256 } })
  const [item] = items.filter(({ place }) => place === 's1')
  t.match(item, { slices: { parts: /^[2-6]$/ }, provenance: { prompt: 'merge-summaries.v1' } })
  const prompts = fake.journal.map(promptOf)
  for (let i = 0; i < 60; i++) t.ok(prompts.some(prompt => prompt.includes(`Night ${i} had`)), 'nothing is cut')
  t.notOk(item?.provenance.leftOut, 'and nothing left out')
  t.ok(fake.journal.every(({ promptTokens }) => (promptTokens ?? 0) + 256 <= 3072), 'no prompt is larger than the context')
})

t.test('faults of the server are no rejections, and a process that starts again pays nothing twice', async t => {
  const documents = [smallDocument('1'), smallDocument('2')]
  const calm = await givenModel(t, { documents })
  const expected = await calm.made(both)

  const faults = ['status:500', 'hang_up', 'status:503', 'rst:3']
  const server = await fakeVllm({ models: ['writer'], reply: fakeAuthor(), behave: (_, nth) => nth % 3 === 1 ? faults[nth % 4]! : 'slow_first:40' })
  t.teardown(server.close)
  const folder = temporaryFolder(t)
  const first = await givenModel(t, { documents, folder, server, env: { GENERATION_CALLS_AT_ONCE: '4' } })
  const id = await first.open(both)
  await server.ended(6)
  await first.close()
  const answeredBefore = server.journal.filter(({ endedBy }) => endedBy === 'server').length
  const second = await givenModel(t, { documents, folder, server, env: { GENERATION_CALLS_AT_ONCE: '4' } })
  const { generation, items, rejections } = await second.results(id)
  t.match(generation, { state: 'succeeded', id: expected.generation.id, outcome: expected.generation.outcome! })
  t.same(items, expected.items, 'the same items')
  t.same(rejections, expected.rejections)
  t.ok(answeredBefore > 0)
})

t.test('a generation that is cancelled keeps what it has, and a retry does the rest', async t => {
  const server = await fakeVllm({ models: ['writer'], reply: fakeAuthor(), behave: (_, nth) => nth === 6 ? 'never' : 'ok' })
  t.teardown(server.close)
  const { open, send, get, results, fake } = await givenModel(t, { documents: [smallDocument('1')], server, env: { GENERATION_CALLS_AT_ONCE: '1' } })
  const id = await open(both)
  await fake.arrived(6)
  await send(`/generations/${id}/cancel`)
  const cancelled = await results(id)
  t.equal(cancelled.generation.state, 'cancelled')
  t.ok(cancelled.items.length > 0 && cancelled.items.length < 11)
  await send(`/generations/${id}/retry`)
  await get(`/generations/${id}?wait=60`)
  const { generation, items } = await results(id)
  t.match(generation, { state: 'succeeded', itemCount: 10, outcome: { made: 11 } })
  t.same(cancelled.items.filter(({ id }) => !items.some(item => item.id === id)), [])
})

t.test('papers with dead tasks are held back, so that a retry ends with what an undisturbed generation has', async t => {
  const recipe = { ...both, counts: { vqaPerFigure: 2, itemsPerPaper: 6 } }
  const documents = [smallDocument('1'), smallDocument('2')]
  const undisturbed = await (await givenModel(t, { documents })).made(recipe)
  let broken = true
  const isBroken = (body: unknown): boolean => broken && JSON.stringify(body).includes('Figure 1')
  const server = await fakeVllm({ models: ['writer', 'other'], reply: fakeAuthor({ authors: itemAuthors }), behave: ({ body }) => isBroken(body) ? { status: 400 } : 'ok' })
  t.teardown(server.close)
  const { made, send, results } = await givenModel(t, { documents, server })
  const failed = await made(recipe)
  const { id, paperIds } = failed.generation
  t.match(failed.generation, { state: 'failed', heldBack: paperIds, itemCount: 0 })
  t.same(failed.items, [])
  broken = false
  await send(`/generations/${id}/retry`)
  const { generation, items, rejections } = await results(id)
  t.equal(generation.state, 'succeeded')
  t.notOk('heldBack' in generation)
  t.same(items, undisturbed.items)
  t.same(rejections, undisturbed.rejections)

  broken = true
  const given = await made({ ...recipe, seed: 2 })
  t.match(given.generation, { state: 'failed', itemCount: 0 })
  await send(`/generations/${given.generation.id}/cancel`)
  const kept = await results(given.generation.id)
  t.equal(kept.generation.state, 'cancelled')
  t.notOk('heldBack' in kept.generation)
  t.ok(kept.items.length > 0, 'items of what there is')
  await send(`/generations/${given.generation.id}/cancel`)
  t.same((await results(given.generation.id)).items, kept.items, 'again is nothing')
})

t.test('a model that counts more tokens than bytes / 4 is given less, and refuses no prompt', async t => {
  const one = smallDocument('dense')
  const sections = one.sections.map(section => ({
    ...section, paragraphs: section.paragraphs.map(each => ({ ...each, text: `${each.text} ${`Readings of 1.25, 3.75 and 7.5 V were taken in section ${section.id}. `.repeat(200)}` }))
  }))
  const { made, fake } = await givenModel(t, {
    documents: [{ ...one, sections }], fake: { maxModelLen: 4096, promptTokenBytes: 2 }
  })
  const { generation, items } = await made({ kinds: ['qa'], contextTokens: 4096, sampling: { maxTokens: 512 } })
  t.match(generation, { state: 'succeeded', outcome: { wanted: 5, made: 5 } })
  const chats = fake.journal.filter(({ path }) => path === '/v1/chat/completions')
  const bytes = chats.map(({ body }) => (
    Buffer.byteLength(JSON.stringify((body as { messages: unknown }).messages))))
  t.ok(Math.max(...bytes) < (4096 - 512) * 2, 'every prompt fits')
  t.ok(Math.max(...bytes) > 4_500, 'and is filled')
  const ofSection = items.find(({ place }) => place === 's1')!
  t.ok(ofSection.provenance.bytesPerToken! < 2.1, 'and says by what')
  t.equal(items.find(({ place }) => place === 'abstract')!.provenance.bytesPerToken, undefined, 'a short one is as it was')
})
