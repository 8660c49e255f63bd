import { encode } from 'fast-png'
import tap from 'tap'
import { seededRandom } from '../../../shared/testing/random.ts'
import type { ForwardedPath } from '../domain/call.ts'
import { admit } from '../domain/admission.ts'
import { defaultLimits, limitsFrom, type AdmissionLimits } from '../domain/admission-limits.ts'
import { bytesAt, dataUrlOf, decodedBytes, isBase64 } from '../domain/data-url.ts'
import { imageHeader } from '../../../shared/images/image-header.ts'
import { blockChars, blocksMax, prefixOf, promptCharsMin } from '../domain/prefix.ts'
import { bandOf, estimateTokens } from '../domain/request-cost.ts'

const chat = '/v1/chat/completions'
const hello = [{ role: 'user', content: 'hello' }]

interface Refusal { kind: string, message: string, errors: Array<{ pointer: string }> }

/** The refusal of a request; undefined when it is let in. */
function refusalOf (
  fields: Record<string, unknown>, path: ForwardedPath = chat, limits: AdmissionLimits = defaultLimits
): Refusal | undefined {
  const input = path === chat ? { messages: hello } : path === '/v1/completions' ? { prompt: 'x' } : {}
  try { admit(path, { model: 'm', ...input, ...fields }, limits) } catch (cause) { return cause as Refusal }
  return undefined
}

