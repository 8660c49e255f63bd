import t from 'tap'
import type { Blobs } from '../../../shared/blobs/blobs.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Item } from '../../../shared/contracts/item.ts'
import type { Review, ReviewedItem, Revision } from '../../../shared/contracts/review.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Collection, Doc, Store } from '../../../shared/store/store.ts'
import { characters, fakeReviewer, type Character, type Shown } from '../../../shared/testing/fake-reviewer.ts'
import { choice, descriptive, document, humid, pair } from './fixtures.ts'
import { fakePeers, folder, generationId, openHouse, worldOf, type House, type World } from './house.ts'

const [yes, no] = pair()
const all = [descriptive(), choice(), yes, no]
const byRater = { rater: { id: 'anna', role: 'expert', qualification: 'PhD' }, seconds: 5 }
const recipe = { strategy: 'model', model: 'm', confirmModel: 'n', maxRounds: 3, seed: 1 }

async function house (t: Parameters<typeof folder>[0], made: Item[] | World, character: Character) {
  const world = Array.isArray(made) ? worldOf(made) : made
  world.reply = fakeReviewer(character)
  const dir = await folder(t)
  const at = await openHouse({ dir, peersUrl: await fakePeers(t, world) })
  t.teardown(at.close)
  return { at, world, dir }
}

async function reviewed (at: House, own: object = {}) {
  const opened = await at.post('/reviewings', { source: { generationId }, recipe: { ...recipe, ...own } })
  const { id } = opened.json()
  const job = (await at.get(`/reviewings/${id}?wait=30`)).json()
  const items: ReviewedItem[] = (await at.get(`/reviewed-items?reviewingId=${id}`)).json().items
  const reviewsOf = async (itemId: string): Promise<Review[]> => (await at.get(`/items/${itemId}/reviews?limit=200`)).json().items
  const revisionsOf = async (itemId: string): Promise<Revision[]> => (await at.get(`/items/${itemId}/revisions`)).json().items
  return { id, job, items, reviewsOf, revisionsOf, opened }
}

/** Asks for better until it has been rewritten so often: the writer leaves its opening word. */
const rewrittenTimes = ({ tag }: Shown) => (`${tag('question')} ${tag('answer')}`.match(/\b(?:indeed|here|in short|overall|in fact|thus|then|notably|so|hence),/giu) ?? []).length

t.test('what is good at once is confirmed by another call, and by nobody who saw a score', async t => {
  const { at, world } = await house(t, all, characters.constant(5))
  const { job, items, reviewsOf } = await reviewed(at)
  t.match(job, { state: 'succeeded', verdictCounts: { good: 4 }, roundCounts: { 0: 4 }, rewriteCounts: {}, progress: { done: 3, total: 3 } })
  t.ok(items.every(({ eligible, revision }) => eligible && revision === 0))
  const reviews = await reviewsOf(yes.id)
  t.same(reviews.map(({ role, round, verdict }) => `${role} ${round} ${verdict}`).sort(),
    ['checks null unreviewed', 'confirmatory null good', 'round 0 good'])
  const confirmed = reviews.find(({ role }) => role === 'confirmatory')!
  t.match(confirmed, { reviewer: { type: 'model', name: 'n' }, scores: { accuracy: 5 }, reasons: { accuracy: 'About accuracy.' } })
  t.same(Object.keys(confirmed.scores!).sort(), ['accuracy', 'clarityEvidence', 'logical', 'relevance'], 'a yes has no steps')
  t.equal(confirmed.provenance!.leftOut![0], 'the image of figure f1: the model takes no images')
  const [first, second] = ['review', 'confirmatory-review'].map(purpose => world.calls.find(({ headers, body }) =>
    headers['viva-purpose'] === purpose && JSON.stringify(body).includes('rises from')))
  t.not(first!.body.seed, second!.body.seed)
  t.equal(world.calls.length, 8)
  t.ok(Array.isArray(first!.body.messages[0].content), 'the figure goes to the model that sees')
  t.type(second!.body.messages[0].content, 'string')
})

