import t from 'tap'
import { seededRandom } from '../../../shared/testing/random.ts'
import { prefixIndex, type PrefixIndex } from '../domain/prefix-index.ts'
import { chooseReplica, foreignCalls, type Candidate } from '../domain/routing.ts'

const idle: Candidate = { work: 0, calls: 0, weight: 1, saved: 0 }

t.test('the shadow index knows the longest beginning it has seen, and forgets the oldest, deepest first', async t => {
  const index = prefixIndex(6)
  index.add(['s', 'a1', 'a2', 'a3'])
  t.equal(index.matched(['s', 'a1', 'a2', 'a3', 'a4']), 4)
  t.equal(index.matched(['s', 'b1']), 1)
  t.equal(index.matched(['x']), 0)
  t.equal(index.matched([]), 0)
  index.add(['s', 'b1', 'b2'])
  t.equal(index.matched(['s', 'a1', 'a2', 'a3']), 4)
  index.add(['s', 'c1'])
  t.equal(index.matched(['s', 'a1', 'a2', 'a3']), 3, 'the end of the oldest goes first')
  t.equal(index.matched(['s', 'c1']), 2)
  t.equal(index.size, 6)
  index.add(Array.from({ length: 20 }, (_, at) => `d${at}`))
  t.equal(index.size, 6)
})

t.test('equals take turns, in the same order each time; weights are shares', async t => {
  const three = [idle, idle, idle]
  t.strictSame([0, 1, 2, 3, 4].map(turn => chooseReplica(three, 100, turn)), [0, 1, 2, 0, 1])
  t.equal(chooseReplica([], 100, 0), -1)
  const calls = [0, 0]
  for (let turn = 0; turn < 400; turn++) {
    const candidates = calls.map((count, at) => ({
      work: count * 100, calls: count, weight: at === 0 ? 1 : 3, saved: 0
    }))
    const chosen = chooseReplica(candidates, 100, turn)
    calls[chosen] = (calls[chosen] ?? 0) + 1
  }
  t.strictSame(calls, [100, 300])
})

t.test('a cached prefix is worth its prefill, and no overload', async t => {
  const busy = { ...idle, work: 3000, calls: 3 }
  t.equal(chooseReplica([idle, { ...busy, saved: 6000 }], 6500, 0), 1)
  t.equal(chooseReplica([idle, { ...busy, saved: 1000 }], 6500, 0), 0)
  const crowded = { work: 100, calls: 40, weight: 1, saved: 6000 }
  t.equal(chooseReplica([{ ...idle, work: 90, calls: 2 }, crowded], 6500, 0), 0, 'far above its share of calls')
})

t.test('gauges count others in while they are fresh, and say nothing when they are stale or missing', async t => {
  t.equal(foreignCalls({ running: 9, waiting: 4, at: 1000 }, 3, 1500), 10)
  t.equal(foreignCalls({ running: 9, waiting: null, at: 1000 }, 3, 1500), 6)
  t.equal(foreignCalls({ running: 2, waiting: 0, at: 1000 }, 3, 1500), 0)
  t.equal(foreignCalls({ running: 9, waiting: 4, at: 1000 }, 3, 4000), 0)
  t.equal(foreignCalls({ running: null, waiting: 4, at: 1000 }, 3, 1500), 0)
  t.equal(foreignCalls(null, 3, 1500), 0)
})

type Policy = 'round-robin' | 'least in flight' | 'affine'

interface Engine {
  /** How many times slower. */
  slowness: number
  /** When its prefills so far are done. */
  freeAt: number
  cached: Set<number>
  ends: Array<{ at: number, work: number }>
  index: PrefixIndex
}

const documentTokens = 6000
const block = 250
const questionTokens = 500
const documents = 108

/**
 * Four engines, each prefilling 8,000 tokens a second one after the other and holding 50 documents
 * of 6,000 tokens in its cache; questions on 108 of them come at random. A model of vLLM, not vLLM.
 */
