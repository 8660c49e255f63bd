import t from 'tap'
import { readReply } from '../domain/read-reply.ts'
import { withoutConfidence } from '../domain/confidence.ts'
import { inlineCharsMax } from '../../../shared/reading/reply-reader.ts'
import type { Duty } from '../thread/duties.ts'
import { createThreads } from '../thread/threads.ts'
import { benchmarkOf, documentOf, itemsOf } from './fixtures.ts'
import { says, startScoring } from './given-scoring.ts'

const table = (models: number) => ({
  models: Array.from({ length: models }, (_, m) => ({
    model: `m${m}`,
    subjects: Object.fromEntries(Array.from({ length: 50 }, (_, s) => [`s${s}`, { right: 600 + m + s, n: 2000 }]))
  }))
})
const rule = { average: 30, eachSubject: 1, questionsPerSubject: 500 }
const passing = (models: number): Duty => ({ do: 'analyse', kind: 'passing', form: 'json', body: { table: table(models), rule }, heads: null })

/** The kind of Problem that it ends in. */
const failed = async (work: Promise<unknown>) => await work.then(() => 'done', (cause: { kind?: string }) => cause.kind)

t.test('a thread is kept for the next, and replaced once it has taken too long', async t => {
  const limits = { threadsMax: 2, waitingMax: 1, timeoutMs: 60_000 }
  const threads = createThreads(limits)
  t.teardown(threads.close)
  const first = await threads.run(passing(1))
  t.equal(JSON.parse(first.toString()).rows.length, 1)
  t.same(await threads.run(passing(1)), first)
  t.equal(await failed(threads.run({ ...passing(1), body: { table: { models: [{ model: 'a', subjects: { x: { right: 2, n: 1 } } }] }, rule } } as Duty)), 'invalid-request')
  t.equal(threads.started(), 1, 'a wrong body leaves it as it was')
  limits.timeoutMs = 20
  t.equal(await failed(threads.run(passing(100))), 'not-computable')
  limits.timeoutMs = 60_000
  t.same(await threads.run(passing(1)), first)
  t.equal(threads.started(), 2)
  const left = new AbortController()
  const asked = threads.run(passing(100), { signal: left.signal })
  left.abort()
  t.equal(await failed(asked), 'request-timeout')
})

t.test('so many wait, a patient one beyond that; after close nothing is begun', async t => {
  const threads = createThreads({ threadsMax: 1, waitingMax: 0, timeoutMs: 60_000 })
  const one = threads.run(passing(1))
  t.equal(await failed(threads.run(passing(1))), 'too-many-requests')
  t.same(await threads.run(passing(1), { patient: true }), await one)
  await threads.close()
  t.equal(await failed(threads.run(passing(1))), 'shutting-down')
})

t.test('an analysis of minutes lets other requests be answered', async t => {
  const documents = [documentOf('one')]
  const items = documents.flatMap(itemsOf)
  const { ask } = await startScoring(
    t, { documents, frozen: [{ benchmark: benchmarkOf(documents, items), items }] }
  )
  let done = false
  const slow = ask('POST', '/analyses/passing', { table: table(60), rule }).then(answer => {
    done = true
    return answer
  })
  for (let nth = 0; nth < 20; nth++) t.equal((await ask('GET', '/runs')).status, 200)
  t.notOk(done, 'they are answered while it is computed')
  t.match(await slow, { status: 200, body: { kind: 'passing', rows: { length: 60 } } })
  const wrong = table(20)
  wrong.models[19]!.subjects.s1!.right = 3000
  t.match(await ask('POST', '/analyses/passing', { table: wrong, rule }), { status: 400, body: { errors: [{ pointer: '/body/table/models/19/subjects/s1' }] } })
})

t.test('a long reply is read as a short one would be', async t => {
  const documents = [documentOf('one')]
  const items = documents.flatMap(itemsOf)
  const reply = `${'I weigh it ① and ②. '.repeat(inlineCharsMax / 10)}\nAnswer: B`
  const frozen = [{ benchmark: benchmarkOf(documents, items), items }]
  const { ask, run } = await startScoring(t, { documents, frozen }, { answer: () => says(reply) })
  const { id } = await run('seeing')
  const { body: { items: predictions } } = await ask('GET', `/runs/${id}/predictions`)
  const chosen = predictions.find(({ kind }: { kind: string }) => kind === 'choice')
  const question = { kind: 'choice' as const, choices: ['argon', 'helium', 'neon'], order: [0, 1, 2] }
  t.match(chosen, readReply(question, { content: reply, finishReason: 'stop', refusal: false }))
})

t.test('taking out what a reply states of its confidence copies it about once, however often it does', async t => {
  const reply = 'Confidence: 1\n'.repeat(2_000)
  const copies = t.capture(String.prototype, 'slice', String.prototype.slice)
  const text = withoutConfidence(reply)
  const copied = copies().reduce((sum, call) => sum + String((call as { returned?: unknown }).returned ?? '').length, 0)
  t.equal(text.length, reply.length)
  t.equal(text.trim(), '')
  t.ok(copied < 5 * reply.length, `${copied} characters copied of ${reply.length}`)
})