t.test('what is not good is rewritten from the reasons, and the best version stands', async t => {
  const quality = (shown: Shown) => [3, 5, 2, 2][rewrittenTimes(shown)] ?? 1
  const { at, world } = await house(t, all, characters.stochastic(quality, 0))
  const { job, items, reviewsOf, revisionsOf } = await reviewed(at)
  t.match(job, { state: 'succeeded', verdictCounts: { good: 4 }, roundCounts: { 1: 4 } })
  t.match(job.rewriteCounts, { taken: 3 })
  const own = items.find(({ item }) => item.id === all[0]!.id)!
  t.equal(own.revision, 1)
  t.match(own.item.provenance, { strategy: 'model', rule: 'rewrite', model: 'm', prompt: 'rewrite-descriptive.v1' })
  t.equal(own.item.question, all[0]!.question, 'the fixed question stays')
  const revisions = await revisionsOf(own.item.id)
  t.same(revisions.map(({ revision, author }) => [revision, author.type]), [[0, 'generation'], [1, 'model']])
  t.same(revisions[1]!.item, own.item)
  t.equal((await reviewsOf(own.item.id)).length, 4)
  const path = `/reviewings/${own.reviewingId}/items/${own.item.id}`
  const { etag } = (await at.get(path)).headers
  const edited = await at.app.inject({
    method: 'POST',
    url: `/v1/items/${own.item.id}/reviews`,
    headers: { 'if-match': String(etag) },
    payload: { ...byRater, reviewingId: own.reviewingId, decision: 'edited', edit: { answer: all[0]!.answer } }
  })
  t.equal(edited.statusCode, 201, edited.body)
  t.same((await revisionsOf(own.item.id)).map(({ revision, author }) => [revision, author.type]), [[0, 'generation'], [1, 'model'], [2, 'human']])
  t.match((await at.get(path)).json(), { revision: 2, verdict: 'unreviewed', decision: 'edited' })
  const members = items.filter(({ item }) => item.pairId !== undefined)
  t.same(members.map(({ item }) => [item.answerIndex, item.choices, item.id].join()).sort(),
    [yes, no].map(item => [item.answerIndex, item.choices, item.id].join()).sort(), 'the labels of a pair stay')
  const asked = world.calls.find(({ headers }) => headers['viva-purpose'] === 'rewrite')!
  t.match(JSON.stringify(asked.body.messages), /About accuracy/)
})

t.test('a pair is not rewritten into a false member that the paper supports elsewhere', async t => {
  const questionOf = (speed: string) => yes.question.replace('5 mm/s', speed).replace('is it true', 'is it so')
  const write = (speed: string) => () => ({
    trueQuestion: questionOf('5 mm/s'), falseQuestion: questionOf(speed), quotes: [yes.evidence[0]!.quote]
  })
  const { at, world } = await house(t, worldOf([yes, no], [humid]), { score: () => 3, write: write('4 mm/s') })
  const { job, items, reviewsOf } = await reviewed(at)
  t.same(job.rewriteCounts, { 'rejected:false-member': 3 })
  t.same(items.map(({ revision }) => revision), [0, 0])
  const comments = (await reviewsOf(no.id)).map(({ comment }) => comment)
  t.equal(comments.filter(comment => comment.includes('The paper may say so: "In humid air')).length, 3)
  const asked = world.calls.filter(({ headers }) => headers['viva-purpose'] === 'rewrite')
  t.match(JSON.stringify(asked[1]!.body), /In humid air, settling speed rises.*In humid air, settling speed rises/, 'the next writer is told')

  const other = await house(t, worldOf([yes, no], [humid]), { score: () => 3, write: write('6 mm/s') })
  t.match((await reviewed(other.at)).job.rewriteCounts, { taken: 1 })
})

t.test('it ends when nothing helps, and keeps the first of equals', async t => {
  const { at, world } = await house(t, all, characters.constant(3))
  const { job, items } = await reviewed(at)
  t.match(job, { state: 'succeeded', verdictCounts: { fair: 4 }, roundCounts: { 3: 4 } })
  t.ok(items.every(({ revision }) => revision === 0))
  t.ok(world.calls.length <= 3 * 4 + 4 * 4 + 4, `${world.calls.length} calls`)
})

t.test('a creation error is excluded at once', async t => {
  const { at, world } = await house(t, all, characters.constant(1))
  t.match((await reviewed(at)).job, { state: 'succeeded', verdictCounts: { error: 4 }, roundCounts: { 0: 4 } })
  t.equal(world.calls.length, 4)
})

t.test('reviews that cannot be counted are asked again, then said to be none', async t => {
  for (const name of ['invalid', 'malformed', 'refusing'] as const) {
    const { at, world } = await house(t, [descriptive()], characters[name])
    const { job, reviewsOf } = await reviewed(at)
    t.match(job, { state: 'succeeded', verdictCounts: { unreviewed: 1, good: 0 } }, name)
    t.equal(world.calls.length, 3)
    const review = (await reviewsOf(all[0]!.id)).find(({ role }) => role === 'round')!
    t.match(review, { scores: null, verdict: 'unreviewed', comment: /No review could be had in 3 askings/ })
    t.same(world.calls.map(({ headers }) => headers['viva-sample-index']), ['0', '1', '2'])
    t.match(JSON.stringify(world.calls[1]!.body), /could not be used/)
  }
  const once: Character = { score: () => 5, say: ({ tag }) => tag('faults').startsWith('Your earlier') ? undefined : 'No JSON.' }
  const { at } = await house(t, [descriptive()], once)
  t.match((await reviewed(at)).job, { verdictCounts: { good: 1 } })
})

