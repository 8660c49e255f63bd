import t from 'tap'
import type { HumanReview } from '../../../../shared/contracts/human-review.ts'
import type { Page } from '../../../../shared/contracts/page.ts'
import type { Review } from '../../../../shared/contracts/review.ts'
import { characters, fakeReviewer } from '../../../../shared/testing/fake-reviewer.ts'
import { inOrderOfEvents, type KeptReview } from '../../domain/review-order.ts'
import { descriptive } from '../../test/fixtures.ts'
import { fakePeers, folder, generationId, openHouse, worldOf } from '../../test/house.ts'

type Own = Partial<Review> & { reviewingId?: string }
const kept = (id: string, role: string, { reviewingId, ...own }: Own = {}): KeptReview => (
  { value: { id, role, round: null, comment: '', ...own } as Review, ...reviewingId !== undefined && { reviewingId } })

t.test('reviews are in the order of events, in whatever order they were kept', async t => {
  const [inA, inB] = [{ reviewingId: 'a' }, { reviewingId: 'b' }]
  const inOrder = [
    kept('r9', 'checks'),
    kept('r3', 'checks', inA), kept('r8', 'round', { ...inA, comment: 'No review could be had: 503' }),
    kept('r7', 'round', { ...inA, round: 0 }), kept('r1', 'round', { ...inA, round: 1 }),
    kept('r0', 'round', { ...inA, round: 10 }), kept('r4', 'confirmatory', inA),
    kept('r6', 'checks', inB), kept('r2', 'round', { ...inB, round: 0 }),
    kept('r5', 'round', { ...inB, comment: 'budget: all spent' }),
    kept('h9', 'human', { reviewingId: 'c' }), kept('h1', 'human'), kept('h5', 'human')
  ]
  const ids = inOrder.map(({ value }) => value.id)
  const byId = [...inOrder].sort((a, b) => a.value.id < b.value.id ? -1 : 1)
  for (const some of [byId, [...byId].reverse()]) {
    t.same(inOrderOfEvents(some, ['h9', 'h1']).map(({ value }) => value.id), ids)
  }
})

t.test('the list of an item is paged in the order of events, also while people go on reviewing', async t => {
  const item = descriptive()
  const world = worldOf([item])
  world.reply = fakeReviewer(characters.constant(3))
  const at = await openHouse({ dir: await folder(t), peersUrl: await fakePeers(t, world) })
  t.teardown(at.close)
  const recipe = { strategy: 'model', model: 'm', confirmModel: 'n', maxRounds: 3, seed: 1 }
  const { id: reviewingId } = (await at.post('/reviewings', { source: { generationId }, recipe })).json()
  await at.get(`/reviewings/${reviewingId}?wait=30`)
  const path = `/items/${item.id}/reviews`
  const say = async (raterId: string) => {
    const { etag } = (await at.get(`/reviewings/${reviewingId}/items/${item.id}`)).headers
    const payload = { reviewingId, rater: { id: raterId, role: 'expert', qualification: '' }, seconds: 5, decision: 'accepted' }
    t.equal((await at.app.inject({ method: 'POST', url: `/v1${path}`, headers: { 'if-match': String(etag) }, payload })).statusCode, 201)
  }
  const raters = ['zoe', 'anna', 'mia', 'ben', 'olga', 'cleo']
  for (const raterId of raters.slice(0, 4)) await say(raterId)

  const pageFrom = async (cursor: string): Promise<Page<HumanReview | Review>> =>
    (await at.get(`${path}?limit=2${cursor}`)).json()
  const seen: Array<HumanReview | Review> = []
  for (let cursor = '', pages = 0; pages < 12; pages++) {
    const { items, nextCursor } = await pageFrom(cursor)
    seen.push(...items)
    const late = raters[4 + pages]
    if (late !== undefined) await say(late)
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  t.same(seen.map(review => 'human' in review ? review.human.rater.id : `${review.role} ${review.round}`),
    ['checks null', 'round 0', 'round 1', 'round 2', 'round 3', 'confirmatory null', ...raters])
  t.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
  const other = `rev_${'0'.repeat(32)}`
  for (const cursor of [other, '../x']) {
    t.match((await at.get(`${path}?cursor=${cursor}`)).json(), { type: /invalid-cursor$/, status: 400 })
  }
})
