import t from 'tap'
import { release, versionOf } from '../domain/dialect/version.ts'
import { countFromUpstream, fromUpstream } from '../domain/dialect/from-upstream.ts'
import { toUpstream, type Dialect } from '../domain/dialect/to-upstream.ts'
import { errorIn, parseUpstreamError } from '../domain/dialect/upstream-error.ts'
import type { RequestBody } from '../domain/call.ts'

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
const other = { type: 'array' }
const chat = '/v1/chat/completions'
const plain = '/v1/completions'
/** One of each generation, and what cannot be placed. */
const olds = ['0.6.6', '0.8.5.post1', '0.9.2', '0.10.1.1', '0.10.2', '0.10.2rc3.dev371+g8a3f1b2c4', '0.11.0rc1']
const news = ['0.11.0', '0.11.1rc2.dev3+gabc', '0.12.0', '0.29.0', '0.32.0', 'v0.33.0']
const unplaced = ['dev', '0.1.dev1+gabcdef', '']

function asked (fields: Record<string, unknown>, dialect: Partial<Dialect> = {}): RequestBody {
  return { model: 'm', ...(dialect.path ?? chat) === chat ? { messages: [] } : { prompt: 'x' }, ...fields }
}

/** What was sent, without what every request has; or the kind of the refusal. */
function sent (fields: Record<string, unknown>, dialect: Partial<Dialect>): unknown {
  const body = asked(fields, dialect)
  try {
    const { model, messages, prompt, ...rest } = toUpstream(body, { path: chat, version: null, served: 'm', ...dialect })
    return rest
  } catch (cause) { return (cause as { kind: string }).kind }
}

t.test('versions compare as releases do, and what is no version of vLLM is none', async t => {
  const inOrder = ['0.4.0', '0.6.6', '0.10.1', '0.10.1.1', '0.10.2', '0.11.0rc1', '0.11.0', '0.11.1rc2.dev3+gabc', '0.11.1', '0.12.0', '1.0']
  const numbers = inOrder.map(text => Number(versionOf(text)))
  t.strictSame([...numbers].sort((a, b) => a - b), numbers)
  t.equal(versionOf('v0.10.2'), release(0, 10, 2))
  t.equal(versionOf('0.8.5.post1'), release(0, 8, 5), 'a post-release is not before its release')
  for (const none of [null, undefined, '', 'dev', 'unknown', '0.1.dev1+gabc', '0.0.0', '.1', 'llama', '9'.repeat(400)]) {
    t.equal(versionOf(none), null, String(none).slice(0, 20))
  }
})