t.test('what a hostile writer sends is not taken', async t => {
  const { at } = await house(t, all, { ...characters.hostile, score: () => 3 })
  const { job, items } = await reviewed(at)
  t.match(job, { state: 'succeeded', verdictCounts: { fair: 4 } })
  t.same(items.map(({ item }) => item.question).sort(), all.map(({ question }) => question).sort())
  t.notOk('taken' in job.rewriteCounts)
})

t.test('a model that cannot be asked leaves its items unreviewed, with the reason, until a retry', async t => {
  const { at, world } = await house(t, all, characters.constant(5))
  world.broken.set('inference', new Problem('upstream-refused', 'The prompt is too long.'))
  const { id, job, items, reviewsOf } = await reviewed(at)
  t.match(job, { state: 'failed', progress: { failed: 3, total: 3 }, verdictCounts: { unreviewed: 4 }, unreviewedReasons: { 'upstream-refused': 4 } })
  t.ok(items.every(({ eligible }) => eligible), 'they passed the checks')
  t.match((await reviewsOf(yes.id)).map(({ comment }) => comment).join(), /No review could be had: The prompt is too long/)
  world.broken.clear()
  await at.post(`/reviewings/${id}/retry`)
  t.match((await at.get(`/reviewings/${id}?wait=30`)).json(), { state: 'succeeded', verdictCounts: { good: 4, unreviewed: 0 }, unreviewedReasons: {} })
})

t.test('a reviewing with a budget ends short, and says of which items', async t => {
  const { at, world } = await house(t, all, characters.constant(5))
  const { job, items, reviewsOf, id } = await reviewed(at, { tokensMax: 500 })
  t.equal(world.calls.length, 5)
  t.match(job, { state: 'succeeded', recipe: { tokensMax: 500 }, progress: { failed: 0, done: 3 } })
  const { good, unreviewed } = job.verdictCounts
  t.ok(unreviewed > 0, 'eight calls would be needed')
  t.same(job.unreviewedReasons, { budget: unreviewed })
  t.equal(good + unreviewed, 4)
  const short = items.find(({ verdict }) => verdict === 'unreviewed')!
  t.match((await reviewsOf(short.item.id)).map(({ comment }) => comment).join(), /budget: recipe.tokensMax \(500\) was spent/)
  t.notOk(world.budgets.has(id), 'its budget is forgotten at the end')
  const more = await reviewed(at, { tokensMax: 5000 })
  t.match(more.job, { state: 'succeeded', verdictCounts: { good: 4, unreviewed: 0 }, unreviewedReasons: {} })
  const refused = await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'mechanical', tokensMax: 5 } })
  t.match(refused.json(), { status: 400, errors: [{ pointer: '/recipe/tokensMax' }] })
})

t.test('a repeated item costs no call, and a long answer is shortened', async t => {
  const twin = descriptive({}, 'twin')
  const answer = 'We measured 1,200 grains 𝛼 and found a drop of −3.5 % in speed.'
  const long = descriptive({
    place: 's1', question: 'Summarize the contents of this section.', answer: Array(10).fill(answer).join(' ')
  }, 'long')
  const { at, world } = await house(t, [descriptive(), twin, long], {
    score: () => 5, write: () => ({ answer })
  })
  const { job, items, reviewsOf } = await reviewed(at)
  t.match(job, { state: 'succeeded', verdictCounts: { good: 2, unreviewed: 1 }, ineligibleCount: 1, rewriteCounts: { taken: 1 } })
  t.equal(world.calls.length, 2 + 2 + 2)
  const shortened = items.find(({ item }) => item.id === long.id)!
  t.match(shortened, { verdict: 'good', revision: 1, item: { answer, longAnswer: long.answer, provenance: { rule: 'shorten' } } })
  t.match(await reviewsOf(long.id), { length: 4 }, 'checks, long, short, confirmed')
})

/** Lets `writes` writes of results through and then none, as a process that is killed there. */
function dyingAfter (writes: number) {
  const results = ['reviews', 'revisions', 'reviewed-items', 'paper-duplicates']
  let died = () => {}
  const death = new Promise<void>(resolve => { died = resolve })
  const count = () => {
    if (writes-- > 0) return
    died()
    throw new Problem('store-unavailable', 'Killed.')
  }
  const wrap = ({ store, blobs }: { store: Store, blobs: Blobs }) => ({
    blobs,
    store: {
      ...store,
      async collection<T extends Doc> (...given: Parameters<Store['collection']>) {
        const real = await store.collection<T>(...given) as Collection<T>
        if (!results.includes(given[0])) return real
        const counted = <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
          async (...given: A) => { count(); return await write(...given) }
        const { insert, insertMissing, update } = real
        const inserting = { insert: counted(insert), insertMissing: counted(insertMissing) }
        return { ...real, ...inserting, update: counted(update) }
      }
    }
  })
  return { wrap, death }
}

