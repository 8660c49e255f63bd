import t from 'tap'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import { byteCache } from '../domain/byte-cache.ts'
import { completionKey, formOf } from '../domain/completion-key.ts'
import { checkReplayable, flightKeyOf, replayModeOf, sampleIndexOf } from '../domain/replay.ts'
import { substanceOf } from '../domain/reply-substance.ts'
import { replyBytesMax, whyNotRecorded } from '../domain/reply.ts'
import { chatReply, keyOf, openParts, replyOf } from './ledger-parts.ts'

t.test('a recorded reply comes back byte for byte, from another process and after a restart', async t => {
  const folder = temporaryFolder(t)
  const one = await openParts(folder)
  const other = await openParts(folder)
  t.teardown(other.store.close)
  const bodies = {
    text: Buffer.from('{"id":"漢 🙂 \\u0000","choices":[]}'),
    'no UTF-8': Buffer.from([0xff, 0, 0xc3, 0x28, 0x0a]),
    'byte order mark': Buffer.from('\ufeff{}'),
    NUL: Buffer.from('a\0b'),
    long: Buffer.alloc(300_000, '長い🙂'),
    'long and no UTF-8': Buffer.alloc(300_000, 0xfe)
  }
  for (const [name, bytes] of Object.entries(bodies)) {
    const key = keyOf({ name })
    t.equal(await one.record.find(key), undefined)
    const reply = replyOf(bytes)
    t.match(await one.record.record(key, reply), { isNew: true })
    const found = await other.record.find(key)
    t.ok(found !== undefined && Buffer.compare(found.bytes, bytes) === 0, name)
    t.strictSame({ ...found, bytes: null }, { ...reply, bytes: null }, 'with all that was said about it')
  }
  await one.store.close()
  const again = await openParts(folder)
  t.teardown(again.store.close)
  t.ok(Buffer.compare((await again.record.find(keyOf({ name: 'long' })))!.bytes, bodies.long) === 0)
})

t.test('the first reply stays, whoever else records, and is held against the later ones', async t => {
  const folder = temporaryFolder(t)
  const one = await openParts(folder)
  const other = await openParts(folder, 1_000_000)
  t.teardown(one.store.close)
  t.teardown(other.store.close)
  const key = keyOf({ n: 1 })
  const racing = await Promise.all(['a', 'b', 'c', 'd'].map(async (id, at) =>
    await (at % 2 === 0 ? one : other).record.record(key, replyOf(chatReply('Yes', id)))))
  t.equal(racing.filter(({ isNew }) => isNew).length, 1, 'one of four at once is first')
  t.equal(new Set(racing.map(({ reply }) => String(reply.bytes))).size, 1, 'and all get its bytes')
  t.ok(racing.every(({ sameAnswer }) => sameAnswer), 'another id is no other answer')
  const later = await other.record.record(key, replyOf(chatReply('No'), { upstreamVersion: '0.13.0' }))
  t.match(later, { isNew: false, sameAnswer: false, sameVersion: false, reply: { upstreamVersion: '0.12.0' } })
  t.match(String((await one.record.find(key))?.bytes), /Yes/)
})

t.test('an entry is served to its own request only', async t => {
  const folder = temporaryFolder(t)
  const { store, record } = await openParts(folder, 4_000_000)
  t.teardown(store.close)
  const key = keyOf({ question: 'mine' })
  await record.record(key, replyOf(chatReply('Yes')))
  const forged = { ...key, request: keyOf({ question: 'yours' }).request }
  t.equal(record.remembered(forged), undefined)
  t.equal(await record.find(forged), undefined, 'equal hash, other request')
  await t.rejects(record.record(forged, replyOf(chatReply('No'))), { kind: 'conflict', message: /another request/ })
  const long = keyOf({ question: 'long '.repeat(100_000) })
  await record.record(long, replyOf(chatReply('Yes')))
  t.equal(await record.find({ ...long, request: long.request.replace('long', 'wide') }), undefined, 'also where the request is a blob')
  t.ok(record.remembered(long))
})

t.test('a damaged or missing reply is a problem and never an answer', async t => {
  const folder = temporaryFolder(t)
  const one = await openParts(folder)
  t.teardown(one.store.close)
  const key = keyOf({ n: 1 })
  await one.record.record(key, replyOf(Buffer.alloc(300_000, 'x')))
  const file = readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }).find(name => /[0-9a-f]{64}$/.test(name))!
  writeFileSync(join(folder, 'blobs', file), Buffer.alloc(300_000, 'y'))
  await t.rejects(one.record.find(key), { kind: 'store-unavailable', message: /damaged/ })
  await one.blobs.delete(file.slice(-64))
  await t.rejects(one.record.find(key), { kind: 'store-unavailable', message: /missing/ })
})

t.test('keys differ in all that may change the bytes, and in nothing else', async t => {
  const parts = { path: '/v1/chat/completions' as const, canonical: '{"model":"m"}', form: null, sampleIndex: null, served: [] }
  const ids = [
    parts,
    { ...parts, path: '/v1/completions' as const },
    { ...parts, canonical: '{"model":"n"}' },
    { ...parts, sampleIndex: 0 },
    { ...parts, served: ['a'] },
    { ...parts, served: ['b'] },
    { ...parts, sampleIndex: 1 },
    { ...parts, form: formOf({ model: 'm', stream: true }) },
    { ...parts, form: formOf({ model: 'm', stream: true, stream_options: { include_usage: true } }) }
  ].map(each => completionKey(each).id)
  t.equal(new Set(ids).size, ids.length)
  t.equal(completionKey({ ...parts }).id, ids[0])
  t.equal(formOf({ model: 'm', stream: false, stream_options: {} }), null)
  t.match(ids[0], /^cmp_[0-9a-f]{32}$/)
  t.strictSame(JSON.parse(completionKey(parts).request), { form: null, path: parts.path, request: { model: 'm' }, sampleIndex: null })
})

