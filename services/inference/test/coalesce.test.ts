import t from 'tap'
import { Problem } from '../../../shared/errors/problem.ts'
import { temporaryFolder } from '../../../shared/testing/temporary-folder.ts'
import type { Leaving, ReplayMode } from '../domain/call.ts'
import type { Reply } from '../domain/reply.ts'
import { answerWhole, ledgerHeaders, type Landed } from '../handlers/answer-whole.ts'
import { coalescer } from '../handlers/coalesce.ts'
import { departure } from '../handlers/departure.ts'
import { chatReply, keyOf, openParts, replyOf } from './ledger-parts.ts'

/** Calls that end when told to. */
function held<T> () {
  const signals: Leaving[] = []
  const ends: Array<{ resolve: (value: T) => void, reject: (cause: unknown) => void }> = []
  const start = async (signal: Leaving): Promise<T> => {
    signals.push(signal)
    return await new Promise<T>((resolve, reject) => {
      ends.push({ resolve, reject })
      signal.addEventListener('abort', () => { reject(signal.reason) })
    })
  }
  return { start, signals, ends }
}

t.test('a departure is told once, in order, to who still listens, as an AbortController tells it', async t => {
  const node = new AbortController()
  const theirs = { signal: node.signal as Leaving, abort: (reason: unknown) => { node.abort(reason) } }
  for (const { signal, abort } of [departure(), theirs]) {
    const heard: string[] = []
    const last = (): void => { heard.push('last') }
    const gone = (): void => { heard.push('gone') }
    for (const listener of [() => { heard.push('first'); signal.removeEventListener('abort', gone) }, gone, last]) signal.addEventListener('abort', listener)
    t.doesNotThrow(() => { signal.throwIfAborted() })
    const left = new Error('left')
    abort(left)
    abort(new Error('again'))
    signal.addEventListener('abort', last)
    t.strictSame(heard, ['first', 'last'])
    t.match(signal, { aborted: true, reason: left })
    t.throws(() => { signal.throwIfAborted() }, left)
  }
})

t.test('a hundred equal calls at once are one, and one of them has started it', async t => {
  const flights = coalescer<string>()
  const { start, ends } = held<string>()
  const callers = Array.from({ length: 100 }, () => new AbortController())
  const joined = callers.map(async ({ signal }) => await flights.join('k', start, signal))
  const other = flights.join('other', start, new AbortController().signal)
  t.equal(ends.length, 2, 'two keys, two calls')
  ends.forEach(({ resolve }, at) => { resolve(`value ${at}`) })
  const got = await Promise.all(joined)
  t.ok(got.every(({ value }) => value === 'value 0'))
  t.equal(got.filter(({ started }) => started).length, 1)
  t.match(await other, { value: 'value 1', started: true })
  t.equal(flights.size(), 0)
  callers.forEach(caller => { caller.abort() })
})

t.test('who leaves takes nothing from the others, the first one too; the last one cancels', async t => {
  const flights = coalescer<string>()
  const { start, signals, ends } = held<string>()
  const [a, b, c] = [new AbortController(), new AbortController(), new AbortController()]
  const left = new Error('the caller left')
  const joined = [a, b, c].map(async ({ signal }) => await flights.join('k', start, signal))
  a.abort(left)
  await t.rejects(joined[0]!, left)
  t.notOk(signals[0]?.aborted)
  ends[0]?.resolve('value')
  t.strictSame(await joined[1], { value: 'value', started: false }, 'the cost stays with who asked')
  t.strictSame(await joined[2], { value: 'value', started: false })

  const [d, e] = [new AbortController(), new AbortController()]
  const leaving = [d, e].map(async ({ signal }) => await flights.join('k', start, signal))
  d.abort(left)
  t.notOk(signals[1]?.aborted)
  e.abort(left)
  t.ok(signals[1]?.aborted, 'nobody waits any more')
  t.equal(flights.size(), 0, 'at once: who comes now starts anew')
  for (const each of leaving) await t.rejects(each, left)
  await t.rejects(flights.join('k', start, d.signal), left, 'who has left starts nothing')
  t.equal(ends.length, 2)
})

t.test('a failure is told to all, also one before the first await, and asking again starts anew', async t => {
  const flights = coalescer<string>()
  const { start, ends } = held<string>()
  const { signal } = new AbortController()
  const joined = [flights.join('k', start, signal), flights.join('k', start, signal)]
  const fault = new Problem('upstream-unavailable', 'away')
  ends[0]?.reject(fault)
  for (const each of joined) await t.rejects(each, fault)
  const broken = (): never => { throw fault }
  await t.rejects(flights.join('k', broken, signal), fault)
  const again = flights.join('k', start, signal)
  ends[1]?.resolve('value')
  t.match(await again, { value: 'value' })
})

t.test('who joins a call that its starter\'s budget does not allow starts one of its own', async t => {
  const flights = coalescer<string>()
  const exhausted = new Problem('budget-exhausted', 'poor')
  const { signal } = new AbortController()
  const poor = async () => { await null; throw exhausted }
  const starts = [poor, async () => 'rich', poor]
  const joined = starts.map(async start => await flights.join('k', start, signal))
  const ends = await Promise.allSettled(joined)
  t.match(ends[0], { reason: exhausted })
  t.match(ends.slice(1), [{ value: { value: 'rich', started: true } }, { value: { value: 'rich', started: false } }])
})