t.test('a constraint arrives in the words each version obeys, or the request does not arrive', async t => {
  const rf = { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } }
  const rfObject = { response_format: { type: 'json_object' } }
  const made = { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } }
  const so = (fields: object) => ({ structured_outputs: fields })
  const soJson = so({ json: schema })
  const soObject = so({ json_object: true })
  const guidedJson = { guided_json: schema }
  const no = 'unsupported-by-upstream'
  const withBackend = { guided_json: schema, guided_decoding_backend: 'xgrammar' }
  const oldBlank = { guided_json: schema, guided_whitespace_pattern: ' ?' }
  const newBlank = so({ json: schema, whitespace_pattern: ' ?' })
  const tight = so({ json: schema, disable_any_whitespace: true })
  const tag = { type: 'structural_tag', structures: [], triggers: ['<a>'] }
  const rfTag = { response_format: tag }
  // As asked | chat before 0.11 | chat from 0.11 | completion before | completion from | chat elsewhere
  const table: Array<[object, unknown, unknown, unknown, unknown, unknown]> = [
    [rf, rf, rf, guidedJson, soJson, rf],
    [rfObject, rfObject, rfObject, rfObject, rfObject, rfObject],
    [{ response_format: { type: 'text' } }, {}, {}, {}, {}, {}],
    [guidedJson, guidedJson, soJson, guidedJson, soJson, made],
    [soJson, guidedJson, soJson, guidedJson, soJson, made],
    [soObject, rfObject, soObject, rfObject, soObject, rfObject],
    [{ guided_regex: 'a+' }, { guided_regex: 'a+' }, so({ regex: 'a+' }), { guided_regex: 'a+' }, so({ regex: 'a+' }), no],
    [so({ regex: 'a+' }), { guided_regex: 'a+' }, so({ regex: 'a+' }), { guided_regex: 'a+' }, so({ regex: 'a+' }), no],
    [{ guided_choice: ['A', 'B'] }, { guided_choice: ['A', 'B'] }, so({ choice: ['A', 'B'] }), { guided_choice: ['A', 'B'] }, so({ choice: ['A', 'B'] }), no],
    [{ guided_grammar: 'g' }, { guided_grammar: 'g' }, so({ grammar: 'g' }), { guided_grammar: 'g' }, so({ grammar: 'g' }), no],
    [so({ grammar: 'g' }), { guided_grammar: 'g' }, so({ grammar: 'g' }), { guided_grammar: 'g' }, so({ grammar: 'g' }), no],
    [oldBlank, oldBlank, newBlank, oldBlank, newBlank, no],
    [newBlank, oldBlank, newBlank, oldBlank, newBlank, no],
    [withBackend, withBackend, soJson, withBackend, soJson, made],
    [{ guided_decoding_backend: 'xgrammar' }, {}, {}, {}, {}, {}],
    [tight, no, tight, no, tight, no],
    [{ ...rf, ...guidedJson, ...soJson }, rf, rf, guidedJson, soJson, rf],
    [rfTag, null, rfTag, no, so({ structural_tag: JSON.stringify(tag) }), no]
  ]
  for (const [fields, ...wanted] of table) {
    const over = (versions: string[], path: Dialect['path']) => versions.map(version => sent({ ...fields }, { version, path }))
    const elsewhere: Array<Partial<Dialect>> = [{ version: null }, ...unplaced.map(version => ({ version })), { version: '1.2.3', engine: 'llama.cpp' }]
    const isNone = JSON.stringify(wanted[1]) === '{}'
    t.strictSame([
      wanted[0] === null ? [] : over(olds, chat),
      over(news, chat),
      over(olds, plain),
      over(news, plain),
      elsewhere.map(dialect => sent({ ...fields }, dialect)),
      elsewhere.map(dialect => sent({ ...fields }, { ...dialect, path: plain }))
    ], [
      wanted[0] === null ? [] : olds.map(() => wanted[0]),
      news.map(() => wanted[1]),
      olds.map(() => wanted[2]),
      news.map(() => wanted[3]),
      elsewhere.map(() => wanted[4]),
      elsewhere.map(() => isNone ? {} : no)
    ], JSON.stringify(fields))
  }
  t.strictSame(sent({ response_format: tag }, { version: '0.8.5' }), no, 'structural tags are younger than 0.8')
  t.strictSame(sent({ response_format: tag }, { version: '0.9.2' }), { response_format: tag })
  t.strictSame(sent(so({ structural_tag: JSON.stringify(tag) }), { version: '0.10.1' }), { response_format: tag })
})

