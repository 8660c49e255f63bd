import { pino } from 'pino'
import t from 'tap'
import { askDirectly, question, runningInference } from './running-inference.ts'

t.test('a plain call comes back as the server gave it, and only what belongs there reaches it', async t => {
  const { fake, ask, get } = await runningInference(t, { fakes: [{ reply: () => 'Über 漢 🙂\nAnswer: No' }], upstream: { capabilities: ['vision'] } })
  const { statusCode, body, headers } = await ask({ ...question, top_k: 3, priority: 5 }, {
    headers: { 'viva-caller': 'test', cookie: 'a=b', authorization: 'Bearer mine', 'proxy-authorization': 'x' }
  })
  t.equal(statusCode, 200)
  t.match(await body.json(), { choices: [{ message: { content: 'Über 漢 🙂\nAnswer: No' }, finish_reason: 'stop' }] })
  t.ok(headers['x-request-id'])
  const entry = fake.journal[0]
  t.strictSame(entry?.body, { ...question, top_k: 3 }, 'unknown fields pass; the queue does priorities')
  t.strictSame(Object.keys(entry?.headers ?? {}).sort(), ['connection', 'content-length', 'content-type', 'host', 'x-request-id'])
  t.match(await (await get('/v1/models')).body.json(), { data: [{ id: 'fake-model', owned_by: 'lab0', capabilities: /vision/ }] })
})

t.test('a stream passes byte for byte, however it is cut', async t => {
  const { fake, ask } = await runningInference(t, { fakes: [{ reply: () => 'eins zwei 漢 🙂 drei' }] })
  const asked = { ...question, stream: true }
  const direct = await askDirectly(fake, asked)
  for (const cut of ['ok', 'split:1', 'split:utf8', 'split:crlf', 'merge:3']) {
    const { headers, body } = await ask(asked, { fake: cut })
    t.match(headers['content-type'], 'text/event-stream')
    t.equal(await body.text(), direct, cut)
  }
})