const body = { model: 'm', temperature: 0 }
const path = '/v1/chat/completions' as const

/** The ledger of a process, in front of an upstream that counts and answers. */
async function door (folder: string, upstream: { asked: number, answer: () => Promise<Reply> }) {
  const { store, record } = await openParts(folder, 1_000_000)
  const flights = coalescer<Landed>()
  const ask = async (replay: ReplayMode, question: object, signal = new AbortController().signal) =>
    await answerWhole(
      { record, flights },
      { call: { path, body, replay, signal, timeoutMs: 1_000, band: 1 }, key: keyOf(question), trace: { source: 'upstream' } },
      async () => { upstream.asked++; return await upstream.answer() })
  return { store, ask, flights }
}

t.test('a run that was recorded is replayed byte for byte without an upstream, also after a restart', async t => {
  const folder = temporaryFolder(t)
  let n = 0
  const upstream = { asked: 0, answer: async () => replyOf(chatReply('Yes', `id${n++}`)) }
  const first = await door(folder, upstream)
  const questions = Array.from({ length: 300 }, (_, at) => ({ at: at % 250 }))
  const recorded = await Promise.all(questions.map(async question => await first.ask('replay-or-record', question)))
  t.equal(upstream.asked, 250, 'equal calls at once are asked once')
  t.equal(recorded.filter(({ source }) => source === 'coalesced').length, 50)
  await first.store.close()

  const second = await door(folder, { asked: 0, answer: async () => { throw new Problem('upstream-unavailable', 'down') } })
  t.teardown(second.store.close)
  const replayed = await Promise.all(questions.map(async question => await second.ask('replay', question)))
  t.ok(replayed.every(({ reply }, at) => Buffer.compare(reply.bytes, recorded[at]!.reply.bytes) === 0))
  t.ok(replayed.every(({ source, reply }) => source === 'record' && reply.usage.promptTokens === 3))
  t.strictSame(ledgerHeaders(keyOf({ at: 0 }), replayed[0]!), { 'viva-replayed': keyOf({ at: 0 }).id })
  await t.rejects(second.ask('replay', { at: 'new' }), { kind: 'not-recorded', message: /replay-or-record/ })
  await t.rejects(second.ask('replay-or-record', { at: 'new' }), { kind: 'upstream-unavailable', message: 'down' })
})

t.test('each mode does what it says, and what was first is what all get', async t => {
  const folder = temporaryFolder(t)
  let n = 0
  const upstream = { asked: 0, answer: async () => replyOf(chatReply(n > 2 ? 'No' : 'Yes', `id${n++}`)) }
  const one = await door(folder, upstream)
  t.teardown(one.store.close)
  const question = { q: 1 }
  t.match(await one.ask('off', question), { source: 'upstream', recorded: null })
  await t.rejects(one.ask('replay', question), { kind: 'not-recorded', message: /cmp_/ }, 'off records nothing')
  const first = await one.ask('record', question)
  t.match(ledgerHeaders(keyOf(question), first), { 'viva-recorded': 'new' })
  const same = await one.ask('record', question)
  t.match(ledgerHeaders(keyOf(question), same), { 'viva-recorded': 'same' })
  t.not(String(same.reply.bytes), String(first.reply.bytes), 'record answers what the server said now')
  t.match(ledgerHeaders(keyOf(question), await one.ask('record', question)), { 'viva-recorded': 'different' })
  t.equal(upstream.asked, 4)
  t.equal(String((await one.ask('replay-or-record', question)).reply.bytes), String(first.reply.bytes))
  t.equal(upstream.asked, 4)
})

t.test('two processes that record at once answer with the same bytes', async t => {
  const folder = temporaryFolder(t)
  let n = 0
  const upstream = { asked: 0, answer: async () => replyOf(chatReply('Yes', `id${n++}`)) }
  const doors = [await door(folder, upstream), await door(folder, upstream)]
  for (const { store } of doors) t.teardown(store.close)
  const got = await Promise.all(doors.map(async each => await each.ask('replay-or-record', { q: 2 })))
  t.equal(upstream.asked, 2)
  t.equal(String(got[0]?.reply.bytes), String(got[1]?.reply.bytes))
  t.strictSame(got.map(({ source }) => source), ['upstream', 'upstream'], 'both were paid for')
})

t.test('what may not be kept is answered and not recorded', async t => {
  const folder = temporaryFolder(t)
  const upstream = { asked: 0, answer: async () => replyOf(chatReply('half'), { finishReasons: ['abort'] }) }
  const one = await door(folder, upstream)
  t.teardown(one.store.close)
  t.match(await one.ask('replay-or-record', { q: 3 }), { source: 'upstream', recorded: null })
  await t.rejects(one.ask('replay', { q: 3 }), { kind: 'not-recorded', message: /cmp_/ })
})
