import t from 'tap'
import { adaptiveLimit, type AdaptiveLimit } from '../domain/adaptive-limit.ts'
import { breaker } from '../domain/breaker.ts'
import { retryBudget } from '../domain/retry-budget.ts'
import { backoffMs } from '../domain/retry.ts'
import { answered, givenDispatcher, left, whereOf } from './given-dispatcher.ts'

t.test('a breaker opens on faults in a row only, and one probe at a time finds out whether it may close', async t => {
  const one = breaker()
  const at = (now: number) => ({ now, random: 0 })
  for (let fault = 0; fault < 4; fault++) one.end('fault', false, at(0))
  one.end('alive', false, at(0))
  for (let fault = 0; fault < 4; fault++) one.end('fault', false, at(0))
  for (let none = 0; none < 50; none++) one.end('none', false, at(0))
  t.equal(one.state, 'closed')
  one.end('fault', false, at(1000))
  t.equal(one.state, 'open')
  // With no luck in the draw, half the backoff of a second.
  t.strictSame([one.allows(1499), one.allows(1500)], [false, true])
  t.equal(one.begin(), true)
  t.strictSame([one.state, one.allows(9000), one.allowsLastResort(9000)], ['probing', false, false])
  for (let fault = 0; fault < 300; fault++) one.end('fault', false, at(1600))
  t.equal(one.probeAt, 1500, 'calls sent before it opened do not prolong it')
  one.end('none', true, at(1600))
  t.equal(one.allows(1600), true, 'a probe whose caller left makes room for another')
  one.begin()
  one.end('fault', true, at(2000))
  t.strictSame([one.allows(2999), one.allows(3000), one.allowsLastResort(2500)], [false, true, true])
  for (let opening = 0; opening < 20; opening++) {
    one.begin()
    one.end('fault', true, { now: 0, random: 0.999 })
  }
  t.ok(one.probeAt <= 30_000 && one.lastResortAt <= 1000)
  one.begin()
  one.end('alive', true, at(0))
  t.strictSame([one.state, one.allows(0), one.begin()], ['closed', true, false])
})

t.test('retries are a tenth of the calls and a few besides, whatever fails', async t => {
  const budget = retryBudget()
  let taken = 0
  while (budget.tryTake(0)) taken++
  t.equal(taken, 10, 'a quiet process may retry a few times')
  for (let call = 0; call < 500; call++) {
    budget.called()
    if (budget.tryTake(0)) taken++
  }
  t.ok(Math.abs(taken - 60) <= 1, String(taken))
  for (let call = 0; call < 100_000; call++) budget.called()
  taken = 0
  while (budget.tryTake(0)) taken++
  t.ok(taken >= 99 && taken <= 101, 'savings are bounded')
  t.equal(budget.tryTake(500), false)
  t.equal(budget.tryTake(1000), true)
  t.equal(budget.tryTake(1000), false)
})

t.test('the wait before a retry is anything from nothing to a bound that doubles', async t => {
  t.equal(backoffMs(1, 0), 0)
  t.equal(backoffMs(1, 0.5), 50)
  t.equal(backoffMs(3, 0.5), 200)
  t.equal(backoffMs(100, 0.5), 2500)
})

/** Rounds of calls on an engine that works on `capacity` at once and lets the rest wait. */
function rounds (
  limit: AdaptiveLimit, count: number,
  { capacity, gauges, now }: { capacity: number, gauges: boolean, now: number }
): number {
  for (let round = 0; round < count; round++) {
    const sent = limit.value
    now += 1000
    for (let call = 1; call <= sent; call++) limit.begun(call)
    if (gauges) {
      const running = Math.min(sent, capacity)
      limit.scraped({ running, waiting: sent - running, kvUsage: null, at: now })
    }
    for (let call = 0; call < sent; call++) limit.answered(100 * Math.max(1, sent / capacity), 'stream', now)
  }
  return now
}

