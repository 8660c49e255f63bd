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