function simulate (
  policy: Policy, { perSecond, slow = 1, seed }: { perSecond: number, slow?: number, seed: number }
) {
  const random = seededRandom(seed)
  const engines: Engine[] = [slow, 1, 1, 1].map(slowness => ({
    slowness, freeAt: 0, cached: new Set(), ends: [], index: prefixIndex(32_768)
  }))
  const waits: number[] = []
  let hits = 0
  let now = 0
  for (let turn = 0; turn < 3000; turn++) {
    now -= Math.log(1 - random.next()) / perSecond
    const document = random.whole(0, documents - 1)
    const prefix = Array.from({ length: documentTokens / block }, (_, at) => `${document}:${at}`)
    for (const engine of engines) engine.ends = engine.ends.filter(({ at }) => at > now)
    const candidates = engines.map(({ ends, index }) => ({
      work: policy === 'affine' ? ends.reduce((sum, { work }) => sum + work, 0) : ends.length,
      calls: ends.length,
      weight: 1,
      saved: policy === 'affine' ? index.matched(prefix) * block : 0
    }))
    const tokens = documentTokens + questionTokens
    const chosen = policy === 'round-robin' ? turn % 4 : chooseReplica(candidates, tokens, turn)
    const engine = engines[chosen] as Engine
    const hit = engine.cached.delete(document)
    engine.cached.add(document)
    if (engine.cached.size > 50) engine.cached.delete(engine.cached.values().next().value as number)
    const prefill = (hit ? 200 : documentTokens + 200) / 8000 * engine.slowness
    engine.freeAt = Math.max(now, engine.freeAt) + prefill
    const work = tokens - (candidates[chosen]?.saved ?? 0)
    engine.ends.push({ at: engine.freeAt + 6 * engine.slowness, work })
    engine.index.add(prefix)
    if (turn < 500) continue
    waits.push(engine.freeAt - now)
    hits += Number(hit)
  }
  waits.sort((a, b) => a - b)
  const quantile = (share: number) => waits[Math.floor(share * waits.length)] as number
  return { p50: quantile(0.5), p99: quantile(0.99), hits: hits / waits.length }
}

t.test('questions on a paper go where it has been read; that beats round-robin and survives a slow replica', async t => {
  for (const load of [{ perSecond: 6 }, { perSecond: 9 }, { perSecond: 9, slow: 5 }]) {
    const results = (['round-robin', 'least in flight', 'affine'] as const).map(policy => {
      const runs = [1, 2, 3].map(seed => simulate(policy, { ...load, seed }))
      const middle = (of: (run: typeof runs[number]) => number) => {
        return runs.map(of).sort((a, b) => a - b)[1] as number
      }
      const result = {
        p50: middle(run => run.p50), p99: middle(run => run.p99), hits: middle(run => run.hits)
      }
      t.comment(`${JSON.stringify(load)} ${policy}: first token p50 ${result.p50.toFixed(2)} s, p99 ${result.p99.toFixed(1)} s, hits ${Math.round(result.hits * 100)} %`)
      return result
    })
    const [roundRobin, , affine] = results as [typeof results[0], typeof results[0], typeof results[0]]
    t.ok(affine.p50 < roundRobin.p50 / 5)
    t.ok(affine.p99 <= roundRobin.p99 / 2)
    t.ok(affine.hits >= 0.85)
  }
})

t.test('a decision between 16 replicas takes microseconds', async t => {
  const prefix = Array.from({ length: 256 }, (_, at) => `block ${at}`)
  const indices = Array.from({ length: 16 }, (_, at) => {
    const index = prefixIndex(32_768)
    for (let other = 0; other < 50; other++) {
      index.add(prefix.map((name, depth) => depth < at ? name : `${other} ${name}`))
    }
    return index
  })
  const begun = process.cpuUsage()
  const rounds = 5000
  for (let turn = 0; turn < rounds; turn++) {
    const candidates = indices.map((index, at) => ({
      work: at * 1000, calls: at, weight: 1, saved: index.matched(prefix) * 256
    }))
    chooseReplica(candidates, 70_000, turn)
  }
  const { user, system } = process.cpuUsage(begun)
  const each = (user + system) / rounds
  t.comment(`${each.toFixed(1)} µs`)
  t.ok(each < 100, 'five times the bar, for a busy machine')
})