t.test('the limit finds what an engine works on at once: by its gauges, or by how late first bytes come', async t => {
  for (const gauges of [true, false]) {
    for (const capacity of [4, 40, 256]) {
      const limit = adaptiveLimit()
      let now = rounds(limit, 60, { capacity, gauges, now: 0 })
      const values: number[] = []
      for (let later = 0; later < 40; later++) {
        now = rounds(limit, 1, { capacity, gauges, now })
        values.push(limit.value)
      }
      const mean = values.reduce((sum, value) => sum + value) / values.length
      t.comment(`gauges ${gauges}, capacity ${capacity}: ${Math.min(...values)} to ${Math.max(...values)}`)
      t.ok(mean >= 0.8 * capacity, `${mean} use the engine`)
      t.ok(mean <= (gauges ? 1.35 : 5) * capacity + 3, `${mean} do not drown it`)
    }
  }
})

t.test('busy answers cut the limit once for a burst, and unused slots do not raise it', async t => {
  const limit = adaptiveLimit()
  t.equal(limit.value, 4)
  for (let call = 0; call < 16; call++) limit.busy(100, 200)
  t.equal(limit.value, 2)
  limit.busy(300, 400)
  t.equal(limit.value, 1)
  for (let cut = 0; cut < 50; cut++) limit.busy(1000 + cut, 1000 + cut)
  t.equal(limit.value, 1)
  const idle = adaptiveLimit()
  for (let call = 0; call < 500; call++) {
    idle.begun(3)
    idle.answered(100, 'stream', call)
  }
  t.equal(idle.value, 4)
})

t.test('whole replies beside streams do not look like late first bytes', async t => {
  const limit = adaptiveLimit()
  // Of an engine that tells nothing: only times say how busy it is.
  for (let call = 0, now = 0; call < 4000; call++) {
    for (let begun = 1; begun <= limit.value; begun++) limit.begun(begun)
    // Streams for a while, whole replies for a while, and both.
    const isWhole = call % 1000 < 400 ? false : call % 1000 < 600 ? call % 2 === 0 : true
    now += 10
    if (isWhole) limit.answered(30_000, '/v1/chat/completions', now)
    else limit.answered(100, 'stream', now)
  }
  t.ok(limit.value > 100, String(limit.value))
})

t.test('callers who give up at a server that hangs are soon sent elsewhere, and it is probed; those who merely leave change nothing', async t => {
  for (const hangs of [true, false]) {
    const given = givenDispatcher({ upstreams: [{ name: 'a', slots: 9 }, { name: 'b', slots: 9 }] })
    const sent = { a: 0, b: 0 }
    for (let call = 0; call < 400; call++) {
      const asked = given.ask()
      await given.settle()
      const name = whereOf(asked) as 'a' | 'b'
      if (call >= 20) sent[name]++
      // They wait for 600 ms where 100 is usual, or leave at once.
      await given.pass(name === 'a' && call >= 20 && hangs ? 600 : 100)
      if (name === 'a' && call >= 20) asked.lease?.release(left)
      else asked.lease?.release(answered)
    }
    if (hangs) {
      t.ok(sent.a < 20, `${sent.a} of 380 were lost`)
      t.ok(sent.a > 4, 'and it goes on being tried')
    } else t.strictSame(sent, { a: 190, b: 190 })
    t.equal(given.faulted.length > 0, hangs)
    t.match(given.observe().upstreams, [{ name: 'a', breaker: 'closed', suspected: hangs }, { name: 'b', suspected: false }])
    const [first, second] = [given.ask({}, { exclude: ['b'] }), given.ask({}, { exclude: ['b'] })]
    await given.settle()
    t.match([first.lease !== null, second.lease !== null], [true, true], 'a caller with no other choice is let in')
    first.lease?.release(answered)
    t.match(given.observe().upstreams[0], { suspected: false }, 'and one answer clears it')
  }
})

t.test('one that lets callers wait while it answers others is busy, and hangs not', async t => {
  const given = givenDispatcher({ upstreams: [{ name: 'a', slots: 9 }, { name: 'b', slots: 9 }] })
  given.ask().lease?.release(answered)
  for (let call = 0; call < 50; call++) {
    const asked = given.ask({}, { exclude: ['b'] })
    await given.settle()
    await given.pass(3000)
    asked.lease?.release({ kind: 'cancelled', form: 'stream', heardAt: given.now() - 150 })
  }
  t.strictSame(given.faulted, [])
})
