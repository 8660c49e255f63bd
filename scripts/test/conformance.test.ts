import t from 'tap'
import type { Answer } from '../conformance/ask.ts'
import { differencesOf, isFault, rowOf, type Check, type Target } from '../conformance/check.ts'
import { startFake } from '../conformance/engines/fake.ts'
import { checks, runConformance, runningIn } from '../conformance/run.ts'
import { framingOf, shapeOf } from '../conformance/shape.ts'
import { streamsIn } from '../conformance/stream-tap.ts'
import { driftFrom, readTranscript, renewed, transcriptUrl, type Transcript } from '../conformance/transcript.ts'

type Kept = Transcript['checks'][string]

/** These wait for idle sockets, longer than a test should. */
const quick = checks.filter(({ name }) => !name.startsWith('keep-alive'))

/** Where the fake answers otherwise: its model sees images, and it takes any part of a message. */
const lenient = [
  'refused: a content part of an unknown type: 400 → 200',
  'refused: an image by its URL: 400 → 200',
  'refused: an image for a model that reads text: 400 → 200',
  'refused: an image that is none: 400 → 200'
]

t.test('the fake vLLM passes through the proxy as real engines do', async t => {
  const engine = await startFake()
  t.teardown(engine.close)
  const rows = await runConformance({ name: 'fake', engine, only: quick })
  t.strictSame(rows.filter(isFault).map(({ name, differences }) => ({ name, differences })), [])
  t.equal(rows.length, quick.length)
  t.ok(rows.filter(({ verdict }) => verdict === 'same').length > 45)

  const real = await readTranscript(transcriptUrl('vllm', '0.32.0'))
  t.ok(real, 'answers of a real vLLM were kept')
  const statuses = rows.flatMap(({ name, direct }) => {
    const before = real?.checks[name]?.direct.status
    if (before === undefined || before === direct.status) return []
    return [`${name}: ${String(before)} → ${String(direct.status)}`]
  })
  t.strictSame(statuses.sort(), lenient)
})

t.test('a verdict says what differs, and whether it may', t => {
  const check: Check = { name: 'x', run: async () => ({}) }
  t.equal(rowOf(check, { status: 200 }, { status: 200 }).verdict, 'same')
  const other = rowOf(check, { status: 200, body: { a: 1 } }, { status: 200, body: { a: 2 } })
  t.match(other, { verdict: 'differs', differences: ['body.a: 1 → 2'] })
  t.ok(isFault(other))
  const allowed = { ...check, byDesign: 'so it is', allowing: /^body\.a/ }
  t.notOk(isFault(rowOf(allowed, { body: { a: 1 } }, { body: { a: 2 } })))
  t.ok(isFault(rowOf(allowed, { body: { a: 1 } }, { body: { a: 2 }, status: 500 })), 'another difference is not covered')
  t.equal(rowOf(check, { status: 404, body: { detail: 'string' } }, { status: 400 }).verdict, 'unsupported')
  const refusal = (status: number, message: string) => ({ status, body: { error: { message, type: 't', code: status } } })
  t.equal(rowOf(check, refusal(400, 'too long'), refusal(400, 'It said: too long')).verdict, 'same')
  t.equal(rowOf(check, refusal(400, 'too long'), refusal(500, 'no')).verdict, 'differs')
  t.ok(isFault(rowOf({ ...check, must: () => 'never' }, { a: 1 }, { a: 1 })))
  t.ok(isFault(rowOf(check, { status: 200 }, refusal(400, 'no'))), 'a good request that is refused')
  t.notOk(isFault(rowOf({ ...check, deserved: true }, { status: 200 }, refusal(400, 'no'))))
  t.match(differencesOf(['a', 'b'], ['b', 'c'], 'names'), ['names: without a', 'names: with c'])
  const row = { name: 'x', verdict: 'same' as const, differences: [], direct: { a: 2 } }
  t.match(driftFrom({ engine: 'e', version: '1', checks: { x: { verdict: 'same', direct: { a: 1 } } } }, [row]), [{ name: 'x' }])
  t.end()
})

t.test('tokens of llama.cpp are counted through the proxy in the words of vLLM', async t => {
  const check = checks.find(({ name }) => name === 'tokenize and back')!
  const asked: object[] = []
  const target = (via: 'direct' | 'proxy', answers: object[]): Target => ({
    engine: 'llamacpp',
    via,
    url: '',
    model: 'm',
    contextLength: 1,
    running: async () => 0,
    streamed: () => [],
    ask: async (_, { body } = {}) => {
      asked.push(body as object)
      const json = answers[asked.length % 2 === 1 ? 0 : 1]
      return { status: 200, contentType: 'application/json', json } as Answer
    }
  })
  const text = 'Naïve 漢字 🙂'
  const direct = await check.run(target('direct', [{ tokens: [7, 8] }, { content: text }]))
  const proxied = await check.run(target('proxy', [{ tokens: [7, 8], count: 2, max_model_len: null }, { prompt: text }]))
  t.match(asked, [{ content: text }, { tokens: [7, 8] }, { prompt: text }, { tokens: [7, 8] }])
  t.notOk(isFault(rowOf(check, direct, proxied)))
  const uncounted = await check.run(target('proxy', [{ tokens: [7, 8] }, { prompt: text }]))
  t.ok(isFault(rowOf(check, direct, uncounted)), 'tokens without their number')
})

t.test('recording some checks keeps the others', t => {
  const of = (checks: Transcript['checks']): Transcript => ({ engine: 'e', version: '1', checks })
  const [old, anew]: [Kept, Kept] = [{ verdict: 'same', direct: { n: 1 } }, { verdict: 'same', direct: { n: 2 } }]
  t.strictSame(renewed(of({ a: old, b: old }), of({ b: anew })), of({ a: old, b: anew }))
  t.strictSame(renewed(undefined, of({ b: anew })), of({ b: anew }))
  t.end()
})

t.test('shapes, frames and bytes are read as they are', t => {
  t.strictSame(shapeOf({ b: [1, 2, 'x'], a: null, type: 'T', error: { message: 'no' } }),
    { a: null, b: ['number', 'string'], error: { message: 'no' }, type: 'T' })
  const frame = (part: unknown) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`
  const frames = (...parts: unknown[]) => Buffer.from(parts.map(frame).join(''))
  const chunk = (delta: object, finish: string | null = null) =>
    ({ choices: [{ delta, finish_reason: finish }] })
  const begun = [chunk({ role: 'assistant', content: '' }), chunk({ content: '漢' })]
  const stream = frames(...begun, chunk({}, 'stop'), { choices: [], usage: {} }, '[DONE]')
  t.strictSame(framingOf(stream), {
    plain: true, kinds: ['role', 'delta', 'finish', 'usage', 'done'], escaped: false, validUtf8: true
  })
  t.match(framingOf(Buffer.concat([Buffer.from(': ping\n\n'), stream])), { plain: false })
  t.match(framingOf(frames({ error: {} }, '"\\u6f22"')), { kinds: ['error', 'other'], escaped: true })
  t.match(framingOf(stream.subarray(0, stream.indexOf('漢') + 1)), { plain: false, validUtf8: false })
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
  const wire = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}${head}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`)
  t.strictSame(streamsIn(wire).map(String), ['abcde'])
  const gauge = 'vllm:num_requests_running'
  t.equal(runningIn(`${gauge}_by{a="b"} 9\n${gauge}{engine="0"} 1.0\n${gauge}{engine="1"} 2.0\n`), 3)
  t.equal(runningIn(''), null)
  t.end()
})
