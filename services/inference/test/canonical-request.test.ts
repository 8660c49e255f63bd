import t from 'tap'
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import { seededRandom } from '../../../shared/testing/random.ts'
import type { ForwardedPath } from '../domain/call.ts'
import { canonicalRequest } from '../domain/canonical-request.ts'
import { isDeterministic } from '../domain/replay.ts'

const chat = '/v1/chat/completions'
const schema = { type: 'object', properties: { a: { type: 'integer' } } }
const base = { model: 'm', messages: [{ role: 'user', content: 'Why?' }] }
function hash (fields: object, path: ForwardedPath = chat): string {
  return sha256(canonicalJson(canonicalRequest({ path, body: { ...base, ...fields } })))
}
const image = (url: string, more: object = {}) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url, ...more } }] }] })

/** The same with its keys in another order. */
function shuffled (value: object, random: ReturnType<typeof seededRandom>): object {
  const entries = Object.entries(value)
    .map(([key, each]) => ({ key, each: each as unknown, rank: random.next() }))
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ key, each }) => [key, each]))
}

/** Each makes another question; values differ from each other and from the default. */
const telling: Record<string, unknown[]> = {
  temperature: [0, 0.7, 1],
  top_p: [0.5, 1],
  top_k: [-1, 0, 5],
  min_p: [0, 0.1],
  seed: [0, 1, -1],
  max_tokens: [0, 1, 16],
  stop: ['a', ['b'], ['a', 'b'], ['b', 'a']],
  n: [2, 3],
  presence_penalty: [0, 1],
  frequency_penalty: [0, 1],
  repetition_penalty: [1, 1.1],
  length_penalty: [2],
  use_beam_search: [true],
  best_of: [2],
  logit_bias: [{ 1: 1 }, { 1: 2 }],
  logprobs: [true],
  top_logprobs: [3],
  prompt_logprobs: [0, 1],
  min_tokens: [1],
  stop_token_ids: [[1]],
  allowed_token_ids: [[1], [2]],
  bad_words: [['x']],
  ignore_eos: [true],
  include_stop_str_in_output: [true],
  skip_special_tokens: [false],
  spaces_between_special_tokens: [false],
  truncate_prompt_tokens: [5, -1],
  truncation_side: ['left'],
  thinking_token_budget: [5],
  repetition_detection: [{ max_pattern_size: 5 }],
  echo: [true],
  add_generation_prompt: [false],
  continue_final_message: [true],
  add_special_tokens: [true],
  documents: [[{ text: 'd' }]],
  chat_template: ['{{ messages }}'],
  chat_template_kwargs: [{ enable_thinking: false }],
  reasoning_effort: ['low', 'high'],
  include_reasoning: [false],
  mm_processor_kwargs: [{ max_pixels: 5 }],
  tools: [[], [{ type: 'function', function: { name: 'f' } }]],
  tool_choice: ['none', 'auto'],
  parallel_tool_calls: [false],
  response_format: [{ type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'n', schema } }],
  guided_regex: ['a+'],
  guided_choice: [['a'], ['a', 'b']],
  guided_grammar: ['root ::= "a"'],
  guided_decoding_backend: ['xgrammar'],
  vllm_xargs: [{ a: 1 }],
  kv_transfer_params: [{ a: 1 }],
  return_token_ids: [true],
  suffix: ['s'],
  dimensions: [5],
  what_comes_next_year: [1, 2],
  constructor: ['x'],
  toString: ['x']
}

