import OpenAI, {
  APIConnectionTimeoutError, APIUserAbortError, BadRequestError, InternalServerError, NotFoundError,
  RateLimitError
} from 'openai'
import t, { type Test } from 'tap'
import { busyServer } from './busy-server.ts'
import { runningInference, type Given } from './running-inference.ts'

const messages = [{ role: 'user' as const, content: 'Is 漢 a letter? 🙂' }]
const asked = { model: 'fake-model', messages, seed: 7 }
const reply = () => 'Über 漢 🙂 yes'

/** OpenAI's own client, as a notebook would make it. */
async function openAi (t: Test, given: Given = { fakes: [{ reply }] }) {
  const running = await runningInference(t, given)
  const client = new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'none', maxRetries: 0 })
  return { ...running, client }
}
/** What a call throws, or undefined. */
const thrown = async (call: PromiseLike<unknown>): Promise<any> =>
  await call.then(() => undefined, (error: unknown) => error)
const doing = (fake: string) => ({ headers: { 'x-fake': fake } })

t.test('the official client of OpenAI works unchanged', async t => {
  const { client, fake } = await openAi(t)

  t.test('chats, with fields of vLLM\'s own and with tools', async t => {
    const tools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
    const ofVllm = { top_k: 3, chat_template_kwargs: { a: 1 } }
    const answer = await client.chat.completions.create({ ...asked, tools, tool_choice: 'none', ...ofVllm })
    t.equal(answer.choices[0]?.message.content, reply())
    t.equal(answer.choices[0]?.finish_reason, 'stop')
    t.ok((answer.usage?.completion_tokens ?? 0) > 0)
    t.match(fake.journal.at(-1)?.body, { tools, tool_choice: 'none', ...ofVllm })
    t.notOk(fake.journal.at(-1)?.headers.authorization, 'the caller\'s key stays here')
    const { data, response } = await client.chat.completions.create(asked).withResponse()
    t.equal(data.object, 'chat.completion')
    t.ok(response.headers.get('x-request-id'))
  })

  t.test('streams, with usage where it is asked for', async t => {
    for (const usage of [false, true]) {
      const more = usage ? { stream_options: { include_usage: true } } : {}
      const stream = await client.chat.completions.create({ ...asked, stream: true, ...more })
      let text = ''
      const finishes: unknown[] = []
      let counted = 0
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? ''
        if (chunk.choices[0]?.finish_reason) finishes.push(chunk.choices[0].finish_reason)
        if (chunk.usage) counted = chunk.usage.total_tokens
      }
      t.strictSame([text, finishes, counted > 0], [reply(), ['stop'], usage])
    }
    const whole = await client.chat.completions.stream(asked).finalContent()
    t.equal(whole, reply(), 'the helper that gathers a stream too')
  })

  t.test('completes, embeds, lists and finds models', async t => {
    const { choices: [choice] } = await client.completions.create({ model: 'fake-model', prompt: 'x', max_tokens: 5 })
    t.type(choice?.text, 'string')
    const { data } = await client.embeddings.create({ model: 'fake-model', input: ['a', 'b'] })
    t.equal(data.length, 2)
    t.ok(data.every(({ embedding }) => embedding.length > 0 && embedding.every(Number.isFinite)))
    const ids: string[] = []
    for await (const { id } of client.models.list()) ids.push(id)
    t.strictSame(ids, ['fake-model'])
    t.equal((await client.models.retrieve('fake-model')).id, 'fake-model')
    t.ok(await thrown(client.models.retrieve('gpt-9')) instanceof NotFoundError)
  })

  t.test('is told the way where it goes astray', async t => {
    const astray = new OpenAI({ baseURL: client.baseURL.replace('/v1', ''), apiKey: 'none', maxRetries: 0 })
    for (const call of [astray.models.list(), astray.chat.completions.create(asked)]) {
      t.match(await thrown(call), { status: 404, type: 'not-found', message: /base_url that ends in \/v1/ })
    }
    const responses = await thrown(client.responses.create({ model: 'fake-model', input: 'x' }))
    t.match(responses, { status: 404, type: 'not-found', message: /ask \/v1\/chat\/completions/ })
  })

  t.test('an answer by schema is parsed by the client', async t => {
    const { client, fake } = await openAi(t, {})
    const schema = { type: 'object', properties: { answer: { enum: ['Yes', 'No'] } }, required: ['answer'], additionalProperties: false }
    const response = { type: 'json_schema' as const, json_schema: { name: 'a', schema, strict: true } }
    const answer = await client.chat.completions.parse({ ...asked, response_format: response })
    t.match(answer.choices[0]?.message.parsed as unknown, { answer: /^(Yes|No)$/ })
    t.match(fake.journal.at(-1)?.body, { response_format: response })
  })

  t.test('a call that is given up ends at the model server', async t => {
    for (const stream of [false, true] as const) {
      const controller = new AbortController()
      const nth = fake.journal.length
      const call = client.chat.completions.create({ ...asked, stream }, { ...doing('never'), signal: controller.signal })
      await fake.arrived(nth)
      controller.abort()
      t.ok(await thrown(call) instanceof APIUserAbortError)
      t.match(await fake.ended(nth), { endedBy: 'client' })
    }
    const nth = fake.journal.length
    const begun = await client.chat.completions.create({ ...asked, stream: true }, doing('stall:1,60000'))
    for await (const chunk of begun) if (chunk.choices[0]?.delta.content) break
    t.match(await fake.ended(nth), { endedBy: 'client' }, 'leaving the loop closes the stream')
  })
})

