import t from 'tap'
import { sha256 } from '../../../shared/contracts/hash.ts'
import {
  bankItem, bankItems, choiceOfImages, curationId, first, hostileValue, importId, photo, plainItem, sequence,
  withBank
} from './bank-fixtures.ts'
import { descriptive, document } from './fixtures.ts'
import { fakePeers, folder, openHouse, worldOf, type House, type World } from './house.ts'

async function house (t: Parameters<typeof folder>[0], world: World): Promise<House> {
  const opened = await openHouse({ dir: await folder(t), peersUrl: await fakePeers(t, world) })
  t.teardown(opened.close)
  return opened
}

const asked = { source: { importId } }

async function reviewed (at: House, body: object = asked) {
  const { id } = (await at.post('/reviewings', body)).json()
  return (await at.get(`/reviewings/${id}?wait=20`)).json()
}

const freezing = (reviewingId: string, own = {}) => ({ name: 'Bank', reviewingIds: [reviewingId], verdicts: ['unreviewed'], ...own })

t.test('items of a bank are reviewed by the checks that need no paper', async t => {
  const many = Array.from({ length: 120 }, (_, i) => bankItem(`more ${i}`, 10 + i))
  const faulty = [
    bankItem('blank', 201, { choices: [{ text: 'a' }, { text: ' ' }] }),
    bankItem('no answer', 202, { answerIndex: 9 }),
    bankItem('twice', 203, { choices: [{ text: '', imageId: first }, { text: '', imageId: first }], answerIndex: 0 }),
    bankItem('blind', 204, { kind: 'vqa' }),
    bankItem('flagged', 205, { checks: [{ name: 'pii-suspected', passed: false, detail: 'A telephone number.' }] }),
    bankItem('worded', 206, { explicitWording: { question: 'q', choices: ['a', 'b'] } })
  ]
  const { id: _, ...same } = plainItem
  const repeats = [
    bankItem('repeat', 301, {
      ...same,
      source: { bankId: importId, row: 301 },
      choices: [...plainItem.choices!].reverse(),
      answerIndex: 2
    }),
    bankItem('key one', 302, { question: 'Which?', answerIndex: 0 }), bankItem('key two', 303, { question: 'Which?', answerIndex: 3 })
  ]
  const world = withBank(worldOf([]), [...bankItems, ...many, ...faulty, ...repeats])
  const at = await house(t, world)
  const done = await reviewed(at)
  t.match(done, { state: 'succeeded', source: { importId }, progress: { done: 2, total: 2 }, ineligibleCount: 9, verdictCounts: { unreviewed: 134 } })
  const failed = (await at.get(`/reviewed-items?reviewingId=${done.id}&eligible=false&limit=50`)).json().items
  interface Failed { item: { source: { row: number } }, failedChecks: string[] }
  const names = failed.map(({ item, failedChecks }: Failed) => [item.source.row, failedChecks.join()])
  t.same(names.sort(), [
    [201, 'choices'], [202, 'choices'], [203, 'choices'], [204, 'choices,images'], [205, 'as-made'], [206, 'wording'],
    [301, 'duplicate'], [302, 'duplicate'], [303, 'duplicate']
  ])
  const said = (await at.get(`/items/${repeats[1]!.id}/reviews`)).json().items[0].checks.at(-1)
  t.equal(said.detail, `The item ${repeats[2]!.id} asks the same and is marked with another answer: one of them is wrong.`)
  const { checks } = (await at.get(`/items/${plainItem.id}/reviews`)).json().items[0]
  t.same(checks.map(({ name }: { name: string }) => name), ['choices', 'length', 'duplicate'])
  t.equal((await at.post('/reviewings', asked)).json().id, done.id, 'the same input is the same reviewing')
})

t.test('a curation is reviewed as its import is, under an id of its own', async t => {
  const at = await house(t, withBank(worldOf([])))
  const done = await reviewed(at, { source: { curationId } })
  t.match(done, { state: 'succeeded', source: { curationId }, ineligibleCount: 0, verdictCounts: { unreviewed: 5 } })
  t.not(done.id, (await reviewed(at)).id)
  const frozen = (await at.post('/benchmarks', freezing(done.id))).json()
  t.match(frozen.card.method, {
    imports: [{ id: importId }],
    curations: [{ id: curationId, source: { importId } }],
    reviewings: [{ curationId }]
  })
})

