import { Agent } from 'node:http'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../fake-vllm.ts'
import { scriptNames } from '../plan.ts'
import { askRaw, contentIn, eventsIn, question, rawBytes, type Heard } from './ask-raw.ts'

type Test = Pick<typeof t, 'teardown'>

async function start (t: Test, options: FakeOptions = {}): Promise<FakeVllm> {
  const fake = await fakeVllm({ models: ['m'], ...options })
  t.teardown(fake.close)
  return fake
}

const asked = { ...question, max_tokens: 10, ignore_eos: true }
const streamed = { ...asked, stream: true }
const done = 'data: [DONE]\n\n'

/** One request under one script, given as a header. */
async function under (fake: FakeVllm, script: string, body: object = streamed): Promise<Heard> {
  return await askRaw(fake.url, body, { headers: { 'x-fake': script } })
}

t.test('pieces of a stream are cut and joined without changing a byte', async t => {
  const fake = await start(t)
  const whole = await under(fake, 'ok')
  t.ok(/\P{ASCII}/u.test(whole.text), 'there are characters of several bytes')
  t.equal(whole.parts.length, eventsIn(whole.text).length, 'an event is a chunk')
  for (const script of ['split:1', 'split:utf8', 'split:crlf', 'merge:3', 'gzip_body']) {
    const heard = await under(fake, script)
    const bytes = Buffer.concat(heard.parts)
    t.ok((script === 'gzip_body' ? gunzipSync(bytes) : bytes).equals(Buffer.from(whole.text)), script)
    t.equal(heard.broke, null)
    if (script === 'split:1') t.ok(heard.parts.every(part => part.length === 1))
    if (script === 'split:utf8') t.ok(heard.parts.some(part => ((part[0] ?? 0) & 0xc0) === 0x80), 'a piece starts inside a character')
    if (script === 'split:crlf') t.ok(heard.parts.some(part => part[0] === 10 && part[1] !== 10), 'a piece starts with the second line end')
    if (script === 'merge:3') t.equal(heard.parts.length, Math.ceil(eventsIn(whole.text).length / 3))
  }
  const plain = await under(fake, 'split:1', asked)
  t.ok(plain.parts.length > 5, 'whole answers too')
  t.equal(plain.json().choices[0].message.content, contentIn(whole.text), 'streamed or not, the text is the same')
})