t.test('whatever may change the answer makes another question', t => {
  const seen = new Map([[hash({}), 'nothing']])
  const same: string[] = []
  const note = (name: string, key: string) => {
    const other = seen.get(key)
    if (other !== undefined) same.push(`${name} is ${other}`)
    seen.set(key, name)
  }
  for (const [field, values] of Object.entries(telling)) {
    for (const value of values) note(`${field} ${JSON.stringify(value)}`, hash({ [field]: value }))
  }
  for (const path of ['/v1/completions', '/v1/embeddings', '/v1/tokenize', '/v1/detokenize'] as const) note(path, hash({}, path))
  for (const messages of [
    [{ role: 'system', content: 'Why?' }], [{ role: 'user', content: 'Why ?' }], [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
    [{ role: 'user', content: 'Why?', name: 'n' }], [{ role: 'user', content: 'Why?', reasoning: 'r' }], [...base.messages, ...base.messages],
    [{ role: 'user', content: ['Why?'] }], []
  ]) note(JSON.stringify(messages), hash({ messages }))
  note('model', hash({ model: 'org/other' }))
  note('prompt', hash({ prompt: 'a' }, '/v1/completions'))
  note('prompts', hash({ prompt: ['a'] }, '/v1/completions'))
  note('tokens', hash({ prompt: [1] }, '/v1/completions'))
  t.strictSame(same, [])
  const ordered = (properties: object) => ({ type: 'object', properties })
  const [thinks, answers] = [ordered({ reason: {}, answer: {} }), ordered({ answer: {}, reason: {} })]
  const tool = (parameters: object) => ({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })
  const part = (one: object) => ({ messages: [{ role: 'user', content: [one] }] })
  const video = (type: string) => part({ type: 'video_url', video_url: { url: `data:${type};base64,QUJD` } })
  const differ: Array<[object, object, ForwardedPath?]> = [
    [{ guided_json: thinks }, { guided_json: answers }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'n', schema: thinks } } }, { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: answers } } }],
    [tool(thinks), tool(answers)],
    [{ documents: [{ title: 'a', text: 'b' }] }, { documents: [{ text: 'b', title: 'a' }] }],
    [part({ type: 'text', text: 'data:text/plain;base64,QUJD' }), part({ type: 'text', text: 'data:text/html;base64,QUJD' })],
    [video('video/jpeg'), video('video/mp4')],
    [{ max_tokens: 5, max_completion_tokens: 9 }, { max_tokens: 7, max_completion_tokens: 9 }, '/v1/completions'],
    [{}, { add_special_tokens: true }, '/v1/tokenize']
  ]
  for (const [one, other, path] of differ) t.not(hash(one, path), hash(other, path), JSON.stringify(one))
  // As JSON.parse gives it: a key of its own, which is no prototype.
  const odd = JSON.parse('{"__proto__": {"a": 1}}') as object
  t.not(hash(odd), hash({}))
  t.not(hash({ messages: [odd] }), hash({ messages: [{}] }))
  t.end()
})

