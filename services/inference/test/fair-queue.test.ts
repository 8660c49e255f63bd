import t from 'tap'
import { seededRandom, type Random } from '../../../shared/testing/random.ts'
import type { Band } from '../domain/call.ts'
import { drainRate, retryAfterSeconds } from '../domain/drain-rate.ts'
import { fairQueue, type FairQueue, type Ticket } from '../domain/fair-queue.ts'
import { indexedHeap } from '../domain/indexed-heap.ts'
import { turns } from '../domain/turns.ts'

interface Offered { id: number, caller: string, group: string, band: Band, tokens: number, bytes: number }

const wide = () => ({ countMax: 1e6, bytesMax: 1e12, count: 0, bytes: 0 })

function offered (id: number, given: Partial<Offered> = {}): Offered {
  return { id, caller: 'c', group: 'g', band: 1, tokens: 10, bytes: 1, ...given }
}

/** As an upstream with one slot would take them. */
function taking (queues: ReadonlyArray<FairQueue<Offered>>): () => Offered | undefined {
  const turn = turns()
  return () => {
    const next = turn.next(queues)
    if (next === undefined) return undefined
    const taken = next.queue.take(next.band) as Offered
    turn.served(queues, next.queue, taken)
    return taken
  }
}

t.test('a heap gives back what was put in, in order, whatever left or moved in between', async t => {
  for (let seed = 0; seed < 200; seed++) {
    const random = seededRandom(seed)
    const heap = indexedHeap<{ place: number, key: number }>((a, b) => a.key < b.key)
    const inside = new Set<{ place: number, key: number }>()
    for (let step = 0; step < 60; step++) {
      const some = [...inside][random.whole(0, inside.size - 1)]
      if (some === undefined || random.chance(0.5)) {
        const fresh = { place: -1, key: random.whole(0, 20) }
        heap.add(fresh)
        inside.add(fresh)
      } else if (random.chance(0.5)) {
        heap.remove(some)
        heap.remove(some)
        inside.delete(some)
      } else {
        some.key = random.whole(0, 20)
        heap.moved(some)
      }
      const least = Math.min(...Array.from(inside, ({ key }) => key))
      if (heap.size !== inside.size || (heap.first()?.key ?? Infinity) !== least) t.fail(`seed ${seed}, step ${step}`)
    }
  }
})

t.test('everything offered is taken once, removed once or refused, in the order of its group', async t => {
  for (let seed = 0; seed < 100; seed++) t.equal(historyOf(seededRandom(seed)), '', `seed ${seed}`)
})

/** Offers, takes and removals at random against plain lists; what went wrong, if anything. */
function historyOf (random: Random): string {
  const room = { countMax: random.whole(1, 30), bytesMax: random.whole(10, 300), count: 0, bytes: 0 }
  const queues = [fairQueue<Offered>(room), fairQueue<Offered>(room)]
  const take = taking(queues)
  const waiting = new Map<number, { ticket: Ticket<Offered>, queue: number }>()
  for (let id = 0; id < 200; id++) {
    const kind = random.next()
    if (kind < 0.55) {
      const queue = random.whole(0, 1)
      const offer = offered(id, {
        caller: `c${random.whole(0, 3)}`,
        group: `g${random.whole(0, 2)}`,
        band: random.pick([0, 1, 2]),
        tokens: random.whole(0, 1000),
        bytes: random.whole(0, 40)
      })
      const ticket = queues[queue]?.offer(offer) ?? null
      if (ticket !== null) waiting.set(id, { ticket, queue })
      else if (room.count === 0 && offer.bytes <= room.bytesMax) return 'refused though nothing waits'
    } else if (kind < 0.85) {
      const taken = take()
      if (taken === undefined) {
        if (waiting.size > 0) return 'nothing to take though some wait'
        continue
      }
      const from = waiting.get(taken.id)?.queue
      if (from === undefined) return `${taken.id} was taken, and does not wait`
      waiting.delete(taken.id)
      const lineOf = ({ caller, group, band }: Offered) => `${caller} ${group} ${band}`
      const earlier = [...waiting.values()].find(({ queue, ticket: { offer } }) =>
        queue === from && offer.id < taken.id && lineOf(offer) === lineOf(taken))
      if (earlier !== undefined) return `${taken.id} overtook ${earlier.ticket.offer.id}`
    } else {
      const some = random.pick([...waiting.values()])
      if (some === undefined) continue
      const queue = queues[some.queue] as FairQueue<Offered>
      if (!queue.remove(some.ticket) || queue.remove(some.ticket)) return 'removed not just once'
      waiting.delete(some.ticket.offer.id)
    }
    const left = [...waiting.values()].map(({ ticket }) => ticket.offer)
    const bytes = left.reduce((sum, offer) => sum + offer.bytes, 0)
    if (room.count !== left.length || room.bytes !== bytes) return 'the room is not what waits'
    if (room.count > room.countMax || room.bytes > room.bytesMax) return 'more waits than there is room'
    for (const band of [0, 1, 2] as const) {
      const counted = queues.reduce((sum, queue) => sum + queue.waiting[band], 0)
      if (counted !== left.filter(offer => offer.band === band).length) return 'a band is miscounted'
    }
  }
  while (take() !== undefined) waiting.delete(-1)
  return room.count === 0 && room.bytes === 0 ? '' : 'some were left'
}

