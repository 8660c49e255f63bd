import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import type { CallRecord } from '../domain/call.ts'
import { readTraceContext, traceHeaders } from '../domain/trace-context.ts'
import type { Upstream } from '../domain/upstream.ts'
import { observeCalls, type Begun } from '../handlers/observe-calls.ts'
import type { Gauges } from '../handlers/observe-metrics.ts'

const upstream: Upstream = { name: 'lab', baseUrl: 'http://gpu:8000', capabilities: [] }
const to = { upstream, served: 'org/m', queueMs: 12 }
const call: Begun = {
  id: 'r-1',
  path: '/v1/chat/completions',
  body: { model: 'm', messages: [{ role: 'user', content: 'What is MARKER?' }] },
  labels: { caller: 'scoring', group: 'run-7', purpose: '' }
}
const answered: CallRecord = {
  id: 'r-1',
  path: '/v1/chat/completions',
  model: 'm',
  servedModel: 'org/m',
  upstream: 'lab',
  upstreamVersion: '0.12.0',
  labels: call.labels,
  stream: true,
  outcome: 'answered',
  problem: null,
  finishReasons: ['stop'],
  usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 64, reasoningTokens: null },
  source: 'upstream',
  attempts: 2,
  queueMs: 12,
  firstByteMs: 80,
  totalMs: 700
}
const failed: CallRecord = { ...answered, outcome: 'failed', problem: 'upstream-invalid', finishReasons: [] }
const nothing: Gauges = { queues: [], waitingBytes: 0, upstreams: [] }

interface Given { config?: Record<string, string>, gauges?: () => Gauges, level?: string }

async function observer ({ config = {}, gauges = () => nothing, level = 'info' }: Given = {}) {
  const lines: string[] = []
  const stream = new Writable({ write (chunk, _, done) { lines.push(String(chunk)); done() } })
  const metrics = new Registry()
  const calls = await observeCalls({ config, metrics, log: pino({ level }, stream), gauges })
  return { calls, metrics, lines }
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  traceState?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Array<{ key: string, value: Record<string, unknown> }>
}

interface OtlpBody { resourceSpans: Array<{ scopeSpans: Array<{ spans: OtlpSpan[] }> }> }

