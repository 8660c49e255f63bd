import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { request } from 'undici'
import type { StructuredCompletion } from '../../../shared/contracts/structured-completion.ts'
import { retryAfterMs } from '../domain/fault.ts'
import { growingText } from '../domain/growing-text.ts'
import { replyCharsMax } from '../domain/ladder/climb.ts'
import { besideRaw, chunk, done, event, json, streamEnd, streamHead } from './raw-server.ts'

const asked = { model: 'fake-model', messages: [{ role: 'user', content: 'x' }] }
const streamed = { ...asked, stream: true }
const answer = json(200, JSON.stringify({ choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] }))

t.test('an end is one only where it is named, and of an answer that was asked for', async t => {
  let body = ''
  const { ask } = await besideRaw(t, socket => { socket.write(streamHead + chunk(body) + streamEnd) })
  const cut: Array<[string, string, object]> = [
    ['an empty finish_reason', event('a', ''), {}],
    ['the end of another answer', event('a', 'stop', 1), {}],
    ['an index that is none', event('a', 'stop', 'x'), {}],
    ['two of three', event('a', 'stop') + event('b', 'stop', 1) + event('c', 'stop', 7), { n: 3 }]
  ]
  for (const [name, events, more] of cut) {
    body = events + done
    const { statusCode, body: said } = await ask({ ...streamed, ...more })
    t.equal(statusCode, 502, name)
    t.match(await said.json(), { error: { type: 'upstream-truncated' } }, name)
    // Or the breaker opens, and makes the next wait.
    body = event('a', 'stop') + done
    await (await ask(streamed)).body.dump()
  }
  for (const events of [
    `\ufeff${event('a', 'stop')}${done}`,
    `data: {"choices":[null,"x"]}\n\n${event('a', 'stop')}${done}`,
    `${event('a', 'stop')}data: [DONE] \r\n\r\n`
  ]) {
    body = events
    const bytes = Buffer.from(await (await ask(streamed)).body.arrayBuffer())
    t.equal(bytes.toString(), events, 'odd, but whole, and untouched')
  }
})

t.test('a reply in one piece is held to the same', async t => {
  let body = ''
  const { ask } = await besideRaw(t, socket => { socket.write(json(200, body)) })
  const choice = (finish: unknown) => ({ index: 0, message: { content: 'a' }, finish_reason: finish })
  const wrong: Array<[string, unknown, object, string?]> = [
    ['upstream-truncated', { choices: [choice(null)] }, asked],
    ['upstream-truncated', { choices: [choice('')] }, asked],
    ['upstream-truncated', { choices: [null] }, asked],
    ['upstream-truncated', { choices: [] }, asked],
    ['upstream-truncated', { choices: [choice('stop')] }, { ...asked, n: 2 }],
    ['upstream-invalid', { status: 'ok' }, asked],
    ['upstream-invalid', { status: 'ok' }, { model: 'fake-model', input: 'x' }, '/v1/embeddings'],
    ['upstream-truncated', { data: [{ embedding: [1] }] }, { model: 'fake-model', input: ['x', 'y'] }, '/v1/embeddings']
  ]
  for (const [type, said, question, path] of wrong) {
    body = JSON.stringify(said)
    const answered = await ask(question, path === undefined ? {} : { path })
    t.match(await answered.body.json(), { error: { type } }, body)
    body = JSON.stringify({ choices: [choice('stop')] })
    await (await ask(asked)).body.dump()
  }
  body = `\ufeff${JSON.stringify({ choices: [choice('stop')] })}`
  t.equal((await ask(asked)).statusCode, 200, 'a mark before it is no fault')
})

t.test('a head that comes at once leaves the first token its time', async t => {
  const env = { INFERENCE_IDLE_TIMEOUT_MS: '150', INFERENCE_FIRST_BYTE_TIMEOUT_MS: '5000' }
  const { ask } = await besideRaw(t, socket => {
    socket.write(streamHead)
    setTimeout(() => { socket.write(chunk(event('a', 'stop') + done) + streamEnd) }, 400)
  }, { env })
  t.match(await (await ask(streamed)).body.text(), /\[DONE\]/)
})

t.test('a server that goes on after its end is let go', async t => {
  const { ask, closed } = await besideRaw(t, socket => {
    socket.write(streamHead + chunk(event('a', 'stop') + done))
    const timer = setInterval(() => { socket.write(chunk(': on and on\n\n')) }, 20)
    socket.once('close', () => { clearInterval(timer) })
  })
  t.match(await (await ask(streamed)).body.text(), /\[DONE\]\n\n$/)
  await closed[0]
})

t.test('comments without end are passed on, and not gathered', async t => {
  const flood = chunk(`: ${'x'.repeat(1000)}\n\n`.repeat(64))
  const { ask } = await besideRaw(t, socket => { socket.write(streamHead + flood + flood) })
  const { statusCode, body } = await ask(streamed)
  t.equal(statusCode, 200, 'the stream has begun, without an event')
  body.destroy()
})

/** One who asks and takes the first bytes only. */
async function stuck (url: string, body: object): Promise<Socket> {
  const text = JSON.stringify(body)
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  await once(socket, 'data')
  socket.pause()
  return socket
}

/** More than all buffers on the way hold. */
function endless (socket: Socket, pieces: number): void {
  const piece = chunk(event('x'.repeat(2000)).repeat(20))
  let left = pieces
  const go = (): void => {
    while (!socket.destroyed && left-- > 0) if (!socket.write(piece)) { socket.once('drain', go); return }
    socket.write(chunk(event('', 'stop') + done) + streamEnd)
  }
  go()
}

