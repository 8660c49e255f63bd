import tap from 'tap'
import { request } from 'undici'
import { createApp } from '../../../shared/app/app.ts'
import type { App } from '../../../shared/app/service.ts'
import { fakeVllm, type FakeOptions } from '../../../shared/testing/fake-vllm.ts'
import { parseUpstreams } from '../domain/upstream.ts'
import { upstreamRequests } from '../handlers/ask-upstream.ts'
import { routes } from '../routes.ts'
import { givenDirectory } from './given-directory.ts'

const limits = {
  INFERENCE_CONNECT_TIMEOUT_MS: 1000, INFERENCE_REPLY_TIMEOUT_MS: 400, INFERENCE_IDLE_TIMEOUT_MS: 400
}
const question = { model: 'fake-model', messages: [{ role: 'user', content: 'Is 漢 a letter? 🙂' }], seed: 7 }

/** The proxy on a real socket in front of a fake that behaves as told. */
async function proxy (t: Pick<typeof tap, 'teardown'>, options: FakeOptions = {}) {
  const fake = await fakeVllm(options)
  const app = await createApp()
  const requests = upstreamRequests(limits, name => name === 'LAB_KEY' ? 'secret' : undefined)
  const setting = JSON.stringify([{ name: 'lab', baseUrl: fake.url, capabilities: ['vision'], apiKeyEnv: 'LAB_KEY' }])
  const { directory } = await givenDirectory(t, { setting })
  await app.register(async plugin => {
    routes(plugin as App, { requests, directory })
  })
  const url = await app.listen({ port: 0 })
  t.teardown(async () => { await app.close(); await requests.close(); await fake.close() })
  const ask = async (body: object, signal?: AbortSignal) => await request(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'viva-caller': 'test', cookie: 'a=b', authorization: 'Bearer mine' },
    body: JSON.stringify(body),
    ...signal && { signal }
  })
  return { fake, url, ask }
}

tap.test('a plain call comes back as the server gave it, and only what belongs there reaches it', async t => {
  const { fake, ask, url } = await proxy(t, { reply: () => 'Über 漢 🙂\nAnswer: No' })
  const { statusCode, body } = await ask({ ...question, top_k: 3 })
  t.equal(statusCode, 200)
  t.match(await body.json(), { choices: [{ message: { content: 'Über 漢 🙂\nAnswer: No' }, finish_reason: 'stop' }] })
  t.strictSame(fake.journal[0]?.body, { ...question, top_k: 3 }, 'unknown fields pass')
  const headers = fake.journal[0]?.headers ?? {}
  t.equal(headers.authorization, 'Bearer secret', 'the server\'s key, not the caller\'s')
  t.notOk(headers.cookie)
  t.notOk(headers['viva-caller'])
  const models = await (await request(`${url}/v1/models`)).body.json()
  t.match(models, { data: [{ id: 'fake-model', owned_by: 'lab', capabilities: ['structured-output', 'vision'] }] })
})

tap.test('a stream passes byte for byte', async t => {
  const { fake, ask } = await proxy(t, { reply: () => 'eins zwei 漢 🙂 drei' })
  const direct = await request(`${fake.url}/v1/chat/completions`, {
    method: 'POST', body: JSON.stringify({ ...question, stream: true })
  })
  const { headers, body } = await ask({ ...question, stream: true })
  t.match(headers['content-type'], 'text/event-stream')
  t.equal(await body.text(), await direct.body.text())
})