t.test('what a curation left to people comes first in the queue, whatever the seed', async t => {
  const world = withBank(worldOf([]))
  const [, second, , fourth] = bankItems
  world.bank.flags = [
    { itemId: fourth!.id, step: 0, reason: 'keys-differ', detail: 'Keyed "a" and "b".' },
    { itemId: second!.id, step: 1, reason: 'no-safe-paraphrase', detail: 'It denies.' },
    { itemId: fourth!.id, step: 1, reason: 'words-differ', detail: '"a" against "b"' }
  ]
  const at = await house(t, world)
  const { id } = await reviewed(at, { source: { curationId } })
  for (const seed of [1, 2]) {
    const { entries } = (await at.get(`/review-queue?reviewingId=${id}&raterId=r${seed}&seed=${seed}&limit=10&doubleShare=1&leaseSeconds=60`)).json()
    const ids = entries.slice(0, 2).map(({ item }: any) => item.id)
    t.same(ids.sort(), [second!.id, fourth!.id].sort())
  }
  const { items } = (await at.get(`/reviewed-items?reviewingId=${id}&limit=50`)).json()
  t.same(items.find(({ item }: any) => item.id === fourth!.id).flags.map(({ reason }: any) => reason), ['keys-differ', 'words-differ'])
  t.equal(items.filter(({ flags }: any) => flags !== undefined).length, 2)
  t.ok(items.every(({ eligible }: any) => eligible), 'a flag is no failed check')
})

t.test('what cannot be done with a bank is a problem that says what to do', async t => {
  const world = withBank(worldOf([]))
  const at = await house(t, world)
  const model = await at.post('/reviewings', { ...asked, recipe: { strategy: 'model', model: 'm' } })
  t.match([model.statusCode, model.json().errors], [400, [{ pointer: '/body/recipe/strategy' }]])
  t.match(model.json().detail, /items of an item bank have none.*mechanical/)
  t.equal((await at.post('/reviewings?dryRun=true', { ...asked, recipe: { strategy: 'model', model: 'm' } })).statusCode, 400)
  t.match((await at.post('/reviewings?dryRun=true', asked)).json(), { tasks: 1, modelCalls: 0 })
  t.equal((await at.post('/reviewings', { source: { importId, curationId } })).statusCode, 400)
  const status = async (own: object) => {
    Object.assign(world.bank.imports[0]!, own)
    const answer = await at.post('/reviewings', asked)
    return `${answer.statusCode} ${answer.json().type.split('/').at(-1)}`
  }
  t.equal(await status({ state: 'running' }), '409 not-finished')
  t.equal(await status({ state: 'succeeded', itemCount: 0 }), '422 not-computable')
  t.equal(await status({ itemCount: 50_001 }), '413 limit-exceeded')
})

t.test('a benchmark of a bank needs nobody afterwards, and says whose items they are', async t => {
  const world = withBank(worldOf([]))
  const at = await house(t, world)
  const { id } = await reviewed(at)
  const made = await at.post('/benchmarks', freezing(id))
  t.equal(made.statusCode, 201)
  const benchmark = made.json()
  const { card } = benchmark
  t.match(card, {
    itemCount: 5,
    paperCount: 0,
    bySlice: { modality: { image: 4, text: 1 }, part: { [hostileValue]: 1, two: 4 } },
    banks: [{ importId, name: 'Weather exam', licence: 'CC-BY-NC-SA-4.0', release: 'restricted' }],
    sources: [],
    method: { generations: [], imports: [{ id: importId, notes: [{ code: 'html-removed', rows: 1 }] }], reviewings: [{ id, importId }] }
  })
  t.notOk('diversity' in card)
  t.match(card.notes.join('\n'), /5 of the 5 items are of item banks and not of papers: evidence, content modes/)
  t.match(card.notes.join('\n'), /4 items of banks have images, 1 of them a sequence in time/)
  t.match(card.limits.join('\n'), /The 5 items of banks are 5 clusters: each item, or pair, is taken as independent/)
  t.match(card.limits.join('\n'), /1 of the 1 item banks were not declared public/)
  t.match(card.limits.join('\n'), /1 rows of the item banks were flagged/)
  t.notMatch(card.limits.join('\n'), /an interval must count papers/)
  world.bank.images.clear()
  t.same((await at.get(`/benchmarks/${benchmark.id}`)).json(), benchmark, 'values of slices with a dot come back as they were')
  t.same((await at.get('/benchmarks')).json().items, [benchmark])
  const png = await at.get(`/benchmarks/${benchmark.id}/figures/${first}`)
  t.equal(sha256(png.rawPayload), first)
  t.match(png.headers['content-type'], 'image/png')
  t.match((await at.get(`/benchmarks/${benchmark.id}/figures/${photo}`)).headers['content-type'], 'image/jpeg')
})

