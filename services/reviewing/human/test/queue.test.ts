import t from 'tap'
import { idOf } from '../../../../shared/contracts/hash.ts'
import type { QueueEntry } from '../../../../shared/contracts/human-review.ts'
import { choice, descriptive, pair } from '../../test/fixtures.ts'
import { fakePeers, folder, generationId, openHouse, worldOf, type House } from '../../test/house.ts'
import { leaseWatch } from '../domain/lease-watch.ts'
import { candidatesFor, isDouble, mayTake, ratersFor, setsOf, type Candidate } from '../domain/queue.ts'

const items = [descriptive(), choice(), ...pair()]
const rater = (id: string, role = 'expert') => ({ id, role, qualification: 'PhD' })

async function opened (t: Parameters<typeof folder>[0]) {
  const dir = await folder(t)
  const peersUrl = await fakePeers(t, worldOf(items))
  const at = await openHouse({ dir, peersUrl })
  t.teardown(at.close)
  const { id } = (await at.post('/reviewings', { source: { generationId } })).json()
  await at.get(`/reviewings/${id}?wait=20`)
  return { at, dir, peersUrl, id: id as string }
}

async function queue (at: House, id: string, query: string): Promise<QueueEntry[]> {
  const answer = await at.get(`/review-queue?reviewingId=${id}&${query}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().entries
}
const idsOf = (entries: QueueEntry[]) => entries.map(({ item }) => item.id)

async function accept (at: House, entry: QueueEntry, raterId: string) {
  return await at.app.inject({
    method: 'POST',
    url: `/v1/items/${entry.item.id}/reviews`,
    headers: { 'if-match': entry.etag },
    payload: { reviewingId: entry.reviewingId, rater: rater(raterId), decision: 'accepted', seconds: 12 }
  })
}

t.test('the review queue', async t => {
  const { at, dir, peersUrl, id } = await opened(t)

  await t.test('gives each item to one rater at a time, in the order of the seed', async t => {
    const [a, b] = await Promise.all([queue(at, id, 'raterId=anna&limit=2'), queue(at, id, 'raterId=ben&limit=2')])
    t.same([a.length, b.length], [2, 2])
    t.same([...idsOf(a), ...idsOf(b)].sort(), items.map(item => item.id).sort(), 'nobody has what the other has')
    t.same(idsOf(await queue(at, id, 'raterId=anna&limit=2')), idsOf(a), 'who asks again gets the same')
    t.same(await queue(at, id, 'raterId=cleo&limit=4'), [], 'a third finds nothing free')
  })

  await t.test('shows nothing of verdict, origin and reviews where it is blind, and all where it is not', async t => {
    const [blind] = await queue(at, id, 'raterId=anna')
    t.match(blind, { blind: true, verdict: null, decision: null, reviews: [], etag: /^"item-/ })
    t.notOk('provenance' in blind!.item)
    const [open] = await queue(at, id, 'raterId=anna&blind=false')
    t.match(open, { blind: false, verdict: 'unreviewed', etag: /^"state-/, reviews: [{ role: 'checks' }], item: { provenance: {} } })
  })

  await t.test('keeps leases over a restart, and what is reviewed does not come again', async t => {
    const [mine] = await queue(at, id, 'raterId=anna')
    t.equal((await accept(at, mine!, 'anna')).statusCode, 201)
    const other = await openHouse({ dir, peersUrl })
    t.teardown(other.close)
    t.same(await queue(other, id, 'raterId=cleo&limit=4'), [], 'another process finds them held')
    const left = await queue(other, id, 'raterId=anna&limit=4')
    t.equal(left.length, 1)
    t.notOk(idsOf(left).includes(mine!.item.id))
    const { progress } = (await at.get(`/review-queue?reviewingId=${id}&raterId=anna`)).json()
    t.same(progress, { items: 4, yours: 1, reviewed: 1 })
  })

  await t.test('gives out again what was not reviewed within the lease', async t => {
    const [held] = await queue(at, id, 'raterId=ben&limit=1&leaseSeconds=1')
    let taken: QueueEntry[] = []
    for (const end = performance.now() + 10_000; taken.length === 0 && performance.now() < end;) {
      taken = await queue(at, id, 'raterId=dora&limit=4')
    }
    t.same(idsOf(taken), [held!.item.id])
    t.equal((await accept(at, held!, 'ben')).statusCode, 201, 'late is not lost')
  })

  await t.test('gives an item to two raters, never three, where two are wanted', async t => {
    const { at, id } = await opened(t)
    const all = await Promise.all(['anna', 'ben', 'cleo'].map(async name =>
      idsOf(await queue(at, id, `raterId=${name}&limit=4&doubleShare=1`))))
    const counts = items.map(item => all.filter(ids => ids.includes(item.id)).length)
    t.same(counts, [2, 2, 2, 2])
    t.equal(new Set(all[0]).size, all[0]!.length, 'and to none of them twice')
  })

  await t.test('is one queue for processes that share a store, however they race', async t => {
    const { at, dir, peersUrl, id } = await opened(t)
    const other = await openHouse({ dir, peersUrl })
    t.teardown(other.close)
    const names = ['anna', 'ben', 'cleo', 'dora', 'erik', 'fay']
    const taken = await Promise.all(names.map(async (name, i) =>
      idsOf(await queue(i % 2 === 0 ? at : other, id, `raterId=${name}&limit=3`))))
    t.same(taken.flat().sort(), items.map(item => item.id).sort(), 'each item once')
    const again = await Promise.all([at, other].map(async house => idsOf(await queue(house, id, 'raterId=gil&limit=4&doubleShare=1'))))
    t.same(again[0]!.sort(), again[1]!.sort(), 'one rater in two tabs holds the same')
  })

  await t.test('says what is wrong with a query', async t => {
    const unknown = await at.get(`/review-queue?reviewingId=${idOf('reviewing', 'none')}&raterId=anna`)
    t.match([unknown.statusCode, unknown.json().type], [404, '/problems/reviewing-not-found'])
    const both = await at.get(`/review-queue?reviewingId=${id}&raterId=anna&blind=true&disputed=true`)
    t.match([both.statusCode, both.json().errors], [400, [{ pointer: '/querystring/blind' }]])
    t.equal((await at.get(`/review-queue?reviewingId=${id}&raterId=__proto__`)).statusCode, 400)
  })
})

t.test('assignment', async t => {
  const all = Array.from({ length: 400 }, (_, i): Candidate => (
    { itemId: idOf('item', i), kind: i % 2 === 0 ? 'qa' : 'binary', verdict: 'good', eligible: i % 4 > 0, disputed: false, flagged: i % 40 === 0 }))
  const query = { raterId: 'anna', seed: 1, doubleShare: 0.25, raters: ['anna', 'ben', 'cleo'], disputed: false }

  t.test('gives about the share asked for to two raters, and keeps those when the share grows', async t => {
    const double = all.filter(({ itemId }) => isDouble(itemId, query))
    t.ok(Math.abs(double.length - 100) < 30, `${double.length} of 400`)
    t.ok(double.every(({ itemId }) => isDouble(itemId, { seed: 1, doubleShare: 0.5 })))
  })

  t.test('has what a curation left to people before all else, in the order of the seed', async t => {
    const ordered = candidatesFor(all, { ...query, raters: [] })
    t.same(ordered.map(({ flagged }) => flagged), [...Array(10).fill(true), ...Array(390).fill(false)])
    const other = candidatesFor(all, { ...query, raters: [], seed: 2 })
    const firstOf = (some: readonly Candidate[]) => some.slice(0, 10).map(({ itemId }) => itemId).join()
    t.not(firstOf(other), firstOf(ordered))
  })

  t.test('divides the items among the raters named, in whatever order they are named', async t => {
    const shares = query.raters.map(raterId => candidatesFor(all, { ...query, raterId }).length)
    const double = all.filter(({ itemId }) => isDouble(itemId, query)).length
    t.equal(shares.reduce((sum, share) => sum + share, 0), 400 + double)
    t.ok(shares.every(share => share > 100), shares.join(' '))
    t.same(ratersFor('x', query), ratersFor('x', { ...query, raters: ['cleo', 'ben', 'anna'] }))
  })

  t.test('orders by seed, whatever the order of what there is, and filters', async t => {
    const one = candidatesFor(all, query)
    t.same(candidatesFor([...all].reverse(), query), one)
    const first = (seed: number) => candidatesFor(all, { ...query, seed, raters: [] }).slice(0, 5)
    t.notSame(first(2), first(1))
    t.equal(candidatesFor(all, { ...query, raters: [], kind: 'binary', eligible: true }).length, 200)
  })

  t.test('seats are free for a rater who has not reviewed, as long as others leave one', async t => {
    const lease = { beat: 1, ms: 1, blind: true, itemHash: '' }
    t.ok(mayTake({ leases: { anna: lease }, done: {} }, { raterId: 'anna', seats: 1 }))
    t.notOk(mayTake({ leases: { ben: lease }, done: {} }, { raterId: 'anna', seats: 1 }))
    t.ok(mayTake({ leases: { ben: lease }, done: {} }, { raterId: 'anna', seats: 2 }))
    t.notOk(mayTake({ leases: { ben: lease }, done: { cleo: true } }, { raterId: 'anna', seats: 2 }))
    t.notOk(mayTake({ leases: {}, done: { anna: true } }, { raterId: 'anna', seats: 2 }))
  })

  t.test('sets are disjoint and even', async t => {
    const sets = setsOf(all.map(({ itemId }) => itemId), { sets: 5, size: 20, seed: 1 })
    t.same(sets.map(set => set.length), [20, 20, 20, 20, 20])
    t.equal(new Set(sets.flat()).size, 100)
    t.same(setsOf(['a', 'b', 'c'], { sets: 5, size: 20, seed: 1 }).map(set => set.length), [3], 'a set of one is none')
  })
})

t.test('a lease runs out when its beat stands still for its time, on the clock of who looks', async t => {
  let now = 0
  const watch = leaseWatch(() => now)
  const lease = { beat: 1, ms: 1000, blind: true, itemHash: '' }
  t.ok(watch.live('x', 'anna', lease), 'seen for the first time')
  now = 999
  t.ok(watch.live('x', 'anna', lease))
  now = 1000
  t.notOk(watch.live('x', 'anna', lease))
  t.ok(watch.live('x', 'anna', { ...lease, beat: 2 }), 'renewed')
  watch.keepOnly(new Map())
  now = 5000
  t.ok(watch.live('x', 'anna', { ...lease, beat: 2 }), 'forgotten, and seen anew')
})
