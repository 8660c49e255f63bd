import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { endWithUs, killChild } from '../../../shared/testing/children.ts'
import { findOpenAiPython } from '../../../shared/testing/openai-python.ts'
import { fakeVllm } from '../../../shared/testing/fake-vllm.ts'
import { busyServer } from './busy-server.ts'
import { runningInference } from './running-inference.ts'

const script = fileURLToPath(new URL('openai_calls.py', import.meta.url))

t.test('OpenAI\'s Python client works unchanged', async t => {
  const python = await findOpenAiPython()
  if ('reason' in python) {
    if (process.env.CI === 'true') throw new Error(python.reason)
    t.plan(0, python.reason)
    return
  }
  const fake = await fakeVllm({ reasoning: true, version: '0.32.0', reply: () => 'Über 漢 🙂 yes' })
  t.teardown(fake.close)
  const busy = await busyServer(t, 'busy-model')
  const { url } = await runningInference(t, {
    fakes: [], env: { UPSTREAMS: `lab=${fake.url},busy=${busy.url}`, INFERENCE_TOTAL_TIMEOUT_MS: '1500' }
  })
  const child = spawn(python.path, [script], {
    env: { ...process.env, BASE_URL: `${url}/v1`, PYTHONUTF8: '1' }, stdio: ['pipe', 'pipe', 'inherit']
  })
  endWithUs(child)
  t.teardown(async () => { await killChild(child) })
  const ended = once(child, 'exit')
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) {
    last = line
    // It has seen the busy server; the next it asks is free.
    if (line === 'busy') { busy.open(); child.stdin.write('go\n') }
  }
  t.strictSame(await ended, [0, null])
  const said = JSON.parse(last) as Record<string, any>
  t.match(said, {
    chat: 'Über 漢 🙂 yes',
    streamed: 'Über 漢 🙂 yes',
    usage: true,
    completion: 'text_completion',
    embeddings: [8, 8],
    models: ['busy-model', 'fake-model'],
    model: 'fake-model',
    unknown: { name: 'NotFoundError', status: 404, type: 'model-not-found' },
    bad: { name: 'BadRequestError', status: 400, type: 'invalid-request' },
    long: { name: 'BadRequestError', text: /context length/ },
    html: { name: 'InternalServerError', status: 502 },
    slow: { name: 'APITimeoutError' },
    cut: { name: 'APIError', type: 'upstream-truncated' },
    begun: 'chat.completion.chunk',
    busy: { name: 'RateLimitError', status: 429 },
    free: 'free'
  })
  t.ok(said.reasoning[0], 'a chain of thought, under both of its names')
  t.equal(said.reasoning[1], said.reasoning[0])
  t.ok(said.waited >= 0.9, 'it came back when it was told, not before')
  t.match(fake.journal[0]?.body, { top_k: 3, chat_template_kwargs: { a: 1 }, tools: [{ function: { name: 'look' } }], tool_choice: 'none' })
  const left = fake.journal.filter(({ headers }) => /never|stall/.test(String(headers['x-fake'])))
  t.strictSame(left.map(({ endedBy }) => endedBy), ['client', 'client'], 'who leaves takes the upstream call along')
})