t.test('a stream that is not whole ends with an error frame and without [DONE]', async t => {
  const { ask, get } = await runningInference(t, { fakes: [{ reply: () => 'one two three four five' }] })
  const broken: Array<[string, string]> = [
    ['rst:2', 'upstream-truncated'],
    ['fin:2', 'upstream-truncated'],
    ['no_finish', 'upstream-truncated'],
    ['bad_json:2', 'upstream-invalid'],
    ['err_frame:2,500', 'upstream-invalid'],
    ['err_frame:2,400', 'upstream-refused']
  ]
  for (const [fake, type] of broken) {
    const { statusCode, body } = await ask({ ...question, stream: true }, { fake })
    const text = await body.text()
    t.equal(statusCode, 200)
    t.match(text, /"content":"one/, fake)
    t.match(text.slice(text.lastIndexOf('data: ')), 'data: {"error":{"message":"', fake)
    t.match(text, `"type":"${type}"`, fake)
    t.notMatch(text, /\[DONE\]/, fake)
  }
  const usage = await (await get('/v1/usage')).body.json()
  t.match(usage, { totals: { requests: broken.length, outcomes: { answered: 0, failed: 5, refused: 1 } } })
})

t.test('a stream that is only unusual is whole', async t => {
  const { ask } = await runningInference(t, { fakes: [{ reply: () => 'one two three four five' }] })
  for (const fake of ['no_done', 'crlf_lines', 'comment_ping', 'bad_prefix', 'many_empty:50', 'big_chunk:300000']) {
    const text = await (await ask({ ...question, stream: true }, { fake })).body.text()
    t.match(text, /"finish_reason":"stop"/, fake)
    t.match(text, /data: ?\[DONE\]\r?\n\r?\n$/, fake)
    t.notMatch(text, /"error"/, fake)
  }
})

t.test('what fails before the stream has begun is an answer with a status', async t => {
  const { ask, journal } = await runningInference(t)
  for (const [fake, status, type] of [['err_first', 502, 'upstream-invalid'], ['done_only', 502, 'upstream-truncated'], ['html_200', 502, 'upstream-invalid']] as const) {
    const before = journal().length
    const { statusCode, body } = await ask({ ...question, stream: true }, { fake })
    t.equal(statusCode, status, fake)
    t.match(await body.json(), { error: { type } }, fake)
    t.ok(journal().length - before > 1, 'asked again, for the caller had seen nothing')
  }
})

t.test('each fault of a server is its own problem, in the form an OpenAI client reads', async t => {
  const { ask } = await runningInference(t, { env: { INFERENCE_IDLE_TIMEOUT_MS: '300' } })
  const faults: Array<[string, number, string]> = [
    ['html_200', 502, 'upstream-invalid'],
    ['rst:0', 502, 'upstream-truncated'],
    ['status:500', 502, 'upstream-invalid'],
    ['status:502', 503, 'upstream-unavailable'],
    ['status:401', 502, 'upstream-unauthorized'],
    ['status:404', 400, 'unsupported-by-upstream'],
    ['status:429', 429, 'too-many-requests'],
    ['status:422', 400, 'upstream-refused'],
    ['ctx_len', 400, 'upstream-refused'],
    ['gzip_body', 502, 'upstream-invalid'],
    ['wrong_content_length', 502, 'upstream-truncated'],
    ['half_headers', 503, 'upstream-unavailable'],
    ['oversize_headers:64', 502, 'upstream-invalid'],
    ['1xx', 200, '']
  ]
  for (const [fake, status, type] of faults) {
    const { statusCode, body } = await ask(question, { fake, headers: { 'viva-timeout-ms': '3000' } })
    const said = await body.json()
    t.equal(statusCode, status, `${fake}: ${JSON.stringify(said).slice(0, 200)}`)
    if (status !== 200) t.match(said, { error: { type, code: status } }, fake)
  }
})

t.test('a silent server is a timeout, and a caller may ask for less time', async t => {
  const { ask, fake } = await runningInference(t, { env: { INFERENCE_FIRST_BYTE_TIMEOUT_MS: '200', INFERENCE_IDLE_TIMEOUT_MS: '200' } })
  const asked = { ...question, stream: true }
  t.match(await (await ask(asked, { fake: 'never' })).body.json(), { error: { type: 'upstream-timeout', message: /FIRST_BYTE/ } })
  t.match(await (await ask(question, { fake: 'never', headers: { 'viva-timeout-ms': '200' } })).body.json(), { error: { type: 'upstream-timeout', message: /viva-timeout-ms/ } })
  const stalled = await (await ask(asked, { fake: 'stall:1,60000' })).body.text()
  t.match(stalled, /"type":"upstream-timeout"/)
  t.notMatch(stalled, /\[DONE\]/)
  for (const nth of [0, 1, 2]) t.match(await fake.ended(nth), { endedBy: 'client' }, 'and the server is let go')
})

t.test('a caller who leaves takes the upstream call along', async t => {
  const { fake, ask } = await runningInference(t)
  for (const [nth, stream] of [false, true].entries()) {
    const controller = new AbortController()
    const asked = ask({ ...question, stream }, { fake: 'never', signal: controller.signal })
    await fake.arrived(nth)
    controller.abort()
    await t.rejects(asked)
    t.match(await fake.ended(nth), { endedBy: 'client' }, stream ? 'a stream' : 'a plain call')
  }
})

t.test('LOG_PROMPTS logs both sides of a call, and without it no text of either is in the log', async t => {
  for (const on of [true, false]) {
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write (line: string) { lines.push(line) } })
    const { ask } = await runningInference(t, { fakes: [{ reply: () => 'the secret reply' }], log, ...on && { env: { LOG_PROMPTS: '1' } } })
    const secret = { model: 'fake-model', messages: [{ role: 'user', content: 'the secret prompt' }] }
    for (const stream of [false, true]) await (await ask({ ...secret, stream })).body.text()
    await (await ask(secret, { fake: 'status:400,the secret prompt is bad' })).body.text()
    const said = lines.join('')
    for (const text of ['secret prompt', 'secret reply']) t.equal(said.includes(text), on, text)
  }
})

t.test('an answer of no tokens that says something was not counted, whole or streamed', async t => {
  for (const stream of [false, true]) {
    const { ask, get } = await runningInference(t, { fakes: [{ reply: () => 'one two' }] })
    const { body } = await ask({ ...question, stream, stream_options: stream ? { include_usage: true } : undefined }, { fake: 'usage_zero' })
    t.match(await body.text(), /"completion_tokens":0/, 'as the server said it')
    t.match(await (await get('/v1/usage')).body.json(), { totals: { requests: 1, completionTokens: null } })
  }
})

t.test('a call that failed is one line of the log, whole, streamed or structured', async t => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write (line: string) { lines.push(line) } })
  const { ask } = await runningInference(t, { log, upstream: { capabilities: ['structured-output'] } })
  const structured = { path: '/v1/structured-completions' }
  const ways = [
    { asked: question, fake: 'status:401' },
    { asked: { ...question, stream: true }, fake: 'status:401' },
    { asked: { ...question, stream: true }, fake: 'rst:1' },
    { asked: { ...question, schema: { type: 'array' } }, fake: 'status:401', way: structured }
  ]
  for (const { asked, fake, way } of ways) {
    lines.length = 0
    await (await ask(asked, { ...way, fake })).body.text()
    const told = lines.map(line => JSON.parse(line) as { level: number })
    const problems = told.filter(({ level }) => level >= 40)
    t.match(problems, [{ msg: 'a call failed', requestId: String, problem: /^upstream-/, upstream: 'lab0' }], fake)
    t.equal(problems.length, 1, fake)
  }
})
