import { Ajv } from 'ajv'
import t from 'tap'
import { fakeVllm, type FakeOptions, type FakeVllm } from '../../fake-vllm.ts'
import { instanceOf } from '../instance.ts'
import { versions, type Version } from '../options.ts'
import { shortestMatch } from '../shortest-match.ts'
import { askRaw, eventsIn, question, type Heard, type Manner } from './ask-raw.ts'

type Test = Pick<typeof t, 'teardown'>

/** One server of each version. */
async function all (t: Test, options: FakeOptions = {}): Promise<Record<Version, FakeVllm>> {
  const started = await Promise.all(versions.map(async version =>
    [version, await fakeVllm({ models: ['m'], version, ...options })] as const))
  t.teardown(async () => { await Promise.all(started.map(async ([, fake]) => { await fake.close() })) })
  return Object.fromEntries(started) as Record<Version, FakeVllm>
}

/** What each version says to the same request. */
async function each (
  fakes: Record<Version, FakeVllm>, body: unknown, manner: Manner = {}
): Promise<Record<Version, Heard>> {
  const heard = await Promise.all(versions.map(async version =>
    [version, await askRaw(fakes[version].url, body, manner)] as const))
  return Object.fromEntries(heard) as Record<Version, Heard>
}

t.test('errors are flat before 0.10.1 and nested since', async t => {
  const fakes = await all(t)
  const heard = await each(fakes, { ...question, model: 'none' })
  for (const version of versions) {
    const body = heard[version].json()
    t.equal(heard[version].status, 404)
    const param = ['0.29.0', '0.32.0'].includes(version) ? 'model' : null
    const aliases = version === '0.32.0' ? ' Valid aliases: m.' : ''
    const said = { message: `The model \`none\` does not exist.${aliases}`, type: 'NotFoundError', param, code: 404 }
    const flat = ['0.6.6', '0.9.2'].includes(version)
    t.strictSame(body, flat ? { object: 'error', ...said } : { error: said }, version)
  }
})

t.test('a context that is too long is told in the words of the version, with real counts', async t => {
  const fakes = await all(t, { maxModelLen: 100 })
  const messages = [{ role: 'user', content: 'a'.repeat(200) }]
  const { count } = (await askRaw(fakes['0.29.0'].url, { messages }, { path: '/tokenize' })).json()
  const words: Record<Version, string> = {
    '0.6.6': `However, you requested ${count + 90} tokens (${count} in the messages, 90 in the completion).`,
    '0.9.2': `However, you requested ${count + 90} tokens (${count} in the messages, 90 in the completion).`,
    '0.10.1': `'max_tokens' or 'max_completion_tokens' is too large: 90. This model's maximum context length is 100 tokens and your request has ${count} input tokens (90 > 100 - ${count}).`,
    '0.12.0': '\'max_tokens\' or \'max_completion_tokens\' is too large: 90.',
    '0.29.0': `You passed ${count} input tokens and requested 90 output tokens. However, the model's context length is only 100 tokens, resulting in a maximum input length of 10 tokens.`,
    '0.32.0': ''
  }
  const heard = await each(fakes, { model: 'm', messages, max_tokens: 90, ignore_eos: true })
  const alone = await each(fakes, { model: 'm', messages: [{ role: 'user', content: 'a'.repeat(2000) }] })
  const exact = await each(fakes, { model: 'm', messages, max_tokens: 100 - count })
  for (const version of versions) {
    const message = (body: any) => (body.error ?? body).message as string
    if (version === '0.32.0') {
      t.match(heard[version].json(), { choices: [{ finish_reason: 'length' }], usage: { total_tokens: 100 } }, 'what room there is')
      continue
    }
    t.equal(heard[version].status, 400)
    t.ok(message(heard[version].json()).includes(words[version]), `${version}: ${message(heard[version].json())}`)
    t.match(message(alone[version].json()), /context length|maximum input length/)
    t.equal(exact[version].status, 200, 'what just fits is answered')
  }
})