/** A collector that keeps what it is sent, or refuses it. */
async function collector (test: Test, status = () => 200) {
  const spans: OtlpSpan[] = []
  const texts: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => { text += String(chunk) })
    request.on('end', () => {
      texts.push(text)
      const { resourceSpans } = JSON.parse(text) as OtlpBody
      spans.push(...resourceSpans.flatMap(each => each.scopeSpans.flatMap(scope => scope.spans)))
      response.writeHead(status(), { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  test.teardown(() => { server.close(); server.closeAllConnections() })
  return { spans, texts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function attributesOf ({ attributes }: OtlpSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

t.test('a call is counted by what became of it, its tokens, times, retries and requests', async t => {
  const { calls, metrics } = await observer()
  const watch = calls.begin(call, {})
  watch.attempt(to).ended('upstream-unavailable')
  watch.attempt(to).ended('answered')
  watch.ended(answered)
  calls.begin(call, {}).ended(failed)
  calls.begin(call, {}).ended({ ...answered, source: 'record', servedModel: null, attempts: 0 })
  calls.laddered(['unfence', 'parse'])
  calls.laddered(['parse'])
  const text = await metrics.metrics()
  const chat = 'path="/v1/chat/completions",model="m"'
  for (const line of [
    `viva_calls_total{${chat},outcome="answered",problem="",source="upstream",stream="true"} 1`,
    `viva_calls_total{${chat},outcome="failed",problem="upstream-invalid",source="upstream",stream="true"} 1`,
    `viva_calls_total{${chat},outcome="answered",problem="",source="record",stream="true"} 1`,
    'viva_call_tokens_total{model="m",kind="prompt",source="upstream"} 200',
    'viva_call_tokens_total{model="m",kind="cached",source="record"} 64',
    'viva_call_retries_total{model="m"} 2',
    'viva_call_truncated_streams_total{model="m"} 1',
    'viva_upstream_attempts_total{upstream="lab",ending="upstream-unavailable"} 1',
    'viva_upstream_attempts_total{upstream="lab",ending="answered"} 1',
    'viva_call_queue_duration_seconds_sum{model="m"} 0.024',
    `viva_call_first_byte_duration_seconds_bucket{le="0.1",${chat}} 2`,
    `viva_call_duration_seconds_sum{${chat},source="upstream"} 1.4`,
    'viva_ladder_steps_total{step="parse"} 2'
  ]) t.ok(text.includes(`${line}\n`), line)
  t.notMatch(text, /kind="reasoning"/, 'what an upstream does not say is not 0')
})

t.test('labels stay few whatever callers write', async t => {
  const { calls, metrics } = await observer()
  const unknown: CallRecord = { ...failed, outcome: 'refused', problem: 'model-not-found', servedModel: null }
  for (let nth = 0; nth < 500; nth++) {
    calls.begin(call, {}).ended({ ...unknown, model: `no-${nth}`, labels: { caller: `c-${nth}`, group: `g-${nth}`, purpose: 'p' } })
    calls.begin(call, {}).ended({ ...answered, model: `adapter-${nth}` })
    calls.begin(call, {}).attempt({ ...to, upstream: { ...upstream, name: `u-${nth}` } }).ended('answered')
  }
  const text = await metrics.metrics()
  const values = (label: string) => new Set([...text.matchAll(new RegExp(`[{,]${label}="([^"]*)"`, 'g'))].map(([, value]) => value))
  t.equal(values('model').size, 101)
  t.equal(values('upstream').size, 101)
  t.notOk(values('model').has('no-0'))
  t.match(text, /outcome="refused",problem="model-not-found",source="upstream",stream="true"} 500/)
  for (const label of ['caller', 'group', 'purpose']) t.equal(values(label).size, 0)
})

t.test('gauges show what waits and runs now, and forget what is gone', async t => {
  let now: Gauges = {
    queues: [{ model: 'm', waiting: [0, 0, 7] }],
    waitingBytes: 9_000,
    upstreams: [{ name: 'lab', inFlight: 3, slots: 8, breaker: 'probing' }]
  }
  const { metrics } = await observer({ gauges: () => now })
  const text = await metrics.metrics()
  for (const line of [
    'viva_call_queue_calls{model="m",band="2"} 7', 'viva_call_queue_bytes 9000',
    'viva_upstream_in_flight{upstream="lab"} 3', 'viva_upstream_limit{upstream="lab"} 8',
    'viva_upstream_breaker{upstream="lab",state="probing"} 1', 'viva_upstream_breaker{upstream="lab",state="open"} 0'
  ]) t.ok(text.includes(`${line}\n`), line)
  now = nothing
  t.notMatch(await metrics.metrics(), /^viva_(call_queue_calls|upstream)_\w+\{/m)
})

t.test('spans of a call belong to its caller\'s trace and lead on to the upstream', async t => {
  const { spans, url } = await collector(t)
  const { calls } = await observer({ config: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const watch = calls.begin(call, { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'other=1' })
  const first = watch.attempt(to)
  first.ended('upstream-unavailable')
  const second = watch.attempt({ ...to, upstream: { ...upstream, baseUrl: 'https://other' } })
  second.ended('answered')
  watch.ended(answered)
  await calls.close()
  const [whole] = spans.filter(({ kind }) => kind === 2)
  const [lost, got] = spans.filter(({ kind }) => kind === 3)
  const [queue] = spans.filter(({ name }) => name === 'queue')
  t.equal(spans.length, 5)
  t.match(whole, { name: 'chat m', traceId, parentSpanId: '00f067aa0ba902b7', status: { code: 0 } })
  t.ok(spans.every(each => each.traceId === traceId))
  t.ok(spans.every(each => each === whole || each.parentSpanId === whole?.spanId))
  t.strictSame(first.headers, { traceparent: `00-${traceId}-${lost?.spanId}-01`, tracestate: 'other=1' })
  t.strictSame(second.headers.traceparent, `00-${traceId}-${got?.spanId}-01`)
  t.match(attributesOf(whole!), {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.response.model': 'org/m',
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    'viva.caller': 'scoring',
    'viva.group': 'run-7',
    'viva.attempts': 2
  })
  t.match(attributesOf(lost!), { 'server.address': 'gpu', 'server.port': 8000, 'error.type': 'upstream-unavailable' })
  t.equal(lost?.status.code, 2)
  t.match(attributesOf(got!), { 'server.address': 'other', 'server.port': 443, 'http.request.resend_count': 1, 'gen_ai.request.model': 'org/m' })
  t.equal(Math.round(Number(BigInt(queue!.endTimeUnixNano) - BigInt(queue!.startTimeUnixNano)) / 1e6), 12)
})

t.test('a call whose caller does not sample is not exported, but its trace goes on', async t => {
  const { spans, url } = await collector(t)
  const { calls } = await observer({ config: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces` } })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
  const watch = calls.begin(call, { traceparent })
  t.match(watch.attempt(to).headers.traceparent, /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/)
  watch.ended(answered)
  await calls.close()
  t.equal(spans.length, 0)
})

t.test('a collector that refuses or is away touches no call, and is told of once', async t => {
  const { url } = await collector(t, () => 400)
  // As any variable of OpenTelemetry's; else it would try again for 10 s, after closing too.
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '500'
  t.teardown(() => { delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT })
  for (const endpoint of [url, 'http://127.0.0.1:1']) {
    const { calls, metrics, lines } = await observer({ config: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })
    for (let nth = 0; nth < 600; nth++) {
      const watch = calls.begin(call, {})
      watch.attempt(to).ended('answered')
      watch.ended(answered)
    }
    const began = performance.now()
    await calls.close()
    t.ok(performance.now() - began < 4_000, 'closing is bounded')
    if (endpoint !== url) continue
    t.equal(lines.length, 1)
    t.match(lines[0], /does not take spans/)
    t.match(await metrics.metrics(), /viva_span_export_failures_total [1-4]\n/)
  }
})

t.test('without a collector nothing of OpenTelemetry is loaded, and a trace passes through', async t => {
  const { calls } = await observer()
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  t.strictSame(calls.begin(call, { traceparent, tracestate: 'a=b' }).attempt(to).headers, { traceparent, tracestate: 'a=b' })
  t.strictSame(calls.begin(call, { traceparent: 'nonsense' }).attempt(to).headers, {})
  await calls.close()
})

t.test('a failed call is one line of log with names and times, an answered one none', async t => {
  const { calls, lines } = await observer()
  calls.begin(call, {}).ended(answered)
  calls.begin(call, {}).ended({ ...failed, outcome: 'cancelled', problem: null })
  calls.begin(call, {}).ended({ ...failed, problem: 'queue-full' })
  t.equal(lines.length, 0)
  const watch = calls.begin(call, {})
  watch.attempt(to).ended('upstream-timeout')
  watch.ended(failed, { reply: 'MARKER answers' })
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? ''), {
    msg: 'a call failed',
    requestId: 'r-1',
    model: 'm',
    upstream: 'lab',
    problem: 'upstream-invalid',
    faults: [{ upstream: 'lab', ending: 'upstream-timeout' }],
    queueMs: 12,
    firstByteMs: 80,
    totalMs: 700
  })
})

t.test('texts are told of only where LOG_PROMPTS asks for them, and then in part', async t => {
  const image = `data:image/png;base64,${'A'.repeat(100_000)}`
  const long = { ...call, body: { model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'MARKER' }, { type: 'image_url', image_url: { url: image } }] }] } }
  for (const LOG_PROMPTS of ['0', '1']) {
    const { texts, url } = await collector(t)
    const { calls, lines, metrics } = await observer({ config: { LOG_PROMPTS, OTEL_EXPORTER_OTLP_ENDPOINT: url }, level: 'debug' })
    const watch = calls.begin(long, { authorization: 'Bearer MARKER', cookie: 'MARKER' })
    watch.attempt(to).ended('answered')
    watch.ended(answered, { reply: `MARKER ${'x'.repeat(100_000)}` })
    await calls.close()
    t.equal(texts.length, 1)
    t.notMatch(texts.join('') + await metrics.metrics(), /MARKER/)
    t.equal(lines.join('').match(/MARKER/g)?.length ?? 0, LOG_PROMPTS === '1' ? 2 : 0)
    t.ok(lines.join('').length < 12_000)
  }
})

t.test('the trace of a caller is read as the W3C writes it, and nothing else is', async t => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const span = '00f067aa0ba902b7'
  t.strictSame(readTraceContext(`00-${trace}-${span}-01`, 'a=1'), { traceId: trace, spanId: span, flags: 1, state: 'a=1' })
  t.strictSame(readTraceContext(`cc-${trace}-${span}-09-more`), { traceId: trace, spanId: span, flags: 1, state: '' })
  t.strictSame(traceHeaders({ traceId: trace, spanId: span, flags: 0, state: '' }), { traceparent: `00-${trace}-${span}-00` })
  for (const wrong of [
    undefined, ['a'], '', `00-${trace}-${span}`, `ff-${trace}-${span}-01`, `00-${trace}-${span}-01-more`,
    `00-${'0'.repeat(32)}-${span}-01`, `00-${trace}-${'0'.repeat(16)}-01`, `00-${trace.toUpperCase()}-${span}-01`,
    `01-${trace}-${span}-01-${'x'.repeat(300)}`
  ]) t.equal(readTraceContext(wrong), null, String(wrong))
  t.equal(readTraceContext(`00-${trace}-${span}-01`, 'a=1\r\nx: y')?.state, '')
  t.equal(readTraceContext(`00-${trace}-${span}-01`, 'x'.repeat(600))?.state, '')
})