tap.test('a broken stream ends with an error frame and without [DONE]', async t => {
  for (const behaviour of ['cut', 'no-done'] as const) {
    const { ask } = await proxy(t, { behave: () => behaviour, reply: () => 'one two three four' })
    const text = await (await ask({ ...question, stream: true })).body.text()
    t.match(text, /one /, behaviour)
    t.match(text, /data: \{"error":\{"message":".*","type":"upstream-invalid"/, behaviour)
    t.notMatch(text, /\[DONE\]/, behaviour)
  }
})

tap.test('each fault of a server is its own problem, in the form an OpenAI client reads', async t => {
  const faults: Array<[FakeOptions['behave'], number, string]> = [
    [() => 'html', 502, 'upstream-invalid'],
    [() => 'cut', 502, 'upstream-invalid'],
    [() => 'never', 504, 'upstream-timeout'],
    [() => ({ status: 500 }), 502, 'upstream-invalid'],
    [() => 'hang-up', 503, 'upstream-unavailable'],
    [() => ({ status: 502 }), 503, 'upstream-unavailable'],
    [() => ({ status: 503 }), 503, 'upstream-unavailable'],
    [() => ({ status: 429 }), 503, 'upstream-unavailable'],
    [() => ({ status: 401 }), 502, 'upstream-unauthorized'],
    [() => ({ status: 400, message: 'too many tokens' }), 400, 'upstream-refused']
  ]
  for (const [behave, status, type] of faults) {
    const { ask } = await proxy(t, { ...behave && { behave } })
    const { statusCode, body, headers } = await ask(question)
    t.equal(statusCode, status, type)
    const error = (await body.json() as { error: { message: string } }).error
    t.match(error, { type, code: status })
    if (type === 'upstream-refused') t.match(error.message, /too many tokens/)
    if (status === 503 || status === 504) t.ok(headers['retry-after'])
  }
})

tap.test('a server that is not there is 503, and says where it was looked for', async t => {
  const { fake, ask, url } = await proxy(t)
  await fake.close()
  t.equal((await request(`${url}/v1/models`)).statusCode, 503)
  const { statusCode, body } = await ask(question)
  t.equal(statusCode, 503)
  t.match(await body.json(), { error: { type: 'upstream-unavailable', message: /lab is down: cannot be reached at http:\/\/127/ } })
})

tap.test('while one of two servers is away, a model nobody else has is away and not unknown', async t => {
  const here = await fakeVllm()
  const gone = await fakeVllm()
  await gone.close()
  t.teardown(here.close)
  const { directory } = await givenDirectory(t, { setting: `here=${here.url},gone=${gone.url}` })
  t.match(await directory.targets('fake-model', []), [{ replica: { upstream: { name: 'here' } } }])
  t.match(await directory.models(), [{ id: 'fake-model' }])
  await t.rejects(directory.targets('other-model', []), { kind: 'upstream-unavailable', message: /gone/ })
})

tap.test('an unknown model is 404 and names the known ones', async t => {
  const { ask } = await proxy(t)
  const { statusCode, body } = await ask({ ...question, model: 'gpt-9' })
  t.equal(statusCode, 404)
  t.match(await body.json(), { error: { type: 'model-not-found', message: /fake-model/ } })
})

tap.test('a caller who leaves takes the upstream call along', async t => {
  for (const stream of [false, true]) {
    const { fake, ask } = await proxy(t, { behave: () => 'never' })
    const controller = new AbortController()
    const asked = ask({ ...question, stream }, controller.signal)
    await fake.arrived(0)
    controller.abort()
    await t.rejects(asked)
    t.match(await fake.ended(0), { endedBy: 'client' }, stream ? 'a stream' : 'a plain call')
  }
})

tap.test('upstreams are read from pairs or JSON, and wrong ones are named', async t => {
  t.strictSame(parseUpstreams('a=http://h:1/v1/, b=https://x'), [
    { name: 'a', baseUrl: 'http://h:1', capabilities: [] },
    { name: 'b', baseUrl: 'https://x', capabilities: [] }
  ])
  for (const [wrong, words] of [['nonsense', /name=url/], ['a=ftp://x', /http/], ['a=http://x,a=http://y', /twice/], ['[{', /JSON/], ['a b=http://x', /name/]] as const) {
    t.throws(() => parseUpstreams(wrong), words)
  }
})

tap.test('a wrong UPSTREAMS is named without what may be secret in it', async t => {
  for (const setting of ['lab=http://me:hunter2@gpu:8000', 'http://me:hunter2@gpu:8000', '[{"name":"lab","baseUrl":"http://:hunter2@gpu:8000"}]', '[null]']) {
    t.throws(() => parseUpstreams(setting), { message: /^UPSTREAMS: (?!.*hunter2)/ }, setting)
  }
})
