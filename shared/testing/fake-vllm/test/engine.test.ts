import { spawn } from 'node:child_process'
import t from 'tap'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../fake-vllm.ts'
import { logicalClock } from '../clock.ts'
import { fakeEngine, type Job } from '../engine.ts'
import { blockHashes, kvCache } from '../kv-cache.ts'
import { resolveOptions } from '../options.ts'
import { countTokens, decode, encode, pieces } from '../tokens.ts'
import { words } from '../words.ts'
import { askRaw, contentIn, question } from './ask-raw.ts'

const still = { started () {}, token () {}, ended () {} }

/** A job whose tokens and end are written down with the time they came. */
function job (given: Partial<Job>): Job {
  return { promptTokens: 16, blocks: [], outputTokens: 3, finish: 'stop', delayMs: 0, itlMs: null, ...still, ...given }
}

t.test('sequences wait in order, and each slot takes the next', async t => {
  const clock = logicalClock()
  const engine = fakeEngine(resolveOptions({ maxNumSeqs: 2, itlMs: 10, ttftMs: 5 }), clock)
  const seen: string[] = []
  const aborts = ['a', 'b', 'c', 'd', 'e'].map(name => engine.submit(job({
    outputTokens: name === 'a' ? 5 : 3,
    started () { seen.push(`${name} at ${clock.now()}`) },
    ended (how) { seen.push(`${name} ${how} at ${clock.now()}`) }
  })))
  t.strictSame([engine.running, engine.waiting], [2, 3])
  aborts[2]?.()
  await clock.tick(1000)
  t.strictSame(seen, [
    'a at 0', 'b at 0', 'c aborted at 0',
    'b finished at 25', 'd at 25', 'a finished at 45', 'e at 45', 'd finished at 50', 'e finished at 70'
  ])
  t.match(engine.counters, { finished: { stop: 4, abort: 1 }, promptTokens: 64, generationTokens: 14 })
  t.equal(engine.counters.queue.sum, 0.025 + 0.045)
  t.equal(engine.kvUsage(), 0)
})

t.test('a running sequence that is aborted gives its slot away at once', async t => {
  const clock = logicalClock()
  const engine = fakeEngine(resolveOptions({ maxNumSeqs: 1, itlMs: 10 }), clock)
  const made: number[] = []
  const abort = engine.submit(job({ outputTokens: 100, token (count) { made.push(count) } }))
  let second = 0
  engine.submit(job({ started () { second = clock.now() } }))
  await clock.tick(25)
  abort()
  await clock.tick(100)
  t.strictSame([made, second], [[1, 2, 3], 25])
})

t.test('only the part of a prompt that is not cached costs time', async t => {
  const clock = logicalClock()
  const engine = fakeEngine(resolveOptions({ prefillTokensPerS: 1000, itlMs: 1 }), clock)
  const prompt = (text: string) => {
    const bytes = Buffer.from(text)
    return { promptTokens: countTokens(bytes), blocks: blockHashes(bytes, 16) }
  }
  const shared = 'x'.repeat(64 * 10)
  const run = async (text: string) => {
    const began = clock.now()
    const found = { cached: -1, firstMs: -1 }
    engine.submit(job({
      ...prompt(text),
      started (cached) { found.cached = cached },
      token (made) { if (made === 1) found.firstMs = clock.now() - began }
    }))
    await clock.tick(5000)
    return [found.cached, Math.round(found.firstMs)]
  }
  t.strictSame(await run(`${shared}${'a'.repeat(160)}`), [0, 200], '200 tokens at 1000 a second')
  t.strictSame(await run(`${shared}${'b'.repeat(160)}`), [160, 40], 'ten blocks of 16 are there')
  t.strictSame(await run(`${shared}${'b'.repeat(160)}`), [192, 8], 'twelve full blocks are')
  t.strictSame(await run(shared), [144, 16], 'the last token is always computed')
  t.match(engine.counters, { prefixQueries: 200 + 200 + 200 + 160, prefixHits: 160 + 192 + 144 })
})