t.test('faults are the client\'s own exceptions', async t => {
  const { client, fake } = await openAi(t, { env: { INFERENCE_TOTAL_TIMEOUT_MS: '3000' } })
  const ask = async (more: object, options: object = {}) =>
    await client.chat.completions.create({ ...asked, ...more }, options)

  const unknown = await thrown(ask({ model: 'gpt-9' }))
  t.ok(unknown instanceof NotFoundError)
  t.match(unknown, { status: 404, type: 'model-not-found', message: /fake-model/ })
  t.ok(await thrown(ask({ messages: 'x' })) instanceof BadRequestError)
  const long = await thrown(ask({}, doing('ctx_len')))
  t.ok(long instanceof BadRequestError)
  t.match(long.message, /context length/)
  t.ok(await thrown(ask({}, doing('html_200'))) instanceof InternalServerError)

  const nth = fake.journal.length
  t.ok(await thrown(ask({}, { ...doing('never'), timeout: 150 })) instanceof APIConnectionTimeoutError)
  t.match(await fake.ended(nth), { endedBy: 'client' })

  const cut = await client.chat.completions.create({ ...asked, stream: true }, doing('fin:2'))
  const broken = await thrown((async () => { for await (const chunk of cut) t.ok(chunk.choices) })())
  t.ok(broken instanceof OpenAI.APIError, 'a stream that was cut is no answer')
  t.match(broken, { type: 'upstream-truncated' })
})

t.test('429 is RateLimitError, and the client comes back after Retry-After', async t => {
  const busy = await busyServer(t, 'fake-model')
  const env = { UPSTREAMS: `busy=${busy.url}`, INFERENCE_TOTAL_TIMEOUT_MS: '1000' }
  const { client } = await openAi(t, { fakes: [], env })
  // The first learns that the server is busy; from then on nobody is sent there before it is time.
  t.match(await thrown(client.chat.completions.create(asked)), { status: 429 })
  const refusal = await thrown(client.chat.completions.create(asked))
  t.ok(refusal instanceof RateLimitError, String(refusal))
  t.ok(Number(refusal.headers?.get('retry-after')) >= 1)
  busy.open()
  const since = performance.now()
  const answer = await client.chat.completions.create(asked, { maxRetries: 3 })
  t.equal(answer.choices[0]?.message.content, 'free')
  t.ok(performance.now() - since >= 900, 'not before it was told')
})

t.test('a chain of thought is there under both of its names', async t => {
  const { client } = await openAi(t, { fakes: [{ reasoning: true, version: '0.32.0', reply }] })
  interface Thought { reasoning?: string, reasoning_content?: string }
  const { choices: [choice] } = await client.chat.completions.create(asked)
  const { reasoning, reasoning_content: old } = choice?.message as Thought
  t.ok(reasoning)
  t.equal(old, reasoning)
  let streamed = ''
  for await (const { choices: [chunk] } of await client.chat.completions.create({ ...asked, stream: true })) {
    streamed += (chunk?.delta as Thought | undefined)?.reasoning_content ?? ''
  }
  t.equal(streamed, reasoning)
})