t.test('what cannot change the answer makes the same question', t => {
  const pixel = 'data:image/png;base64,QUJDRA=='
  const bare = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: pixel }] }] }
  const groups: object[][] = [
    [{}, { stream: true, stream_options: { include_usage: true }, stream_interval: 5 }, { priority: 5, user: 'u', request_id: 'r', session_id: 's', metadata: { a: 1 }, cache_salt: 'x', store: true }],
    ...Object.entries({
      n: 1,
      logprobs: false,
      top_logprobs: 0,
      echo: false,
      stop: [],
      stop_token_ids: [],
      bad_words: [],
      logit_bias: {},
      min_tokens: 0,
      ignore_eos: false,
      skip_special_tokens: true,
      spaces_between_special_tokens: true,
      include_stop_str_in_output: false,
      use_beam_search: false,
      length_penalty: 1,
      include_reasoning: true,
      parallel_tool_calls: true,
      add_generation_prompt: true,
      continue_final_message: false,
      add_special_tokens: false,
      chat_template_kwargs: {},
      return_token_ids: false
    }).map(([field, standard]) => [{}, { [field]: standard }, { [field]: null }]),
    [{}, { response_format: { type: 'text' } }, { temperature: null, max_tokens: null, seed: null, stop: null, tools: null, response_format: null, what_comes_next_year: null }],
    [{ max_tokens: 5 }, { max_completion_tokens: 5 }, { max_tokens: 9, max_completion_tokens: 5 }],
    [{ stop: 'a' }, { stop: ['a'] }],
    [{ temperature: 1 }, JSON.parse('{"temperature":1.0}') as object, JSON.parse('{"temperature":10e-1}') as object],
    [{ presence_penalty: 0 }, { presence_penalty: -0 }],
    [
      { guided_json: schema },
      { guided_json: JSON.stringify(schema) },
      { structured_outputs: { json: schema } },
      { structured_outputs: { json: schema, regex: null, disable_fallback: true } },
      { response_format: { type: 'json_schema', json_schema: { name: 'other', strict: true, schema } } },
      { guided_json: schema, structured_outputs: { json: schema } }
    ],
    [{ guided_choice: ['a'] }, { structured_outputs: { choice: ['a'] } }],
    [{ guided_json: schema, guided_whitespace_pattern: ' ' }, { structured_outputs: { json: schema, whitespace_pattern: ' ' } }],
    [{ messages: [{ role: 'assistant', content: null, reasoning: 'r' }] }, { messages: [{ role: 'assistant', reasoning_content: 'r', tool_calls: null }] }, { messages: [{ role: 'assistant', reasoning_content: 'r', reasoning: 'r' }] }],
    [image(pixel), image('data:image/x-other;base64,QUJDRA=='), image('DATA:;a=b;BASE64,QUJDRA'), image('data:image/png;base64,QUJDRB=='), bare]
  ]
  for (const group of groups) {
    const hashes = group.map(fields => hash(fields))
    t.equal(new Set(hashes).size, 1, JSON.stringify(group).slice(0, 100))
  }
  const others = [image(pixel), image(pixel, { detail: 'low' }), image('data:image/png;base64,QUJDRQ=='), image('https://example.org/a.png')]
    .map(fields => hash(fields))
  t.equal(new Set(others).size, others.length)
  t.equal(hash({ add_special_tokens: true, prompt: 'a', messages: null }, '/v1/completions'), hash({ prompt: 'a', messages: null }, '/v1/completions'), 'whose default is another there')
  t.end()
})

t.test('the order of the keys of a body and of a message is nothing, for any mixture of fields', t => {
  const random = seededRandom(3)
  const wrong: string[] = []
  for (let round = 0; round < 300; round++) {
    const fields = Object.fromEntries(Object.entries(telling)
      .filter(([name]) => !/guided|response_format/.test(name) && random.chance(0.3))
      .map(([name, values]) => [name, random.pick(values)]))
    const body = { ...base, ...fields, guided_json: schema }
    const mixed = shuffled({ ...body, messages: base.messages.map(each => shuffled(each, random)) }, random)
    if (hash(body) !== hash(mixed)) wrong.push(JSON.stringify(body))
    const [field] = Object.keys(fields)
    if (field !== undefined && hash({ ...body, [field]: undefined }) === hash(body)) wrong.push(`without ${field}: ${JSON.stringify(body)}`)
  }
  t.strictSame(wrong, [])
  t.end()
})

t.test('a hash is of 64 digits and does not change from one version of ours to the next', t => {
  t.equal(hash({ temperature: 0 }), 'a0f75c2d986297feb673fc8f68ad65e06f33aafc1389326dde2528daf6d68900')
  t.throws(() => hash({ temperature: Infinity }), TypeError)
  t.end()
})

t.test('recorded and coalesced is what says that it can be had again', t => {
  const ask = (fields: object, path: ForwardedPath = chat) => isDeterministic(path, { ...base, ...fields })
  // An absent temperature is the server's, which is not 0.
  const chances = [{}, { temperature: null }, { temperature: 0.1 }, { temperature: '0' }, { seed: null }]
  t.notOk(chances.some(fields => ask(fields)))
  const certain = [{ temperature: 0 }, { temperature: -0 }, { seed: 0 }, { seed: 7, temperature: 1 }]
  t.ok(certain.every(fields => ask(fields)))
  t.equal(ask({}, '/v1/embeddings'), true)
  t.end()
})