t.test('an answer breaks off where it is told to, by a reset or an early end', async t => {
  const fake = await start(t)
  for (const [script, broke] of [['rst:4', 'ECONNRESET'], ['fin:4', 'ECONNRESET'], ['rst', 'ECONNRESET'], ['fin:99', 'ECONNRESET']] as const) {
    const heard = await under(fake, script)
    t.equal(heard.status, 200)
    t.equal(heard.broke, broke, script)
    t.equal(fake.journal.at(-1)?.tokensSent, script.endsWith('4') ? 4 : script === 'rst' ? 5 : 10, `${script}: tokens before it`)
    t.notMatch(heard.text, /DONE|"finish_reason":"/)
    const entry = await fake.ended(fake.journal.length - 1)
    t.equal(entry.endedBy, 'server')
    const plain = await under(fake, script, asked)
    t.equal(plain.broke, broke, `${script}, not streamed`)
    t.ok(plain.text.length < Number(plain.headers['content-length']))
  }
  const first = await under(fake, 'rst:0')
  t.strictSame([first.status, first.text, first.broke], [200, '', 'ECONNRESET'], 'headers, and no byte of a body')
  let error: string | null = null
  // A slow client that finds bytes and reset together sees an end.
  for (let each = 0; each < 20 && error === null; each++) error = (await rawBytes(fake.url, requestText('rst:2'))).error
  t.equal(error, 'ECONNRESET', 'a reset is one')
  const fin = await rawBytes(fake.url, requestText('fin:2'))
  t.equal(fin.error, null, 'an early end is a clean one of TCP')
  t.notOk(fin.text.endsWith('0\r\n\r\n'), 'but not of HTTP')
})

function requestText (script: string, extra = ''): string {
  const body = JSON.stringify(streamed)
  return `POST /v1/chat/completions HTTP/1.1\r\nhost: fake\r\ncontent-type: application/json\r\nx-fake: ${script}\r\n${extra}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

t.test('streams end wrongly in each of the known ways', async t => {
  const fake = await start(t)
  const frames = async (script: string) => eventsIn((await under(fake, script)).text)
  t.notMatch((await under(fake, 'no_done')).text, /DONE/)
  const unfinished = await frames('no_finish')
  t.equal(unfinished.at(-1), '[DONE]')
  t.notOk(unfinished.some(each => each.choices?.[0]?.finish_reason))
  const failed = await frames('err_frame:3,507')
  t.strictSame(failed.slice(-2), [{ error: { message: 'as told', type: 'InternalServerError', param: null, code: 507 } }, '[DONE]'])
  t.equal(failed.length, 1 + 3 + 2)
  t.match(await frames('err_first'), [{ error: { code: 500 } }, '[DONE]'])
  t.strictSame(await frames('done_only'), ['[DONE]'])
  const tail = (await under(fake, 'json_tail:2')).text
  t.match(tail, /\n\n\{"error":\{"message":"as told".*\}$/)
  t.notMatch(tail, /DONE/)
  const old = await start(t, { version: '0.9.2' })
  t.match(eventsIn((await under(old, 'err_first')).text)[0], { error: { object: 'error', code: 500 } }, 'the inner object is the flat one')
  t.equal((await under(old, 'err_frame:3,507', asked)).status, 507, 'a whole answer fails by its status')
})

t.test('frames are odd in each of the known ways', async t => {
  const fake = await start(t)
  const whole = (await under(fake, 'ok')).text
  const text = async (script: string) => (await under(fake, script)).text
  t.equal(await text('bad_prefix'), whole.replaceAll('data: ', 'data:'))
  t.equal(await text('crlf_lines'), whole.replaceAll('\n\n', '\r\n\r\n'))
  t.equal(await text('comment_ping'), whole.replaceAll('data: ', ': ping\n\ndata: '))
  const broken = eventsIn(await text('bad_json:2'))
  t.equal(broken.filter(each => typeof each === 'string' && each !== '[DONE]').length, 1, 'one event is no JSON')
  t.equal(broken.at(-1), '[DONE]', 'and the stream goes on')
  const huge = eventsIn(await text('big_chunk:300000'))
  t.equal(huge.find(each => each.choices?.[0]?.delta?.content?.length === 300_000) === undefined, false)
  t.equal(eventsIn(await text('many_empty:7')).filter(each => each.choices?.[0]?.delta?.content === '').length, 1 + 7 + 1)
  t.match(await under(fake, 'html_200'), { status: 200, headers: { 'content-type': /text\/html/ }, text: /^<html>/ })
  const endless = await askRaw(fake.url, streamed, { headers: { 'x-fake': 'unterminated' }, leaves: heard => heard.length > 300_000 })
  t.notMatch(endless.text.slice(endless.text.indexOf('data: {"id":"xxx')), /\n/, 'no end of a line')
  t.match(await fake.ended(fake.journal.length - 1), { endedBy: 'client' })
})

t.test('usage is told in each of the wrong ways', async t => {
  const fake = await start(t)
  const told = { ...streamed, stream_options: { include_usage: true } }
  const usages = async (script: string, body: object = told) =>
    eventsIn((await under(fake, script, body)).text).filter(each => each.usage)
  t.match(await usages('ok'), [{ choices: [], usage: { completion_tokens: 10 } }])
  t.equal((await usages('dup_usage')).length, 2)
  t.match(await usages('usage_in_choice_chunk'), [{ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 10 } }])
  t.match(await usages('usage_zero'), [{ usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }])
  t.strictSame(await usages('no_usage'), [])
  const each = await usages('continuous_usage', streamed)
  t.strictSame(each.map(({ usage }) => usage.completion_tokens), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])
  t.equal((await under(fake, 'usage_zero', asked)).json().usage.total_tokens, 0)
  t.notOk('usage' in (await under(fake, 'no_usage', asked)).json())
})

t.test('statuses, storms and context lengths come in the form of the version', async t => {
  const fake = await start(t)
  t.match(await under(fake, 'status:429;retry_after:7'), { status: 429, headers: { 'retry-after': '7' } })
  t.match(await under(fake, 'status:502,<html>bad gateway</html>'), { status: 502, text: '<html>bad gateway</html>', headers: { 'content-type': /html/ } })
  t.equal((await under(fake, '500_once')).json().error.type, 'InternalServerError')
  const tooLong = await under(fake, 'ctx_len')
  t.equal(tooLong.status, 400)
  const { count } = (await askRaw(fake.url, { messages: question.messages }, { path: '/tokenize' })).json()
  t.match(tooLong.json().error.message, new RegExp(`You passed ${String(count)} input tokens .*maximum input length`), 'its count is real')
  fake.script({ steps: ['503_storm:60000,0.5'] })
  const statuses: number[] = []
  for (let each = 0; each < 20; each++) statuses.push((await under(fake, 'ok', asked)).status)
  t.ok(statuses.includes(503) && statuses.includes(200), 'some are struck')
  fake.forgetScripts()
  t.equal((await under(fake, 'ok', asked)).status, 200)
  t.match(await under(fake, 'nonsense'), { status: 400, text: /There is no script/ })
})

t.test('a server that dies says so once and is gone', async t => {
  const fake = await start(t)
  const agent = new Agent({ keepAlive: true })
  t.equal((await askRaw(fake.url, asked, { headers: { 'x-fake': 'die' }, agent })).status, 500)
  t.equal((await askRaw(fake.url, null, { path: '/health', method: 'GET', agent })).status, 503)
  await fake.died
  t.equal((await askRaw(fake.url, asked)).broke, 'ECONNREFUSED')
})

t.test('a listener that refuses for a while listens again at the same place', async t => {
  const fake = await start(t, { clock: 'logical' })
  fake.script({ steps: ['refuse:100'] })
  t.equal((await askRaw(fake.url, asked)).broke, 'ECONNREFUSED')
  await fake.tick(100)
  t.equal((await askRaw(fake.url, asked)).status, 200)
})

t.test('an idle connection is reset at the moment it is used again', async t => {
  const fake = await start(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await askRaw(fake.url, asked, { agent })
  fake.script({ steps: ['reset_idle'] })
  t.equal((await askRaw(fake.url, asked, { agent })).broke, 'ECONNRESET')
  t.equal((await askRaw(fake.url, asked, { agent })).status, 200, 'a new connection is well')
  const seen = fake.journal.map(({ reused, scripts }) => [reused, scripts.length])
  t.match(seen, [[false, 0], [true, 1], [false, 0]])
  t.not(fake.journal[0]?.socketId, fake.journal[2]?.socketId)
})

t.test('HTTP is used at its edges', async t => {
  const fake = await start(t)
  const half = await rawBytes(fake.url, requestText('half_headers'))
  t.equal(half.text, 'HTTP/1.1 200 OK\r\ncontent-type: applica')
  const early = await rawBytes(fake.url, requestText('1xx', 'connection: close\r\n'))
  t.match(early.text, /^HTTP\/1.1 102 Processing\r\n\r\nHTTP\/1.1 103 Early Hints\r\n[^]*HTTP\/1.1 200 OK/)
  t.ok((await rawBytes(fake.url, requestText('oversize_headers:32', 'connection: close\r\n'))).text.indexOf('\r\n\r\n') > 32 * 1024)
  const more = await under(fake, 'wrong_content_length', asked)
  t.equal(more.broke, 'ECONNRESET')
  t.equal(more.text.length < Number(more.headers['content-length']), true)
  const less = await under(fake, 'wrong_content_length:less', asked)
  t.throws(less.json, 'the body is cut by its length')
  t.equal((await under(fake, 'hang_up')).broke, 'ECONNRESET')
  const usual = await under(fake, 'ok', asked)
  t.strictSame(usual.rawHeaders.filter((_, at) => at % 2 === 0), ['date', 'server', 'content-length', 'content-type'], 'no hint of keep-alive')
  t.equal(usual.headers.server, 'uvicorn')
})

t.test('times are kept on a logical clock', async t => {
  const fake = await start(t, { clock: 'logical', itlMs: 10, ttftMs: 50 })
  const waits: Array<[script: string, body: object, at: Record<string, number>]> = [
    ['ok', streamed, { headersAt: 0, firstAt: 50, lastAt: 50 + 9 * 10 }],
    ['ok', asked, { headersAt: 140, firstAt: 140 }],
    ['slow_headers:200', streamed, { headersAt: 200, firstAt: 250 }],
    ['slow_first:200', streamed, { headersAt: 0, firstAt: 250 }],
    ['slow_first:200', asked, { headersAt: 0, firstAt: 340 }],
    ['rate:10', streamed, { headersAt: 0, firstAt: 50, lastAt: 950 }],
    ['stall:3,5000', streamed, { firstAt: 50, lastAt: 5080 }]
  ]
  for (const [script, body, at] of waits) {
    const began = fake.now()
    const nth = fake.journal.length
    const heard = under(fake, script, body)
    await fake.arrived(nth)
    for (let each = 0; each < 600; each++) await fake.tick(10)
    t.equal((await heard).broke, null)
    const entry = fake.journal[nth] as unknown as Record<string, number>
    for (const [name, ms] of Object.entries(at)) t.equal((entry[name] ?? NaN) - began, ms, `${script}: ${name}`)
  }
})

t.test('what never comes is given up by the client, and the engine is told', async t => {
  const fake = await start(t, { clock: 'logical', itlMs: 10 })
  for (const script of ['never', 'slow_first:never', 'stall:2,never', 'slow_headers:never']) {
    const nth = fake.journal.length
    const leaving = new AbortController()
    const heard = fetch(`${fake.url}/v1/chat/completions`, {
      method: 'POST', headers: { 'content-type': 'application/json', 'x-fake': script }, body: JSON.stringify(streamed), signal: leaving.signal
    }).then(async response => await response.text()).catch(() => '')
    await fake.arrived(nth)
    await fake.tick(50)
    leaving.abort()
    t.match(await fake.ended(nth), { endedBy: 'client' }, script)
    await heard
    t.strictSame([fake.engine.running, fake.engine.waiting], [0, 0], `${script}: nothing runs on`)
  }
})

t.test('metrics lie in each of the known ways', async t => {
  const fake = await start(t, { clock: 'logical' })
  const page = async () => await askRaw(fake.url, null, { path: '/metrics', method: 'GET' })
  const running = async () => /^vllm:num_requests_running\{.*\} (.*)$/m.exec((await page()).text)?.[1]
  t.equal(await running(), '0.0')
  fake.script({ steps: ['metrics:stale'] })
  void under(fake, 'never')
  await fake.arrived(0)
  t.equal(await running(), '0.0', 'stale')
  fake.script({ steps: ['metrics:nan'] })
  t.equal(await running(), 'NaN')
  fake.script({ steps: ['metrics:missing'] })
  t.equal(await running(), undefined)
  t.match((await page()).text, /vllm:prompt_tokens_total/)
  fake.script({ steps: ['metrics:500'] })
  t.equal((await page()).status, 500)
  fake.script({ steps: ['metrics:huge'] })
  t.ok((await page()).text.length > 5_000_000)
  fake.script({ steps: ['metrics:noise'] })
  t.match((await page()).text, /num_requests_waiting\{engine="0",model_name="unrelated"\} 9999.0/)
  fake.script({ steps: ['metrics:slow:300'] })
  const slow = page()
  while (fake.probes.at(-1)?.path !== '/metrics' || fake.probes.at(-1)?.endedAt !== null) await new Promise(resolve => { setImmediate(resolve) })
  await fake.tick(300)
  t.equal((await slow).status, 200)
  fake.forgetScripts()
  t.equal(await running(), '0.0')
})

t.test('a reader that does not read stops the writer', async t => {
  const fake = await start(t)
  const heard = await under(fake, 'slow_reader_probe:3000000')
  t.ok(heard.text.length >= 3_000_000)
  t.ok(heard.text.endsWith(done))
  const entry = fake.journal[0]
  t.ok((entry?.unackedBytesMax ?? Infinity) < 1_000_000, 'it waits for room')
})

t.test('scripts are matched, counted and forgotten', async t => {
  const fake = await start(t, { loras: ['tuned'] })
  const post = async (script: object) => await askRaw(fake.url, script, { path: '/__script' })
  await post({ match: { model: 'tuned' }, times: 2, steps: ['status:500'] })
  await post({ match: { header: { 'X-Run': 'a' } }, times: -1, steps: ['status:501'] })
  await post({ match: { path: '/v1/completions', nth: 5 }, steps: ['status:599'] })
  const status = async (body: object, headers = {}, path = '/v1/chat/completions') =>
    (await askRaw(fake.url, body, { headers, path })).status
  t.equal(await status(asked), 200)
  t.equal(await status({ ...asked, model: 'tuned' }), 500)
  t.equal(await status({ ...asked, model: 'tuned' }), 500)
  t.equal(await status({ ...asked, model: 'tuned' }), 200, 'used up')
  t.equal(await status(asked, { 'x-run': 'a' }), 501)
  t.equal(await status({ model: 'm', prompt: 'a' }, {}, '/v1/completions'), 599)
  t.match(await post({ steps: ['nonsense'] }), { status: 400, text: /There is: ok, never/ })
  await askRaw(fake.url, null, { path: '/__script', method: 'DELETE' })
  t.equal(await status(asked, { 'x-run': 'a' }), 200)
  const entries = (await askRaw(fake.url, null, { path: '/__journal', method: 'GET' })).json()
  t.equal(entries.length, 7)
  t.match(entries[0], { id: 0, method: 'POST', path: '/v1/chat/completions', bodySha: /^[0-9a-f]{64}$/, tokens_sent: 10, closed_by: 'server', reused: false })
  const times: number[] = ['t_recv', 't_hdr', 't_first', 't_last', 't_closed'].map(name => entries[0][name])
  t.strictSame(times, times.toSorted((one, other) => one - other), 'one after the other')
  t.ok(scriptNames.length > 45)
})