t.test('the cache forgets the least recently used block first, and a prefix needs its beginning', t => {
  const cache = kvCache(3)
  cache.add([1, 2, 3])
  t.equal(cache.hits([1, 2, 9]), 2)
  cache.add([4])
  t.equal(cache.hits([1, 2]), 2)
  t.equal(cache.hits([1, 2, 3]), 2, 'the third is gone')
  t.equal(cache.hits([4, 1]), 2)
  t.equal(cache.hits([3, 1]), 0)
  const [one, other] = ['a', 'b'].map(first => blockHashes(Buffer.from(first + 'x'.repeat(127)), 16))
  t.equal(one?.length, 2)
  t.not(one?.[1], other?.[1], 'a block is known by all before it')
  t.strictSame(blockHashes(Buffer.from('x'.repeat(63)), 16), [], 'only full blocks')
  t.end()
})

t.test('others running make a token slower, and jitter is drawn from the seed', async t => {
  const times = async (options: FakeOptions, others: number) => {
    const clock = logicalClock()
    const engine = fakeEngine(resolveOptions(options), clock)
    for (let each = 0; each < others; each++) engine.submit(job({ delayMs: Infinity }))
    const at: number[] = []
    engine.submit(job({ outputTokens: 4, token () { at.push(clock.now()) } }))
    await clock.tick(10_000)
    return at
  }
  t.strictSame(await times({ itlMs: 10, loadFactor: 0.5 }, 2), [0, 20, 40, 60])
  const shaken = await times({ itlMs: 10, jitter: 0.5, seed: 1 }, 0)
  t.strictSame(await times({ itlMs: 10, jitter: 0.5, seed: 1 }, 0), shaken)
  t.notSame(await times({ itlMs: 10, jitter: 0.5, seed: 2 }, 0), shaken)
  for (const [at, ms] of shaken.entries()) if (at > 0) t.ok(Math.abs(ms - (shaken[at - 1] ?? 0) - 10) <= 5)
})

t.test('a full KV cache makes sequences wait, but one too large for it runs alone', async t => {
  const clock = logicalClock()
  const engine = fakeEngine(resolveOptions({ kvBlocks: 10, itlMs: 10 }), clock)
  engine.submit(job({ promptTokens: 100 }))
  engine.submit(job({ promptTokens: 100 }))
  t.strictSame([engine.running, engine.waiting, engine.kvUsage()], [1, 1, 0.7])
  await clock.tick(100)
  engine.submit(job({ promptTokens: 1000 }))
  t.strictSame([engine.running, engine.kvUsage()], [1, 1])
})

t.test('tokens of four bytes can be counted, joined and taken back', t => {
  for (const text of ['', 'a', 'abcd', 'naïve', '漢字かな', '🙂🚀é', `${'x'.repeat(1001)}🙂`]) {
    t.equal(decode(encode(text)), text)
    t.equal(encode(text).length, countTokens(text))
    t.equal(pieces(text).length, countTokens(text))
    t.equal(pieces(text).join(''), text)
    t.notMatch(pieces(text).join('|'), '\ufffd', 'no character is cut')
  }
  const made = words(7, 100)
  t.ok(made.every(each => Buffer.byteLength(each) === 4))
  t.ok(made.every((each, at) => (at % 5 === 4) === /\P{ASCII}/u.test(each)), 'every fifth is wide')
  t.end()
})

async function start (t: Pick<typeof import('tap').default, 'teardown'>, options: FakeOptions = {}): Promise<FakeVllm> {
  const fake = await fakeVllm({ models: ['m'], ...options })
  t.teardown(fake.close)
  return fake
}

t.test('the same request has the same answer, in every process and at every place', async t => {
  const [one, other, third] = [await start(t), await start(t), await start(t, { seed: 1 })]
  const body = { ...question, temperature: 0.7, seed: 3, top_k: 5 }
  const answer = async (fake: FakeVllm, sent: object) => await askRaw(fake.url, sent)
  const first = (await answer(one, body)).text
  const turned = Object.fromEntries(Object.entries(body).reverse())
  t.equal((await answer(other, turned)).text, first, 'the order of fields is nothing')
  t.not((await answer(third, body)).text, first)
  t.not((await answer(one, { ...body, seed: 4 })).text, first)
  const { content } = JSON.parse(first).choices[0].message
  t.equal(contentIn((await answer(one, { ...body, stream: true })).text), content)
  const short = (await answer(one, { ...body, max_tokens: 3 })).json().choices[0]
  t.ok(content.startsWith(short.message.content), 'a limit only cuts')
  t.equal(short.finish_reason, 'length')
  t.equal((await answer(one, { ...body, max_tokens: 7, ignore_eos: true })).json().usage.completion_tokens, 7)
  const named = await start(t, { ids: 'header' })
  t.equal((await askRaw(named.url, body, { headers: { 'x-request-id': 'r7' } })).json().id, 'chatcmpl-r7')
})