t.test('no version is sent a constraint under a name it ignores', async t => {
  const forms = [{ guided_json: schema }, { guided_regex: 'a' }, { guided_choice: ['a'] }, { guided_grammar: 'g' }, { structured_outputs: { json: schema } }, { structured_outputs: { choice: ['a'] } }, { response_format: { type: 'json_schema', json_schema: { schema } } }]
  const wrong: string[] = []
  for (const fields of forms) {
    for (const version of [...olds, ...news, ...unplaced, null]) {
      for (const path of [chat, plain] as const) {
        const body = sent(fields, { version, path })
        if (body === 'unsupported-by-upstream') continue
        const names = Object.keys(body as object)
        const number = versionOf(version)
        const obeyed = number === null ? ['response_format'] : number < release(0, 11, 0) ? ['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'response_format'] : ['structured_outputs', 'response_format']
        // In a completion response_format is read as json_object only.
        const isObeyed = names.length > 0 && names.every(name => obeyed.includes(name) && !(path === plain && name === 'response_format'))
        if (!isObeyed) wrong.push(`${version} ${path} ${names.join()}`)
      }
    }
  }
  t.strictSame(wrong, [])
})

t.test('constraints that contradict each other, and what is none, are refused with their place', async t => {
  const wrong: Array<[object, string]> = [
    [{ guided_json: schema, guided_regex: 'a' }, '/guided_regex'],
    [{ guided_json: schema, structured_outputs: { json: other } }, '/guided_json'],
    [{ response_format: { type: 'json_object' }, guided_choice: ['a'] }, '/guided_choice'],
    [{ structured_outputs: { json: schema, regex: 'a' } }, '/structured_outputs'],
    [{ structured_outputs: {} }, '/structured_outputs'],
    [{ structured_outputs: { jsn: schema } }, '/structured_outputs'],
    [{ structured_outputs: 'json' }, '/structured_outputs'],
    [{ response_format: { type: 'json' } }, '/response_format/type'],
    [{ response_format: { type: 'json_schema' } }, '/response_format/json_schema'],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'n' } } }, '/response_format/json_schema/schema'],
    [{ guided_json: '{"a":' }, '/guided_json'],
    [{ guided_json: 5 }, '/guided_json'],
    [{ guided_json: '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000) }, '/guided_json'],
    [{ guided_choice: [] }, '/guided_choice'],
    [{ guided_choice: ['a', 1] }, '/guided_choice'],
    [{ guided_regex: '' }, '/guided_regex']
  ]
  for (const [fields, pointer] of wrong) {
    t.throws(() => toUpstream(asked({ ...fields }), { path: chat, version: '0.12.0', served: 'm' }), {
      kind: 'invalid-request', errors: [{ pointer }]
    }, JSON.stringify(fields))
  }
  t.strictSame(sent({ guided_json: JSON.stringify(schema), structured_outputs: { json: schema } }, { version: '0.12.0' }), { structured_outputs: { json: schema } }, 'a schema as text is the same schema')
})

t.test('names, priority, usage and fields of the first engine', async t => {
  const at = (version: string | null, served = 'm'): Dialect => ({ path: chat, version, served })
  const body = asked({ temperature: 0, top_k: 5, unknown: { a: 1 }, chat_template_kwargs: { enable_thinking: false }, reasoning_effort: 'low' })
  for (const version of [...olds, ...news, null]) t.equal(toUpstream(body, at(version)), body, 'the same object where nothing changes')
  const before = JSON.stringify(body)
  t.strictSame(toUpstream(body, at('0.12.0', 'org/model')), { ...body, model: 'org/model' })
  t.equal(JSON.stringify(body), before, 'the one given stays as it is')
  t.strictSame(sent({ priority: -3, request_id: 'r', n: 2 }, at('0.10.1')), { n: 2 })
  t.strictSame(sent({ stream: true }, at('0.6.6')), { stream: true, stream_options: { include_usage: true } })
  t.strictSame(sent({ stream: true, stream_options: { include_usage: false, continuous_usage_stats: true } }, at('0.12.0')), { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } })
  const streamed = asked({ stream: true, stream_options: { include_usage: true } })
  t.equal(toUpstream(streamed, at('0.12.0')), streamed)
  t.strictSame(sent({ stream: false, stream_options: { include_usage: true } }, at('0.12.0')), { stream: false }, 'which vLLM refuses without a stream')
  t.strictSame(sent({ best_of: 3, n: 1 }, { version: '0.6.6', path: plain }), { best_of: 3, n: 1 })
  t.equal(sent({ best_of: 3, n: 1 }, { version: '0.12.0', path: plain }), 'unsupported-by-upstream')
  t.strictSame(sent({ best_of: 3, n: 3 }, { version: '0.12.0', path: plain }), { best_of: 3, n: 3 })
  t.equal(sent({ logits_processors: ['x'] }, at('0.12.0')), 'unsupported-by-upstream')
  t.strictSame(sent({ repetition_penalty: 1.1 }, { version: null, engine: 'llama.cpp' }), { repetition_penalty: 1.1, repeat_penalty: 1.1 })
})