t.test('what is partial, an error or endless is not recorded', async t => {
  const chat = '/v1/chat/completions'
  t.equal(whyNotRecorded(chat, replyOf('{}', { finishReasons: ['stop', 'length'] })), null)
  for (const wrong of [{ status: 500 }, { finishReasons: [] }, { finishReasons: ['stop', 'abort'] }, { bytes: Buffer.alloc(0) }, { bytes: Buffer.alloc(replyBytesMax + 1) }]) {
    t.type(whyNotRecorded(chat, replyOf('{}', wrong)), 'string')
  }
  t.equal(whyNotRecorded('/v1/embeddings', replyOf('{}', { finishReasons: [] })), null)
})

t.test('headers say the mode and the repeat, and what is wrong is named', async t => {
  t.equal(replayModeOf({}), 'off')
  t.equal(replayModeOf({ 'viva-replay': 'replay' }), 'replay')
  t.equal(sampleIndexOf({}), null)
  t.equal(sampleIndexOf({ 'viva-sample-index': '7' }), 7)
  t.throws(() => replayModeOf({ 'viva-replay': 'always' }), { kind: 'invalid-request', message: /viva-replay is one of off/ })
  for (const wrong of ['-1', '1.5', '', 'one', '9'.repeat(11), '9999999999', ['1', '2']]) {
    t.throws(() => sampleIndexOf({ 'viva-sample-index': wrong }), { kind: 'invalid-request', message: /whole number/ }, String(wrong))
  }
})

t.test('a sampled call needs a sample index to be recorded, and is never coalesced without', async t => {
  const call = { path: '/v1/chat/completions' as const, body: { model: 'm', temperature: 1 }, replay: 'record' as const, sampleIndex: null, timeoutMs: 1_000, band: 1 as const }
  t.throws(() => { checkReplayable(call) }, { kind: 'invalid-request', message: /viva-sample-index/ })
  for (const fine of [{ sampleIndex: 0 }, { replay: 'off' as const }, { body: { model: 'm', temperature: 0 } }, { body: { model: 'm', seed: 3 } }, { path: '/v1/embeddings' as const }]) {
    t.doesNotThrow(() => { checkReplayable({ ...call, ...fine }) }, JSON.stringify(fine))
  }
  t.throws(() => { checkReplayable({ ...call, body: { model: 'm' } }) }, { kind: 'invalid-request', message: /samples/ }, 'an absent temperature is the model\'s own')
  t.equal(flightKeyOf({ ...call, replay: 'off' }, 'cmp_1'), null)
  t.equal(flightKeyOf(call, 'cmp_1'), 'record:1000:1:cmp_1')
  t.equal(flightKeyOf({ ...call, replay: 'off', body: { model: 'm', temperature: 0 } }, 'cmp_1'), 'off:1000:1:cmp_1')
  t.not(flightKeyOf({ ...call, timeoutMs: 5 }, 'cmp_1'), flightKeyOf(call, 'cmp_1'), 'one deadline for one call')
})

t.test('a stream and a whole reply that say the same have the same substance', async t => {
  const whole = JSON.stringify({
    id: 'x',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'a b', reasoning: 'hm', tool_calls: [{ id: 'r1', function: { name: 'f', arguments: '{"x":1}' } }] }, finish_reason: 'stop' },
      { index: 1, message: { content: 'c' }, finish_reason: 'length' }
    ]
  })
  const stream = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { choices: [{ index: 1, delta: { content: 'c' }, finish_reason: 'length' }] },
    { choices: [{ index: 0, delta: { reasoning_content: 'hm', reasoning: 'hm' } }] },
    { choices: [{ index: 0, delta: { content: 'a ' } }] },
    { choices: [{ index: 0, delta: { content: 'b', tool_calls: [{ index: 0, id: 'r2', function: { name: 'f', arguments: '{"x"' } }] } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, finish_reason: 'stop' }] },
    { choices: [], usage: {} }
  ].map(frame => `data: ${JSON.stringify(frame)}\n\n`).join('') + 'data: [DONE]\n\n'
  const said = substanceOf(Buffer.from(whole), 'application/json')
  t.type(said, 'string')
  t.equal(substanceOf(Buffer.from(stream), 'text/event-stream; charset=utf-8'), said)
  t.not(substanceOf(Buffer.from(stream.replace('"a "', '"A "')), 'text/event-stream'), said)
  t.equal(substanceOf(Buffer.from('<html>'), 'application/json'), null)
  t.not(substanceOf(Buffer.from('{"data":[{"embedding":[1]}]}'), 'application/json'), substanceOf(Buffer.from('{"data":[{"embedding":[2]}]}'), 'application/json'))
})

t.test('the cache keeps what was used last within its bytes', async t => {
  const cache = byteCache<string>(10)
  cache.keep('a', 'A', 4)
  cache.keep('b', 'B', 4)
  t.equal(cache.find('a'), 'A')
  cache.keep('c', 'C', 4)
  t.strictSame(['a', 'b', 'c'].map(cache.find), ['A', undefined, 'C'])
  cache.keep('huge', 'H', 11)
  t.equal(cache.find('huge'), undefined)
  cache.keep('a', 'A2', 1)
  t.equal(cache.bytes(), 5)
  t.equal(cache.find('a'), 'A2')
})
