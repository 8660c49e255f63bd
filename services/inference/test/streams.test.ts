import t from 'tap'
import { Problem } from '../../../shared/errors/problem.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { Leaving, ReplayMode } from '../domain/call.ts'
import { answerStream, streamParts, type Source, type StreamAnswer } from '../handlers/answer-stream.ts'
import { sharedStream } from '../handlers/shared-stream.ts'
import { keyOf, openParts, replyOf } from './ledger-parts.ts'

/** A source that gives what it is told to, when it is told to. */
function tap () {
  const steps: Array<Uint8Array | null | Error> = []
  let wake = (): void => {}
  let pulled = 0
  const state = { ended: false }
  async function * chunks (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const step = steps.shift()
        if (step === undefined) { await new Promise<void>(resolve => { wake = resolve }); continue }
        if (step === null) return
        if (step instanceof Error) throw step
        pulled++
        yield step
      }
    } finally { state.ended = true }
  }
  const give = (...given: Array<string | Uint8Array | null | Error>): void => {
    steps.push(...given.map(each => typeof each === 'string' ? Buffer.from(each) : each))
    wake()
  }
  return { chunks: chunks(), give, state, pulled: () => pulled }
}

async function textOf (chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces).toString()
}

const never = (): AbortSignal => new AbortController().signal
const settled = async (): Promise<void> => { await new Promise(resolve => setImmediate(resolve)) }

t.test('each reader gets all of the stream, whenever it came', async t => {
  const { chunks, give } = tap()
  const stream = sharedStream({ source: chunks, abort: () => {} })
  const early = stream.read(never())
  const first = textOf(early.chunks)
  give('a', 'b')
  await settled()
  const late = stream.read(never())
  const second = textOf(late.chunks)
  give('c', null)
  t.strictSame(await Promise.all([first, second]), ['abc', 'abc'])
  t.notOk(stream.isOpen())
})

t.test('a reader who leaves takes nothing along, and the last one ends the source', async t => {
  const { chunks, give, state } = tap()
  const reasons: unknown[] = []
  const abort = (reason: unknown): void => {
    reasons.push(reason)
    give(reason as Error)
  }
  const stream = sharedStream({ source: chunks, abort })
  const [a, b] = [new AbortController(), new AbortController()]
  const readers = [stream.read(a.signal), stream.read(b.signal)]
  const left = new Error('left')
  const got = readers.map(async ({ chunks }) => await textOf(chunks))
  give('x')
  await settled()
  a.abort(left)
  await t.rejects(got[0]!, left)
  await settled()
  t.strictSame(reasons, [])
  b.abort(left)
  await t.rejects(got[1]!, left)
  await settled()
  t.strictSame(reasons, [left])
  t.ok(state.ended)
})

t.test('a reader who leaves before reading, or in the middle of it, is seen to have left', async t => {
  for (const reads of [false, true]) {
    const { chunks, give } = tap()
    let aborted = false
    const stream = sharedStream({ source: chunks, abort: () => { aborted = true; give(null) } })
    const caller = new AbortController()
    const reader = stream.read(caller.signal)
    give('x')
    const reading = reader.chunks[Symbol.asyncIterator]()
    if (reads) {
      await reading.next()
      await reading.return?.()
    } else caller.abort()
    await settled()
    t.ok(aborted)
  }
})

t.test('what is kept is bounded: beyond it nobody joins, and the source waits for the slowest', async t => {
  const { chunks, give, pulled } = tap()
  const stream = sharedStream({ source: chunks, abort: () => {}, keptBytesMax: 10 })
  const fast = textOf(stream.read(never()).chunks)
  const slow = stream.read(never()).chunks[Symbol.asyncIterator]()
  t.ok(stream.isOpen())
  give(...Array.from({ length: 50 }, (_, at) => String(at).padStart(5, '0')), null)
  for (let n = 0; n < 10; n++) await settled()
  t.equal(pulled(), 3, 'one more than are kept')
  t.notOk(stream.isOpen())
  let text = ''
  for (let step = await slow.next(); step.done !== true; step = await slow.next()) {
    text += Buffer.from(step.value).toString()
  }
  t.equal(text.length, 250)
  t.equal(await fast, text)
})

t.test('a reader who stops is cut off after a while, and the others go on; a slow one who catches up is not', async t => {
  const { chunks, give, pulled } = tap()
  const stream = sharedStream({ source: chunks, abort: () => {}, keptBytesMax: 10, patienceMs: 30 })
  const [stopped, fast] = [0, 1].map(() => stream.read(never()).chunks[Symbol.asyncIterator]())
  const slow = stream.read(never()).chunks[Symbol.asyncIterator]()
  give('0')
  for (const reader of [stopped, fast, slow]) await reader!.next()
  give(...Array.from({ length: 10 }, (_, at) => `chunk ${at};`), null)
  const text = async (reader: AsyncIterator<Uint8Array>): Promise<string> => {
    let all = ''
    for (let step = await reader.next(); step.done !== true; step = await reader.next()) {
      all += Buffer.from(step.value).toString()
    }
    return all
  }
  const got = await Promise.all([text(fast!), text(slow)])
  t.match(got[0], /^chunk 0;.*chunk 9;$/)
  t.equal(got[1], got[0])
  t.equal(pulled(), 11, 'all of it')
  await t.rejects(stopped!.next(), { kind: 'reader-too-slow', message: /10 bytes behind.*30 ms/ })
})

const body = { model: 'm', temperature: 0, stream: true }
const path = '/v1/chat/completions' as const
const frame = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
const done = 'data: [DONE]\n\n'