t.test('an image that is not to be had, or is another one, stops the freeze', async t => {
  const world = withBank(worldOf([]))
  const at = await house(t, world)
  const { id } = await reviewed(at)
  world.bank.images.delete(photo)
  t.equal((await at.post('/benchmarks', freezing(id))).statusCode, 404)
  world.bank.images.set(photo, Buffer.from('GIF89a of another'))
  const other = await at.post('/benchmarks', freezing(id))
  t.match([other.statusCode, other.json().detail], [502, new RegExp(photo)])
  t.equal((await at.get('/benchmarks')).json().items.length, 0)
})

t.test('items of papers and of a bank stand in one benchmark, and each is counted as what it is', async t => {
  const world = withBank(worldOf([descriptive()], [document]))
  const at = await house(t, world)
  const papers = await reviewed(at, { source: { generationId: world.generation.id } })
  const bank = await reviewed(at)
  const { card } = (await at.post('/benchmarks', freezing(papers.id, { reviewingIds: [papers.id, bank.id] }))).json()
  t.match(card, { itemCount: 6, paperCount: 1, banks: [{ importId }], diversity: { items: 1 } })
  t.match(card.sources, [{ paperId: document.paperId }])
})

t.test('people review items of a bank, edit them, and verify a rationale', async t => {
  const world = withBank(worldOf([]))
  const at = await house(t, world)
  const { id: reviewingId } = await reviewed(at)
  const { entries } = (await at.get(`/review-queue?reviewingId=${reviewingId}&raterId=anna&limit=20`)).json()
  t.equal(entries.length, 5)
  const rater = { id: 'anna', role: 'expert', qualification: '' }
  interface Entry { item: { id: string }, etag: string }
  const etagOf = (itemId: string) => entries.find(({ item }: Entry) => item.id === itemId).etag
  const say = async (itemId: string, own: object, etag = etagOf(itemId)) => await at.app.inject({
    method: 'POST', url: `/v1/items/${itemId}/reviews`, headers: { 'if-match': etag }, payload: { reviewingId, rater, seconds: 3, ...own }
  })
  const edited = await say(choiceOfImages.id, { decision: 'edited', edit: { choices: ['', '', 'none of them'] } })
  t.match([edited.statusCode, edited.json().reviewed.eligible, edited.json().reviewed.item.choices[2].text], [201, true, 'none of them'])
  t.equal(edited.json().reviewed.item.choices[0].imageId, first, 'the image stays')
  const fault = async (edit: object) => (await say(sequence.id, { decision: 'edited', edit })).json().errors?.[0].pointer
  t.equal(await fault({ choices: ['', 'b', 'c', 'd'] }), '/body/edit/choices/0')
  t.equal(await fault({ evidence: [{ quote: 'word' }] }), '/body/edit/evidence/0')
  const twin = await say(sequence.id, { decision: 'edited', edit: { question: 'Seen?' } })
  t.match(twin.json().reviewed, { eligible: true, item: { question: 'Seen?', images: sequence.images } })

  const forms = (await at.get('/questionnaires?limit=50')).json().items
  const form = forms.find(({ name }: { name: string }) => name === 'K-MetBench rationale verification')
  const answers = { accuracy: 5, soundness: 4, completeness: 4, conciseness: 5, adoption: 'revise', severity: 'minor', revision: ['terminology'] }
  t.equal((await say(plainItem.id, { decision: 'accepted', questionnaireId: form.id, answers })).statusCode, 201)
  const frozen = (await at.post('/benchmarks', freezing(reviewingId))).json()
  t.same(frozen.card.byDecision, { accepted: 1, edited: 2, none: 2 })
})

t.test('an edit that makes an item of a bank repeat another keeps it out', async t => {
  const other = bankItem('other', 9)
  const world = withBank(worldOf([]), [plainItem, other])
  const at = await house(t, world)
  const { id: reviewingId } = await reviewed(at)
  const { entries } = (await at.get(`/review-queue?reviewingId=${reviewingId}&raterId=anna&limit=20`)).json()
  const { etag } = entries.find(({ item }: { item: { id: string } }) => item.id === other.id)
  const rater = { id: 'anna', role: 'expert', qualification: '' }
  const edit = { question: plainItem.question }
  const payload = { reviewingId, rater, seconds: 3, decision: 'edited', edit }
  const answer = await at.app.inject({ method: 'POST', url: `/v1/items/${other.id}/reviews`, headers: { 'if-match': etag }, payload })
  t.match(answer.json().reviewed, { eligible: false, failedChecks: ['duplicate'] })
})