t.test('admission is refused from 0.29, once waiting and running are as many as allowed', async t => {
  for (const version of ['0.12.0', '0.32.0'] as const) {
    const fake = await start(t, { version, clock: 'logical', itlMs: 10, maxNumSeqs: 1, maxNumQueuedReqs: 2 })
    const asked = { ...question, max_tokens: 5, ignore_eos: true }
    const both = [askRaw(fake.url, asked), askRaw(fake.url, asked)]
    await fake.arrived(1)
    const third = askRaw(fake.url, asked)
    await fake.arrived(2)
    if (version === '0.12.0') {
      t.equal(fake.engine.waiting, 2)
      await fake.tick(500)
      t.equal((await third).status, 200)
    } else {
      t.match(await third, { status: 503, text: /"type":"Service Unavailable".*currently busy|currently busy.*"Service Unavailable"/ })
      const page = (await askRaw(fake.url, null, { path: '/metrics', method: 'GET' })).text
      t.match(page, /admission_rejections_total\{.*\} 1\.0/)
      t.match(page, /^vllm:num_requests_waiting\{.*\} 1\.0$/m)
      await fake.tick(500)
    }
    for (const heard of await Promise.all(both)) t.equal(heard.status, 200)
    const entries = fake.journal.map(({ tokensSent, tokensMade }) => [tokensSent, tokensMade])
    t.strictSame(entries.slice(0, 2), [[5, 5], [5, 5]])
  }
})

t.test('usage summed over many answers is what the journal and the counters say', async t => {
  const fake = await start(t, { reasoning: true })
  const random = words(1, 60).map((_, at) => at)
  const usages = await Promise.all(random.map(async at => {
    const content = `${'Same document. '.repeat(40)}${at % 7}`
    const body = { ...question, messages: [{ role: 'user', content }], max_tokens: 5 + at, n: 1 + at % 3 }
    if (at % 2 === 0) return (await askRaw(fake.url, body)).json().usage
    const streamed = { ...body, stream: true, stream_options: { include_usage: true } }
    const { text } = await askRaw(fake.url, streamed)
    return JSON.parse(/data: (\{[^\n]*\})\n\ndata: \[DONE\]/.exec(text)?.[1] ?? '').usage
  }))
  const sum = (of: (at: number) => number) => random.reduce((total, at) => total + of(at), 0)
  const entry = (at: number) => fake.journal[at]
  t.equal(sum(at => usages[at].completion_tokens), sum(at => entry(at)?.tokensSent ?? 0))
  t.equal(sum(at => usages[at].completion_tokens), fake.engine.counters.generationTokens)
  t.equal(sum(at => usages[at].prompt_tokens), sum(at => entry(at)?.promptTokens ?? 0))
  t.equal(sum(at => usages[at].prompt_tokens_details.cached_tokens), sum(at => entry(at)?.cachedTokens ?? 0))
  t.ok(sum(at => entry(at)?.cachedTokens ?? 0) > 0)
})

t.test('a journal with a bound keeps the newest, and a server of its own says where it is', async t => {
  const fake = await start(t, { journalMax: 3 })
  for (let each = 0; each < 8; each++) await askRaw(fake.url, question)
  t.ok(fake.journal.length >= 3 && fake.journal.length < 6)
  t.equal(fake.journal.at(-1)?.id, 7)
  await t.rejects(fake.ended(0), /raise journalMax/)
  const child = spawn(process.execPath, ['scripts/run.mjs', 'shared/testing/fake-vllm/main.ts', '--model', 'm', '--version', '0.9.2', '--reply', 'Answer: Yes'])
  const [line] = await Promise.all([new Promise<string>(resolve => { child.stdout.once('data', data => { resolve(String(data)) }) })])
  const { url } = JSON.parse(line)
  t.strictSame((await askRaw(url, null, { path: '/version', method: 'GET' })).json(), { version: '0.9.2' })
  t.equal((await askRaw(url, question)).json().choices[0].message.content, 'Answer: Yes')
  child.kill('SIGTERM')
  t.equal(await new Promise(resolve => { child.once('exit', resolve) }), 0)
})