type Taps = Array<ReturnType<typeof tap>>

async function door (folder: string) {
  const { store, record } = await openParts(folder)
  const parts = streamParts<string>(record)
  const taps: Taps = []
  const signals: Leaving[] = []
  let finishReasons = ['stop']
  const ask = async (signal: Leaving): Promise<Source<string>> => {
    const made = tap()
    taps.push(made)
    signals.push(signal)
    signal.addEventListener('abort', () => { made.give(signal.reason as Error) })
    const { bytes, ...about } = replyOf('', { contentType: 'text/event-stream', finishReasons })
    return { head: 'head', chunks: made.chunks, about: () => finishReasons.length === 0 ? null : about }
  }
  return {
    store,
    record,
    taps,
    signals,
    end: (reasons: string[]) => { finishReasons = reasons },
    call: async (replay: ReplayMode, question: object, signal = never()) => {
      const asked = { path, body, replay, signal, timeoutMs: 1_000, band: 1 as const }
      return await answerStream(parts, { call: asked, key: keyOf(question), trace: { source: 'upstream' } }, ask)
    }
  }
}

async function sent (answer: StreamAnswer<string>): Promise<string> {
  return 'reply' in answer ? Buffer.from(answer.reply.bytes).toString() : await textOf(answer.chunks)
}

t.test('equal streams at once are one, also for who comes in the middle, and are replayed byte for byte', async t => {
  const folder = temporaryFolder(t)
  const { store, taps, call } = await door(folder)
  const asked = [call('replay-or-record', { q: 1 }), call('replay-or-record', { q: 1 })]
  const answers = await Promise.all(asked)
  const texts = answers.map(sent)
  t.equal(taps.length, 1)
  taps[0]?.give(frame('Y'), frame('漢'))
  await settled()
  const late = await call('replay-or-record', { q: 1 })
  const lateText = sent(late)
  taps[0]?.give(frame('', 'stop'), done, null)
  const whole = frame('Y') + frame('漢') + frame('', 'stop') + done
  t.strictSame(await Promise.all([...texts, lateText]), [whole, whole, whole])
  t.strictSame([...answers, late].map(({ source }) => source), ['upstream', 'coalesced', 'coalesced'])
  t.match('recorded' in late && late.recorded(), { isNew: true })
  const again = await call('replay', { q: 1 })
  t.match(again, { source: 'record', reply: { usage: { promptTokens: 3 } } })
  t.equal(await sent(again), whole)
  await store.close()
  const other = await door(folder)
  t.teardown(other.store.close)
  t.equal(await sent(await other.call('replay-or-record', { q: 1 })), whole, 'after a restart')
  t.equal(other.taps.length, 0)
})

t.test('a stream that breaks, is left or does not finish is not recorded', async t => {
  const { store, taps, signals, call, end } = await door(temporaryFolder(t))
  t.teardown(store.close)
  const fault = new Problem('upstream-invalid', 'broke')
  const broken = sent(await call('replay-or-record', { q: 1 }))
  taps[0]?.give(frame('a'), fault)
  await t.rejects(broken, fault)
  const caller = new AbortController()
  const left = sent(await call('replay-or-record', { q: 1 }, caller.signal))
  taps[1]?.give(frame('a'))
  await settled()
  caller.abort(new Error('left'))
  await t.rejects(left, /left/)
  await settled()
  t.ok(signals[1]?.aborted, 'the upstream is told')
  for (const reasons of [[], ['abort']]) {
    end(reasons)
    const unfinished = sent(await call('replay-or-record', { q: 1 }))
    taps.at(-1)?.give(frame('a'), done, null)
    t.equal(await unfinished, frame('a') + done)
  }
  t.equal(taps.length, 4)
  await t.rejects(call('replay', { q: 1 }), { kind: 'not-recorded', message: /cmp_/ })
})

t.test('the end of a stream is not sent when it cannot be recorded', async t => {
  for (const last of [done, 'data:[DONE]\r\n\r\n']) {
    const { store, taps, call } = await door(temporaryFolder(t))
    const answer = await call('replay-or-record', { q: 1 })
    let text = ''
    const reading = (async () => {
      if ('chunks' in answer) for await (const chunk of answer.chunks) text += Buffer.from(chunk).toString()
    })()
    taps[0]?.give(frame('a', 'stop'))
    await settled()
    await store.close()
    taps[0]?.give(last, null)
    await t.rejects(reading, { kind: 'store-unavailable', message: /closed/ })
    t.equal(text, frame('a', 'stop'))
  }
})

t.test('a caller who leaves while waiting for the first byte cancels, unless others wait', async t => {
  const { store, record } = await openParts(temporaryFolder(t))
  t.teardown(store.close)
  const signals: Leaving[] = []
  const parts = streamParts<string>(record)
  const [a, b] = [new AbortController(), new AbortController()]
  const asked = [a, b].map(async ({ signal }) => await answerStream(parts, { call: { path, body, replay: 'off', signal, timeoutMs: 1_000, band: 1 }, key: keyOf({}), trace: { source: 'upstream' } },
    async signal => await new Promise<never>((resolve, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => { reject(signal.reason) })
    })))
  a.abort(new Error('left'))
  await t.rejects(asked[0]!, /left/)
  t.strictSame(signals.map(({ aborted }) => aborted), [false])
  b.abort(new Error('left'))
  await t.rejects(asked[1]!, /left/)
  t.ok(signals[0]?.aborted)
})