t.test('callers who wait all the while get the same tokens, within one request of each', async t => {
  for (let seed = 0; seed < 10; seed++) {
    const random = seededRandom(seed)
    const queue = fairQueue<Offered>(wide())
    const sizes = new Map([['small', 10], ['large', 3000], ['mixed', 900]])
    for (let id = 0; id < 3000; id++) {
      for (const [caller, size] of sizes) {
        queue.offer(offered(id, { caller, group: `g${random.whole(0, 5)}`, tokens: random.whole(1, size) }))
      }
    }
    const served = new Map([...sizes.keys()].map(caller => [caller, 0]))
    for (let step = 0; step < 2500; step++) {
      const taken = queue.take(1) as Offered
      served.set(taken.caller, (served.get(taken.caller) ?? 0) + taken.tokens)
      const spread = Math.max(...served.values()) - Math.min(...served.values())
      if (spread > 3000 + 900) t.fail(`seed ${seed}: ${spread} tokens apart after ${step}`)
    }
  }
})

t.test('groups of one caller share what the caller gets, and no more', async t => {
  const queue = fairQueue<Offered>(wide())
  for (let id = 0; id < 1000; id++) {
    for (const group of ['a', 'b', 'c', 'd']) queue.offer(offered(id, { caller: 'four', group }))
    queue.offer(offered(id, { caller: 'one', group: 'a' }))
  }
  const counts = new Map<string, number>()
  for (let step = 0; step < 800; step++) {
    const { caller, group } = queue.take(1) as Offered
    counts.set(caller + group, (counts.get(caller + group) ?? 0) + 1)
  }
  t.strictSame([...counts].sort(), [['foura', 100], ['fourb', 100], ['fourc', 100], ['fourd', 100], ['onea', 400]])
})

t.test('one who asks now and then does not get more than one who waits all the while', async t => {
  const queue = fairQueue<Offered>(wide())
  for (let id = 0; id < 5000; id++) queue.offer(offered(id, { caller: 'batch', tokens: 100 }))
  let own = 0
  let all = 0
  queue.offer(offered(-1, { caller: 'single', tokens: 5000 }))
  for (let step = 0; step < 2000; step++) {
    const { caller, tokens } = queue.take(1) as Offered
    all += tokens
    if (caller !== 'single') continue
    own += tokens
    // Comes back at once, and has had its share.
    queue.offer(offered(-1, { caller: 'single', tokens: 5000 }))
  }
  t.ok(Math.abs(own - all / 2) <= 5000, `${own} of ${all}`)
})

t.test('a newcomer is next but for one request of each other caller', async t => {
  const queue = fairQueue<Offered>(wide())
  for (let id = 0; id < 10_000; id++) queue.offer(offered(id, { caller: `batch${id % 3}`, tokens: 500 }))
  for (let step = 0; step < 1000; step++) queue.take(1)
  queue.offer(offered(-1, { caller: 'notebook' }))
  const next = [1, 2, 3, 4].map(() => queue.take(1)?.id)
  t.ok(next.includes(-1), String(next))
})

t.test('lower bands get their share and no more, whatever presses from above', async t => {
  for (const seed of [1, 2, 3]) {
    const random = seededRandom(seed)
    const queue = fairQueue<Offered>(wide())
    for (let id = 0; id < 30_000; id++) {
      queue.offer(offered(id, { band: (id % 3) as Band, tokens: random.whole(1, 4000) }))
    }
    const take = taking([queue])
    const served = [0, 0, 0]
    for (let step = 0; step < 9000; step++) {
      const { band, tokens } = take() as Offered
      served[band] = (served[band] ?? 0) + tokens
    }
    const all = served.reduce((sum, tokens) => sum + tokens)
    const apart = [0.75, 0.2, 0.05].map((share, band) => Math.abs((served[band] ?? 0) / all - share))
    t.ok(Math.max(...apart) < 0.005, String(apart))
  }
})