t.test('0.32 says what is too long in three ways', async t => {
  const fake = await fakeVllm({ models: ['m'], version: '0.32.0', maxModelLen: 100 })
  t.teardown(fake.close)
  const said = async (content: string, most?: number) =>
    (await askRaw(fake.url, { model: 'm', messages: [{ role: 'user', content }], max_tokens: most })).json().error
  t.match(await said('a', 101), { param: 'max_tokens', message: /^max_tokens=101 cannot be greater than max_model_len=100/ })
  t.match(await said('a'.repeat(500)), { param: 'input_text', message: /contains \d{3} characters \(more than 400 characters/ })
  t.match(await said('漢'.repeat(200), 5), { param: 'input_tokens', message: /at least 163 input tokens, for a total of at least 168 tokens/ })
})

const schema = { type: 'object', properties: { answer: { enum: ['yes', 'no'] } }, required: ['answer'], additionalProperties: false }

t.test('a constraint holds only under the names the version knows', async t => {
  const fakes = await all(t)
  const obeyed = async (body: object) => {
    const heard = await each(fakes, { ...question, ...body })
    return versions.filter(version => heard[version].json().choices[0].message.content === '{"answer":"yes"}')
  }
  t.strictSame(await obeyed({ guided_json: schema }), ['0.6.6', '0.9.2', '0.10.1'])
  t.strictSame(await obeyed({ structured_outputs: { json: schema } }), ['0.12.0', '0.29.0', '0.32.0'])
  t.strictSame(await obeyed({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }), [...versions])
  const choice = await each(fakes, { ...question, guided_choice: ['A'] })
  t.equal(choice['0.9.2'].json().choices[0].message.content, 'A')
  t.not(choice['0.12.0'].json().choices[0].message.content, 'A', 'and 200 all the same')
  const old = await askRaw(fakes['0.9.2'].url, { ...question, guided_regex: '[A-D]\\)?', guided_choice: ['x'] })
  t.match(old.json().message, /only use one kind of guided decoding/)
  const violated = await askRaw(fakes['0.32.0'].url, { ...question, structured_outputs: { json: schema } }, { headers: { 'x-fake': 'schema_violation' } })
  t.throws(() => JSON.parse(violated.json().choices[0].message.content))
})

t.test('thoughts are called what the version calls them', async t => {
  const fakes = await all(t, { reasoning: true })
  const names: Record<Version, string[]> = {
    '0.6.6': [], '0.9.2': ['reasoning_content'], '0.10.1': ['reasoning_content'], '0.12.0': ['reasoning', 'reasoning_content'], '0.29.0': ['reasoning'], '0.32.0': ['reasoning']
  }
  const whole = await each(fakes, { ...question, max_tokens: 200 })
  const told = { stream: true, stream_options: { include_usage: true } }
  const streamed = await each(fakes, { ...question, max_tokens: 200, ...told })
  for (const version of versions) {
    const { message } = whole[version].json().choices[0]
    const events = eventsIn(streamed[version].text)
    for (const name of ['reasoning', 'reasoning_content']) {
      const joined = events.map(event => event.choices?.[0]?.delta?.[name] ?? '').join('')
      t.equal(joined.length > 0, names[version].includes(name), `${version}: ${name}`)
      t.equal(message[name] ?? '', joined)
    }
    if (version === '0.6.6') t.match(message.content, /^<think>.*<\/think>/)
    const { usage } = events.at(-2)
    const { prompt_tokens_details: _, ...counted } = whole[version].json().usage
    t.match(usage, counted, 'usage is the same, streamed or not')
    t.equal(usage.completion_tokens_details === undefined, !['0.29.0', '0.32.0'].includes(version))
  }
  const silent = await askRaw(fakes['0.29.0'].url, { ...question, chat_template_kwargs: { enable_thinking: false } })
  t.equal(silent.json().choices[0].message.reasoning, null)
  const hidden = await askRaw(fakes['0.29.0'].url, { ...question, include_reasoning: false })
  t.equal(hidden.json().choices[0].message.reasoning, null)
  t.ok(hidden.json().usage.completion_tokens_details.reasoning_tokens > 0, 'thought, but not told')
})

t.test('requests are checked as the version checks them', async t => {
  const fakes = await all(t)
  const said = async (body: unknown, manner: Manner = {}) => {
    const heard = await each(fakes, body, manner)
    return Object.fromEntries(versions.map(version => {
      const found = heard[version].json()
      const { message, type } = found.error ?? found
      return [version, `${heard[version].status} ${String(type)}: ${String(message)}`]
    })) as Record<Version, string>
  }
  const every = (found: Record<Version, string>, pattern: RegExp) => {
    for (const version of versions) t.match(found[version], pattern, version)
  }
  every(await said({ ...question, temperature: -1 }), /^400 BadRequestError: temperature must be non-negative, got -1/)
  every(await said({ ...question, n: 2, temperature: 0 }), /n must be 1 when using greedy sampling, got 2/)
  every(await said({ ...question, stream_options: {} }), /Stream options can only be defined when `stream=True`/)
  every(await said({ ...question, top_logprobs: 2 }), /`logprobs` must be set to true/)
  every(await said({ model: 'm' }), /^400 .*validation error.*'loc': (?:\('body', 'messages'\)|'body.messages'), 'msg': 'Field required'/s)
  t.match((await said({ model: 'm' }))['0.9.2'], /^400 BadRequestError/)
  t.match((await said({ model: 'm' }))['0.12.0'], /^400 Bad Request/)
  every(await said('{"a":'), /^400 .*JSON decode error/s)
  every(await said('[1]'), /^400 .*valid dictionary/s)
  const media = await said(question, { headers: { 'content-type': 'text/plain' } })
  t.match(media['0.6.6'], /^500/)
  t.match(media['0.29.0'], /^400 .*Only 'application\/json' is allowed/s)
  t.match((await each(fakes, { ...question, priority: 1 }))['0.6.6'], { status: 400, text: /Priority scheduling is not enabled/ })
  t.equal((await each(fakes, { ...question, priority: 1 }))['0.9.2'].status, 200)
  t.equal((await each(fakes, { ...question, top_k: 0 }))['0.6.6'].status, 400)
  t.equal((await each(fakes, { ...question, top_k: 0 }))['0.12.0'].status, 200)
  const pictures = { model: 'm', messages: [{ role: 'user', content: ['a', 'b'].map(name => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${name}` } })) }] }
  const shown = await each(fakes, pictures)
  t.match(shown['0.6.6'], { status: 400, text: /At most 1 image\(s\) may be provided in one request\."/ })
  t.equal(shown['0.29.0'].status, 200)
  t.ok(shown['0.29.0'].json().usage.prompt_tokens > 512, 'an image is 256 tokens')
  const far = { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://far.invalid/a.png' } }] }] }
  const reached = await each(fakes, far)
  t.strictSame(versions.map(version => reached[version].status), [500, 400, 400, 400, 422, 422])
  every(await said(null, { headers: { 'content-type': 'application/json' } }), /^400/)
  t.strictSame((await each(fakes, null, { path: '/v2/none', method: 'GET' }))['0.12.0'].json(), { detail: 'Not Found' })
  t.equal((await each(fakes, null, { path: '/v1/chat/completions', method: 'GET' }))['0.12.0'].status, 405)
})

t.test('metrics bear the names of the version', async t => {
  const fakes = await all(t, { engines: 2 })
  const pages = await each(fakes, null, { path: '/metrics', method: 'GET' })
  const has = (version: Version, line: string | RegExp) => t.match(pages[version].text, line, `${version}: ${String(line)}`)
  has('0.6.6', /^vllm:num_requests_running\{model_name="m"\} 0\.0$/m)
  has('0.6.6', /^vllm:gpu_cache_usage_perc\{model_name="m"\} 0\.0$/m)
  has('0.6.6', /^vllm:num_requests_swapped\{/m)
  has('0.6.6', /^vllm:gpu_prefix_cache_hit_rate\{/m)
  t.notMatch(pages['0.6.6'].text, /engine="/)
  for (const version of versions.slice(1)) {
    has(version, /^vllm:num_requests_running\{engine="0",model_name="m"\} 0\.0\nvllm:num_requests_running\{engine="1",model_name="m"\} 0\.0$/m)
    has(version, /^vllm:kv_cache_usage_perc\{engine="0",model_name="m"\} 0\.0$/m)
    has(version, /^vllm:prefix_cache_queries_total\{engine="0",model_name="m"\} 0\.0$/m)
    has(version, /^vllm:cache_config_info\{block_size="16",engine="0",num_gpu_blocks="4096"\} 1\.0$/m)
    has(version, /^vllm:request_success_total\{engine="0",finished_reason="stop",model_name="m"\} 0\.0$/m)
  }
  has('0.29.0', /waiting_by_reason\{engine="0",model_name="m",reason="capacity"\} 0\.0[^]*\nvllm:num_requests_waiting\{/)
  t.notMatch(pages['0.12.0'].text, /by_reason/)
  has('0.32.0', /^vllm:admission_rejections_total\{/m)
  t.notMatch(pages['0.29.0'].text, /admission_rejections/)
  has('0.9.2', 'vllm:time_per_output_token_seconds_bucket')
  has('0.29.0', 'vllm:inter_token_latency_seconds_bucket')
})

t.test('the other routes answer, and the key guards only /v1', async t => {
  const fake = await fakeVllm({ models: ['m', 'alias'], loras: ['tuned'], apiKey: 'secret', limitImages: 2 })
  t.teardown(fake.close)
  const get = async (path: string, headers = {}) => await askRaw(fake.url, null, { path, method: 'GET', headers })
  const key = { authorization: 'Bearer secret' }
  const refused = await get('/v1/models')
  t.strictSame([refused.status, refused.json()], [401, { error: 'Unauthorized' }])
  t.equal((await askRaw(fake.url, question)).status, 401)
  const { data } = (await get('/v1/models', key)).json()
  t.match(data.map(({ id, root, parent, max_model_len: length }: any) => [id, root, parent, length]),
    [['m', 'm', null, 8192], ['alias', 'm', null, 8192], ['tuned', 'tuned', 'm', null]])
  t.strictSame((await get('/version')).json(), { version: '0.29.0' })
  t.match(await get('/health'), { status: 200, text: '' })
  t.strictSame((await get('/is_sleeping')).json(), { is_sleeping: false })
  const post = async (path: string, body: unknown = null) =>
    await askRaw(fake.url, body, { path, headers: key })
  t.equal((await post('/sleep?level=1')).status, 200)
  t.strictSame((await get('/is_sleeping')).json(), { is_sleeping: true })
  const waiting = askRaw(fake.url, question, { headers: key })
  await fake.arrived(2)
  t.equal((await get('/load')).json().server_load, 2, 'the waiting one and this')
  t.equal(fake.engine.waiting, 1, 'a sleeping engine does not answer')
  await post('/wake_up')
  t.equal((await waiting).status, 200)
  t.match(await post('/v1/load_lora_adapter', { lora_name: 'new', lora_path: '/x' }), { status: 200, text: /^Success/ })
  t.equal((await post('/v1/chat/completions', { ...question, model: 'new' })).status, 200)
  await post('/v1/unload_lora_adapter', { lora_name: 'new' })
  t.equal((await post('/v1/chat/completions', { ...question, model: 'new' })).status, 404)
  const text = 'Für 漢 und 🙂.'
  const { tokens, count, token_strs: strings } = (await post('/tokenize', { prompt: text, return_token_strs: true })).json()
  t.strictSame([count, strings.length], [Math.ceil(Buffer.byteLength(text) / 4), count])
  t.strictSame((await post('/detokenize', { tokens })).json(), { prompt: text })
  t.equal((await post('/v1/completions', { prompt: tokens, echo: true, max_tokens: 2 })).json().choices[0].text.startsWith(text), true)
})

t.test('many prompts, many choices, logprobs, stops and tools', async t => {
  const fake = await fakeVllm({ models: ['m'] })
  t.teardown(fake.close)
  const text = async (body: object) => (await askRaw(fake.url, { model: 'm', ...body }, { path: '/v1/completions' })).json()
  const many = await text({ prompt: ['one', 'two'], n: 2, logprobs: 2 })
  t.strictSame(many.choices.map(({ index }: any) => index), [0, 1, 2, 3])
  t.equal(new Set(many.choices.map(({ text }: any) => text)).size, 4, 'each another text')
  const count = many.choices.flatMap(({ logprobs }: any) => logprobs.tokens).length
  t.equal(many.usage.completion_tokens, count)
  t.equal(many.choices[0].logprobs.tokens.join(''), many.choices[0].text)
  const twice = { model: 'm', prompt: ['one', 'two'], n: 2, stream: true }
  const streamed = eventsIn((await askRaw(fake.url, twice, { path: '/v1/completions' })).text)
  for (const { index, text } of many.choices) {
    t.equal(streamed.map(event => event.choices?.[0]?.index === index ? event.choices[0].text : '').join(''), text)
  }
  const chat = async (body: object) => (await askRaw(fake.url, { ...question, ...body })).json()
  const { logprobs, message } = (await chat({ logprobs: true, top_logprobs: 3 })).choices[0]
  t.equal(logprobs.content.map(({ token }: any) => token).join(''), message.content)
  t.equal(logprobs.content[0].top_logprobs.length, 3)
  const stopped = (await chat({ stop: [message.content.slice(8, 12)] })).choices[0]
  t.match(stopped, { finish_reason: 'stop', stop_reason: message.content.slice(8, 12), message: { content: message.content.slice(0, 8) } })
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: { at: { type: 'integer', minimum: 3 } }, required: ['at'] } } }]
  t.match((await chat({ tools, tool_choice: 'required' })).choices[0], { finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'look', arguments: '{"at":3}' } }] } })
  const called = eventsIn((await askRaw(fake.url, { ...question, tools, tool_choice: { type: 'function', function: { name: 'look' } }, stream: true })).text)
  t.equal(called.map(event => event.choices?.[0]?.delta?.tool_calls?.[0]?.function?.arguments ?? '').join(''), '{"at":3}')
  const embedded = (await askRaw(fake.url, { model: 'm', input: ['a', 'b'] }, { path: '/v1/embeddings' })).json()
  t.equal(embedded.data.length, 2)
  t.ok(Math.abs(Math.hypot(...embedded.data[0].embedding) - 1) < 1e-6)
  const inBytes = { model: 'm', input: 'a', encoding_format: 'base64' }
  const packed = (await askRaw(fake.url, inBytes, { path: '/v1/embeddings' })).json()
  const bytes = Buffer.from(packed.data[0].embedding, 'base64')
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  t.strictSame([...numbers], embedded.data[0].embedding)
})

t.test('the smallest instances are instances', t => {
  const ajv = new Ajv({ strict: false, formats: { 'date-time': true, email: /@/ } })
  const schemas: object[] = [
    schema,
    { type: 'array', items: { type: 'integer', minimum: 5, maximum: 9, multipleOf: 4 }, minItems: 2, uniqueItems: false },
    { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
    { type: 'string', minLength: 7, maxLength: 9 },
    { type: 'string', pattern: '^[A-Z]{2}-\\d{3}(?:a|b)+$' },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: 'number', maximum: -2.5 },
    { type: ['null', 'string'] },
    { oneOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { type: 'string' }] },
    { allOf: [{ type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] }, { properties: { b: { type: 'string', format: 'email' } }, required: ['b'] }] },
    { $defs: { node: { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }, required: ['next'] } }, $ref: '#/$defs/node' },
    { type: 'object', properties: { ['__proto__']: { type: 'integer' } }, required: ['__proto__'] }
  ]
  for (const each of schemas) {
    const made = JSON.parse(JSON.stringify(instanceOf(each, { root: each, depth: 0 })))
    t.ok(ajv.validate(each, made), `${JSON.stringify(each)}: ${JSON.stringify(made)}`)
  }
  for (const source of ['Answer: (?:Yes|No)', '[^a-z]{3}', '\\d+(?:\\.\\d*)?', '(a|b)?c{2,}', '[\\]x]+', '.*\\u0041$']) {
    t.match(shortestMatch(source), new RegExp(`^(?:${source})$`), source)
  }
  t.end()
})