t.test('the chain of thought of earlier turns has the name the version reads', async t => {
  const messages = [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b', reasoning: 'r' }, { role: 'assistant', content: 'c', reasoning_content: 's' }]
  const thoughts = (version: string | null) => (toUpstream(asked({ messages }), { path: chat, version, served: 'm' }).messages as Array<Record<string, unknown>>)
    .map(({ reasoning, reasoning_content: content }) => [reasoning, content])
  for (const version of ['0.6.6', '0.10.1', '0.11.0', null]) t.strictSame(thoughts(version), [[undefined, undefined], ['r', 'r'], [undefined, 's']], String(version))
  for (const version of ['0.11.1', '0.12.0', '0.32.0', 'dev']) t.strictSame(thoughts(version), [[undefined, undefined], ['r', undefined], ['s', 's']], String(version))
  t.strictSame(messages[1], { role: 'assistant', content: 'b', reasoning: 'r' }, 'the one given stays as it is')
  for (const odd of [null, 'x', [null, 3, 'x']]) t.doesNotThrow(() => toUpstream(asked({ messages: odd }), { path: chat, version: '0.12.0', served: 'm' }))
})

t.test('a reply carries both names of the thought and the caller\'s name of the model, else its bytes pass', async t => {
  const reply = (message: object, model = 'm') => ({ id: 'x', model, choices: [{ index: 0, message }] })
  t.equal(fromUpstream(reply({ content: 'a' }), 'm'), undefined)
  t.equal(fromUpstream(reply({ content: 'a', reasoning: 'r', reasoning_content: 'r' }), 'm'), undefined)
  t.strictSame(fromUpstream(reply({ content: 'a', reasoning: 'r' }), 'm'), reply({ content: 'a', reasoning: 'r', reasoning_content: 'r' }))
  t.strictSame(fromUpstream(reply({ content: 'a', reasoning_content: 'r', reasoning: null }), 'm'), reply({ content: 'a', reasoning: 'r', reasoning_content: 'r' }))
  t.strictSame(fromUpstream(reply({ content: 'a', reasoning: null }), 'm'), reply({ content: 'a', reasoning: null, reasoning_content: null }))
  t.strictSame(fromUpstream({ choices: [{ delta: { reasoning: '' } }, { delta: { content: 'b' } }] }, 'm'), { choices: [{ delta: { reasoning: '', reasoning_content: '' } }, { delta: { content: 'b' } }] })
  t.strictSame(fromUpstream(reply({ content: 'a' }, 'org/model'), 'm'), reply({ content: 'a' }))
  for (const odd of [null, 3, 'x', [], {}, { choices: null }, { choices: [null, 3, { message: 'x' }] }]) t.equal(fromUpstream(odd, 'm'), undefined)
})

t.test('what a server says when it refuses is one form, whatever its own', async t => {
  const bare = { message: '', type: null, param: null, code: 500, contextLength: false }
  const table: Array<[string, number, object]> = [
    ['{"error":{"message":"bad","type":"BadRequestError","param":"temperature","code":400}}', 400, { message: 'bad', type: 'BadRequestError', param: 'temperature', code: 400 }],
    ['{"object":"error","message":"flat","type":"BadRequestError","param":null,"code":400}', 400, { message: 'flat', type: 'BadRequestError', param: null, code: 400 }],
    ['{"error":{"message":"m","type":"t","param":null,"code":"404"}}', 404, { code: 404 }],
    ['{"error":{"message":"m","type":"t","param":null,"code":"model_not_found"}}', 404, { code: 'model_not_found' }],
    ['{"error":"Unauthorized"}', 401, { message: 'Unauthorized', type: null, code: 401 }],
    ['{"detail":"Not Found"}', 404, { message: 'Not Found', code: 404 }],
    ['{"detail":[{"loc":["body","messages",0,"role"],"msg":"Field required","type":"missing"}]}', 422, { message: 'Field required', param: 'messages.0.role', code: 422 }],
    ['{"error":{"code":400,"message":"llama","type":"invalid_request_error"}}', 400, { message: 'llama', type: 'invalid_request_error', code: 400 }],
    ['{"error":{"message":{"a":1}}}', 400, { message: '{"a":1}' }],
    ['<html><head><title>502 Bad Gateway</title></head></html>', 502, { message: '502 Bad Gateway', code: 502 }],
    ['Internal Server Error', 500, { message: 'Internal Server Error' }],
    ...['', 'null', '[1]', '{}', '{"error":null}'].map((body): [string, number, object] => [body, 500, bare])
  ]
  for (const [body, status, wanted] of table) {
    t.match(parseUpstreamError(body, status), wanted, body.slice(0, 60))
  }
  t.equal(parseUpstreamError('x'.repeat(1e6), 500).message.length, 500)
  t.equal(errorIn({ id: 'x', object: 'chat.completion.chunk', choices: [] }), undefined)
  t.equal(errorIn({ choices: [], error: null }), undefined)
  t.match(errorIn({ error: { message: 'engine died', code: 500 } }), { message: 'engine died', code: 500 })
  t.match(errorIn({ object: 'error', message: 'flat in a frame', code: 400 }), { message: 'flat in a frame' })
})

t.test('a prompt that is too long is known by its words, in every version', async t => {
  const said = (message: string, status = 400) => parseUpstreamError(JSON.stringify({ error: { message, type: 'BadRequestError', param: null, code: status } }), status)
  for (const words of [
    'This model\'s maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.',
    'You passed 5000 input tokens and requested 100 output tokens. However, the model\'s context length is only 4096 tokens, resulting in a maximum input length of 3996 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=5000)',
    'the request exceeds the available context size, try increasing it'
  ]) t.equal(said(words).contextLength, true, words)
  t.equal(said('You passed 5000 input tokens … context length is only 4096 (parameter=input_tokens, value=5000)').param, 'input_tokens')
  t.equal(said('At most 2 image(s) may be provided in one prompt.').contextLength, false)
  t.equal(said('maximum context length', 500).contextLength, false, 'a fault of the server is none of the caller\'s')
})

t.test('counting goes to llama.cpp in its own words and comes back in vLLM\'s; what it would pass over is refused', async t => {
  const llama = { path: '/v1/tokenize', version: null, engine: 'llama.cpp', served: 'm' } as const
  t.same(toUpstream({ model: 'm', prompt: 'a b' }, llama), { model: 'm', content: 'a b', add_special: true })
  t.same(toUpstream({ model: 'm', prompt: 'a', add_special_tokens: false }, llama), {
    model: 'm', content: 'a', add_special_tokens: false, add_special: false
  })
  t.throws(() => toUpstream({ model: 'm', messages: [] }, llama), { message: /send prompt/ })
  t.same(countFromUpstream('/v1/tokenize', { tokens: [1, 2] }), { tokens: [1, 2], count: 2, max_model_len: null })
  t.same(countFromUpstream('/v1/detokenize', { content: 'a' }), { prompt: 'a' })
  t.equal(countFromUpstream('/v1/tokenize', { tokens: [1], count: 1 }), undefined)
  t.equal(countFromUpstream('/v1/chat/completions', { tokens: [1] }), undefined)
})