t.test('two queues of one upstream share it by tokens', async t => {
  const room = wide()
  const queues = [fairQueue<Offered>(room), fairQueue<Offered>(room)] as const
  for (let id = 0; id < 4000; id++) {
    queues[0].offer(offered(id, { caller: 'a', tokens: 1000 }))
    queues[1].offer(offered(id, { caller: 'b', tokens: 100 }))
  }
  const take = taking(queues)
  const served = { a: 0, b: 0 }
  for (let step = 0; step < 3000; step++) {
    const { caller, tokens } = take() as Offered
    served[caller as 'a' | 'b'] += tokens
  }
  t.ok(Math.abs(served.a - served.b) <= 1000, JSON.stringify(served))
})

t.test('an upstream may prefer another of the group, but nobody is overtaken by many', async t => {
  const random = seededRandom(7)
  const queue = fairQueue<Offered>(wide())
  for (let id = 0; id < 2000; id++) queue.offer(offered(id))
  t.equal(queue.take(1, ({ id }) => id === 40)?.id, 40)
  t.equal(queue.take(1, ({ id }) => id === 300)?.id, 0, 'too far behind')
  const waiting = new Set(Array.from({ length: 2000 }, (_, id) => id).filter(id => id !== 40 && id !== 0))
  const overtaken = new Map<number, number>()
  for (let step = 0; step < 1000; step++) {
    // Now and then the first of the group, and mostly one far behind.
    const taken = queue.take(1, () => random.chance(0.005))?.id as number
    waiting.delete(taken)
    for (const id of waiting) {
      if (id >= taken) break
      overtaken.set(id, (overtaken.get(id) ?? 0) + 1)
    }
  }
  t.ok(Math.max(...overtaken.values()) <= 256)
  t.ok(overtaken.size > 0)
})

t.test('one caller cannot fill the queue for others, however it tries, by count or by bytes', async t => {
  for (const bytes of [0, 1000]) {
    const room = { countMax: 1000, bytesMax: 500_000, count: 0, bytes: 0 }
    const queue = fairQueue<Offered>(room)
    const got = (caller: string) => {
      let count = 0
      for (let id = 0; id < 2000; id++) if (queue.offer(offered(id, { caller, bytes })) !== null) count++
      return count
    }
    const all = bytes === 0 ? 1000 : 500
    t.equal(got('flood'), all / 2)
    t.equal(got('second'), all / 4)
    t.equal(got('flood'), 0)
    for (let caller = 0; caller < 5; caller++) t.ok(got(`late${caller}`) > 0, `caller ${caller} finds room`)
  }
  const room = { countMax: 10, bytesMax: 1000, count: 0, bytes: 0 }
  t.ok(fairQueue(room).offer(offered(0, { bytes: 1000 })), 'a single large one fits where nothing waits')
  t.notOk(fairQueue(room).offer(offered(1, { bytes: 1 })))
})

t.test('Retry-After follows the rate at which the queue empties', async t => {
  const rate = drainRate()
  t.equal(rate.perSecond(0), null)
  t.equal(retryAfterSeconds(100, null), 5)
  for (let now = 0; now <= 60_000; now += 100) rate.left(now)
  t.ok(Math.abs((rate.perSecond(60_000) ?? 0) - 10) < 0.2, String(rate.perSecond(60_000)))
  t.equal(retryAfterSeconds(1000, 10), 10)
  t.equal(retryAfterSeconds(1, 10), 1)
  t.equal(retryAfterSeconds(100_000, 10), 60)
  t.equal(retryAfterSeconds(5, 0), 60)
  const young = drainRate()
  for (let now = 0; now < 2000; now += 100) young.left(now)
  t.ok(Math.abs((young.perSecond(2000) ?? 0) - 10) < 1.5, 'right from the start')
  t.ok((rate.perSecond(120_000) ?? 1) < 0.1, 'and forgets')
})

t.test('an operation costs microseconds with 50,000 waiting', async t => {
  const queue = fairQueue<Offered>(wide())
  const tickets: Array<Ticket<Offered> | null> = []
  const take = taking([queue])
  const each = (count: number, what: (id: number) => void) => {
    const begun = process.cpuUsage()
    for (let id = 0; id < count; id++) what(id)
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / count
  }
  const offer = each(50_000, id => tickets.push(queue.offer(offered(id, {
    caller: `c${id % 500}`, group: `g${id % 7}`, band: (id % 3) as Band
  }))))
  const remove = each(10_000, id => { queue.remove(tickets[id * 5] as Ticket<Offered>) })
  const took = each(30_000, () => { take() })
  t.comment(`µs: offer ${offer.toFixed(2)}, remove ${remove.toFixed(2)}, take ${took.toFixed(2)}`)
  t.ok(Math.max(offer, remove, took) < 50, 'ten times what is measured on a quiet machine')
})