function png (width: number, height: number): Buffer {
  return Buffer.from(encode({ width, height, data: new Uint8Array(width * height), channels: 1 }))
}
/** A header that claims any size, with an end; nobody decodes it here. */
function pngOf (width: number, height: number): Buffer {
  const bytes = png(1, 1)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
/** SOI, a comment of any length, SOF of the kind, EOI. */
function jpegOf (width: number, height: number, { kind = 0xc0, comment = 0, end = true } = {}): Buffer {
  const com = Buffer.alloc(comment + 4)
  com.writeUInt16BE(0xfffe, 0)
  com.writeUInt16BE(comment + 2, 2)
  const size = [height >> 8, height & 255, width >> 8, width & 255]
  const frame = [0xff, kind, 0, 11, 8, ...size, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2, 7]
  return Buffer.from([0xff, 0xd8, ...com, ...frame, ...end ? [0xff, 0xd9] : []])
}
function gifOf (width: number, height: number): Buffer {
  return Buffer.from([...Buffer.from('GIF89a'), width & 255, width >> 8, height & 255, height >> 8, 0, 0, 0, 0x3b])
}
function bmpOf (width: number, height: number): Buffer {
  const bytes = Buffer.alloc(58)
  bytes.write('BM')
  bytes.writeUInt32LE(58, 2)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  return bytes
}
function webpOf (kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF')
  bytes.writeUInt32LE(32, 4)
  bytes.write('WEBP' + kind, 8)
  if (kind === 'VP8X') { bytes.writeUIntLE(width - 1, 24, 3); bytes.writeUIntLE(height - 1, 27, 3) }
  if (kind === 'VP8L') { bytes[20] = 0x2f; bytes.writeUInt32LE((width - 1) | (height - 1) << 14, 21) }
  if (kind === 'VP8 ') {
    bytes.set([0x9d, 1, 0x2a], 23)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  }
  return bytes
}
const urlOf = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`
const imagePart = (url: string) => ({ type: 'image_url', image_url: { url } })
const shows = (...parts: unknown[]) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] }] })

tap.test('known fields have their types, at the place that is named; unknown ones pass', async t => {
  const good: Array<Record<string, unknown>> = [
    {}, { temperature: 0 }, { temperature: null, seed: null, stop: null }, { seed: -7 }, { seed: 2 ** 53 - 1 }, { stop: 'a' }, { stop: ['a', 'b'] },
    { n: 128 }, { max_tokens: 1, logprobs: true, top_logprobs: 5 }, { priority: -5 },
    { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } },
    { logit_bias: { 50256: -100 } }, { top_k: -1, min_p: 0.1, repetition_penalty: 1.2 }, { tools: [], tool_choice: 'auto' }, { chat_template_kwargs: { enable_thinking: false } },
    { what_comes_next_year: { deep: [1, { er: '' }] }, 'odd/na~me': 1 }, { reasoning_effort: 'low' }, { vllm_xargs: { a: 1 } }
  ]
  t.strictSame(good.map(fields => refusalOf(fields)?.message), good.map(() => undefined))
  const wrong: Array<[Record<string, unknown>, string]> = [
    [{ model: '' }, '/model'], [{ model: 7 }, '/model'], [{ model: null }, '/model'], [{ model: 'a\nb' }, '/model'], [{ model: 'x'.repeat(301) }, '/model'],
    [{ temperature: '0' }, '/temperature'], [{ temperature: -1 }, '/temperature'], [{ temperature: Infinity }, '/temperature'], [{ temperature: NaN }, '/temperature'],
    [{ top_p: 1.1 }, '/top_p'], [{ seed: 1.5 }, '/seed'], [{ seed: '7' }, '/seed'], [{ seed: 2 ** 53 }, '/seed'], [{ seed: -(2 ** 63) }, '/seed'], [{ seed: true }, '/seed'],
    [{ n: 0 }, '/n'], [{ n: 1.5 }, '/n'], [{ n: '2' }, '/n'], [{ max_tokens: -1 }, '/max_tokens'], [{ max_tokens: 1e300 }, '/max_tokens'], [{ max_completion_tokens: '5' }, '/max_completion_tokens'],
    [{ stop: 5 }, '/stop'], [{ stop: ['a', 1] }, '/stop'], [{ stop: Array(257).fill('a') }, '/stop'], [{ stream: 'true' }, '/stream'], [{ stream: 1 }, '/stream'],
    [{ stream_options: true }, '/stream_options'], [{ stream_options: { include_usage: 'yes' } }, '/stream_options'], [{ priority: 0.5 }, '/priority'], [{ priority: 'high' }, '/priority'],
    [{ logprobs: 5 }, '/logprobs'], [{ top_logprobs: true }, '/top_logprobs'], [{ logit_bias: [1] }, '/logit_bias'], [{ logit_bias: { 1: 'x' } }, '/logit_bias'],
    [{ user: 'a\u0000b' }, '/user'], [{ tools: {} }, '/tools'], [{ echo: 'no' }, '/echo'], [{ stop_token_ids: [-1] }, '/stop_token_ids'],
    [{ kv_transfer_params: { remote_host: 'x' } }, '/kv_transfer_params'], [{ prompt_embeds: 'AAAA' }, '/prompt_embeds'],
    [{ add_generation_prompt: true, continue_final_message: true }, '/continue_final_message']
  ]
  for (const [fields, pointer] of wrong) t.match(refusalOf(fields), { kind: 'invalid-request', errors: [{ pointer }] }, `${JSON.stringify(fields).slice(0, 60)} ${pointer}`)
  t.match(refusalOf({ seed: 2 ** 53 }), { message: /2\^53 - 1, because larger ones do not pass/ })
  t.match(refusalOf({ n: 129 }), { kind: 'limit-exceeded', errors: [{ pointer: '/n' }], message: /128/ })
  t.match(refusalOf({ logprobs: true }, '/v1/completions'), { errors: [{ pointer: '/logprobs' }] })
  t.equal(refusalOf({ logprobs: 5 }, '/v1/completions'), undefined)
  for (const body of [null, 3, 'x', [], undefined]) t.throws(() => admit(chat, body, defaultLimits), { kind: 'invalid-request', errors: [{ pointer: '' }] })
})

tap.test('messages and prompts have the forms vLLM reads', async t => {
  const tool = { role: 'tool', tool_call_id: 'c', content: 'r' }
  for (const messages of [hello, [...hello, { role: 'assistant', tool_calls: [] }, tool], [{ role: 'observation', content: '' }], [{ role: 'user', name: 'n', content: ['text', { type: 'text', text: '' }] }], [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }]]) {
    t.equal(refusalOf({ messages }), undefined, JSON.stringify(messages))
  }
  const wrong: Array<[unknown, string]> = [
    [undefined, '/messages'], ['hi', '/messages'], [[], '/messages'], [{}, '/messages'], [[null], '/messages/0'], [['hi'], '/messages/0'], [[...hello, { content: 'x' }], '/messages/1/role'],
    [[{ role: 'a\nb', content: '' }], '/messages/0/role'], [[{ role: 5, content: '' }], '/messages/0/role'], [[{ role: 'user' }], '/messages/0/content'], [[{ role: 'user', content: 5 }], '/messages/0/content'],
    [[{ role: 'user', content: [5] }], '/messages/0/content/0'], [[{ role: 'user', content: [{}] }], '/messages/0/content/0'], [[{ role: 'user', content: [{ type: 'text' }] }], '/messages/0/content/0/text'],
    [[{ role: 'user', content: [{ type: 'file', file: {} }] }], '/messages/0/content/0/type'], [[{ role: 'user', content: [{ type: 'toString', text: 'x' }] }], '/messages/0/content/0/type']
  ]
  for (const [messages, pointer] of wrong) {
    t.match(refusalOf({ messages }), { errors: [{ pointer }] }, JSON.stringify(messages))
  }
  t.match(refusalOf({ messages: Array(1001).fill(hello[0]) }), { kind: 'limit-exceeded', message: /1000/ })
  t.match(refusalOf({ messages: [{ role: 'user', content: Array(4097).fill('x') }] }), { kind: 'limit-exceeded', message: /4096/ })
  const forms: Array<[ForwardedPath, Record<string, unknown>, string?]> = [
    ['/v1/completions', { prompt: ['a', 'b'] }], ['/v1/completions', { prompt: [1, 2] }], ['/v1/completions', { prompt: [[1], [2, 3]] }], ['/v1/completions', { prompt: '' }],
    ['/v1/completions', { prompt: [] }, '/prompt'], ['/v1/completions', { prompt: 5 }, '/prompt'], ['/v1/completions', { prompt: [1, 'a'] }, '/prompt'], ['/v1/completions', { prompt: ['a', 1] }, '/prompt/1'], ['/v1/completions', { prompt: [[1], []] }, '/prompt/1'], ['/v1/completions', { prompt: [1.5] }, '/prompt'], ['/v1/completions', { prompt: Array(2049).fill('a') }, '/prompt'],
    ['/v1/embeddings', { input: 'a' }], ['/v1/embeddings', { input: ['a'] }], ['/v1/embeddings', { messages: hello }], ['/v1/embeddings', {}, '/input'], ['/v1/embeddings', { input: [-1] }, '/input'], ['/v1/embeddings', { input: 'a', messages: hello }, '/messages'],
    ['/v1/tokenize', { prompt: 'a' }], ['/v1/tokenize', { messages: hello }], ['/v1/tokenize', {}, '/prompt'], ['/v1/tokenize', { prompt: ['a'] }, '/prompt'],
    ['/v1/detokenize', { tokens: [] }], ['/v1/detokenize', { tokens: [1, 2] }], ['/v1/detokenize', { tokens: '1' }, '/tokens'], ['/v1/detokenize', { tokens: [1e300] }, '/tokens'], ['/v1/detokenize', {}, '/tokens']
  ]
  for (const [path, fields, pointer] of forms) t.equal(refusalOf(fields, path)?.errors[0]?.pointer, pointer, `${path} ${JSON.stringify(fields).slice(0, 60)}`)
})

tap.test('what is left out is called missing, with what to send', async t => {
  for (const [path, field] of [[chat, 'messages'], ['/v1/completions', 'prompt'], ['/v1/embeddings', 'input']] as const) {
    const refusal = refusalOf({ messages: undefined, prompt: undefined }, path)
    t.match(refusal, { kind: 'invalid-request', message: new RegExp(`^/${field} is missing; send `), errors: [{ pointer: `/${field}` }] }, path)
  }
})

tap.test('needs come from what is asked, not from what is said of it', async t => {
  const needs = (fields: object, path: ForwardedPath = chat) => admit(path, { model: 'm', messages: hello, prompt: 'x', ...fields }, { ...defaultLimits, media: ['image', 'audio', 'video'] }).needs
  t.strictSame(needs({}), [])
  t.strictSame(needs({ ...shows(imagePart(urlOf(png(2, 2)))), guided_choice: ['a'] }), ['vision', 'structured-output'])
  t.strictSame(needs({ ...shows({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, { video_url: 'data:video/mp4;base64,AAAA' }) }), ['audio', 'video'])
  t.strictSame(needs({ response_format: { type: 'text' } }), [])
  t.strictSame(needs({ response_format: { type: 'json_object' } }), ['structured-output'])
})

tap.test('an image is what its header says, in five formats, without decoding', async t => {
  const headerOf = (bytes: Buffer) => imageHeader((start, end) => bytes.subarray(start, end), bytes.length)
  t.match(headerOf(png(3, 5)), { format: 'png', width: 3, height: 5 })
  t.match(headerOf(jpegOf(300, 200)), { format: 'jpeg', width: 300, height: 200 })
  t.match(headerOf(jpegOf(300, 200, { kind: 0xc2, comment: 60_000 })), { format: 'jpeg', width: 300, height: 200 }, 'progressive, the frame far in')
  const tables = Buffer.from('ffc4001100000000000000000000000000000000', 'hex')
  const [start, rest] = [jpegOf(300, 200).subarray(0, 2), jpegOf(300, 200).subarray(2)]
  t.match(headerOf(Buffer.concat([start, tables.subarray(0, 19), rest])), { format: 'jpeg', width: 300, height: 200 }, 'tables are no frame')
  t.match(headerOf(gifOf(700, 9)), { format: 'gif', width: 700, height: 9 })
  t.match(headerOf(bmpOf(70, -90)), { format: 'bmp', width: 70, height: 90 })
  for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const) t.match(headerOf(webpOf(kind, 1234, 567)), { format: 'webp', width: 1234, height: 567 }, kind)
  for (const bytes of [png(40, 40), jpegOf(9, 9, { comment: 50 }), bmpOf(2, 2), webpOf('VP8X', 3, 3)]) {
    const lengths = Array.from({ length: bytes.length - 2 }, (_, length) => length)
    t.ok(lengths.every(length => typeof headerOf(bytes.subarray(0, length)) === 'string'), 'cut anywhere it is no image')
  }
  t.equal(headerOf(png(40, 40).subarray(0, 60)), 'truncated')
  t.equal(headerOf(jpegOf(4, 4, { end: false })), 'truncated')
  for (const bytes of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.from('%PDF-1.7 ....................'), Buffer.alloc(100), Buffer.alloc(0), pngOf(0, 5), jpegOf(5, 0), gifOf(0, 1)]) t.equal(headerOf(bytes), 'not-an-image')
  const random = seededRandom(1)
  for (let round = 0; round < 3000; round++) {
    const bytes = Buffer.from(random.pick([png(4, 4), jpegOf(4, 4, { comment: 9 }), gifOf(4, 4), bmpOf(4, 4), webpOf('VP8L', 4, 4)]))
    for (let times = random.whole(1, 4); times > 0; times--) {
      bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255)
    }
    const found = headerOf(bytes.subarray(0, random.whole(0, bytes.length)))
    if (typeof found !== 'string' && !(found.width > 0 && found.height > 0)) t.fail(bytes.toString('hex'))
  }
})

tap.test('base64 is checked as strictly as a pattern would, and read in place', async t => {
  const random = seededRandom(2)
  const pattern = /^[A-Za-z0-9+/]*={0,2}$/
  const odd: string[] = []
  for (let round = 0; round < 5000; round++) {
    let text = Buffer.from(Array.from({ length: random.whole(0, 40) }, () => random.whole(0, 255))).toString('base64')
    if (random.chance(0.7)) { const at = random.whole(0, text.length); text = text.slice(0, at) + random.pick(['=', '-', '_', ' ', '\n', 'é', '漢', '\0', '', 'A', '!']) + text.slice(at + random.whole(0, 1)) }
    const wanted = text.length % 4 === 0 && pattern.test(text)
    if (isBase64(text) !== wanted) odd.push(text)
    if (wanted && decodedBytes(text) !== Buffer.from(text, 'base64').length) odd.push(text)
  }
  t.strictSame(odd, [])
  const bytes = Buffer.from(Array.from({ length: 1000 }, () => random.whole(0, 255)))
  const base64 = bytes.toString('base64')
  for (let round = 0; round < 500; round++) {
    const start = random.whole(0, 1010)
    const end = start + random.whole(0, 50)
    if (!bytesAt(base64, start, end).equals(bytes.subarray(start, end))) t.fail(`${start} to ${end}`)
  }
  t.match(dataUrlOf('DATA:image/PNG;name=a;BASE64,QUI='), { mediaType: 'image/png', base64: 'QUI=', bytes: 2 })
  t.equal(dataUrlOf('data:image/png,abc'), undefined)
  t.equal(dataUrlOf('http://x/;base64,AA'), undefined)
})

tap.test('an image that is too large, false or cut is refused with its place and its limit', async t => {
  const at = '/messages/0/content/1/image_url'
  const tries: Array<[unknown, string, string, RegExp]> = [
    [imagePart(urlOf(pngOf(20_000, 20_000))), 'limit-exceeded', `${at}/url`, /20000 × 20000 pixels; the limit is 64 megapixels \(INFERENCE_IMAGE_MEGAPIXELS/],
    [imagePart('data:image/png;base64,' + 'A'.repeat(28_000_000)), 'limit-exceeded', `${at}/url`, /the limit for one file is 20 MB \(INFERENCE_IMAGE_MB/],
    [imagePart('data:image/png;base64,' + 'A'.repeat(400)), 'invalid-request', `${at}/url`, /not an image/],
    [imagePart(urlOf(png(40, 40).subarray(0, 60))), 'invalid-request', `${at}/url`, /stops before its end/],
    [imagePart(urlOf(png(4, 4), 'image/jpeg')), 'invalid-request', `${at}/url`, /declared "image\/jpeg" and holds PNG/],
    [imagePart(urlOf(png(4, 4), '')), 'invalid-request', `${at}/url`, /declare image\/png/],
    [imagePart(urlOf(Buffer.from('<svg/>'), 'image/svg+xml')), 'invalid-request', `${at}/url`, /not an image/],
    [imagePart(urlOf(png(4, 4)).replace(/.$/s, '!')), 'invalid-request', `${at}/url`, /not base64/],
    [imagePart(urlOf(png(4, 4)).replace(/.{20}$/s, '\n$&')), 'invalid-request', `${at}/url`, /not base64/],
    [imagePart('data:image/png;base64,'), 'invalid-request', `${at}/url`, /no data/],
    [imagePart('data:image/png,%89PNG'), 'invalid-request', `${at}/url`, /not base64/],
    [imagePart('https://example.org/a.png'), 'url-forbidden', `${at}/url`, /INFERENCE_MEDIA_HOSTS/],
    [imagePart('file:///etc/passwd'), 'url-forbidden', `${at}/url`, /file of the model server/],
    [imagePart('gopher://x'), 'url-forbidden', `${at}/url`, /neither/],
    [imagePart(' https://example.org/a.png'), 'url-forbidden', `${at}/url`, /neither/],
    [imagePart(''), 'invalid-request', `${at}/url`, /URL/],
    [{ type: 'image_url' }, 'invalid-request', '/messages/0/content/1', /neither/],
    [{ type: 'image_url', image_url: null, uuid: 'x' }, 'invalid-request', `${at}/url`, /URL/],
    [{ ...imagePart(urlOf(png(4, 4))), uuid: 'x' }, 'invalid-request', '/messages/0/content/1/uuid', /cache/],
    [{ image_url: 'https://example.org/a.png' }, 'url-forbidden', at, /address/],
    [{ type: 'text', text: 'x', image_url: 'file:///etc/passwd' }, 'url-forbidden', at, /file/],
    [{ type: 'input_image', image_url: 'https://example.org/a.png' }, 'url-forbidden', at, /address/],
    [{ type: 'image_embeds', image_embeds: 'AAAA' }, 'invalid-request', '/messages/0/content/1/type', /is text/],
    [{ type: 'text', text: 'x', image_embeds: 'AAAA' }, 'invalid-request', '/messages/0/content/1/image_embeds', /unpickle/],
    [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, 'invalid-request', '/messages/0/content/1/input_audio', /INFERENCE_MEDIA/],
    [{ type: 'video_url', video_url: { url: 'https://x/y' } }, 'invalid-request', '/messages/0/content/1/video_url', /INFERENCE_MEDIA/]
  ]
  for (const [part, kind, pointer, message] of tries) {
    const found = refusalOf(shows(part))
    t.match(found, { kind, message, errors: [{ pointer }] }, JSON.stringify(part).slice(0, 60))
  }
  const frames = Array.from({ length: 64 }, (_, at) => [{ type: 'text', text: `t = ${at * 0.5} s` }, { ...imagePart(urlOf(png(2, 2 + at))), timestamp: at * 0.5 }]).flat()
  const sequence = shows(...frames)
  const before = JSON.stringify(sequence)
  t.equal(admit(chat, { model: 'm', ...sequence }, defaultLimits).images, 64)
  t.equal(JSON.stringify(sequence), before, 'an ordered, time-stamped sequence is not touched')
  t.match(refusalOf(shows(...frames, imagePart(urlOf(png(2, 2))))), { kind: 'limit-exceeded', message: /64.*INFERENCE_IMAGES_MAX/ })
})

tap.test('a data URL of 100 MB is refused from its length', async t => {
  // None of it is base64, which would be said if it had been looked at.
  t.match(refusalOf(shows(imagePart('data:image/png;base64,' + '!'.repeat(140_000_000)))), { kind: 'limit-exceeded', message: /100.* MB/ })
})

tap.test('addresses are allowed by host, in the one form that parsers cannot read differently', async t => {
  const limits = limitsFrom({ INFERENCE_IMAGES_MAX: 2, INFERENCE_IMAGE_MB: 1, INFERENCE_IMAGE_MEGAPIXELS: 1, INFERENCE_MEDIA: 'image, video', INFERENCE_MEDIA_HOSTS: 'Pictures.example.org, 10.0.0.1:8080' })
  const ok = (url: string, given = limits) => refusalOf(shows(imagePart(url)), chat, given) === undefined
  for (const url of ['https://pictures.example.org/a.png', 'HTTP://PICTURES.example.org:81/a?b#c', 'http://10.0.0.1:8080/x']) t.ok(ok(url), url)
  for (const url of ['https://example.org/a', 'https://pictures.example.org.evil.net/', 'https://pictures.example.org@evil.net/', 'https://evil.net\\@pictures.example.org/', 'https://evil.net/@pictures.example.org', 'https://pictures.example.org\\.evil.net/', 'https:/pictures.example.org/', 'https://pictures.example.org /a', 'https://pictures.example.org/a\\b', 'http://10.0.0.1/x', 'http://[::1]/', 'https://pictures.example.org/\n', 'https://pictures。example.org/', 'file:///x']) t.notOk(ok(url), url)
  t.ok(ok('https://any.net/x', { ...limits, mediaHosts: ['*'] }))
  t.notOk(ok('file:///x', { ...limits, mediaHosts: ['*'] }))
  t.ok(ok('file:///x', { ...limits, mediaHosts: ['file:'] }))
})

tap.test('what a request weighs, and in which band it waits', async t => {
  t.equal(estimateTokens({ messages: [{ role: 'user', content: 'abcde' }], max_tokens: 10 }), 2 + 10)
  t.equal(estimateTokens({ messages: [{ role: 'user', content: '漢漢' }], max_tokens: 10, n: 3 }), 2 + 30, 'bytes, not characters; every answer')
  t.equal(estimateTokens({ messages: hello }), 2 + 512)
  t.equal(estimateTokens({ prompt: ['abcd', 'abcd', 'abcd'], max_tokens: 10, n: 2 }), 3 + 60, 'to every prompt')
  t.equal(estimateTokens({ prompt: [1, 2, 3], max_tokens: 10 }), 3 + 10)
  t.equal(estimateTokens({ ...shows(imagePart(urlOf(png(2, 2)))), max_completion_tokens: 1 }), 3 + 1024 + 1)
  t.equal(estimateTokens({ prompt: [[1, 2, 3], [4]], max_tokens: 0 }), 4)
  t.equal(estimateTokens({ input: ['abcd', 'efgh'] }), 2, 'nothing is generated for an embedding')
  for (const odd of [{}, { messages: null }, { messages: [null, 5] }, { prompt: null }]) {
    t.ok(Number.isFinite(estimateTokens(odd)))
  }
  t.strictSame([-1, 0, 5, null, undefined, 'x'].map(bandOf), [0, 1, 2, 1, 1, 1])
})

tap.test('prompts that begin alike have the same names as far as they are alike', async t => {
  const paper = Array.from({ length: 4000 }, (_, at) => `sentence ${at}. `).join('')
  const ask = (question: string, fields: object = {}) => prefixOf({ model: 'm', messages: [{ role: 'system', content: 'Read.' }, { role: 'user', content: paper + question }], ...fields })
  const first = ask('Why?')
  t.equal(first.length, Math.floor((paper.length + 9) / blockChars))
  t.strictSame(ask('How?'), first)
  t.not(ask('Why?', { model: 'n' })[0], first[0], 'another model has another cache')
  const changed = prefixOf({ model: 'm', messages: [{ role: 'system', content: 'Read.' }, { role: 'user', content: paper.slice(0, 3000) + '!' + paper.slice(3001) }] })
  t.strictSame(changed.slice(0, 2), first.slice(0, 2))
  t.notOk(changed.slice(2).some(name => first.includes(name)), 'each covers all before it')
  t.strictSame(prefixOf({ model: 'm', messages: hello }), [])
  t.equal(prefixOf({ model: 'm', prompt: 'x'.repeat(2_000_000) }).length, blocksMax)
  const shown = (bytes: Buffer) => prefixOf({ model: 'm', ...shows(imagePart(urlOf(bytes))) })
  t.equal(shown(png(9, 9)).length, 1)
  t.strictSame(prefixOf({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(promptCharsMin - 1) }] }), [], 'what is read in a moment')
  t.strictSame(shown(png(9, 9)), shown(png(9, 9)))
  t.notSame(shown(png(9, 9)), shown(png(9, 8)))
  t.equal(prefixOf({ model: 'm', prompt: Array(1024).fill(7) }).length, 4, 'token ids are about four characters each')
  const names = new Set(Array.from({ length: 5_000 }, (_, at) => prefixOf({ model: 'm', prompt: `${at}`.padEnd(promptCharsMin, 'lorem ipsum ') })[0]))
  t.equal(names.size, 5_000)
  for (const odd of [{}, { messages: [null, 3, { role: 'user', content: [null, 3, {}] }] }, { prompt: null }, { prompt: [] }]) t.strictSame(prefixOf({ model: 'm', ...odd }), [])
})