t.test('a caller who takes nothing is let go with all it holds, and stops nobody who reads along', async t => {
  const { url, ask, get, closed } = await besideRaw(t, socket => {
    socket.write(streamHead + chunk(event('a')))
    setTimeout(() => { endless(socket, 500) }, 200)
  }, { env: { INFERENCE_IDLE_TIMEOUT_MS: '400' } })
  for (const [nth, seed] of [undefined, 7].entries()) {
    const socket = await stuck(url, { ...streamed, ...seed !== undefined && { seed } })
    t.teardown(() => socket.destroy())
    await closed[nth]
    let metrics = ''
    do { metrics = await (await get('/metrics')).body.text() } while (!/viva_upstream_in_flight\{upstream="raw"\} 0/.test(metrics) && await wait(20, true))
    t.pass(seed === undefined ? 'alone' : 'of a stream that may be shared')
  }
  const reads = ask({ ...streamed, seed: 8 })
  const first = await reads
  const socket = await stuck(url, { ...streamed, seed: 8 })
  t.teardown(() => socket.destroy())
  t.match((await first.body.text()).slice(-200), /\[DONE\]\n\n$/)
  t.equal(closed.length, 3, 'of one call upstream')
})

t.test('callers of other patience do not share a call', async t => {
  const { ask } = await besideRaw(t, socket => { setTimeout(() => { socket.write(answer) }, 600) })
  const patience = async (ms: string): Promise<number> => (await ask({ ...asked, seed: 1 }, { headers: { 'viva-timeout-ms': ms } })).statusCode
  t.strictSame(await Promise.all([patience('200'), patience('20000')]), [504, 200])
  t.strictSame(await Promise.all([patience('20000'), patience('200')]), [200, 504])
})

t.test('a body that does not tell its length takes its room in the queue', async t => {
  const { url, ask } = await besideRaw(t, () => {}, { slots: 1, env: { INFERENCE_QUEUE_MB: '1' } })
  const gone = new AbortController()
  const held = ask(asked, { signal: gone.signal }).catch(() => {})
  const body = JSON.stringify({ ...asked, pad: 'x'.repeat(800_000) })
  const send = async () => await request(`${url}/v1/chat/completions`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: Readable.from([body]), signal: gone.signal
  })
  const first = await Promise.any([send(), send(), send()])
  t.equal(first.statusCode, 429)
  gone.abort()
  await held
})

t.test('sent away for no time at all is no word of when to come again', async t => {
  t.strictSame(['0', '0.001', 'Thu, 01 Jan 1970 00:00:00 GMT', '2'].map(each => retryAfterMs(each, 1_000_000)), [null, null, null, 2000])
  let requests = 0
  const { ask } = await besideRaw(t, socket => {
    requests++
    socket.write(json(503, '{"error":"busy"}', 'retry-after: 0\r\n'))
  })
  t.equal((await ask(asked)).statusCode, 503)
  t.ok(requests <= 4, `${requests} requests`)
})

t.test('a body that is too large is told how large it may be', async t => {
  const { ask } = await besideRaw(t, () => {}, { env: { INFERENCE_BODY_MB: '1' } })
  const { statusCode, body } = await ask({ ...asked, pad: 'x'.repeat(1024 * 1024) })
  t.equal(statusCode, 413)
  t.match(await body.json(), { error: { type: 'body-too-large', message: /1048576 bytes \(INFERENCE_BODY_MB\)/ } })
})

t.test('a reply without end is ended at its maximum, thinking too', async t => {
  const written: Record<string, number> = { content: 0, reasoning: 0 }
  const fields = Object.keys(written)
  const { ask } = await besideRaw(t, (socket, nth) => {
    const field = fields[nth]!
    socket.write(streamHead)
    const go = (): void => {
      for (let room = true; room && !socket.destroyed && written[field]! < 4 * replyCharsMax;) {
        const text = `${written[field]} of many words that come one after another, `
        written[field]! += text.length
        room = socket.write(chunk(`data: ${JSON.stringify({ model: 'fake-model', choices: [{ index: 0, delta: { [field]: text }, finish_reason: null }] })}\n\n`))
      }
      if (!socket.destroyed) socket.once('drain', go)
    }
    go()
  })
  const body = { ...asked, schema: { type: 'object' }, repairTurns: 0 }
  for (const field of fields) {
    const reply = await (await ask(body, { path: '/v1/structured-completions', headers: { 'viva-replay': 'off' } })).body.json() as StructuredCompletion
    t.match(reply, { outcome: 'truncated', hasValue: false, turns: [{ finishReason: 'stopped-length' }] }, field)
    const kept = (reply.turns[0]!.raw ?? reply.turns[0]!.reasoning)!.length
    t.ok(kept > replyCharsMax && kept < 1.1 * replyCharsMax, `${field}: ${kept}`)
  }
})

t.test('the end of a growing text is its end, however it came', t => {
  const text = Array.from({ length: 3000 }, (_, n) => String(n)).join(' ')
  for (const step of [1, 7, 1024, 5000]) {
    const growing = growingText()
    for (let at = 0; at < text.length; at += step) {
      growing.add(text.slice(at, at + step))
      const soFar = text.slice(0, at + step)
      const end = growing.end(2048)
      if (!soFar.endsWith(end) || end.length < Math.min(2048, soFar.length)) t.fail(`${step} at ${at}`)
    }
    t.equal(growing.whole(), text)
    t.ok(growing.end(2048).length < 2048 + 2 * Math.max(1024, step), 'and little more')
  }
  t.end()
})