t.test('killed at any write and started again, it comes to the same', async t => {
  const world = worldOf([...all, descriptive({}, 'twin')])
  world.reply = fakeReviewer(characters.stochastic(() => 3.8, 0.7))
  const peersUrl = await fakePeers(t, world)
  const everything = async (at: House) => {
    const { id, items, reviewsOf, revisionsOf, job } = await reviewed(at)
    const own = []
    for (const { item } of items) own.push(await reviewsOf(item.id), await revisionsOf(item.id))
    return { id, all: canonicalJson([items, own, job.verdictCounts, job.roundCounts, job.rewriteCounts]) }
  }
  const calm = await openHouse({ dir: await folder(t), peersUrl })
  const wanted = await everything(calm)
  await calm.close()
  t.match(wanted.all, '"taken":', 'there is something to lose')

  let deaths = 0
  // Every write was tried once; a sample holds it.
  for (; ; deaths += 6) {
    const dir = await folder(t)
    const { wrap, death } = dyingAfter(deaths)
    const dying = await openHouse({ dir, peersUrl, wrap })
    await dying.post('/reviewings', { source: { generationId }, recipe })
    const ended = dying.get(`/reviewings/${wanted.id}?wait=30`).then(answer => answer.json())
    const first = await Promise.race([death.then(() => null), ended])
    await dying.close()
    if (first !== null) break
    const after = await openHouse({ dir, peersUrl })
    const found = await everything(after)
    await after.close()
    t.equal(found.all, wanted.all, `killed at write ${deaths}`)
  }
  t.ok(deaths > 12, `${deaths} writes`)
})

t.test('a recipe is resolved, and refused where it means nothing', async t => {
  const { at } = await house(t, all, characters.constant(5))
  const refused = await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'mechanical', model: 'm', seed: 2 } })
  t.match(refused.json(), { status: 400, errors: [{ pointer: '/recipe/model' }, { pointer: '/recipe/seed' }] })
  t.match((await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'model' } })).json(), { status: 400 })
  t.match((await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'model', model: 'x' } })).json(), { status: 404, detail: /There is m, n/ })
  const one = await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'model', model: 'm' } })
  const same = await at.post('/reviewings', { source: { generationId }, recipe: { strategy: 'model', model: 'm', maxRounds: 3, sampling: { temperature: 0.7 } } })
  t.equal(one.json().id, same.json().id)
  t.match(one.json().recipe, { confirmModel: 'm', contextTokens: 8192, sampling: { topK: 50 } })
  t.ok(document)
})

t.test('a prompt fits the model as its tokenizer counts, and says what it was filled by', async t => {
  const long = descriptive({ place: 's1', figureIds: [] })
  const words = 'A value of 0.125 was read at 17.5 mg, 3.25 mg and 9.75 mg. '.repeat(300)
  const wordy = { ...document, sections: document.sections.map(section => ({ ...section, paragraphs: section.paragraphs.map(each => ({ ...each, text: `${each.text} ${words}` })) })) }
  const most = (calls: Array<{ body: Record<string, any> }>) =>
    Math.max(...calls.map(({ body }) => Buffer.byteLength(JSON.stringify(body.messages))))
  const ask = async (bytesPerToken: number | null) => {
    const world = worldOf([long], [wordy])
    world.reply = fakeReviewer(characters.constant(5))
    world.bytesPerToken = bytesPerToken
    const at = await openHouse({ dir: await folder(t), peersUrl: await fakePeers(t, world) })
    t.teardown(at.close)
    const { job, reviewsOf } = await reviewed(at, { contextTokens: 4096, sampling: { maxTokens: 512 } })
    t.equal(job.state, 'succeeded')
    const review = (await reviewsOf(long.id)).find(({ role }) => role === 'confirmatory')!
    return { world, provenance: review.provenance! }
  }
  const uncounted = await ask(null)
  t.equal(uncounted.provenance.bytesPerToken, undefined)
  t.ok(most(uncounted.world.calls) > 11_000, 'filled by 4 bytes a token')
  t.ok(most(uncounted.world.calls) < (4096 - 512) * 4, 'with a reserve')
  const dense = await ask(2)
  t.ok(dense.provenance.bytesPerToken! < 2.1, 'as counted')
  t.ok(most(dense.world.calls) < (4096 - 512) * 2, 'within the context as the model counts')
  t.ok(most(dense.world.calls) > 4_500, 'and not much less')
  t.match(dense.provenance.leftOut!.join(), /characters of paragraph/)
})
